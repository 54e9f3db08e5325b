package providers

import "time"

// Delay is how long to wait before the next attempt.
type Delay struct {
	After time.Duration
	// Why is the reason for one stderr line, such as "HTTP 429" or "connection refused"; Source the header that After comes from, "" for our own backoff.
	Why    string
	Source string
	// Until is the time that After leads to.
	Until time.Time
	// Never says that waiting does not help: the day's window is empty. Until is then the time it resets, zero when unknown.
	Never bool
}

// Asked says the wait as the server asked for it, in seconds and as a time: "asked to wait 86400 s, until 2026-12-01T05:00:00Z". It is "" for our own backoff.
func (d Delay) Asked() string { return "" }

// Retryable says whether another attempt may end better than err.
func Retryable(p *Provider, err error) bool { return false }

// Wait gives the delay before attempt n+1, n counting from 0, after err. random gives numbers in [0,1).
func Wait(n int, err error, now time.Time, random func() float64) Delay { return Delay{} }
