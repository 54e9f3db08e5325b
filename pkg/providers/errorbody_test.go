package providers

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
)

// errorClient is a client that decodes errors; its key is in some of the tests' bodies.
func errorClient() *Client {
	base, err := ParseBaseURL("http://127.0.0.1/v1")
	if err != nil {
		panic(err)
	}
	return &Client{
		Provider: &Provider{Name: "some"}, BaseURL: base,
		Credential: Credential{Headers: []Header{{"Authorization", "Bearer sk-test-0123456789"}}},
	}
}

// TestDecodeError walks the catalogue of providers.md section E, and what gateways were seen to send besides.
func TestDecodeError(t *testing.T) {
	const jsonType, textType, htmlType = "application/json", "text/plain; charset=utf-8", "text/html"
	for _, test := range []struct {
		name              string
		status            int
		contentType, body string
		want              APIError // Message, Code, Type, Param, RequestID, ModelOutput, Inner
	}{
		{"1 object", 400, jsonType, `{"error":{"message":"top_k is below 1","type":"invalid_request_error","param":"top_k","code":"integer_below_min_value"},"request_id":"r-1"}`,
			APIError{Message: "top_k is below 1", Type: "invalid_request_error", Param: "top_k", Code: "integer_below_min_value", RequestID: "r-1"}},
		{"1 nulls", 401, jsonType, `{"error":{"message":"no key","type":"auth","param":null,"code":null}}`,
			APIError{Message: "no key", Type: "auth"}},
		{"1 code alone", 500, jsonType, `{"error":{"message":null,"code":"boom"}}`,
			APIError{Message: `{"error":{"message":null,"code":"boom"}}`, Code: "boom"}},
		{"1 any types", 400, jsonType, `{"error":{"message":"m","type":["a","b"],"param":{"p":1},"code":1.50}}`,
			APIError{Message: "m", Type: `["a","b"]`, Param: `{"p":1}`, Code: "1.50"}},
		{"1 message that is an object", 400, jsonType, `{"error":{"message":{"deep":"text"}}}`,
			APIError{Message: `{"deep":"text"}`}},
		{"1 model output", 500, jsonType, `{"error":{"message":"m","error_model_output":"Sure!\nThe call","code":"adapter_mapping_failed"}}`,
			APIError{Message: "m", Code: "adapter_mapping_failed", ModelOutput: "Sure!\nThe call"}},
		{"2 numeric code", 429, jsonType, `{"error":{"message":"wait","code":429,"metadata":{"provider_name":"x"}}}`,
			APIError{Message: "wait", Code: "429"}},
		{"2 what is behind", 502, jsonType, `{"error":{"message":"Provider said no","code":502,"metadata":{"raw":"{\"error\":{\"message\":\"too long\"}}"}}}`,
			APIError{Message: "Provider said no: too long", Code: "502"}},
		{"2 raw text behind", 502, jsonType, `{"error":{"message":"Provider said no","metadata":{"raw":"upstream is down"}}}`,
			APIError{Message: "Provider said no: upstream is down"}},
		{"3 flat", 400, jsonType, `{"error":"no such image","error_code":null,"error_param":null,"error_type":"invalid_request_error"}`,
			APIError{Message: "no such image", Type: "invalid_request_error"}},
		{"3 flat, all members", 400, jsonType, `{"error":"not parsed","error_code":"c","error_param":"p","error_type":"Not a call.","error_model_output":"It is \"warm\"."}`,
			APIError{Message: "not parsed", Code: "c", Param: "p", Type: "Not a call.", ModelOutput: `It is "warm".`}},
		{"4 text", 404, jsonType, `{"error":"Not found"}`, APIError{Message: "Not found"}},
		{"4 class and message", 500, jsonType, `{"error":"TypeError","message":"x is null","status":500}`,
			APIError{Message: "TypeError: x is null"}},
		{"5 list", 400, jsonType, `[{"error":{"code":400,"message":"bad","status":"INVALID_ARGUMENT"}}]`,
			APIError{Message: "bad", Code: "400"}},
		{"5 list of two", 400, jsonType, `[{"error":{"message":"one"}},{"error":{"message":"two"}}]`,
			APIError{Message: "one; two"}},
		{"6 typed", 529, jsonType, `{"type":"error","error":{"type":"overloaded_error","message":"busy"},"request_id":"req_1"}`,
			APIError{Message: "busy", Type: "overloaded_error", RequestID: "req_1"}},
		{"7 object of type error", 400, jsonType, `{"object":"error","message":"context is 9","type":"BadRequestError","param":null,"code":400}`,
			APIError{Message: "context is 9", Type: "BadRequestError", Code: "400"}},
		{"8 wrapper", 403, jsonType, `{"status":false,"message":"no token","data":{"error_reason":{"error_key":"auth.missing","message":"log in"}}}`,
			APIError{Message: "no token: log in", Code: "auth.missing"}},
		{"8 wrapper, no data", 200, jsonType, `{"status":false,"message":"no token"}`, APIError{Message: "no token"}},
		{"9 detail", 404, jsonType, `{"detail":"Not Found"}`, APIError{Message: "Not Found"}},
		{"9 detail list", 422, jsonType, `{"detail":[{"type":"missing","loc":["body","messages",0],"msg":"Field required","input":{}},{"loc":["body"],"msg":"Also"}]}`,
			APIError{Message: "body.messages.0: Field required; body: Also"}},
		{"9 detail object", 400, jsonType, `{"detail":{"message":"m","code":"c"}}`, APIError{Message: "m"}},
		{"9 problem details", 403, "application/problem+json", `{"type":"about:blank","title":"Forbidden here","detail":"not your plan","status":403}`,
			APIError{Message: "Forbidden here: not your plan", Type: "about:blank"}},
		{"10 message", 400, jsonType, `{"message":"wrong"}`, APIError{Message: "wrong"}},
		{"10 success false", 400, jsonType, `{"success":false,"error":"wrong"}`, APIError{Message: "wrong"}},
		{"10 errors", 400, jsonType, `{"success":false,"errors":[{"code":1000,"message":"one"},{"message":"two"}]}`, APIError{Message: "one; two"}},
		{"10 errors of text", 400, jsonType, `{"errors":["one","two"]}`, APIError{Message: "one; two"}},
		{"10 nothing known", 400, jsonType, `{"what": "is this"}`, APIError{Message: `{"what": "is this"}`}},
		{"error in an error", 400, jsonType, `{"error":{"error":{"message":"inner"}}}`, APIError{Message: "inner"}},
		{"JSON in a text", 400, jsonType, `{"error":"{\"error\":{\"message\":\"inner\"}}"}`, APIError{Message: "inner"}},
		{"11 text", 410, textType, "Model m was taken away.\n", APIError{Message: "Model m was taken away."}},
		{"11 text of lines", 500, textType, "one\n  two\n", APIError{Message: "one two"}},
		{"11 JSON called text", 400, textType, `{"error":{"message":"m"}}`, APIError{Message: "m"}},
		{"12 page", 502, htmlType, "<html>\n<head><TITLE lang=en>502 Bad &amp; Gateway\n</title></head><body>1.2.3.4</body>", APIError{Message: "502 Bad & Gateway"}},
		{"12 page without title", 407, htmlType, "<html>login 1.2.3.4</html>", APIError{Message: "Proxy Authentication Required"}},
		{"12 page without type", 403, "", "<!DOCTYPE html><title>Stop</title>", APIError{Message: "Stop"}},
		{"13 empty", 503, "", "", APIError{Message: "Service Unavailable"}},
		{"13 empty and unknown", 524, "", " \n", APIError{Message: "no message"}},
		{"event stream", 500, "text/event-stream", "event: error\ndata: {\"error\":{\"message\":\"m\",\"code\":\"c\"}}\n\n", APIError{Message: "m", Code: "c"}},
		{"event stream cut", 500, "text/event-stream", ": hi\n\ndata: {\"error\":\"m\"}", APIError{Message: "m"}},
		{"JSON cut", 400, jsonType, `{"error":{"mess`, APIError{Message: `{"error":{"mess`}},
		{"byte order mark", 400, jsonType, "\ufeff{\"error\":\"m\"}", APIError{Message: "m"}},
		{"escapes", 400, jsonType, `{"error":{"message":"a\u001b[31mb\nc","code":"x\u001b[1my"}}`, APIError{Message: "ab c", Code: "xy"}},
		{"key", 401, jsonType, `{"error":{"message":"key sk-test-0123456789 or sk-test-01***","code":"sk-test-0123"}}`,
			APIError{Message: "key [redacted] or [redacted]***", Code: "[redacted]"}},
		{"key in the output", 400, jsonType, `{"error":"e","error_model_output":"sk-test-0123456789"}`, APIError{Message: "e", ModelOutput: "[redacted]"}},
		{"number inside a 200", 200, jsonType, `{"error":{"message":"m","code":502}}`, APIError{Message: "m", Code: "502", Inner: 502}},
		{"number as text inside a 200", 200, jsonType, `{"error":{"message":"m","code":"429"}}`, APIError{Message: "m", Code: "429", Inner: 429}},
		{"number beside the error", 200, jsonType, `{"error":{"message":"m"},"status":503}`, APIError{Message: "m", Inner: 503}},
		{"number that is no status", 200, jsonType, `{"error":{"message":"m","code":1234}}`, APIError{Message: "m", Code: "1234"}},
		{"no message inside a 200", 200, jsonType, `{"error":true}`, APIError{Message: "true"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := http.Header{"Content-Type": {test.contentType}}
			got := errorClient().apiError("http://127.0.0.1/v1", test.status, h, []byte(test.body))
			check := func(member, got, want string) {
				if got != want {
					t.Errorf("%s %q, want %q", member, got, want)
				}
			}
			check("message", got.Message, test.want.Message)
			check("code", got.Code, test.want.Code)
			check("type", got.Type, test.want.Type)
			check("param", got.Param, test.want.Param)
			check("request id", got.RequestID, test.want.RequestID)
			check("model output", got.ModelOutput, test.want.ModelOutput)
			if got.Inner != test.want.Inner || got.Status != test.status {
				t.Errorf("status %d, inner %d", got.Status, got.Inner)
			}
			if strings.Contains(string(got.Body), "sk-test-0123") {
				t.Errorf("body holds the key: %s", got.Body)
			}
		})
	}
}

