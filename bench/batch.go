//go:build linux

package main

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"time"
)

// batches are the sections that measure --batch.
func (b *bench) batches() []section {
	return []section{{"pace", b.batchPace}, {"scale", b.batchScale}}
}

// batchPace holds a batch's wall time against the shortest possible one.
func (b *bench) batchPace() error {
	const items, concurrency = 10_000, 64
	const wait = 50 * time.Millisecond
	in, err := b.lines(items, false)
	if err != nil {
		return err
	}
	ideal := wait * items / concurrency
	fmt.Printf("### %d requests of %s, %d at a time; ideal %s\n\n| command | wall s | over ideal | CPU s | peak MiB |\n|---|--:|--:|--:|--:|\n", items, wait, concurrency, ideal)
	flags := []string{"--batch", in, "--batch-format", "lines", "--concurrency", strconv.Itoa(concurrency), "--quiet"}
	for _, c := range []command{
		{name: "llmcall -p mock", args: append([]string{b.llmcall, "-p", "mock", "-m", "slow-" + wait.String()}, flags...)},
		{name: "llmcall over TCP", args: append([]string{b.llmcall, "-m", "wait-" + wait.String()}, flags...)},
	} {
		samples, err := b.inTurn([]command{c})
		if err != nil {
			return err
		}
		wall := medianOf(samples[0], func(s sample) float64 { return s.Wall.Seconds() })
		cpu := medianOf(samples[0], func(s sample) float64 { return s.CPU.Seconds() })
		fmt.Printf("| %s | %.2f | %.3f | %.2f | %.1f |\n", c.name, wall, wall/ideal.Seconds(), cpu, medianOf(samples[0], peak))
	}
	return nil
}

// batchScale shows whether memory grows with the number of lines. The long runs are made once.
func (b *bench) batchScale() error {
	const few, many = 10_000, 1_000_000
	fmt.Printf("\n### Memory of a batch through -p mock -m echo\n\n| lines | run | wall s | peak MiB | over the first | bytes a line more |\n|--:|---|--:|--:|--:|--:|\n")
	base := 0.0
	for _, run := range []struct {
		name         string
		lines        int
		ids, answers bool
	}{{"no ids", few, false, false}, {"no ids", many, false, false}, {"ids", many, true, false}, {"ids, --resume, all answered", many, true, true}} {
		in, err := b.lines(run.lines, run.ids)
		if err != nil {
			return err
		}
		args := []string{b.llmcall, "-p", "mock", "-m", "echo", "--batch", in, "--quiet"}
		if run.ids {
			out := b.dir + "/answers.jsonl"
			args = append(args, "--output-file", out)
			if run.answers {
				args = append(args, "--resume")
			} else if err := os.RemoveAll(out); err != nil {
				return err
			}
		} else {
			args = append(args, "--batch-format", "lines")
		}
		c := command{name: run.name, args: args}
		samples := make([][]sample, 1)
		if base == 0 {
			samples, err = b.inTurn([]command{c})
		} else {
			var s sample
			s, err = b.measure(c)
			samples[0] = []sample{s}
		}
		if err != nil {
			return err
		}
		high := medianOf(samples[0], peak)
		if base == 0 {
			base = high
		}
		wall := medianOf(samples[0], func(s sample) float64 { return s.Wall.Seconds() })
		fmt.Printf("| %d | %s | %.1f | %.1f | %.2f | %.1f |\n", run.lines, run.name, wall, high, high/base, (high-base)*(1<<20)/float64(run.lines))
	}
	return nil
}

// lines writes a batch's input: plain lines, or JSON with ids.
func (b *bench) lines(n int, ids bool) (string, error) {
	name := b.dir + "/in"
	f, err := os.Create(name)
	if err != nil {
		return "", err
	}
	w := bufio.NewWriter(f)
	for i := range n {
		if ids {
			fmt.Fprintf(w, `{"custom_id":"request-%07d","prompt":"line %d"}`+"\n", i, i)
		} else {
			fmt.Fprintf(w, "line %d\n", i)
		}
	}
	if err := w.Flush(); err != nil {
		return "", err
	}
	return name, f.Close()
}
