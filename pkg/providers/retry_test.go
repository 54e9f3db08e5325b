package providers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// reply is an APIError of this status and these headers, given as name and value in turn.
func reply(status int, headers ...string) *APIError {
	h := http.Header{}
	for i := 0; i < len(headers); i += 2 {
		h.Set(headers[i], headers[i+1])
	}
	return &APIError{Status: status, Header: h, Message: "m"}
}

func TestRetryable(t *testing.T) {
	plain, quota := &Provider{}, &Provider{QuotaIsRateLimit: true}
	for status := 300; status < 600; status++ {
		want := false
		switch status {
		case 408, 409, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529:
			want = true
		}
		if got := Retryable(plain, reply(status)); got != want {
			t.Errorf("HTTP %d: %v", status, got)
		}
	}
	noCredit := &APIError{Status: 429, Header: http.Header{}, Code: "insufficient_quota"}
	for _, test := range []struct {
		name string
		p    *Provider
		err  error
		want bool
	}{
		{"x-should-retry says no", plain, reply(429, "x-should-retry", "false"), false},
		{"x-should-retry says yes", plain, reply(400, "x-should-retry", "true"), true},
		{"x-should-retry says nothing", plain, reply(429, "x-should-retry", "maybe"), true},
		{"no credit", plain, noCredit, false},
		{"no credit as the type", plain, &APIError{Status: 429, Type: "insufficient_quota"}, false},
		{"rate limit by the row", quota, noCredit, true},
		{"error inside a 200", plain, &APIError{Status: 200, Inner: 429, Header: http.Header{"X-Should-Retry": {"true"}}}, false},
		{"wrapped", plain, fmt.Errorf("attempt: %w", reply(503)), true},
		{"broken off", plain, truncated(io.ErrUnexpectedEOF), true},
		{"reset while reading", plain, truncated(&net.OpError{Op: "read", Err: syscall.ECONNRESET}), true},
		{"refused", plain, &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, true},
		{"unreachable", plain, &net.OpError{Op: "dial", Err: syscall.ENETUNREACH}, true},
		{"host unknown", plain, &net.OpError{Op: "dial", Err: &net.DNSError{IsNotFound: true}}, false},
		{"name server down", plain, &net.OpError{Op: "dial", Err: &net.DNSError{IsTemporary: true}}, true},
		{"connect timeout", plain, &TimeoutError{Which: "connect"}, true},
		{"idle timeout", plain, &TimeoutError{Which: "idle"}, false},
		{"TLS", plain, &TLSError{Err: &net.OpError{Op: "remote error", Err: errors.New("alert")}}, false},
		{"protocol", plain, &ProtocolError{Status: 200}, false},
		{"config", plain, &ConfigError{}, false},
		{"given up", plain, context.Canceled, false},
		{"caller's", plain, errors.New("disk full"), false},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := Retryable(test.p, test.err); got != test.want {
				t.Errorf("%v: %v", test.err, got)
			}
		})
	}
}

// plainRow is a row without a peculiarity.
var plainRow = &Provider{}

