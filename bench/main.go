//go:build linux

// Command bench measures llmcall beside curl, and beside the pipeline of curl, sed and jq that a shell user writes, on a server of
// its own on loopback. It prints tables of medians in Markdown and judges nothing.
//
//	bench [-llmcall FILE] [-rounds N] [-only SECTION,...] calls|batch
package main

import (
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// bench is one run of the program.
type bench struct {
	llmcall string
	rounds  int
	only    []string // sections; none are all
	dir     string   // scratch, in memory where there is a place for it
	server  *server
}

// section is a part of a run.
type section struct {
	name string
	run  func() error
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == starterWord {
		os.Exit(start(os.Args[2:]))
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run() (err error) {
	b := &bench{}
	binary := flag.String("llmcall", "./llmcall", "the binary to measure")
	only := flag.String("only", "", "sections to run, commas between (all)")
	flag.IntVar(&b.rounds, "rounds", 5, "runs of each command, of which the median is taken")
	flag.Parse()
	if *only != "" {
		b.only = strings.Split(*only, ",")
	}
	if b.llmcall, err = filepath.Abs(*binary); err != nil {
		return err
	}
	if b.dir, err = os.MkdirTemp(memoryDir(), "llmcall-bench-"); err != nil {
		return err
	}
	defer os.RemoveAll(b.dir)
	stopped := make(chan os.Signal, 1)
	signal.Notify(stopped, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-stopped
		os.RemoveAll(b.dir)
		os.Exit(1)
	}()
	if b.server, err = listen(); err != nil {
		return err
	}
	defer b.server.close()
	switch flag.Arg(0) {
	case "calls":
		return b.sections(b.calls())
	case "batch":
		return b.sections(b.batches())
	}
	return fmt.Errorf("want calls or batch, not %q", flag.Arg(0))
}

func (b *bench) sections(list []section) error {
	for _, s := range list {
		if len(b.only) > 0 && !slices.Contains(b.only, s.name) {
			continue
		}
		if err := s.run(); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

// memoryDir is where files do not wait for a disk.
func memoryDir() string {
	if st, err := os.Stat("/dev/shm"); err == nil && st.IsDir() {
		return "/dev/shm"
	}
	return ""
}
