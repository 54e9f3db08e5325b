package providers

import (
	"net/http"

	"github.com/tidwall/gjson"
)

// requestIDHeaders are the names under which providers send the id of a request, the likelier first. Infercom documents a header
// that holds a UUID, but its name is lost from its page (providers.md A3).
var requestIDHeaders = [...]string{"X-Request-Id", "Request-Id", "X-Inference-Request-Id", "X-Sambanova-Request-Id", "X-Trace-Id"}

// RequestID gives the provider's id of a request: from a header of a known name, else from the one header whose whole value is a
// UUID, else from the members request_id and id of the JSON body, which may be nil. It is "" where there is none.
func RequestID(h http.Header, body []byte) string {
	for _, name := range requestIDHeaders {
		if id := shownID(h.Get(name)); id != "" {
			return id
		}
	}
	var found string
	for _, values := range h {
		if len(values) != 1 || !isUUID(values[0]) {
			continue
		}
		if found != "" {
			found = ""
			break
		}
		found = values[0]
	}
	if found != "" || len(body) == 0 {
		return found
	}
	for _, path := range [...]string{"request_id", "error.request_id", "requestId", "id"} {
		if id := gjson.GetBytes(body, path); id.Type == gjson.String && shownID(id.Str) != "" {
			return shownID(id.Str)
		}
	}
	return ""
}

// shownID is an id as messages can show it.
func shownID(id string) string { return oneLine(id, 200) }

// isUUID says whether s has the form of RFC 9562: 8-4-4-4-12 hexadecimal digits.
func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		switch c := s[i]; {
		case i == 8 || i == 13 || i == 18 || i == 23:
			if c != '-' {
				return false
			}
		case c >= '0' && c <= '9', c >= 'a' && c <= 'f', c >= 'A' && c <= 'F':
		default:
			return false
		}
	}
	return true
}
