package providers

import (
	"bytes"
	"context"
	"net/http"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/llmcall/llmcall/pkg/object"
)

// mockReply is what the mock says to a request.
type mockReply struct {
	delay  time.Duration
	status int         // 0 is 200
	header http.Header // further ones
	// body stands in place of a completion; kind is its Content-Type, JSON when empty.
	body []byte
	kind string
	// chunks stand in place of a completion's: a JSON array.
	chunks []byte

	reasoning []byte
	content   []byte // nil is null
	calls     []mockCall
	finish    string
	fault     []byte // an error as JSON, which a stream ends with

	chunk int  // bytes of text a delta; 0 is a word
	half  bool // the connection breaks after half of the body
	cut   *int // it breaks after so many bytes
}

// mockCall is a tool call; arguments is the text of that member.
type mockCall struct {
	name      string
	arguments []byte
}

// write sends the reply.
func (reply mockReply) write(w http.ResponseWriter, r *http.Request, req *mockRequest) {
	if reply.delay > 0 && !sleep(r.Context(), reply.delay) {
		panic(http.ErrAbortHandler)
	}
	status := reply.status
	if status == 0 {
		status = http.StatusOK
	}
	kind := "application/json"
	events := req.stream && reply.body == nil || reply.chunks != nil
	if events {
		kind = "text/event-stream"
	} else if reply.kind != "" {
		kind = reply.kind
	}
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("X-Request-Id", req.uuid())
	for name, values := range reply.header {
		h[name] = values
	}
	out := &mockWriter{to: w, left: -1}
	if reply.cut != nil {
		out.left = *reply.cut
	}
	if events {
		if reply.half {
			size := &mockWriter{left: -1}
			reply.stream(size, req)
			out.left = size.size / 2
		}
		w.WriteHeader(status)
		reply.stream(out, req)
	} else {
		body := reply.body
		if body == nil {
			body = reply.completion(req)
		}
		if reply.half {
			out.left = len(body) / 2
		}
		if status != http.StatusNoContent && status != http.StatusNotModified {
			h.Set("Content-Length", strconv.Itoa(len(body)))
		}
		w.WriteHeader(status)
		out.write(body)
		return
	}
	if out.left >= 0 {
		out.abort()
	}
}

