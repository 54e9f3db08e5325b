package output

import (
	"errors"
	"fmt"
	"io"
)

// The formats of Options.Format.
const (
	Content   = "content"
	JSON      = "json"
	NDJSON    = "ndjson"
	Message   = "message"
	ToolCalls = "tool-calls"
	Reasoning = "reasoning"
)

// The values of Options.Reasoning.
const (
	ReasoningHide   = "hide"
	ReasoningStderr = "stderr"
	ReasoningStdout = "stdout"
)

// Options say what a Writer prints and where. The zero value with Out set prints the content of one choice at Close.
type Options struct {
	// Format is one of the constants above; empty is Content.
	Format string
	// Live lets content, reasoning and ndjson reach Out as documents arrive. Otherwise nothing does before Close, so that a
	// failed call leaves Out empty.
	Live bool
	// Choices is how many choices the request asked for; 0 is 1. More are dropped with a warning by all formats but json and
	// ndjson.
	Choices int
	// NoNewline adds no line end to content, reasoning, a body or a query's result. Null ends each choice, message, call and
	// query result by a NUL instead.
	NoNewline, Null bool
	// Reasoning says where reasoning is shown: ReasoningHide or empty, ReasoningStderr, ReasoningStdout (only with Content).
	Reasoning string
	// DimStdout and DimStderr show reasoning there dimmed (SGR 2).
	DimStdout, DimStderr bool
	// Query is a GJSON path applied to the body (JSON), each chunk (NDJSON) or the message (Message).
	Query string
	// StripThink counts a <think> block at the start of the text as reasoning, in all formats that understand the reply: JSON
	// and NDJSON show it as received.
	StripThink bool
	// Extract prints only the first fenced code block of the content, without its fences.
	Extract bool
	// ReasoningInput is the member of an assistant message in which the provider takes reasoning back; empty leaves reasoning
	// out of Message.
	ReasoningInput string
	// NoFinishReason and NoDone say what the server's whole streams lack.
	NoFinishReason, NoDone bool
	// KeepText keeps the text and the calls of the first choice for Result, whatever the format.
	KeepText bool
	// Out takes the result. Err takes reasoning and text that a flag sends there, without control characters; nil drops it.
	Out, Err io.Writer
	// Warn takes a line for a person; nil drops it.
	Warn func(string)
}

// Result is what a reply said of itself. Members that it did not mention are empty.
type Result struct {
	// FinishReason is the last one of the first choice.
	FinishReason string
	// Usage is the last usage object as received, nil if none came.
	Usage     []byte
	Model, ID string
	// Text is the content of the first choice as printed, but for a final newline that was added; only with Options.KeepText.
	Text string
	// ToolCalls are those of the first choice; NDJSON and Reasoning keep them only with Options.KeepText.
	ToolCalls []ToolCall
}

// ToolCall is a call of a tool as the reply has it: Arguments is the text as the model wrote it, which need not be JSON.
type ToolCall struct{ ID, Name, Arguments string }

// check says why the options cannot work together. It speaks of the flags that set them.
func (o *Options) check() error {
	switch o.Format {
	case Content, JSON, NDJSON, Message, ToolCalls, Reasoning:
	default:
		return fmt.Errorf("output format %q: must be content, json, ndjson, message, tool-calls or reasoning", o.Format)
	}
	switch o.Reasoning {
	case "", ReasoningHide, ReasoningStderr:
	case ReasoningStdout:
		if o.Format != Content {
			return fmt.Errorf("reasoning on stdout goes with the output format content only, not %s", o.Format)
		}
	default:
		return fmt.Errorf("reasoning %q: must be hide, stderr or stdout", o.Reasoning)
	}
	if o.Query != "" && o.Format != JSON && o.Format != NDJSON && o.Format != Message {
		return fmt.Errorf("a query goes with the output formats json, ndjson and message, not %s", o.Format)
	}
	if o.Extract && o.Format != Content {
		return fmt.Errorf("extract goes with the output format content only, not %s", o.Format)
	}
	if o.Extract && o.Reasoning == ReasoningStdout {
		return errors.New("extract prints a code block only: reasoning on stdout does not go with it")
	}
	return nil
}
