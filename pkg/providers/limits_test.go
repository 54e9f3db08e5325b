package providers

import (
	"net/http"
	"testing"
	"time"
)

func TestParseReset(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for _, test := range []struct {
		in   string
		want time.Time
		ok   bool
	}{
		{"1780000060", time.Unix(1780000060, 0), true},
		{" 1780000060 ", time.Unix(1780000060, 0), true},
		{"1780000060.5", time.Unix(1780000060, 5e8), true},
		{"1780000060500", time.UnixMilli(1780000060500), true},
		{"1m26.4s", now.Add(86400 * time.Millisecond), true},
		{"825ms", now.Add(825 * time.Millisecond), true},
		{"6m0s", now.Add(6 * time.Minute), true},
		{"11726.28", now.Add(11726280 * time.Millisecond), true},
		{"0", now, true},
		{"2026-11-30T12:01:00Z", now.Add(time.Minute), true},
		{"Mon, 30 Nov 2026 12:01:00 GMT", now.Add(time.Minute), true},
		{"", time.Time{}, false},
		{"-5", time.Time{}, false},
		{"-5s", time.Time{}, false},
		{"soon", time.Time{}, false},
		{"NaN", time.Time{}, false},
		{"inf", time.Time{}, false},
		{"1e300", time.Time{}, false},
	} {
		t.Run(test.in, func(t *testing.T) {
			r, ok := parseReset(test.in)
			got := r.at
			if r.relative {
				got = now.Add(r.in)
			}
			if ok != test.ok || ok && !got.Equal(test.want) {
				t.Errorf("%v, %v, want %v", got, ok, test.want)
			}
		})
	}
}

func TestParseLimits(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	h := http.Header{}
	for name, value := range map[string]string{
		"x-ratelimit-limit-requests": "250", "x-ratelimit-remaining-requests": "247", "x-ratelimit-reset-requests": "1780000060",
		"x-ratelimit-limit-requests-day": "50000", "x-ratelimit-remaining-requests-day": "none", "x-ratelimit-reset-requests-day": "2h0m0s",
	} {
		h.Set(name, value)
	}
	l := ParseLimits(h, now)
	if l.Requests.Limit == nil || *l.Requests.Limit != 250 || l.Requests.Remaining == nil || *l.Requests.Remaining != 247 || !l.Requests.Reset.Equal(time.Unix(1780000060, 0)) {
		t.Errorf("minute: %+v", l.Requests)
	}
	if l.RequestsDay.Limit == nil || *l.RequestsDay.Limit != 50000 || l.RequestsDay.Remaining != nil || !l.RequestsDay.Reset.Equal(now.Add(2*time.Hour)) {
		t.Errorf("day: %+v", l.RequestsDay)
	}
	if l := ParseLimits(http.Header{}, now); l != (Limits{}) {
		t.Errorf("no headers: %+v", l)
	}
}
