package batch

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/llmcall/llmcall/pkg/object"
)

// Outcome is what became of an item. It is an answer when Code is empty.
type Outcome struct {
	// Status is the HTTP status of the last reply, 0 when there was none; RequestID what the provider calls it.
	Status    int
	RequestID string
	// Body is the reply as received: JSON, or text that becomes a JSON string; nil for none.
	Body []byte
	// Text is the answer's text, which only Options.Content needs.
	Text []byte
	// Code names the class of the failure, such as length, or the error code that the provider gave; Message says it to a person.
	Code, Message string
	// Retries counts the attempts after the first.
	Retries int64
	// InputTokens and OutputTokens are what the provider counted.
	InputTokens, OutputTokens int64
}

// settle names a failure that has no name: no answer is what has another status than 200.
func (out *Outcome) settle() {
	switch {
	case out.Code != "" || out.Status == 200:
	case out.Status == 0:
		out.Code = "no_reply"
	default:
		out.Code = strconv.Itoa(out.Status)
	}
}

// appendLine appends a line of an OpenAI Batch output file,
// https://platform.openai.com/docs/api-reference/batch/request-output.
func appendLine(dst []byte, item *Item, out *Outcome) []byte {
	dst = slices.Grow(dst, len(item.ID)+len(out.Body)+len(out.Message)+256)
	dst = append(dst, `{"id":"batch_req_`...)
	// The hash is the id's, which two lines may have; the number makes it the line's.
	dst = hex.AppendEncode(dst, binary.BigEndian.AppendUint64(nil, item.hash.hi))
	dst = hex.AppendEncode(dst, binary.BigEndian.AppendUint64(nil, uint64(item.Line))[3:])
	dst = append(dst, `","custom_id":`...)
	dst = appendText(dst, []byte(item.ID))
	dst = append(dst, `,"response":`...)
	if out.Status == 0 {
		dst = append(dst, `null`...)
	} else {
		dst = append(dst, `{"status_code":`...)
		dst = strconv.AppendInt(dst, int64(out.Status), 10)
		dst = append(dst, `,"request_id":`...)
		dst = appendText(dst, []byte(out.RequestID))
		dst = append(dst, `,"body":`...)
		dst = append(appendBody(dst, out.Body), '}')
	}
	dst = append(dst, `,"error":`...)
	if out.Code == "" {
		return append(dst, "null}\n"...)
	}
	dst = append(dst, `{"code":`...)
	dst = appendText(dst, []byte(out.Code))
	dst = append(dst, `,"message":`...)
	return append(appendText(dst, []byte(out.Message)), "}}\n"...)
}

// appendBody appends a reply's body: JSON as it is, but on one line, and text as a JSON string.
func appendBody(dst, body []byte) []byte {
	switch {
	case body == nil:
		return append(dst, `null`...)
	case object.Valid(body) != nil:
		return appendText(dst, body)
	}
	from := len(dst)
	dst = append(dst, bytes.Trim(body, " \t\r\n")...)
	// Within its strings JSON has no line breaks.
	for i, b := range dst[from:] {
		if b == '\n' || b == '\r' {
			dst[from+i] = ' '
		}
	}
	return dst
}

// appendContent appends a line of Options.Content.
func appendContent(dst []byte, out *Outcome) []byte {
	if out.Code != "" {
		return append(dst, "null\n"...)
	}
	return append(appendText(dst, out.Text), '\n')
}

// appendText appends a text as a JSON string, what is not UTF-8 in it as U+FFFD.
func appendText(dst, text []byte) []byte {
	if !utf8.Valid(text) {
		text = bytes.ToValidUTF8(text, []byte("\ufffd"))
	}
	return object.AppendString(dst, text)
}
