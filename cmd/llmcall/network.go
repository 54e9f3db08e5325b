package main

import (
	"errors"
	"net"
	"strings"
	"syscall"
)

// networkError is a connection that was not made, or broke, in a user's words.
type networkError struct {
	provider string
	err      error
}

func (e networkError) Unwrap() error { return e.err }

func (e networkError) Error() string {
	var (
		dns *net.DNSError
		op  *net.OpError
		sys syscall.Errno
	)
	text := e.err.Error()
	switch {
	case exitCode(e.err) == exitTruncated:
		text = strings.TrimSuffix(text, ": unexpected EOF")
	case errors.As(e.err, &dns) && dns.IsNotFound:
		text = "no such host: " + dns.Name
	case errors.As(e.err, &dns):
		text = "cannot look up the host " + dns.Name + ": " + dns.Err
	case errors.As(e.err, &op) && op.Op == "dial" && op.Addr != nil && errors.As(e.err, &sys):
		text = "cannot connect to " + op.Addr.String() + ": " + sys.Error()
	}
	return e.provider + ": " + text
}
