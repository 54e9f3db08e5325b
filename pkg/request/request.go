// Package request makes the body of a chat completion request: a base body, message files, texts, media, parameters and
// edits go in, the exact bytes to send come out. Nothing here reads a file or knows a provider.
package request

import (
	"slices"
	"strconv"
	"strings"

	"github.com/llmcall/llmcall/pkg/object"
)

// Turn is what one flag adds to the messages, in the order of the command line.
type Turn struct {
	Kind  string // "user", "assistant", "tool"; "image" and "audio" add a part to a user message
	ID    string // of the tool call that a "tool" turn answers
	Text  []byte // passed by CheckText
	Media Media  // of an "image" or "audio" turn
}

// Param is a member of the request and its JSON. Name may be a dotted path into a member, as
// "chat_template_kwargs.enable_thinking": such a value is merged into what the member holds, whichever came first.
type Param struct {
	Name  string
	Value []byte
}

// Edit changes the finished body: Op "unset" removes what is at Path, any other sets it to Value. Op is also the name of the
// flag, for errors.
type Edit struct {
	Op    string
	Path  string
	Value []byte
}

// Options are the values from which Build makes a body. Texts are valid UTF-8, as CheckText gives them.
type Options struct {
	// Model and Stream are the flags' values and beat all else; DefaultModel and DefaultStream are used where neither a flag
	// nor Request nor Profile has a model or a stream. An empty model leaves the member out.
	Model, DefaultModel string
	Stream              *bool
	DefaultStream       bool
	// StreamUsage asks for stream_options.include_usage when streaming, unless stream_options are given.
	StreamUsage bool
	// Profile and Request are base bodies; a member of Request replaces the same one of Profile.
	Profile, Request *Source
	// Messages are files of messages: a JSON array, an object with messages, or one message a line.
	Messages []Source
	// System and Developer are nil if not given. As of Prompt, newlines at the end are dropped, and white space alone is no
	// text, so that a file and a shell's $(cat file) send the same.
	System, Developer []byte
	Turns             []Turn
	// Prompt are the pieces of the last user message, joined by one blank line.
	Prompt [][]byte
	Params []Param
	Edits  []Edit
	Shapes Shapes
}

// Result is a request body and what is worth knowing of it without reading it again.
type Result struct {
	Body     []byte
	Model    string // empty if the body has none
	Stream   bool
	Choices  int // the member n, 0 if the body has none or something that is no number
	Warnings []string
}

// Build gives the body. Members of the base bodies keep their place and spelling, and what flags add comes after them:
// model, messages, stream, stream_options, then the parameters in their order; edits come last. The stream member is always
// there as a JSON boolean, unless an edit removes it. Errors are *InputError, or ErrNoInput if there is nothing to send.
func Build(o Options) (Result, error) {
	if err := o.check(); err != nil {
		return Result{}, err
	}
	body, from, err := o.base()
	if err != nil {
		return Result{}, err
	}
	list, err := o.messages(body, from)
	if err != nil {
		return Result{}, err
	}
	if err := o.members(body); err != nil {
		return Result{}, err
	}
	if o.editsMessages() {
		raw, err := appendMessages(nil, list, o.Shapes)
		if err != nil {
			return Result{}, err
		}
		body.Set("messages", raw)
	} else if len(list) == 0 {
		return Result{}, ErrNoInput
	}
	if err := o.edit(body); err != nil {
		return Result{}, err
	}
	var r Result
	if r.Stream, err = streaming(body, "--set stream"); err != nil {
		return Result{}, err
	}
	if _, ok := body.Get("stream_options"); ok && !r.Stream {
		body.Delete("stream_options")
		r.Warnings = append(r.Warnings, "stream_options left out: they are allowed only with stream")
	}
	if model, ok := body.Get("model"); ok && len(model) > 0 && model[0] == '"' {
		r.Model = string(object.AppendUnquoted(nil, model))
	}
	if n, ok := body.Get("n"); ok {
		r.Choices, _ = strconv.Atoi(string(n)) // what is no number the server refuses
	}
	if o.editsMessages() {
		raw, _ := body.Get("messages")
		if c := object.NewCursor(raw); !c.Begin('[') || !c.Next() {
			return Result{}, ErrNoInput
		}
		r.Body = body.Append(nil)
		return r, nil
	}
	r.Body, err = splice(body.Append(nil), list, o.Shapes)
	return r, err
}

