package batch

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/llmcall/llmcall/pkg/object"
)

// resume collects the ids that the file holds answers to, and takes all other lines out.
//
// While these are the last ones, the file is cut, which the system does at once or not at all. Else the lines to keep are copied
// to a file beside it, which then takes its name: at no moment is there a file of that name that lacks an answer. Moving lines
// within the file would need no second one, but a kill between the two halves of a move would lose what it was moving. The new
// file is locked before it has the name, and openLocked does not take the old one for it.
func (f *File) resume() error {
	path, err := filepath.EvalSymlinks(f.path)
	if err != nil {
		return err
	}
	a := aside{path: filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".resume")}
	defer a.discard()
	if err := a.discard(); err != nil {
		return err
	}
	keep, err := f.sift(&a)
	switch {
	case err != nil:
		return err
	case a.file != nil:
		return f.replace(&a, path)
	case keep < f.size:
		if err := f.file.Truncate(keep); err != nil {
			return err
		}
		f.size = keep
	case keep > f.size:
		_, err := f.Write([]byte{'\n'})
		return err
	}
	return nil
}

// sift reads the file. It gives the size of the lines to keep as long as no other stands before one of them; then it copies
// those to keep. Lines that nobody who writes such files has written are an error: the path may be that of another file.
func (f *File) sift(a *aside) (keep int64, err error) {
	info, err := f.file.Stat()
	if err != nil {
		return 0, err
	}
	l := newLines(io.NewSectionReader(f.file, 0, f.size), 0)
	var line []byte
	for {
		start := l.offset
		line, err = l.next(line[:0])
		if err == io.EOF {
			break
		}
		if err != nil {
			return 0, err
		}
		id, v := judge(line)
		switch {
		case v == foreign || v == torn && l.number == 1 && l.ended && !blank(line):
			return 0, fmt.Errorf("%s:%d: %w", f.path, l.number, ErrNotOutput)
		case v != answered:
			if !blank(line) {
				f.Dropped++
			}
			continue
		}
		f.Answered.hold(hashOf(id))
		line = append(line, '\n')
		if a.file == nil && keep == start {
			keep += int64(len(line))
			continue
		}
		if a.file == nil {
			if err := a.begin(f.file, keep, info.Mode().Perm()); err != nil {
				return 0, err
			}
		}
		if _, err := a.w.Write(line); err != nil {
			return 0, err
		}
	}
	if a.file == nil {
		return keep, nil
	}
	return 0, a.w.Flush()
}

// replace puts the file aside in the place of the file.
func (f *File) replace(a *aside, path string) error {
	if err := a.file.Sync(); err != nil {
		return err
	}
	if err := f.lock(a.file); err != nil {
		return err
	}
	size, err := a.file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	if !renamesOpen {
		// Between here and openLocked another process may take the file, which is then ErrLocked.
		if err := errors.Join(a.file.Close(), f.file.Close()); err != nil {
			return err
		}
		f.file = nil
		if err := os.Rename(a.path, path); err != nil {
			return err
		}
		a.file = nil
		return f.openLocked()
	}
	if err := os.Rename(a.path, path); err != nil {
		return err
	}
	err = f.file.Close()
	f.file, f.size, a.file = a.file, size, nil
	return err
}

// aside is the file that a resumed one is copied to.
type aside struct {
	path string
	file *os.File
	w    *bufio.Writer
}

// begin makes the file with the first bytes of another one.
func (a *aside) begin(from *os.File, size int64, mode fs.FileMode) error {
	file, err := os.OpenFile(a.path, os.O_RDWR|os.O_CREATE|os.O_EXCL|os.O_APPEND, mode)
	if err != nil {
		return err
	}
	a.file, a.w = file, bufio.NewWriterSize(file, flushSize)
	if err := file.Chmod(mode); err != nil && !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	_, err = io.Copy(a.w, io.NewSectionReader(from, 0, size))
	return err
}

// discard removes the file if it has not taken its place, also one that a killed process left.
func (a *aside) discard() error {
	if a.file != nil {
		a.file.Close()
		a.file = nil
	}
	if err := os.Remove(a.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// What judge finds.
const (
	foreign  = iota // of another kind of file
	torn            // a part of a line, or nothing
	failed          // no answer
	answered        // an answer
)

// judge tells what a line of the output is, and whose.
func judge(line []byte) (id string, verdict int) {
	if blank(line) {
		return "", torn
	}
	c := object.NewCursor(line)
	if !c.Begin('{') {
		// What a crash of the machine left of a block that was never written.
		if line[0] == 0 {
			return "", torn
		}
		return "", foreign
	}
	var customID, response, fault []byte
	for c.Next() {
		switch string(c.Key()) {
		case "custom_id":
			customID = c.Value()
		case "response":
			response = c.Value()
		case "error":
			fault = c.Value()
		default:
			c.Value()
		}
	}
	switch {
	case c.End() != nil:
		return "", torn
	case len(customID) == 0 || customID[0] != '"' || response == nil || fault == nil:
		return "", foreign
	}
	if fault[0] != 'n' || !isOK(response) {
		return "", failed
	}
	return string(unquoted(customID)), answered
}

// isOK tells whether a response has the status 200.
func isOK(response []byte) bool {
	ok := false
	c := object.NewCursor(response)
	for c.Begin('{'); c.Next(); {
		key := string(c.Key())
		if value := c.Value(); key == "status_code" {
			ok = string(value) == "200"
		}
	}
	return ok
}
