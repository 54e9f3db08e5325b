package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"syscall"
	"testing"

	"github.com/llmcall/llmcall/pkg/providers"
)

func TestNetworkErrorsInAUsersWords(t *testing.T) {
	addr := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 9}
	refused := &net.OpError{Op: "dial", Net: "tcp", Addr: addr, Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	for _, tt := range []struct {
		err  error
		want string
		code int
	}{
		{refused, "p: cannot connect to 127.0.0.1:9: connection refused", exitNoConnect},
		{&net.OpError{Op: "dial", Net: "tcp", Err: &net.DNSError{Err: "no such host", Name: "x.invalid", IsNotFound: true}}, "p: no such host: x.invalid", exitNoHost},
		{&net.DNSError{Err: "server misbehaving", Name: "x.invalid", IsTemporary: true}, "p: cannot look up the host x.invalid: server misbehaving", exitNoHost},
		{fmt.Errorf("%w: %w", providers.ErrTruncated, io.ErrUnexpectedEOF), "p: connection closed before the reply was whole", exitTruncated},
		{fmt.Errorf("%w: %w", providers.ErrTruncated, syscall.ECONNRESET), "p: connection closed before the reply was whole: connection reset by peer", exitTruncated},
		{errors.New("odd"), "p: odd", exitOther},
	} {
		e := networkError{"p", tt.err}
		if got := e.Error(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
		if got := exitCode(e); got != tt.code {
			t.Errorf("%v: exit code %d, want %d", tt.err, got, tt.code)
		}
	}
}