// base gives the body that the flags start from, with the members of Request over those of Profile, and the source that its
// messages stand in.
func (o *Options) base() (body *object.Object, messages Source, err error) {
	for _, src := range []*Source{o.Profile, o.Request} {
		if src == nil {
			continue
		}
		data, err := JSON(*src, "{")
		if err != nil {
			return nil, messages, err
		}
		over, err := object.Parse(data)
		if err != nil {
			return nil, messages, src.within(data, err)
		}
		if o.Stream == nil {
			if _, err := streaming(over, src.Name); err != nil {
				return nil, messages, err
			}
		}
		if has(over, "messages") {
			messages = *src
		}
		if body == nil {
			body = over
			continue
		}
		for name, value := range over.All() {
			body.Set(name, value)
		}
	}
	if body == nil {
		body = new(object.Object)
	}
	return body, messages, nil
}

// check refuses what would not be JSON: values of parameters and edits, and texts that a command line may hold.
func (o *Options) check() error {
	for _, p := range o.Params {
		if err := checkValue("parameter "+p.Name, p.Value); err != nil {
			return err
		}
	}
	for _, e := range o.Edits {
		if _, err := CheckText("--"+e.Op, []byte(e.Path)); err != nil {
			return err
		}
		if e.Op != "unset" {
			if err := checkValue("--"+e.Op+" "+e.Path, e.Value); err != nil {
				return err
			}
		}
	}
	for _, t := range o.Turns {
		if _, err := CheckText("--tool-result", []byte(t.ID)); err != nil {
			return err
		}
	}
	_, err := CheckText("--model", []byte(o.Model))
	return err
}

func checkValue(source string, value []byte) error {
	src := Source{source, value}
	if _, err := CheckText(source, value); err != nil {
		return err
	}
	if err := object.Valid(value); err != nil {
		return src.within(value, err)
	}
	return nil
}

// streaming reads the stream member of a body.
func streaming(body *object.Object, source string) (bool, error) {
	value, ok := body.Get("stream")
	if ok && string(value) != "true" && string(value) != "false" {
		return false, &InputError{Source: source, Msg: "stream is neither true nor false: " + clip(value)}
	}
	return string(value) == "true", nil
}

// members sets all but the messages, for which it keeps the place.
func (o *Options) members(body *object.Object) error {
	if o.Model != "" {
		body.Set("model", String(o.Model))
	} else if _, ok := body.Get("model"); !ok && o.DefaultModel != "" {
		body.Set("model", String(o.DefaultModel))
	}
	body.Set("messages", []byte("[]"))
	stream := o.DefaultStream
	if o.Stream != nil {
		stream = *o.Stream
	} else if value, ok := body.Get("stream"); ok {
		stream = string(value) == "true"
	}
	body.Set("stream", boolean(stream))
	if _, ok := body.Get("stream_options"); !ok && o.StreamUsage && o.streamEdited(stream) && !o.sets("stream_options") {
		body.Set("stream_options", []byte(`{"include_usage":true}`))
	}
	for _, p := range o.Params {
		if err := set(body, p); err != nil {
			return err
		}
	}
	for _, p := range o.Params {
		if strings.Contains(p.Name, ".") {
			if err := set(body, p); err != nil {
				return err
			}
		}
	}
	return nil
}

func set(body *object.Object, p Param) error {
	if !strings.Contains(p.Name, ".") {
		body.Set(p.Name, p.Value)
		return nil
	}
	if err := body.SetPath(p.Name, p.Value); err != nil {
		return &InputError{Source: "parameter " + p.Name, Msg: err.Error()}
	}
	return nil
}

// sets tells whether a parameter gives the member.
func (o *Options) sets(member string) bool {
	return slices.ContainsFunc(o.Params, func(p Param) bool { return p.Name == member })
}

// streamEdited is the value that the stream member has after the edits.
func (o *Options) streamEdited(stream bool) bool {
	for _, e := range o.Edits {
		if e.Path == "stream" {
			stream = e.Op != "unset" && string(e.Value) == "true"
		}
	}
	return stream
}

func (o *Options) editsMessages() bool {
	return slices.ContainsFunc(o.Edits, func(e Edit) bool {
		return e.Path == "messages" || strings.HasPrefix(e.Path, "messages.")
	})
}

func (o *Options) edit(body *object.Object) error {
	for _, e := range o.Edits {
		var err error
		if e.Op == "unset" {
			err = body.DeletePath(e.Path)
		} else {
			err = body.SetPath(e.Path, e.Value)
		}
		if err != nil {
			return &InputError{Source: "--" + e.Op + " " + e.Path, Msg: err.Error()}
		}
	}
	return nil
}

func boolean(on bool) []byte {
	if on {
		return []byte("true")
	}
	return []byte("false")
}
