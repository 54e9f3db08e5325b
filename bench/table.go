//go:build linux

package main

import (
	"fmt"
	"slices"
	"time"
)

// inTurn runs the commands in turn, round after round, after one round that does not count, and gives the samples of each.
func (b *bench) inTurn(commands []command) ([][]sample, error) {
	samples := make([][]sample, len(commands))
	for round := range b.rounds + 1 {
		for i, c := range commands {
			s, err := b.measure(c)
			if err != nil {
				return nil, err
			}
			if round > 0 {
				samples[i] = append(samples[i], s)
			}
		}
	}
	return samples, nil
}

// compare prints a table of commands, of which the first is what the others are compared with: a ratio is the median of the
// ratios of each round, so that what slows a whole round down cancels out.
func (b *bench) compare(title string, commands ...command) error {
	samples, err := b.inTurn(commands)
	if err != nil {
		return err
	}
	fmt.Printf("\n### %s\n\n| command | wall ms | ratio | CPU ms | ratio | peak MiB |\n|---|--:|--:|--:|--:|--:|\n", title)
	wall := func(s sample) float64 { return ms(s.Wall) }
	cpu := func(s sample) float64 { return ms(s.CPU) }
	for i, c := range commands {
		fmt.Printf("| %s | %.1f | %.2f | %.1f | %.2f | %.1f |\n", c.name, medianOf(samples[i], wall), ratio(samples[i], samples[0], wall),
			medianOf(samples[i], cpu), ratio(samples[i], samples[0], cpu), medianOf(samples[i], peak))
	}
	return nil
}

func ms(d time.Duration) float64 { return float64(d) / 1e6 }
func peak(s sample) float64      { return float64(s.Peak) / (1 << 20) }

func ratio(of, to []sample, value func(sample) float64) float64 {
	ratios := make([]float64, len(of))
	for i := range of {
		ratios[i] = value(of[i]) / value(to[i])
	}
	return median(ratios)
}

func medianOf(samples []sample, value func(sample) float64) float64 {
	values := make([]float64, len(samples))
	for i, s := range samples {
		values[i] = value(s)
	}
	return median(values)
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	n := len(values)
	return (values[(n-1)/2] + values[n/2]) / 2
}
