package batch

import (
	"os"

	"golang.org/x/sys/windows"
)

// renamesOpen says that a file can take the name of one that is open.
const renamesOpen = false

// lock locks a file against other processes until it is closed. It does not wait: a locked one is ErrLocked. Since no one can
// read what is locked, that is a byte which no file reaches.
func lock(file *os.File) error {
	const flags = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	beyond := &windows.Overlapped{Offset: 0xffffffff, OffsetHigh: 0x7fffffff}
	err := windows.LockFileEx(windows.Handle(file.Fd()), flags, 0, 1, 0, beyond)
	if err == windows.ERROR_LOCK_VIOLATION || err == windows.ERROR_IO_PENDING {
		return ErrLocked
	}
	return err
}
