package batch

import (
	"sync"
	"sync/atomic"
	"time"
)

// Progress tells how far a batch is. The zero value is ready; it belongs to one Run.
type Progress struct {
	limiter atomic.Pointer[limiter]
	mu      sync.Mutex
	stats   Stats
}

// Stats are the counts of a batch.
type Stats struct {
	// Offset is how many bytes of the input the lines up to the last one read take.
	Offset int64
	// Answered counts the items whose answer the output held before.
	Answered int64
	// Done and Failed count the items that this run has answered and those that failed, bad lines among them.
	Done, Failed int64
	// InFlight is the number of items that Do has at this moment.
	InFlight int
	// Retries, InputTokens and OutputTokens are the sums over all outcomes.
	Retries, InputTokens, OutputTokens int64
	// Concurrency is how many items may be in flight now.
	Concurrency int
	// WaitUntil is the end of the wait that all items share now, else zero.
	WaitUntil time.Time
}

// Stats gives the counts at this moment.
func (p *Progress) Stats() Stats {
	p.mu.Lock()
	s := p.stats
	p.mu.Unlock()
	if l := p.limiter.Load(); l != nil {
		s.Concurrency, s.WaitUntil = l.state()
	}
	return s
}

func (p *Progress) read(item *Item) {
	p.mu.Lock()
	p.stats.Offset = item.end
	if item.Answered {
		p.stats.Answered++
	}
	p.mu.Unlock()
}

func (p *Progress) begin() {
	p.mu.Lock()
	p.stats.InFlight++
	p.mu.Unlock()
}

func (p *Progress) end(out *Outcome) {
	p.mu.Lock()
	p.stats.InFlight--
	p.stats.Retries += out.Retries
	p.stats.InputTokens += out.InputTokens
	p.stats.OutputTokens += out.OutputTokens
	p.mu.Unlock()
}

func (p *Progress) settle(out *Outcome) {
	p.mu.Lock()
	if out.Code == "" {
		p.stats.Done++
	} else {
		p.stats.Failed++
	}
	p.mu.Unlock()
}
