package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// delivery is where a result goes: stdout, or the file of --output-file, which is written aside and renamed when the
// result is whole.
type delivery struct {
	stdout io.Writer
	file   string
	held   bytes.Buffer // what waits for the end; used when out is &held
	out    io.Writer
	close  io.Closer // a file that is no regular one is written straight
}

// newDelivery opens what the result is written to. With hold nothing goes out before finish.
func newDelivery(stdout io.Writer, file string, hold bool) (*delivery, error) {
	d := &delivery{stdout: stdout, file: file, out: stdout}
	if file != "" {
		regular, err := writable("--output-file", file)
		if err != nil {
			return nil, err
		}
		if regular {
			hold = true
		} else {
			f, err := openStraight(file)
			if err != nil {
				return nil, usageError{msg: "--output-file: " + fileError(file, err)}
			}
			d.file, d.out, d.close, d.stdout = "", f, f, f
		}
	}
	if hold {
		d.out = &d.held
	}
	return d, nil
}

// holds tells whether the result waits for finish.
func (d *delivery) holds() bool { return d.out == &d.held }

// again drops what is held, for another try.
func (d *delivery) again() { d.held.Reset() }

// finish brings a held result to its place: the file if the call ended with nil, stdout if the reply is there but cut or
// no match, nowhere if the call failed. It gives the error of the call, joined with its own.
func (d *delivery) finish(err error) error {
	code := exitCode(err)
	if d.holds() && (code == exitOK || code == exitCut || code == exitInvalid) {
		if d.file != "" && code == exitOK {
			err = writeAside(d.file, d.held.Bytes())
		} else if _, e := d.stdout.Write(d.held.Bytes()); e != nil {
			err = errors.Join(writeError{e}, err)
		}
	}
	if d.close != nil {
		if e := d.close.Close(); e != nil {
			err = errors.Join(writeError{e}, err)
		}
	}
	return err
}

// writable sees before anything is paid for that a flag's file can be written, and tells whether that is a regular file, to
// be written aside.
func writable(flag, file string) (regular bool, err error) {
	st, err := os.Stat(file)
	switch {
	case err == nil && st.IsDir():
		return false, usageError{msg: flag + ": " + file + ": is a directory"}
	case isStraight(file):
		return false, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return false, usageError{msg: flag + ": " + fileError(file, err)}
	}
	dir := filepath.Dir(file)
	if _, err := os.Stat(dir); err != nil {
		return false, usageError{msg: flag + ": " + fileError(dir, err)}
	}
	if err := probeAside(file); err != nil {
		return false, usageError{msg: flag + ": " + err.Error()}
	}
	return true, nil
}

// isStraight tells what is written as it stands: a device, a FIFO, and what leads to a stream of this process, such as
// /dev/stdout, also where that is a file.
func isStraight(name string) bool {
	st, err := os.Stat(name)
	if err != nil || !st.Mode().IsRegular() {
		return err == nil
	}
	for _, stream := range []string{"/dev/std*", "/dev/fd/*", "/proc/*/fd/*"} {
		if ok, _ := filepath.Match(stream, filepath.Clean(name)); ok {
			return true
		}
	}
	return false
}

// openStraight opens such a file behind what is in it already.
func openStraight(name string) (*os.File, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
}

// writeAside writes a file so that it is there whole or as it was: into a temporary file beside it, which is renamed.
func writeAside(name string, data []byte) (err error) {
	if isStraight(name) {
		return straight(name, data)
	}
	f, name, err := createAside(name)
	if err != nil {
		return fileWriteError(name, err)
	}
	_, err = f.Write(data)
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
		return fileWriteError(name, err)
	}
	return nil
}

// createAside makes the temporary file beside name; target is what it is to be renamed to, the end of a link.
func createAside(name string) (f *os.File, target string, err error) {
	mode := fs.FileMode(0o666)
	if st, err := os.Stat(name); err == nil {
		mode = st.Mode().Perm()
		if to, err := filepath.EvalSymlinks(name); err == nil {
			name = to
		}
	}
	f, err = os.OpenFile(fmt.Sprintf("%s.%d.tmp", name, os.Getpid()), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	return f, name, err
}

// probeAside sees before anything is paid for that writeAside will find a place.
func probeAside(name string) error {
	f, _, err := createAside(name)
	if err != nil {
		return errors.New(fileError(name, err))
	}
	f.Close()
	return os.Remove(f.Name())
}

// fileWriteError is a writeError that names the file as the user knows it, and not the one aside.
func fileWriteError(name string, err error) error {
	if cause := errors.Unwrap(err); cause != nil {
		err = cause
	}
	return writeError{&fs.PathError{Op: "write", Path: name, Err: err}}
}

func straight(name string, data []byte) error {
	f, err := openStraight(name)
	if err != nil {
		return writeError{err}
	}
	_, err = f.Write(data)
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return writeError{err}
	}
	return nil
}
