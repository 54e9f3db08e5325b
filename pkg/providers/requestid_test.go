package providers

import (
	"net/http"
	"testing"
)

func TestRequestID(t *testing.T) {
	const uuid = "6b0c4d1e-0000-4000-8000-00000000000a"
	for _, test := range []struct {
		name   string
		header http.Header
		body   string
		want   string
	}{
		{"none", http.Header{"Server": {"x"}}, "", ""},
		{"header", http.Header{"X-Request-Id": {"req-1"}, "X-Other": {uuid}}, `{"request_id":"b"}`, "req-1"},
		{"order of headers", http.Header{"X-Trace-Id": {"t"}, "Request-Id": {"r"}}, "", "r"},
		{"the one UUID", http.Header{"X-Whatever": {uuid}, "Server": {"x"}}, `{"request_id":"b"}`, uuid},
		{"two UUIDs", http.Header{"X-A": {uuid}, "X-B": {uuid}}, `{"request_id":"b"}`, "b"},
		{"no UUID", http.Header{"X-A": {uuid + "0"}}, "", ""},
		{"body", nil, `{"id":"i","request_id":"b"}`, "b"},
		{"in the error", nil, `{"error":{"request_id":"b"}}`, "b"},
		{"completion", nil, `{"id":"chatcmpl-1"}`, "chatcmpl-1"},
		{"number", nil, `{"id":7}`, ""},
		{"control characters", http.Header{"X-Request-Id": {"a\x1b[31mb"}}, "", "ab"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := RequestID(test.header, []byte(test.body)); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}
