package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"syscall"
	"unicode"

	"github.com/llmcall/llmcall/pkg/object"
	"github.com/llmcall/llmcall/pkg/providers"
)

// reporter says things to a person on stderr: one line each, which starts "llmcall: ". With json it says nothing but one
// object when the call fails.
type reporter struct {
	err                  io.Writer
	quiet, verbose, json bool
	redact               func(string) string // takes keys out of all that is said; nil before there is one

	mu       sync.Mutex
	warnings []string
}

// warn tells of something that the user should know and that stops nothing. The same is said once, for each item of a batch may
// have it to say.
func (r *reporter) warn(msg string) {
	r.mu.Lock()
	fresh := len(r.warnings) < maxWarnings && !slices.Contains(r.warnings, msg)
	if fresh {
		r.warnings = append(r.warnings, msg)
	}
	r.mu.Unlock()
	if fresh && !r.quiet {
		r.line("warning: " + msg)
	}
}

// maxWarnings is how many different warnings a run gives.
const maxWarnings = 100

// notice tells what llmcall is doing, where it would seem to hang.
func (r *reporter) notice(msg string) {
	if !r.quiet {
		r.line(msg)
	}
}

// detail tells what --verbose asks for.
func (r *reporter) detail(msg string) {
	if r.verbose {
		r.line(msg)
	}
}

func (r *reporter) line(msg string) {
	if r.json {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	io.WriteString(r.err, "llmcall: "+oneLine(r.safe(msg))+"\n")
}

// safe is a text without the keys in use: a server may echo one in anything that it says.
func (r *reporter) safe(text string) string {
	if r.redact == nil {
		return text
	}
	return r.redact(text)
}

// safeWarnings are the warnings so far.
func (r *reporter) safeWarnings() []string {
	list := slices.Clone(r.warnings)
	for i, w := range list {
		list[i] = r.safe(w)
	}
	return list
}

// failure is an error with what is known about it beside its text.
type failure struct {
	err      error
	hint     string
	provider string
	// status and requestID are the reply's, where the error does not bring its own.
	status    int
	requestID string
	attempts  int
	// retryable says that another try may end better; retry is the wait the provider asked for, if it was not waited.
	retryable bool
	retry     *providers.Delay
}

func (f *failure) Error() string {
	s := f.err.Error()
	if f.attempts > 1 {
		s += fmt.Sprintf(" (after %d attempts)", f.attempts)
	}
	if f.retry != nil && f.retry.Asked() != "" {
		s += "; " + f.retry.Asked()
	}
	return s
}
func (f *failure) Unwrap() error { return f.err }

// fail says why the run failed and gives its exit code. A closed reader is told nothing.
func (r *reporter) fail(err error) int {
	code := exitCode(err)
	if isClosedReader(err) && code == exitSignal+int(syscall.SIGPIPE) {
		return code
	}
	f := &failure{}
	if !errors.As(err, &f) {
		f = &failure{err: err}
	}
	if f.hint == "" {
		f.hint = hintOf(err)
	}
	if r.json {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.err.Write(r.object(f, code))
		return code
	}
	r.line(err.Error())
	var mismatch mismatchError
	if errors.As(err, &mismatch) {
		for _, l := range mismatch.lines {
			r.line(l)
		}
	}
	var api *providers.APIError
	if errors.As(err, &api) && api.ModelOutput != "" {
		r.mu.Lock()
		io.WriteString(r.err, printable(r.safe(api.ModelOutput))+"\n")
		r.mu.Unlock()
	}
	switch {
	case f.hint == shortUsage && !r.quiet:
		for l := range strings.Lines(f.hint) {
			r.line(strings.TrimSuffix(l, "\n"))
		}
	case f.hint != "" && !r.quiet:
		r.line("hint: " + f.hint)
	}
	return code
}

// hintOf is the hint that an error brings along.
func hintOf(err error) string {
	var (
		u usageError
		k missingKeyError
	)
	switch {
	case errors.As(err, &u):
		return u.hint
	case errors.As(err, &k):
		return k.hint
	}
	return ""
}

// object is the failure as --error-format json prints it.
func (r *reporter) object(f *failure, code int) []byte {
	m := member{}
	var api *providers.APIError
	if !errors.As(f.err, &api) {
		api = &providers.APIError{Message: f.err.Error(), Status: f.status, RequestID: f.requestID}
		var protocol *providers.ProtocolError
		if errors.As(f.err, &protocol) {
			api.Status, api.RequestID = protocol.Status, protocol.RequestID
		}
	}
	var mismatch mismatchError
	if errors.As(f.err, &mismatch) {
		api.Message += ": " + strings.Join(mismatch.lines, "; ")
	}
	m.text("provider", f.provider)
	m.text("class", className(code))
	m.raw("exit_code", fmt.Sprint(code))
	m.number("status", int64(api.Status), api.Status != 0)
	m.text("code", api.Code)
	m.text("type", api.Type)
	m.text("param", api.Param)
	m.text("message", oneLine(r.safe(api.Message)))
	m.text("hint", r.safe(f.hint))
	m.text("request_id", r.safe(api.RequestID))
	m.raw("retryable", fmt.Sprint(f.retryable))
	after := "null"
	if f.retry != nil {
		after = fmt.Sprintf("%g", f.retry.After.Seconds())
	}
	m.raw("retry_after_s", after)
	m.raw("attempts", fmt.Sprint(f.attempts))
	m.texts("warnings", r.safeWarnings())
	m.text("model_output", api.ModelOutput)
	switch {
	case len(api.Body) == 0:
		m.raw("body", "null")
	case object.Valid(api.Body) == nil:
		m.raw("body", strings.TrimSpace(unbroken(api.Body)))
	default:
		m.text("body", strings.ToValidUTF8(string(api.Body), "\uFFFD"))
	}
	return m.line()
}

// className names an exit code for programs.
func className(code int) string {
	switch code {
	case exitUsage:
		return "usage"
	case exitCut:
		return "cut"
	case exitInvalid:
		return "mismatch"
	case exitSomeFailed:
		return "batch"
	case exitNoHost, exitNoConnect:
		return "network"
	case exitProtocol:
		return "protocol"
	case exitTruncated:
		return "truncated"
	case exitNotWritten:
		return "write"
	case exitTimeout:
		return "timeout"
	case exitTLS:
		return "tls"
	case exitNoKey, exitForbidden:
		return "auth"
	case exitRateLimit:
		return "rate_limit"
	}
	switch {
	case code >= exitOtherStatus && code < exitServerError:
		return "request"
	case code >= exitServerError && code <= exitOther5xx:
		return "server"
	case code > exitSignal:
		return "signal"
	}
	return "other"
}

// unbroken puts a JSON text, in which a line break is white space, on one line.
func unbroken(json []byte) string {
	return strings.NewReplacer("\r", " ", "\n", " ").Replace(string(json))
}

// oneLine makes a text fit for one line of a terminal: line breaks and tabs become blanks, other control characters go.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			return ' '
		case unicode.IsControl(r):
			return -1
		}
		return r
	}, s)
}

// printable keeps line breaks and tabs and drops other control characters.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, s)
}