func sleep(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// mockWriter writes a body, which may break off.
type mockWriter struct {
	to   http.ResponseWriter // nil: the bytes are only counted
	left int                 // so many bytes until the connection breaks; below 0: it does not
	size int
}

// write gives up the handler when the connection is to break or the client is gone.
func (w *mockWriter) write(p []byte) {
	w.size += len(p)
	if w.to == nil {
		return
	}
	cut := w.left >= 0 && len(p) > w.left
	if cut {
		p = p[:w.left]
	}
	if _, err := w.to.Write(p); err != nil {
		panic(http.ErrAbortHandler)
	}
	if cut {
		w.abort()
	}
	if w.left >= 0 {
		w.left -= len(p)
	}
}

// event writes an event and sends it on its way.
func (w *mockWriter) event(data []byte) {
	w.write(data)
	if w.to != nil && http.NewResponseController(w.to).Flush() != nil {
		panic(http.ErrAbortHandler)
	}
}

// abort breaks the connection once what was written is on its way.
func (w *mockWriter) abort() {
	_ = http.NewResponseController(w.to).Flush()
	panic(http.ErrAbortHandler)
}

// completion is the body of a reply that is no stream.
func (reply *mockReply) completion(req *mockRequest) []byte {
	if reply.fault != nil {
		return req.signed(append([]byte(`{"error":`), reply.fault...))
	}
	b := reply.head(make([]byte, 0, 512+2*len(reply.content)), "chat.completion", req)
	for i := range req.n {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"index":`...)
		b = strconv.AppendInt(b, int64(i), 10)
		b = append(b, `,"message":{"role":"assistant","content":`...)
		if reply.content == nil {
			b = append(b, "null"...)
		} else {
			b = object.AppendString(b, reply.content)
		}
		if reply.reasoning != nil {
			b = object.AppendString(append(b, `,"reasoning":`...), reply.reasoning)
		}
		for k, call := range reply.calls {
			b = append(b, `,`...)
			if k == 0 {
				b = append(b, `"tool_calls":[`...)
			}
			b = call.append(append(b, '{'), req, i, k, call.arguments)
		}
		if len(reply.calls) > 0 {
			b = append(b, ']')
		}
		b = append(b, `},"logprobs":null,"finish_reason":`...)
		b = append(b, quotedOrNull(reply.finish)...)
		b = append(b, '}')
	}
	b = append(b, `],"usage":`...)
	b = reply.usage(b, req)
	return append(b, '}')
}

// head begins a completion or a chunk, up to its choices.
func (reply *mockReply) head(b []byte, kind string, req *mockRequest) []byte {
	model := req.model
	if model == "" {
		model = mockEcho
	}
	b = append(b, `{"id":"`...)
	b = append(b, req.id()...)
	b = append(b, `","object":"`...)
	b = append(b, kind...)
	b = append(b, `","created":`...)
	b = strconv.AppendInt(b, req.created(), 10)
	b = append(b, `,"model":`...)
	b = append(b, quoted(model)...)
	return append(b, `,"system_fingerprint":"mock","choices":[`...)
}

// append writes the members of a call and the closing bracket. The ids of two choices' calls differ.
func (call mockCall) append(b []byte, req *mockRequest, choice, index int, arguments []byte) []byte {
	b = append(b, `"id":"call_`...)
	b = append(b, req.id()[len("chatcmpl-"):]...)
	b = append(b, '_')
	b = strconv.AppendInt(b, int64(choice), 10)
	b = append(b, '_')
	b = strconv.AppendInt(b, int64(index), 10)
	b = append(b, `","type":"function","function":{"name":`...)
	b = append(b, quoted(call.name)...)
	b = append(b, `,"arguments":`...)
	b = object.AppendString(b, arguments)
	return append(b, `}}`...)
}

// usage counts words as tokens.
func (reply *mockReply) usage(b []byte, req *mockRequest) []byte {
	reasoning := countWords(reply.reasoning)
	completion := reasoning + countWords(reply.content)
	for _, call := range reply.calls {
		completion += 1 + countWords(call.arguments)
	}
	reasoning, completion = reasoning*req.n, completion*req.n
	b = append(b, `{"prompt_tokens":`...)
	b = strconv.AppendInt(b, int64(req.words), 10)
	b = append(b, `,"completion_tokens":`...)
	b = strconv.AppendInt(b, int64(completion), 10)
	b = append(b, `,"total_tokens":`...)
	b = strconv.AppendInt(b, int64(req.words+completion), 10)
	b = append(b, `,"completion_tokens_details":{"reasoning_tokens":`...)
	b = strconv.AppendInt(b, int64(reasoning), 10)
	return append(b, `}}`...)
}

// argumentsChunk is how many bytes of a call's arguments a delta holds.
const argumentsChunk = 12

// stream writes the reply as an event stream, in the order of providers.md A5: the role, the deltas, the finish reason, the usage.
func (reply *mockReply) stream(w *mockWriter, req *mockRequest) {
	if reply.chunks != nil {
		c := object.NewCursor(reply.chunks)
		c.Begin('[')
		for c.Next() {
			w.event(append(append([]byte("data: "), c.Value()...), "\n\n"...))
		}
		w.event([]byte("data: [DONE]\n\n"))
		return
	}
	s := mockStream{w: w, n: req.n, head: reply.head([]byte("data: "), "chat.completion.chunk", req)}
	if reply.content == nil {
		s.deltas(`{"role":"assistant","content":null}`)
	} else {
		s.deltas(`{"role":"assistant","content":""}`)
	}
	s.text(`{"reasoning":`, reply.reasoning, reply.chunk)
	s.text(`{"content":`, reply.content, reply.chunk)
	for k, call := range reply.calls {
		for i := range req.n {
			b := append([]byte(`{"tool_calls":[{"index":`), strconv.Itoa(k)...)
			s.delta(i, append(call.append(append(b, ','), req, i, k, nil), `]}`...), nil)
		}
		size := argumentsChunk
		if reply.chunk > 0 {
			size = reply.chunk
		}
		for piece, rest := cutText(call.arguments, size); len(piece) > 0; piece, rest = cutText(rest, size) {
			b := append([]byte(`{"tool_calls":[{"index":`), strconv.Itoa(k)...)
			b = object.AppendString(append(b, `,"function":{"arguments":`...), piece)
			s.deltas(string(append(b, `}}]}`...)))
		}
	}
	if reply.fault != nil {
		w.event(append(append([]byte(`data: {"error":`), reply.fault...), "}\n\n"...))
		return
	}
	for i := range req.n {
		s.delta(i, []byte(`{}`), quotedOrNull(reply.finish))
	}
	b := append(bytes.Clone(s.head), `],"usage":`...)
	w.event(append(reply.usage(b, req), "}\n\ndata: [DONE]\n\n"...))
}

// mockStream writes the chunks of one reply.
type mockStream struct {
	w     *mockWriter
	n     int
	head  []byte // of each chunk, up to its choices
	chunk []byte
	piece []byte
}

// text writes deltas of one text: begin and a piece of the text each.
func (s *mockStream) text(begin string, text []byte, size int) {
	for len(text) > 0 {
		var piece []byte
		if size > 0 {
			piece, text = cutText(text, size)
		} else {
			piece, text = nextWord(text)
		}
		s.piece = append(object.AppendString(append(s.piece[:0], begin...), piece), '}')
		for i := range s.n {
			s.delta(i, s.piece, nil)
		}
	}
}

// deltas writes the same delta for each choice.
func (s *mockStream) deltas(delta string) {
	for i := range s.n {
		s.delta(i, []byte(delta), nil)
	}
}

// delta writes a chunk of one choice. A nil finish reason is null.
func (s *mockStream) delta(choice int, delta, finish []byte) {
	b := append(s.chunk[:0], s.head...)
	b = append(b, `{"index":`...)
	b = strconv.AppendInt(b, int64(choice), 10)
	b = append(b, `,"delta":`...)
	b = append(b, delta...)
	b = append(b, `,"logprobs":null,"finish_reason":`...)
	if finish == nil {
		b = append(b, "null"...)
	}
	b = append(b, finish...)
	b = append(b, "}],\"usage\":null}\n\n"...)
	s.chunk = b
	s.w.event(b)
}

// cutText cuts the first bytes off text, as many as size says and no character divided.
func cutText(text []byte, size int) (piece, rest []byte) {
	i := min(size, len(text))
	for i < len(text) && !utf8.RuneStart(text[i]) {
		i++
	}
	return text[:i], text[i:]
}
