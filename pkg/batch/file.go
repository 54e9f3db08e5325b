package batch

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

var (
	// ErrLocked is an output file that another process is writing.
	ErrLocked = errors.New("another process is writing it")
	// ErrExists is an output file with something in it that is not to be resumed.
	ErrExists = errors.New("it exists")
	// ErrNotOutput is a file that cannot be resumed, since it is not what a batch has written. It is left as it was.
	ErrNotOutput = errors.New("not the output of a batch")
)

// File is an output file. What it gets is whole lines, and they stay whole.
type File struct {
	// Answered are the ids that the file held answers to, for Input.Answered.
	Answered *IDs
	// Dropped counts the lines that were taken out: of items that failed, and those half written.
	Dropped int64
	// Unlocked says that the file system has no locks, so that nothing keeps another process from writing the file too.
	Unlocked bool

	path    string
	file    *os.File
	size    int64
	regular bool
}

// Open opens or makes an output file and locks it until Close. What is in it stays with resume, but for the lines that hold no
// answer; without it, a file that is not empty is ErrExists. All errors but those of the system are ErrLocked, ErrExists and
// ErrNotOutput, wrapped with the path. What is no regular file, such as a FIFO, is written without any of this.
func Open(path string, resume bool) (*File, error) {
	f := &File{Answered: new(IDs), path: path}
	if err := f.open(resume); err != nil {
		if f.file != nil {
			f.file.Close()
		}
		return nil, err
	}
	return f, nil
}

func (f *File) open(resume bool) error {
	info, err := os.Stat(f.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err == nil && !info.Mode().IsRegular() {
		if resume {
			return fmt.Errorf("%s: %w: not a regular file", f.path, ErrNotOutput)
		}
		f.file, err = os.OpenFile(f.path, os.O_WRONLY, 0)
		return err
	}
	f.regular = true
	if err := f.openLocked(); err != nil {
		return err
	}
	switch {
	case f.size > 0 && !resume:
		return fmt.Errorf("%s: %w", f.path, ErrExists)
	case resume:
		return f.resume()
	}
	return nil
}

// openLocked opens the file and locks it. A process that is compacting the file puts another one in its place: a lock on the
// old one is worth nothing, so that the lock only counts if the path still leads to what is locked.
func (f *File) openLocked() error {
	for {
		file, err := os.OpenFile(f.path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
		if err != nil {
			return err
		}
		f.file = file
		if err := f.lock(file); err != nil {
			return err
		}
		locked, err := file.Stat()
		if err != nil {
			return err
		}
		if there, err := os.Stat(f.path); err == nil && os.SameFile(locked, there) {
			f.size = locked.Size()
			return nil
		}
		file.Close()
	}
}

// lock locks a file, if the file system can.
func (f *File) lock(file *os.File) error {
	err := lock(file)
	switch {
	case errors.Is(err, ErrLocked):
		return fmt.Errorf("%s: %w", f.path, ErrLocked)
	case errors.Is(err, errors.ErrUnsupported):
		f.Unlocked = true
	case err != nil:
		return fmt.Errorf("%s: lock: %w", f.path, err)
	}
	return nil
}

// Write appends whole lines. After an error, as from a full disk, the lines that were written whole stay and no other.
func (f *File) Write(lines []byte) (int, error) {
	n, err := f.file.Write(lines)
	if err != nil && f.regular {
		n = bytes.LastIndexByte(lines[:n], '\n') + 1
		if cut := f.file.Truncate(f.size + int64(n)); cut != nil {
			err = errors.Join(err, cut)
		}
	}
	f.size += int64(n)
	return n, err
}

// Close unlocks and closes the file.
func (f *File) Close() error { return f.file.Close() }
