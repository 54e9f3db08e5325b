package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// terminal is a shell that runs on a pseudo terminal.
type terminal struct {
	t    *testing.T
	pty  *os.File
	out  chan []byte
	seen []byte
}

// openTerminal starts a command on a terminal of its own.
func openTerminal(t *testing.T, cmd *exec.Cmd) *terminal {
	t.Helper()
	pty, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip(err)
	}
	fd := int(pty.Fd())
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 50, Col: 200})
	}
	if err != nil {
		t.Fatal(err)
	}
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer tty.Close()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	term := &terminal{t: t, pty: pty, out: make(chan []byte, 100)}
	go func() {
		defer close(term.out)
		for {
			buf := make([]byte, 4096)
			n, err := pty.Read(buf)
			if n > 0 {
				term.out <- buf[:n]
			}
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		for range term.out {
		}
		pty.Close()
	})
	return term
}

// waitFor reads until text was seen and gives what came before it.
func (term *terminal) waitFor(text string) string {
	term.t.Helper()
	late := time.After(20 * time.Second)
	for {
		if before, after, ok := bytes.Cut(term.seen, []byte(text)); ok {
			term.seen = after
			return string(before)
		}
		select {
		case b, ok := <-term.out:
			if !ok {
				term.t.Fatalf("the shell ended; it wrote %q", term.seen)
			}
			term.seen = append(term.seen, b...)
		case <-late:
			term.t.Fatalf("no %q came; the shell wrote %q", text, term.seen)
		}
	}
}

// press types keys and gives the line that the shell then holds. The shell's start file binds ^T to print it.
func (term *terminal) press(keys string) string {
	term.t.Helper()
	if _, err := term.pty.WriteString(keys + "\x14"); err != nil {
		term.t.Fatal(err)
	}
	term.waitFor("<<")
	return strings.TrimRight(term.waitFor(">>"), " ")
}
