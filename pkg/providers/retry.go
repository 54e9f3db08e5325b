package providers

import (
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Delay is how long to wait before the next attempt, and why.
type Delay struct {
	After time.Duration
	// Until is the time that After leads to, by the provider's clock where it gave a time.
	Until time.Time
	// Why is what went wrong, short, such as "HTTP 429" or "connection refused".
	Why string
	// Source is the header that the wait was taken from; empty: the backoff of our own.
	Source string
	// Never says that no wait of minutes helps, for the day's window is empty. After and Until are then when it resets, zero if
	// that is not known.
	Never bool
}

// Asked is the wait as the provider asked for it, in seconds and as a time, such as "asked to wait 86400 s, until
// 2026-12-01T05:00:00Z"; "" where the provider asked for none.
func (d Delay) Asked() string {
	if d.Source == "" || d.Until.IsZero() {
		return ""
	}
	seconds := strconv.FormatFloat(d.After.Round(time.Millisecond).Seconds(), 'f', -1, 64)
	return fmt.Sprintf("asked to wait %s s, until %s", seconds, d.Until.UTC().Format(time.RFC3339))
}

// Retryable says whether another attempt may end better than err: connections that failed or broke off, the statuses that
// pass, and what the header x-should-retry says. Not: TLS, other timeouts of ours, an error inside a 200, a 429 of an empty
// account unless the row says that it is a rate limit there.
func Retryable(p *Provider, err error) bool {
	var api *APIError
	var timeout *TimeoutError
	var tls *TLSError
	var dns *net.DNSError
	var op *net.OpError
	switch {
	case errors.As(err, &api):
		return retryableStatus(p, api)
	case errors.As(err, &timeout):
		return timeout.Which == "connect"
	case errors.As(err, &tls):
		return false
	case errors.Is(err, ErrTruncated):
		return true
	case errors.As(err, &dns):
		return !dns.IsNotFound
	}
	return errors.As(err, &op)
}

func retryableStatus(p *Provider, e *APIError) bool {
	if e.Status == http.StatusOK {
		return false
	}
	switch strings.ToLower(strings.TrimSpace(e.Header.Get("X-Should-Retry"))) {
	case "true":
		return true
	case "false":
		return false
	}
	switch s := e.Status; {
	case s == http.StatusTooManyRequests:
		return p.QuotaIsRateLimit || e.Code != quotaCode && e.Type != quotaCode
	case s == http.StatusRequestTimeout, s == http.StatusConflict, s == 500, s == 502, s == 503, s == 504, s >= 520 && s <= 524, s == 529:
		return true
	}
	return false
}

// quotaCode is what OpenAI calls an account without credit, and the SambaNova stack a rate limit.
const quotaCode = "insufficient_quota"

// Wait gives the delay before the next attempt after err; n is how many attempts were repeats already: 0 after the first.
// It is what the provider asks for by retry-after-ms, Retry-After or, where the minute's window is empty, its reset; else,
// as for what is negative, past or senseless, 0.5 s doubled n times up to 8 s, less up to a quarter by chance. random gives
// numbers in [0,1).
func Wait(p *Provider, n int, err error, now time.Time, random func() float64) Delay {
	d := Delay{Why: reason(err)}
	var api *APIError
	if errors.As(err, &api) {
		if d.asked(p, api, now) {
			return d
		}
	}
	backoff := math.Min(0.5*math.Pow(2, float64(n)), 8)
	d.After = time.Duration(backoff * (1 - 0.25*random()) * float64(time.Second))
	d.Until = now.Add(d.After)
	return d
}

// asked fills d with what the headers of e ask for, and says whether they do.
func (d *Delay) asked(p *Provider, e *APIError, now time.Time) bool {
	limits := ParseLimits(e.Header, now)
	if limits.RequestsDay.empty() || p.saysDayLimit(e) {
		d.Never = true
		if reset, ok := parseReset(e.Header.Get("X-Ratelimit-Reset-Requests-Day")); ok {
			if after, _ := untilReset(reset, e.Header, now); after > 0 {
				d.After, d.Until, d.Source = after, limits.RequestsDay.Reset, "x-ratelimit-reset-requests-day"
				return true
			}
		}
		if after, ok := retryAfter(e.Header, now); ok {
			d.After, d.Until, d.Source = after, now.Add(after), "Retry-After"
		}
		return true
	}
	if ms, err := strconv.ParseFloat(strings.TrimSpace(e.Header.Get("Retry-After-Ms")), 64); err == nil {
		if after, ok := seconds(ms / 1000); ok {
			d.After, d.Until, d.Source = after, now.Add(after), "retry-after-ms"
			return true
		}
	}
	if after, ok := retryAfter(e.Header, now); ok {
		d.After, d.Until, d.Source = after, now.Add(after), "Retry-After"
		return true
	}
	// Every reply carries the reset; it means a wait when nothing is left, or when a 429 does not say what is.
	if !limits.Requests.empty() && (e.Status != http.StatusTooManyRequests || limits.Requests.Remaining != nil) {
		return false
	}
	if reset, ok := parseReset(e.Header.Get("X-Ratelimit-Reset-Requests")); ok {
		after, exact := untilReset(reset, e.Header, now)
		if after <= 0 {
			return false
		}
		if !exact { // our clock may be wrong, the window is a minute
			after = min(after, time.Minute)
		}
		d.After, d.Until, d.Source = after, now.Add(after), "x-ratelimit-reset-requests"
		return true
	}
	return false
}

// saysDayLimit says whether a 429 tells by its text that the day's limit is used up.
func (p *Provider) saysDayLimit(e *APIError) bool {
	return e.Status == http.StatusTooManyRequests && p.DayLimitText != "" && strings.Contains(e.Message, p.DayLimitText)
}

// untilReset is the time from now to a reset, by the provider's clock where the Date header tells it. exact says that no
// clock of ours was needed.
func untilReset(r reset, h http.Header, now time.Time) (after time.Duration, exact bool) {
	if r.relative {
		return r.in, true
	}
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		return r.at.Sub(date), true
	}
	return r.at.Sub(now), false
}

// retryAfter reads the header Retry-After, RFC 9110 section 10.2.3: seconds, also with a fraction, or a date, which is
// compared with the Date header where there is one. It says false for what is not a time to come.
func retryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	value := strings.TrimSpace(h.Get("Retry-After"))
	if x, err := strconv.ParseFloat(value, 64); err == nil {
		return seconds(x)
	}
	at, err := http.ParseTime(value)
	if err != nil {
		return 0, false
	}
	if date, err := http.ParseTime(h.Get("Date")); err == nil {
		now = date
	}
	after := at.Sub(now)
	return after, after > 0 && after < math.MaxInt64
}

// seconds makes a duration; false for what is not positive or no duration can hold.
func seconds(x float64) (time.Duration, bool) {
	if !(x > 0) || x > float64(math.MaxInt64)/float64(time.Second) {
		return 0, false
	}
	d := time.Duration(x * float64(time.Second))
	return d, d > 0
}

// reason is what went wrong, as a few words for the line that tells of a wait.
func reason(err error) string {
	var api *APIError
	var timeout *TimeoutError
	var dns *net.DNSError
	var op *net.OpError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &api):
		return "HTTP " + strconv.Itoa(api.Status)
	case errors.As(err, &timeout):
		return timeout.Error()
	case errors.Is(err, ErrTruncated):
		return ErrTruncated.Error()
	case errors.As(err, &dns):
		return "host not resolved"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return "host unreachable"
	case errors.As(err, &op):
		return "connection failed"
	}
	return oneLine(err.Error(), 200)
}
