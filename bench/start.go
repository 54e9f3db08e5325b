//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// command is something to measure. Its output goes to a file in the scratch folder, or to watch.
type command struct {
	name  string
	args  []string
	stdin string // a file; none is /dev/null
	watch func(io.Reader) error
}

// sample is what one run took.
type sample struct {
	Start int64 // Unix time, ns
	Wall  time.Duration
	CPU   time.Duration // user and system, of all processes
	Peak  int64         // bytes of the largest process
	Exit  int
}

// starterWord is the argument with which bench runs itself as starter. The kernel counts the memory of who starts a process
// towards the peak of that process, and bench with its samples is larger than what it measures; the starter is not.
const starterWord = "start-and-report"

// start runs a command and reports on file descriptor 3.
func start(args []string) int {
	syscall.CloseOnExec(3)
	report := os.NewFile(3, "report")
	begin := time.Now()
	pid, err := syscall.ForkExec(args[0], args, &syscall.ProcAttr{Env: os.Environ(), Files: []uintptr{0, 1, 2}})
	if err != nil {
		fmt.Fprintln(os.Stderr, args[0]+":", err)
		return 1
	}
	syscall.Close(1)
	var status syscall.WaitStatus
	var usage syscall.Rusage
	for {
		if _, err = syscall.Wait4(pid, &status, 0, &usage); err != syscall.EINTR {
			break
		}
	}
	s := sample{Start: begin.UnixNano(), Wall: time.Since(begin), Peak: usage.Maxrss << 10, Exit: status.ExitStatus()}
	s.CPU = time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
	if err := json.NewEncoder(report).Encode(s); err != nil {
		return 1
	}
	return 0
}

// measure runs a command once.
func (b *bench) measure(c command) (s sample, err error) {
	self, err := os.Executable()
	if err != nil {
		return s, err
	}
	path, err := exec.LookPath(c.args[0])
	if err != nil {
		return s, err
	}
	cmd := exec.Command(self, append([]string{starterWord, path}, c.args[1:]...)...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + b.dir, "LLMCALL_BASE_URL=" + b.server.base(), "LC_ALL=C.UTF-8"}
	cmd.Stderr = os.Stderr
	if c.stdin != "" {
		in, err := os.Open(c.stdin)
		if err != nil {
			return s, err
		}
		defer in.Close()
		cmd.Stdin = in
	}
	report, w, err := os.Pipe()
	if err != nil {
		return s, err
	}
	defer report.Close()
	cmd.ExtraFiles = []*os.File{w}
	if err := b.output(cmd, c.watch); err != nil {
		return s, err
	}
	w.Close()
	if err := json.NewDecoder(report).Decode(&s); err != nil {
		return s, fmt.Errorf("%s: %w", c.name, err)
	}
	if s.Exit != 0 {
		return s, fmt.Errorf("%s ended with %d", c.name, s.Exit)
	}
	return s, nil
}

// output runs cmd with its output going to a file, or to watch.
func (b *bench) output(cmd *exec.Cmd, watch func(io.Reader) error) error {
	if watch == nil {
		out, err := os.Create(b.dir + "/output")
		if err != nil {
			return err
		}
		defer out.Close()
		cmd.Stdout = out
		return cmd.Run()
	}
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer r.Close()
	cmd.Stdout = w
	err = cmd.Start()
	w.Close()
	if err != nil {
		return err
	}
	if err := watch(r); err != nil {
		return err
	}
	return cmd.Wait()
}
