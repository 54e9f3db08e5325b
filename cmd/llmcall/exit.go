package main

import (
	"errors"
	"net"
	"strings"
	"syscall"

	"github.com/llmcall/llmcall/pkg/batch"
	"github.com/llmcall/llmcall/pkg/output"
	"github.com/llmcall/llmcall/pkg/providers"
	"github.com/llmcall/llmcall/pkg/record"
	"github.com/llmcall/llmcall/pkg/request"
)

// The exit codes that are no translation of an HTTP status.
const (
	exitOK          = 0
	exitOther       = 1
	exitUsage       = 2
	exitCut         = 3
	exitInvalid     = 4
	exitSomeFailed  = 5
	exitNoHost      = 6
	exitNoConnect   = 7
	exitProtocol    = 8
	exitTruncated   = 18
	exitNotWritten  = 23
	exitTimeout     = 28
	exitTLS         = 35
	exitOtherStatus = 39
	exitNoKey       = 41
	exitForbidden   = 43
	exitNotFound    = 44
	exitRateLimit   = 69
	exitServerError = 70
	exitOther5xx    = 79
	exitSignal      = 128 // and the signal's number
)

// exitTable is the table of exit codes as users read it: the man page's and the README's are checked against it.
var exitTable = []struct{ code, when string }{
	{"0", "the whole result was written"},
	{"1", "anything not listed: nothing found by --query or --extract, say"},
	{"2", "a bad flag, file or input, or a parameter that the provider is documented to reject; nothing was sent"},
	{"3", "the reply was cut by the token limit or a content filter; what came is printed"},
	{"4", "the reply does not match the schema (--validate)"},
	{"5", "some items of a batch failed"},
	{"6", "the host's name was not found"},
	{"7", "the connection was refused or the host not reached"},
	{"8", "the reply is not what the protocol allows"},
	{"18", "the connection closed before the reply was whole"},
	{"23", "stdout could not be written: a full disk, say"},
	{"28", "a timeout: --timeout, --connect-timeout or --idle-timeout"},
	{"35", "TLS: the handshake failed or the certificate is not trusted"},
	{"39", "another HTTP 3xx or 4xx; redirects are not followed"},
	{"40-69", "HTTP 400 to 429, the status less 360: 40 bad request, 41 no or wrong key, 43 forbidden, 44 not found, 48 timeout, 50 model removed, 62 not in your plan, 69 rate limit"},
	{"70-78", "HTTP 500 to 508, the status less 430: 70 server error, 72 bad gateway, 73 unavailable, 74 gateway timeout"},
	{"79", "another HTTP 5xx"},
	{"130", "stopped by SIGINT"},
	{"141", "the reader of stdout went away"},
	{"143", "stopped by SIGTERM"},
}

// usageError is input that cannot be acted on; nothing was sent.
type usageError struct{ msg, hint string }

func (e usageError) Error() string { return e.msg }

// missingKeyError says that the provider wants a key and none was found.
type missingKeyError struct{ msg, hint string }

func (e missingKeyError) Error() string { return e.msg }

// mismatchError says that the reply does not match its schema; the lines name each place.
type mismatchError struct{ lines []string }

func (e mismatchError) Error() string { return "the reply does not match the schema" }

// exitCode gives the code of an error. Of several causes joined in one error, the first of this order counts.
func exitCode(err error) int {
	var (
		sig      signalError
		failed   *output.WriteError
		timeout  *providers.TimeoutError
		api      *providers.APIError
		protocol *providers.ProtocolError
		format   *output.FormatError
		cut      *output.CutError
		miss     *record.MissError
	)
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &sig):
		return exitSignal + int(sig.Signal.(syscall.Signal))
	case errors.As(err, &failed), errors.As(err, &writeError{}):
		if errors.Is(err, syscall.EPIPE) {
			return exitSignal + int(syscall.SIGPIPE)
		}
		return exitNotWritten
	case errors.As(err, &timeout), errors.As(err, &callTimeout{}):
		return exitTimeout
	case errors.Is(err, providers.ErrTruncated), errors.Is(err, output.ErrIncomplete):
		return exitTruncated
	case isUsage(err):
		return exitUsage
	case errors.As(err, &missingKeyError{}):
		return exitNoKey
	case errors.As(err, &api):
		return apiCode(api)
	case errors.As(err, &protocol), errors.As(err, &format), errors.As(err, &miss):
		return exitProtocol
	case errors.As(err, &cut):
		return exitCut
	case errors.As(err, &mismatchError{}):
		return exitInvalid
	case errors.Is(err, errSomeFailed):
		return exitSomeFailed
	case errors.Is(err, batch.ErrDayLimit):
		return exitRateLimit
	}
	return networkCode(err)
}

// callTimeout is the end of the time that --timeout gives the whole call.
type callTimeout struct{ after string }

func (e callTimeout) Error() string { return "the call took longer than --timeout " + e.after }

// isUsage tells whether an error is the user's input, found before anything was sent.
func isUsage(err error) bool {
	var (
		in  *request.InputError
		key *providers.KeyError
		cfg *providers.ConfigError
	)
	return errors.As(err, &usageError{}) || errors.As(err, &in) || errors.As(err, &key) || errors.As(err, &cfg) ||
		errors.Is(err, request.ErrNoInput)
}

// networkCode tells apart the ways in which no connection came about.
func networkCode(err error) int {
	var (
		dns    *net.DNSError
		secure *providers.TLSError
		op     *net.OpError
	)
	switch {
	case errors.As(err, &secure):
		return exitTLS
	case errors.As(err, &dns):
		return exitNoHost
	case errors.As(err, &op), isNetworkErrno(err):
		return exitNoConnect
	}
	return exitOther
}

// isNetworkErrno tells the system's errors that only a network gives.
func isNetworkErrno(err error) bool {
	for _, sys := range []syscall.Errno{syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.ENETUNREACH, syscall.EHOSTUNREACH, syscall.ETIMEDOUT} {
		if errors.Is(err, sys) {
			return true
		}
	}
	return false
}

// apiCode translates the status of an error reply, or what stands for it in an error inside a 200.
func apiCode(e *providers.APIError) int {
	status := e.Status
	if status < 300 {
		status = e.Inner
	}
	name := e.Code + " " + e.Type
	switch {
	case status == 0 && (strings.Contains(name, "rate_limit") || strings.Contains(name, "insufficient_quota")):
		return exitRateLimit
	case status == 0 && strings.Contains(name, "server_error"):
		return exitServerError
	case status == 0:
		return exitProtocol
	case status >= 400 && status <= 429:
		return status - 360
	case status >= 500 && status <= 508:
		return status - 430
	case status >= 500:
		return exitOther5xx
	}
	return exitOtherStatus
}
