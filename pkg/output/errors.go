package output

import (
	"errors"
	"strconv"
)

// ErrIncomplete is what errors.Is finds in the error of Close when a stream ended before the reply was whole: a choice that
// began had no finish reason, or no choice began at all.
var ErrIncomplete = errors.New("the stream is not whole")

// ErrQueryNotFound says that the query matched nothing in the whole reply.
var ErrQueryNotFound = errors.New("the query matched nothing in the reply")

// ErrNoFence says that the reply holds no fenced code block; its text went to Options.Err.
var ErrNoFence = errors.New("the reply holds no fenced code block")

// incomplete is an ErrIncomplete that says what is missing.
type incomplete string

func (e incomplete) Error() string        { return string(e) }
func (e incomplete) Is(target error) bool { return target == ErrIncomplete }

// WriteError is a write to Options.Out that failed with Err. The writer is of no use afterwards.
type WriteError struct{ Err error }

func (e *WriteError) Error() string { return "writing the result: " + e.Err.Error() }
func (e *WriteError) Unwrap() error { return e.Err }

// FormatError says that a document is not what the protocol allows: no JSON, no object, a body without choices, or a reply
// whose finish reason is "error".
type FormatError struct{ Msg string }

func (e *FormatError) Error() string { return e.Msg }

// UnclosedThink is the Reason of a CutError for a <think> block that never closes.
const UnclosedThink = "unclosed <think> block"

// CutError says that the model's own limit cut the reply. All that came was printed.
type CutError struct {
	// Reason is the finish reason as received, or UnclosedThink.
	Reason string
	// NoContent says that no byte of text and no tool call came: reasoning used the whole budget.
	NoContent bool
	// Err is what else was wrong, ErrQueryNotFound or ErrNoFence, for a caller that lets a cut reply pass; nil: nothing.
	Err error
}

func (e *CutError) Error() string {
	if e.Reason == UnclosedThink {
		return "the reply was cut: its <think> block never closes"
	}
	return "the reply was cut: finish reason " + strconv.Quote(e.Reason)
}

func (e *CutError) Unwrap() error { return e.Err }
