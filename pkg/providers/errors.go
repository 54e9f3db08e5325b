package providers

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// ErrTruncated is the connection that closed before the reply was whole. The errors that wrap it also wrap the cause where
// there is one, such as io.ErrUnexpectedEOF or ECONNRESET.
var ErrTruncated = errors.New("connection closed before the reply was whole")

// truncated gives ErrTruncated with its cause.
func truncated(cause error) error {
	if cause == nil || errors.Is(cause, ErrTruncated) {
		return ErrTruncated
	}
	return fmt.Errorf("%w: %w", ErrTruncated, cause)
}

// APIError is what the provider said instead of a reply: a status that is not 2xx, or an error inside a 200 body or stream.
type APIError struct {
	Provider string // the row's name
	URL      string // what was asked, as ShowURL gives it
	Status   int    // the HTTP status; 200 for an error inside a reply
	Inner    int    // inside a 200 only: the number 400..599 that the error names, else 0
	// Code, Type and Param are the members of these names, of whatever JSON type, as text; empty when absent or null.
	Code, Type, Param string
	// Message is one line without control characters and secrets, of at most 2 KiB. It is never empty.
	Message     string
	RequestID   string
	ModelOutput string // the model's text that the error carries, whole, secrets redacted
	Header      http.Header
	Body        []byte // as received but for secrets; at most 1 MiB
	ContentType string
	Location    string // a redirect's target, as ShowURL gives it
	// Streamed says that the error came inside an event stream, so that text may have come before it.
	Streamed bool
}

// Error is `PROVIDER: HTTP STATUS CODE: MESSAGE (request ID)`, the absent parts left out.
func (e *APIError) Error() string {
	var b strings.Builder
	if e.Provider != "" {
		b.WriteString(e.Provider + ": ")
	}
	b.WriteString("HTTP " + strconv.Itoa(e.Status))
	if e.Code != "" && e.Code != strconv.Itoa(e.Status) {
		b.WriteString(" " + e.Code)
	}
	b.WriteString(": " + e.Message)
	if e.RequestID != "" {
		b.WriteString(" (request " + e.RequestID + ")")
	}
	return b.String()
}

// ProtocolError is a reply that the protocol does not allow.
type ProtocolError struct {
	Provider    string
	Status      int
	ContentType string
	Message     string
	RequestID   string
	Err         error // the cause, may be nil
}

// Error is `PROVIDER: HTTP STATUS: MESSAGE (request ID)`, the absent parts left out.
func (e *ProtocolError) Error() string {
	var b strings.Builder
	if e.Provider != "" {
		b.WriteString(e.Provider + ": ")
	}
	if e.Status != 0 {
		b.WriteString("HTTP " + strconv.Itoa(e.Status) + ": ")
	}
	b.WriteString(e.Message)
	if e.Err != nil {
		b.WriteString(": " + oneLine(e.Err.Error(), maxMessage))
	}
	if e.RequestID != "" {
		b.WriteString(" (request " + e.RequestID + ")")
	}
	return b.String()
}

// Unwrap gives the cause.
func (e *ProtocolError) Unwrap() error { return e.Err }

// TimeoutError is a time limit of ours that ended an attempt. Which is "connect" (until the connection stands, TLS included) or
// "idle" (from when the request is sent, without payload). The limit of the whole call is the caller's own: the cause of the
// context that he gives.
type TimeoutError struct {
	Which string
	After time.Duration
}

func (e *TimeoutError) Error() string {
	if e.Which == "connect" {
		return fmt.Sprintf("no connection within %s", e.After)
	}
	return fmt.Sprintf("no data for %s", e.After)
}

// Timeout makes a TimeoutError one in the eyes of package net.
func (e *TimeoutError) Timeout() bool { return true }

// TLSError is a TLS handshake that failed or a certificate that was not accepted. Err is the cause.
type TLSError struct {
	Host string
	Err  error
}

func (e *TLSError) Error() string { return fmt.Sprintf("TLS with %s: %s", e.Host, e.Err) }

// Unwrap gives the cause.
func (e *TLSError) Unwrap() error { return e.Err }

// ConfigError is something the user gave that cannot be used: a base URL, a certificate file, a header, a key over plain http.
// Nothing was sent.
type ConfigError struct{ Message string }

func (e *ConfigError) Error() string { return e.Message }

// KeyError is a key with bytes that no key has. It names the source and what was found where, never the key.
type KeyError struct {
	Source string
	Reason string
}

func (e *KeyError) Error() string { return fmt.Sprintf("API key from %s: %s", e.Source, e.Reason) }
