package providers

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Limits are the windows of requests that the headers of a reply report: those of a minute and of a day (providers.md A3).
type Limits struct{ Requests, RequestsDay Window }

// Window is one of them. A nil pointer and the zero time stand for what was not reported.
type Window struct {
	Limit, Remaining *int64
	Reset            time.Time
}

// ParseLimits reads the x-ratelimit headers of requests. now is what resets are counted from that are given as a time to go.
func ParseLimits(h http.Header, now time.Time) Limits {
	return Limits{parseWindow(h, "Requests", now), parseWindow(h, "Requests-Day", now)}
}

func parseWindow(h http.Header, name string, now time.Time) Window {
	w := Window{Limit: count(h.Get("X-Ratelimit-Limit-" + name)), Remaining: count(h.Get("X-Ratelimit-Remaining-" + name))}
	if reset, ok := parseReset(h.Get("X-Ratelimit-Reset-" + name)); ok {
		if w.Reset = reset.at; reset.relative {
			w.Reset = now.Add(reset.in)
		}
	}
	return w
}

// empty says that no request is left in the window.
func (w Window) empty() bool { return w.Remaining != nil && *w.Remaining <= 0 }

func count(s string) *int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64)
	if err != nil {
		return nil
	}
	return &n
}

// reset is when a window resets: a time, or a time to go.
type reset struct {
	relative bool
	in       time.Duration
	at       time.Time
}

// parseReset reads what vendors put into a reset header: seconds or milliseconds of the epoch (Infercom), a Go duration
// (OpenAI, Groq), a date, or seconds to go (Cerebras).
func parseReset(s string) (reset, bool) {
	s = strings.TrimSpace(s)
	if x, err := strconv.ParseFloat(s, 64); err == nil {
		switch {
		case !(x >= 0) || x > 1e14: // also NaN
			return reset{}, false
		case x > 1e12:
			return reset{at: time.UnixMilli(int64(x)).UTC()}, true
		case x > 1e9:
			whole, part := math.Modf(x)
			return reset{at: time.Unix(int64(whole), int64(part*1e9)).UTC()}, true
		}
		return reset{relative: true, in: time.Duration(x * float64(time.Second))}, true
	}
	if d, err := time.ParseDuration(s); err == nil {
		return reset{relative: true, in: d}, d >= 0
	}
	if at, err := time.Parse(time.RFC3339, s); err == nil {
		return reset{at: at.UTC()}, true
	}
	if at, err := http.ParseTime(s); err == nil {
		return reset{at: at.UTC()}, true
	}
	return reset{}, false
}
