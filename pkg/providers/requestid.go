package providers

import "net/http"

// RequestID gives the provider's id of a request from the reply's header, else from its JSON body (nil when there is none).
func RequestID(h http.Header, body []byte) string { return "" }
