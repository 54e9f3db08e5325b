package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// input reads what the user gives beside the command line. Stdin is read once, for the flag that was given "-", or else as
// prompt text.
type input struct {
	ctx    context.Context // ends a read that waits, as one of a silent pipe does
	in     io.Reader
	taken  bool   // stdin was read, or belongs to a flag that was given "-"
	notice func() // called once if stdin stays silent for silence
}

// silence is how long a pipe may say nothing before the user is told that it is awaited.
const silence = 2 * time.Second

// source is bytes and what they are called in an error.
type source struct {
	name string
	data []byte
}

// file reads the file that a flag names; "-" is stdin.
func (in *input) file(flag, name string) (source, error) {
	if name != "-" {
		data, err := in.await(func() ([]byte, error) { return os.ReadFile(name) })
		switch {
		case in.ctx.Err() != nil:
			return source{}, err
		case err != nil:
			return source{}, usageError{msg: fmt.Sprintf("%s: %s", flag, fileError(name, err))}
		}
		return source{name, data}, nil
	}
	data, err := in.await(in.readAll)
	if err != nil {
		return source{}, err
	}
	return source{"stdin", data}, nil
}

// json reads a flag's value that is JSON itself (it starts with a bracket) or names a file that holds it.
func (in *input) json(flag, value string) (source, error) {
	if v := strings.TrimLeft(value, " \t\r\n"); v != "" && (v[0] == '{' || v[0] == '[') {
		return source{flag, []byte(value)}, nil
	}
	return in.file(flag, value)
}

// piped gives what stdin holds as prompt text: nothing if it is a terminal or was taken.
func (in *input) piped() ([]byte, error) {
	if in.taken || isTerminal(in.in) {
		return nil, nil
	}
	in.taken = true
	return in.await(in.readAll)
}

// await gives what read gives, or the cause of the context's end if that comes first; nothing else ends the read of a pipe.
func (in *input) await(read func() ([]byte, error)) ([]byte, error) {
	if in.ctx.Err() != nil {
		return nil, context.Cause(in.ctx)
	}
	done := make(chan struct{})
	var (
		data []byte
		err  error
	)
	go func() {
		data, err = read()
		close(done)
	}()
	select {
	case <-done:
		return data, err
	case <-in.ctx.Done():
		return nil, context.Cause(in.ctx)
	}
}

// readAll reads stdin to its end. A file is read into one piece of its size; what a pipe brings is gathered in pieces, each as
// large as all before it up to largestPiece, and joined once: a slice that grows would leave as much garbage as text.
func (in *input) readAll() ([]byte, error) {
	const largestPiece = 8 << 20
	size := 64 << 10
	if f, ok := in.in.(*os.File); ok {
		if st, err := f.Stat(); err == nil && st.Mode().IsRegular() {
			size = int(st.Size()) + 1 // and the read that finds the end
		}
	}
	timer := time.AfterFunc(silence, in.notice)
	defer timer.Stop()
	var full [][]byte
	total, piece := 0, make([]byte, 0, size)
	for {
		n, err := in.in.Read(piece[len(piece):cap(piece)])
		if n > 0 {
			timer.Stop()
		}
		piece = piece[:len(piece)+n]
		switch {
		case err == io.EOF && full == nil:
			return piece, nil
		case err == io.EOF:
			return bytes.Join(append(full, piece), nil), nil
		case err != nil:
			return nil, usageError{msg: "stdin: " + plainPathError(err)}
		case len(piece) == cap(piece):
			full, total = append(full, piece), total+len(piece)
			piece = make([]byte, 0, min(total, largestPiece))
		}
	}
}

// fileError says why a file could not be read, with its name once.
func fileError(name string, err error) string { return name + ": " + plainPathError(err) }

// plainPathError is the reason alone, without the operation and the path.
func plainPathError(err error) string {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err.Error()
	}
	return err.Error()
}
