package providers

import (
	"net/http"
	"time"
)

// Limits are the two windows of requests that a reply's headers report.
type Limits struct{ Requests, RequestsDay Window }

// Window is one of them: nil and the zero time are what was not reported.
type Window struct {
	Limit, Remaining *int64
	Reset            time.Time
}

// ParseLimits reads the x-ratelimit-* headers.
func ParseLimits(h http.Header, now time.Time) Limits { return Limits{} }