func TestWait(t *testing.T) {
	now := time.Date(2026, 11, 30, 5, 0, 0, 0, time.UTC)
	at := func(d time.Duration) string { return strconv.FormatInt(now.Add(d).Unix(), 10) }
	date := func(d time.Duration) string { return now.Add(d).Format(http.TimeFormat) }
	const second = time.Second
	const reset, left, day = "x-ratelimit-reset-requests", "x-ratelimit-remaining-requests", "x-ratelimit-remaining-requests-day"
	for _, test := range []struct {
		name   string
		err    error
		want   time.Duration
		source string
		asked  string
	}{
		{"nothing said", reply(503), second / 2, "", ""},
		{"seconds", reply(429, "Retry-After", "2"), 2 * second, "Retry-After", "asked to wait 2 s, until 2026-11-30T05:00:02Z"},
		{"a day", reply(429, "Retry-After", "86400"), 86400 * second, "Retry-After", "asked to wait 86400 s, until 2026-12-01T05:00:00Z"},
		{"fraction", reply(503, "Retry-After", " 1.5 "), 1500 * time.Millisecond, "Retry-After", "asked to wait 1.5 s, until 2026-11-30T05:00:01Z"},
		{"date", reply(503, "Retry-After", date(3*second)), 3 * second, "Retry-After", "asked to wait 3 s, until 2026-11-30T05:00:03Z"},
		{"date by the server's clock", reply(503, "Retry-After", date(3603*second), "Date", date(3600*second)), 3 * second, "Retry-After", "asked to wait 3 s, until 2026-11-30T05:00:03Z"},
		{"date of RFC 850", reply(503, "Retry-After", "Monday, 30-Nov-26 05:00:04 GMT"), 4 * second, "Retry-After", "asked to wait 4 s, until 2026-11-30T05:00:04Z"},
		{"zero", reply(429, "Retry-After", "0"), second / 2, "", ""},
		{"negative", reply(429, "Retry-After", "-5"), second / 2, "", ""},
		{"past", reply(429, "Retry-After", date(-3*second)), second / 2, "", ""},
		{"overflow", reply(429, "Retry-After", "99999999999999999999"), second / 2, "", ""},
		{"infinite", reply(429, "Retry-After", "inf"), second / 2, "", ""},
		{"garbage", reply(429, "Retry-After", "soon"), second / 2, "", ""},
		{"milliseconds", reply(429, "retry-after-ms", "1200"), 1200 * time.Millisecond, "retry-after-ms", "asked to wait 1.2 s, until 2026-11-30T05:00:01Z"},
		{"milliseconds before seconds", reply(429, "retry-after-ms", "1200", "Retry-After", "9"), 1200 * time.Millisecond, "retry-after-ms", "asked to wait 1.2 s, until 2026-11-30T05:00:01Z"},
		{"negative milliseconds, then seconds", reply(429, "retry-after-ms", "-1", "Retry-After", "9"), 9 * second, "Retry-After", "asked to wait 9 s, until 2026-11-30T05:00:09Z"},
		{"garbage, then the window", reply(429, "Retry-After", "soon", left, "0", reset, at(7*second)), 7 * second, reset, "asked to wait 7 s, until 2026-11-30T05:00:07Z"},
		{"empty minute", reply(429, left, "0", reset, at(2*second)), 2 * second, reset, "asked to wait 2 s, until 2026-11-30T05:00:02Z"},
		{"empty minute at another status", reply(503, left, "0", reset, at(2*second)), 2 * second, reset, "asked to wait 2 s, until 2026-11-30T05:00:02Z"},
		{"empty minute by the server's clock", reply(429, left, "0", reset, at(302*second), "Date", date(300*second)), 2 * second, reset, "asked to wait 2 s, until 2026-11-30T05:00:02Z"},
		{"minute by a clock that is wrong", reply(429, left, "0", reset, at(300*second)), 60 * second, reset, "asked to wait 60 s, until 2026-11-30T05:01:00Z"},
		{"minute as a duration", reply(429, left, "0", reset, "1m26.4s"), 86400 * time.Millisecond, reset, "asked to wait 86.4 s, until 2026-11-30T05:01:26Z"},
		{"minute that is over", reply(429, left, "0", reset, at(-2*second)), second / 2, "", ""},
		{"minute with requests left", reply(429, left, "5", reset, at(20*second)), second / 2, "", ""},
		{"reset alone at a 429", reply(429, reset, at(20*second)), 20 * second, reset, "asked to wait 20 s, until 2026-11-30T05:00:20Z"},
		{"reset alone at a 500", reply(500, reset, at(20*second)), second / 2, "", ""},
		{"broken off", truncated(io.ErrUnexpectedEOF), second / 2, "", ""},
		{"day with requests left", reply(429, day, "1"), second / 2, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := Wait(plainRow, 0, test.err, now, func() float64 { return 0 })
			if d.After != test.want || d.Source != test.source || d.Never || d.Why == "" {
				t.Errorf("%+v, want %v of %q", d, test.want, test.source)
			}
			if !d.Until.Equal(now.Add(d.After)) {
				t.Errorf("until %v", d.Until)
			}
			if got := d.Asked(); got != test.asked {
				t.Errorf("asked %q, want %q", got, test.asked)
			}
		})
	}
}

