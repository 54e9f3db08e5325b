//go:build unix

package batch

import (
	"errors"
	"os"
	"syscall"
)

// renamesOpen says that a file can take the name of one that is open.
const renamesOpen = true

// lock locks a file against other processes until it is closed. It does not wait: a locked one is ErrLocked.
func lock(file *os.File) error {
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		switch {
		case err == syscall.EINTR:
			continue
		case err == syscall.EWOULDBLOCK:
			return ErrLocked
		case err == syscall.ENOLCK:
			return errors.ErrUnsupported
		}
		return err
	}
}
