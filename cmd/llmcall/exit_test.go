package main

import (
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/llmcall/llmcall/pkg/batch"
	"github.com/llmcall/llmcall/pkg/output"
	"github.com/llmcall/llmcall/pkg/providers"
	"github.com/llmcall/llmcall/pkg/record"
	"github.com/llmcall/llmcall/pkg/request"
)

func TestExitCode(t *testing.T) {
	var (
		full     = &output.WriteError{Err: syscall.ENOSPC}
		late     = &providers.TimeoutError{Which: "idle"}
		protocol = &providers.ProtocolError{Message: "no JSON"}
		cut      = &output.CutError{Reason: "length"}
		mismatch = mismatchError{[]string{"a: wrong"}}
		refused  = &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)}
	)
	for _, tt := range []struct {
		name string
		err  error
		want int
	}{
		{"none", nil, 0},
		{"any other", errors.New("odd"), 1},
		{"a query that found nothing", output.ErrQueryNotFound, 1},
		{"no fenced block", output.ErrNoFence, 1},
		{"a bad flag", usageError{msg: "bad"}, 2},
		{"bad input", &request.InputError{}, 2},
		{"no input", request.ErrNoInput, 2},
		{"a bad key", &providers.KeyError{}, 2},
		{"a bad address", &providers.ConfigError{}, 2},
		{"cut", cut, 3},
		{"no match", mismatch, 4},
		{"items failed", fmt.Errorf("batch: %w", errSomeFailed), 5},
		{"no host", &net.OpError{Op: "dial", Err: &net.DNSError{IsNotFound: true}}, 6},
		{"refused", refused, 7},
		{"no route", os.NewSyscallError("connect", syscall.ENETUNREACH), 7},
		{"not the protocol", protocol, 8},
		{"not the format", &output.FormatError{Msg: "no choices"}, 8},
		{"not recorded", &record.MissError{}, 8},
		{"broken off", fmt.Errorf("%w: %w", providers.ErrTruncated, io.ErrUnexpectedEOF), 18},
		{"broken off by a reset", fmt.Errorf("%w: %w", providers.ErrTruncated, syscall.ECONNRESET), 18},
		{"a stream that is not whole", output.ErrIncomplete, 18},
		{"a full disk", full, 23},
		{"a full disk, by hand", writeError{syscall.ENOSPC}, 23},
		{"a timeout", late, 28},
		{"the whole time", callTimeout{"1s"}, 28},
		{"a certificate", &providers.TLSError{Err: x509.UnknownAuthorityError{}}, 35},
		{"no key", missingKeyError{}, 41},
		{"the day's limit", batch.ErrDayLimit, 69},
		{"SIGINT", signalError{syscall.SIGINT}, 130},
		{"SIGTERM", signalError{syscall.SIGTERM}, 143},
		{"a reader that is gone", &output.WriteError{Err: &os.PathError{Op: "write", Err: syscall.EPIPE}}, 141},

		{"wrapped", &failure{err: fmt.Errorf("in: %w", cut)}, 3},
		{"a signal before all", errors.Join(full, signalError{syscall.SIGINT}), 130},
		{"the disk before the time", errors.Join(late, full), 23},
		{"the time before the break", errors.Join(providers.ErrTruncated, late), 28},
		{"the break before the protocol", errors.Join(protocol, providers.ErrTruncated), 18},
		{"the protocol before the limit", errors.Join(cut, protocol), 8},
		{"the limit before the schema", errors.Join(mismatch, cut), 3},
		{"the limit before the query", errors.Join(output.ErrQueryNotFound, cut), 3},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := exitCode(tt.err); got != tt.want {
				t.Errorf("exitCode(%v) = %d, want %d", tt.err, got, tt.want)
			}
		})
	}
}

func TestExitCodeOfStatus(t *testing.T) {
	for status, want := range map[int]int{
		301: 39, 308: 39, 400: 40, 401: 41, 402: 42, 403: 43, 404: 44, 408: 48, 409: 49, 410: 50, 422: 62, 429: 69, 430: 39, 451: 39,
		499: 39, 500: 70, 501: 71, 502: 72, 503: 73, 504: 74, 508: 78, 509: 79, 520: 79, 529: 79, 599: 79,
	} {
		if got := exitCode(&providers.APIError{Status: status}); got != want {
			t.Errorf("HTTP %d: %d, want %d", status, got, want)
		}
	}
}

func TestExitCodeOfErrorInReply(t *testing.T) {
	for _, tt := range []struct {
		name string
		err  providers.APIError
		want int
	}{
		{"a number", providers.APIError{Status: 200, Inner: 503}, 73},
		{"a number before a name", providers.APIError{Status: 200, Inner: 400, Type: "server_error"}, 40},
		{"a rate limit by its code", providers.APIError{Status: 200, Code: "rate_limit_exceeded"}, 69},
		{"a rate limit by its type", providers.APIError{Status: 200, Type: "rate_limit_error"}, 69},
		{"a quota", providers.APIError{Status: 200, Code: "insufficient_quota"}, 69},
		{"the server", providers.APIError{Status: 200, Type: "internal_server_error"}, 70},
		{"anything else", providers.APIError{Status: 200, Code: "odd"}, 8},
		{"nothing at all", providers.APIError{Status: 200}, 8},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := exitCode(&tt.err); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}

// TestExitTable holds the table that users read against the codes there are: each is in it once, and each has a class.
func TestExitTable(t *testing.T) {
	listed := map[int]bool{}
	for _, row := range exitTable {
		from, to, ok := strings.Cut(row.code, "-")
		if !ok {
			to = from
		}
		a, errA := strconv.Atoi(from)
		b, errB := strconv.Atoi(to)
		if errA != nil || errB != nil || a > b || row.when == "" {
			t.Errorf("row %q: %q", row.code, row.when)
		}
		for code := a; code <= b; code++ {
			if listed[code] {
				t.Errorf("%d is listed twice", code)
			}
			listed[code] = true
		}
	}
	for _, code := range []int{
		exitOK, exitOther, exitUsage, exitCut, exitInvalid, exitSomeFailed, exitNoHost, exitNoConnect, exitProtocol, exitTruncated,
		exitNotWritten, exitTimeout, exitTLS, exitOtherStatus, exitNoKey, exitRateLimit, exitServerError, exitOther5xx,
		exitSignal + int(syscall.SIGINT), exitSignal + int(syscall.SIGTERM), exitSignal + int(syscall.SIGPIPE),
	} {
		if !listed[code] {
			t.Errorf("%d is not in the table", code)
		}
	}
	for code := range listed {
		if name := className(code); name == "" || name == "other" && code > exitOther {
			t.Errorf("%d is of class %q", code, name)
		}
	}
}