func TestWaitBackoff(t *testing.T) {
	now := time.Unix(0, 0)
	for n, want := range []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 8 * time.Second, 8 * time.Second} {
		for _, random := range []float64{0, 0.5, 0.999} {
			got := Wait(plainRow, n, reply(500), now, func() float64 { return random }).After
			if least := time.Duration(float64(want) * 0.75); got > want || got < least {
				t.Errorf("wait %d with chance %v: %v, want %v to %v", n, random, got, least, want)
			}
		}
	}
	if got := Wait(plainRow, 5000, reply(500), now, func() float64 { return 0 }).After; got != 8*time.Second {
		t.Errorf("a late wait is %v", got)
	}
}

func TestWaitNever(t *testing.T) {
	now := time.Date(2026, 11, 30, 5, 0, 0, 0, time.UTC)
	random := func() float64 { return 0 }
	const left, reset = "x-ratelimit-remaining-requests-day", "x-ratelimit-reset-requests-day"
	d := Wait(plainRow, 0, reply(429, left, "0", reset, strconv.FormatInt(now.Add(7200*time.Second).Unix(), 10), "Retry-After", "1"), now, random)
	if !d.Never || d.After != 2*time.Hour || d.Asked() != "asked to wait 7200 s, until 2026-11-30T07:00:00Z" {
		t.Errorf("an empty day: %+v, %q", d, d.Asked())
	}
	if d = Wait(plainRow, 0, reply(429, left, "0"), now, random); !d.Never || d.After != 0 || d.Asked() != "" {
		t.Errorf("an empty day of unknown end: %+v", d)
	}
	if d = Wait(plainRow, 0, reply(429, left, "0", "Retry-After", "3600"), now, random); !d.Never || d.After != time.Hour {
		t.Errorf("an empty day with Retry-After: %+v", d)
	}
	day := reply(429)
	day.Message = "tokens per 86400 seconds are used up"
	for _, p := range Presets() {
		if d = Wait(&p, 0, day, now, random); d.Never != (p.DayLimitText != "") {
			t.Errorf("%s: a window of 86400 seconds: %+v", p.Name, d)
		}
	}
	stack, _ := Find(Default)
	if stack.DayLimitText == "" {
		t.Error("the default row does not know its day's limit by its text")
	}
	if day.Status = 503; Wait(stack, 0, day, now, random).Never {
		t.Error("86400 in a 503 counts as a window")
	}
}

func TestReason(t *testing.T) {
	for _, test := range []struct {
		err  error
		want string
	}{
		{reply(503), "HTTP 503"},
		{truncated(io.ErrUnexpectedEOF), "connection closed before the reply was whole"},
		{&TimeoutError{Which: "connect", After: 10 * time.Second}, "no connection within 10s"},
		{&net.OpError{Op: "dial", Err: &net.DNSError{IsTemporary: true}}, "host not resolved"},
		{&net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, "connection refused"},
		{&net.OpError{Op: "dial", Err: syscall.EHOSTUNREACH}, "host unreachable"},
		{&net.OpError{Op: "dial", Err: errors.New("odd")}, "connection failed"},
		{errors.New("stream ended\nearly"), "stream ended early"},
	} {
		if got := Wait(plainRow, 0, test.err, time.Unix(0, 0), func() float64 { return 0 }).Why; got != test.want {
			t.Errorf("%v: %q, want %q", test.err, got, test.want)
		}
	}
}

func FuzzWait(f *testing.F) {
	for _, s := range []string{"2", "-1", "1.5", "1e400", "Mon, 30 Nov 2026 05:00:04 GMT", "soon", "0x10", "99999999999999999999", ""} {
		f.Add(s, "1780000060", "0", "", 429)
		f.Add("", s, "0", s, 503)
	}
	now := time.Date(2026, 11, 30, 5, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, after, reset, left, ms string, status int) {
		e := reply(status, "Retry-After", after, "retry-after-ms", ms, "x-ratelimit-reset-requests", reset, "x-ratelimit-remaining-requests", left)
		d := Wait(plainRow, 0, e, now, func() float64 { return 0.5 })
		if d.After <= 0 || d.Why == "" || d.Never || (d.Asked() == "") != (d.Source == "") {
			t.Fatalf("%+v", d)
		}
	})
}
