//go:build linux

package main

import (
	"fmt"
	"io"
	"strconv"
	"time"
)

// arrivals are when the chunks of a paced stream came out of a command, beside when the server sent them.
type arrivals struct {
	first time.Time
	lags  []float64 // ms
	tail  []byte    // what may be the beginning of a time
}

// watch reads a command's output and looks for the server's times in it.
func (a *arrivals) watch(r io.Reader) error {
	buf := make([]byte, 64<<10)
	for {
		n, err := r.Read(buf)
		now := time.Now()
		a.take(buf[:n], now)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (a *arrivals) take(piece []byte, now time.Time) {
	text := append(a.tail, piece...)
	for i := 0; i < len(text); i++ {
		if text[i] != stampMark {
			continue
		}
		if len(text)-i < 1+stampDigits {
			a.tail = append([]byte{}, text[i:]...)
			return
		}
		sent, err := strconv.ParseInt(string(text[i+1:i+1+stampDigits]), 10, 64)
		if err != nil {
			continue
		}
		if a.first.IsZero() {
			a.first = now
		}
		a.lags = append(a.lags, float64(now.UnixNano()-sent)/1e6)
	}
	a.tail = nil
}

// latency shows when the text of a stream of a chunk each 5 ms is seen.
func (b *bench) latency() error {
	const chunks = 200
	model := "pace-" + strconv.Itoa(chunks)
	commands := []command{b.curl(model, true), b.call(model, "--stream"), b.call(model, "--stream", "-o", "ndjson"), b.pipeline(model)}
	type figures struct{ first, lag, seen []float64 }
	all := make([]figures, len(commands))
	for round := range b.rounds + 1 {
		for i, c := range commands {
			var a arrivals
			c.watch = a.watch
			s, err := b.measure(c)
			if err != nil {
				return err
			}
			if round == 0 {
				continue
			}
			f := &all[i]
			f.first = append(f.first, float64(a.first.UnixNano()-s.Start)/1e6)
			f.lag = append(f.lag, median(a.lags))
			f.seen = append(f.seen, float64(len(a.lags)))
		}
	}
	fmt.Printf("\n### A stream of %d chunks, one each %s\n\n| command | first content ms | ratio | median lag of a chunk ms | ratio | chunks seen |\n|---|--:|--:|--:|--:|--:|\n", chunks, pace)
	quotients := func(of, to []float64) []float64 {
		q := make([]float64, len(of))
		for i := range of {
			q[i] = of[i] / to[i]
		}
		return q
	}
	curl := figures{append([]float64{}, all[0].first...), append([]float64{}, all[0].lag...), nil}
	for i, c := range commands {
		f := all[i]
		first, lag := median(quotients(f.first, curl.first)), median(quotients(f.lag, curl.lag))
		fmt.Printf("| %s | %.1f | %.2f | %.2f | %.2f | %.0f |\n", c.name, median(f.first), first, median(f.lag), lag, median(f.seen))
	}
	return nil
}
