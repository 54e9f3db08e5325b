package batch

import (
	"encoding/json"
	"testing"
)

func TestAppendLine(t *testing.T) {
	const a = `{"id":"batch_req_ca978112ca1bbdcb0000000007","custom_id":"a",`
	tests := []struct {
		name, id string
		out      Outcome
		want     string
	}{
		{"answer", "a", Outcome{Status: 200, RequestID: "r1", Body: []byte(`{"b": 1.0, "a":"<é\u00e9>"}`)},
			a + `"response":{"status_code":200,"request_id":"r1","body":{"b": 1.0, "a":"<é\u00e9>"}},"error":null}`},
		{"answer of several lines", "a", Outcome{Status: 200, Body: []byte("\r\n{\n  \"a\":\r\n1\n}\n")},
			a + `"response":{"status_code":200,"request_id":"","body":{   "a":  1 }},"error":null}`},
		{"cut", "a", Outcome{Status: 200, Body: []byte(`{}`), Code: "length", Message: "cut by \"max_tokens\""},
			a + `"response":{"status_code":200,"request_id":"","body":{}},"error":{"code":"length","message":"cut by \"max_tokens\""}}`},
		{"HTTP error as JSON", "a", Outcome{Status: 429, Body: []byte(`{"error":{}}`), Code: "rate_limit_exceeded", Message: "slow\ndown"},
			a + `"response":{"status_code":429,"request_id":"","body":{"error":{}}},"error":{"code":"rate_limit_exceeded","message":"slow\ndown"}}`},
		{"HTTP error as text", "a", Outcome{Status: 503, Body: []byte("no\xff\n<b>"), Code: "503", Message: "m"},
			a + `"response":{"status_code":503,"request_id":"","body":"no` + "\ufffd" + `\n<b>"},"error":{"code":"503","message":"m"}}`},
		{"HTTP error without a body", "a", Outcome{Status: 500, Code: "500"},
			a + `"response":{"status_code":500,"request_id":"","body":null},"error":{"code":"500","message":""}}`},
		{"empty body", "a", Outcome{Status: 500, Body: []byte{}, Code: "500"},
			a + `"response":{"status_code":500,"request_id":"","body":""},"error":{"code":"500","message":""}}`},
		{"no reply", "a", Outcome{Code: "timeout", Message: "no data"}, a + `"response":null,"error":{"code":"timeout","message":"no data"}}`},
		{"odd id", "\"\\\n\x01é", Outcome{Code: "c"}, `{"id":"batch_req_490ffb7b5a958ee50000000007","custom_id":"\"\\\n\u0001é","response":null,"error":{"code":"c","message":""}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := appendLine(nil, &Item{ID: tt.id, Line: 7, hash: hashOf(tt.id)}, &tt.out)
			if string(got) != tt.want+"\n" {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if !json.Valid(got) {
				t.Error("not JSON")
			}
			id, verdict := judge(got[:len(got)-1])
			if ok := tt.out.Code == ""; ok != (verdict == answered) || ok && id != tt.id || verdict < failed {
				t.Errorf("read again as %d, id %q", verdict, id)
			}
		})
	}
}

func TestAppendContent(t *testing.T) {
	tests := []struct {
		name string
		out  Outcome
		want string
	}{
		{"text", Outcome{Status: 200, Text: []byte("a\n\"é\" <b>")}, `"a\n\"é\" <b>"`},
		{"no text", Outcome{Status: 200}, `""`},
		{"failed", Outcome{Status: 200, Text: []byte("a"), Code: "length"}, `null`},
	}
	for _, tt := range tests {
		if got := string(appendContent(nil, &tt.out)); got != tt.want+"\n" {
			t.Errorf("%s: %s", tt.name, got)
		}
	}
}

func TestSettle(t *testing.T) {
	tests := []struct {
		out  Outcome
		want string
	}{
		{Outcome{Status: 200}, ""},
		{Outcome{Status: 200, Code: "length"}, "length"},
		{Outcome{Status: 404}, "404"},
		{Outcome{Status: 404, Code: "model_not_found"}, "model_not_found"},
		{Outcome{}, "no_reply"},
	}
	for _, tt := range tests {
		if tt.out.settle(); tt.out.Code != tt.want {
			t.Errorf("%d: %q, want %q", tt.out.Status, tt.out.Code, tt.want)
		}
	}
}