func TestAPIErrorText(t *testing.T) {
	for _, test := range []struct {
		e    APIError
		want string
	}{
		{APIError{Provider: "some", Status: 400, Code: "bad_value", Message: "wrong", RequestID: "r-1"}, "some: HTTP 400 bad_value: wrong (request r-1)"},
		{APIError{Provider: "some", Status: 503, Message: "Service Unavailable"}, "some: HTTP 503: Service Unavailable"},
		{APIError{Status: 429, Code: "429", Message: "wait"}, "HTTP 429: wait"},
		{APIError{Provider: "some", Status: 200, Code: "429", Message: "wait"}, "some: HTTP 200 429: wait"},
	} {
		if got := test.e.Error(); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

func FuzzDecodeError(f *testing.F) {
	for _, body := range []string{
		`{"error":{"message":"m","code":429,"metadata":{"raw":"{}"}},"request_id":"r"}`, `{"error":"text","error_model_output":"o"}`, `[{"error":{}}]`,
		`{"detail":[{"loc":["a",1],"msg":"m"}]}`, `{"errors":[[[[["x"]]]]]}`, `{"status":false,"data":{"error_reason":{}}}`, "<title>\x1b[1m</title>", "data: {}\n\n", `"{\"error\":\"\"}"`, "event: error\ndata: data: x",
	} {
		f.Add([]byte(body), "application/json", 200)
		f.Add([]byte(body), "text/html", 502)
	}
	c := errorClient()
	f.Fuzz(func(t *testing.T, body []byte, contentType string, status int) {
		e := c.apiError("http://127.0.0.1/v1", status, http.Header{"Content-Type": {contentType}}, body)
		for _, s := range []string{e.Message, e.Code, e.Type, e.Param, e.RequestID} {
			checkLine(t, s, maxMessage)
		}
		if e.Message == "" {
			t.Fatal("no message")
		}
		if all, err := json.Marshal(e); err != nil || strings.Contains(string(all), "sk-test-0") {
			t.Fatalf("%s, error %v", all, err)
		}
	})
}
