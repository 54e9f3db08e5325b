//go:build linux

package main

import (
	"fmt"
	"testing"
	"time"
)

// TestArrivals cuts an output that holds two times at each place: both must be found, once.
func TestArrivals(t *testing.T) {
	sent := time.Unix(1790000000, 0)
	out := fmt.Sprintf("data: @ {%s} %s\n", stamp(sent), stamp(sent.Add(time.Millisecond)))
	for cut := range len(out) + 1 {
		var a arrivals
		a.take([]byte(out[:cut]), sent.Add(3*time.Millisecond))
		a.take([]byte(out[cut:]), sent.Add(3*time.Millisecond))
		if got := fmt.Sprint(a.lags); got != "[3 2]" {
			t.Errorf("cut at %d: lags %s, want [3 2]", cut, got)
		}
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{5, 1, 3}, 3}, {[]float64{4, 1, 2, 3}, 2.5}} {
		if got := median(c.values); got != c.want {
			t.Errorf("median(%v) = %v, want %v", c.values, got, c.want)
		}
	}
}
