package main

import (
	"strings"

	"github.com/llmcall/llmcall/pkg/output"
	"github.com/llmcall/llmcall/pkg/providers"
	"github.com/llmcall/llmcall/pkg/request"
)

// body makes the request's body of flags, files and stdin. request.ErrNoInput says that there is nothing to ask.
func (s *session) body() (request.Result, error) {
	opts, err := s.requestOptions()
	if err != nil {
		return request.Result{}, err
	}
	if opts.Prompt, err = s.prompt(); err != nil {
		return request.Result{}, err
	}
	return s.build(opts)
}

// build makes the body and sees that it names a model, where the provider needs one.
func (s *session) build(opts request.Options) (request.Result, error) {
	built, err := request.Build(opts)
	if err != nil {
		return built, err
	}
	for _, w := range built.Warnings {
		s.say.warn(w)
	}
	if built.Model == "" && !s.row.ModelOptional {
		return built, usageError{msg: "no model is named", hint: "give -m MODEL or set LLMCALL_MODEL; llmcall --models -p " + s.row.Name + " lists them"}
	}
	if s.o.recommended {
		built.Body, err = s.fillRecommended(built)
	}
	return built, err
}

// prompt gathers the pieces of the final user message: the words, each --file, piped stdin.
func (s *session) prompt() ([][]byte, error) {
	var pieces [][]byte
	add := func(src source) error {
		text, err := request.CheckText(src.name, src.data)
		if err == nil && len(text) > 0 {
			pieces = append(pieces, text)
		}
		return err
	}
	if len(s.o.words) > 0 {
		if err := add(source{"the prompt", []byte(strings.Join(s.o.words, " "))}); err != nil {
			return nil, err
		}
	}
	for _, name := range s.o.files {
		src, err := s.in.file("--file", name)
		if err != nil {
			return nil, err
		}
		if err := add(src); err != nil {
			return nil, err
		}
	}
	if s.o.noStdin {
		return pieces, nil
	}
	data, err := s.in.piped()
	if err != nil {
		return nil, err
	}
	return pieces, add(source{"stdin", data})
}

// requestOptions reads what the flags name: all of a request but the final user message.
func (s *session) requestOptions() (opts request.Options, err error) {
	o := s.o
	opts = request.Options{
		Model: s.model, DefaultModel: s.defaultModel, Stream: o.stream, DefaultStream: s.streamsByDefault(),
		StreamUsage: s.row.StreamUsage, Shapes: request.Shapes{Image: s.row.ImagePart, Audio: s.row.AudioPart},
	}
	if o.output == output.NDJSON && o.stream == nil {
		on := true
		opts.Stream = &on
	}
	if o.profile != "" {
		src, err := s.cfg.profile(o.profile)
		if err != nil {
			return opts, err
		}
		opts.Profile = &request.Source{Name: src.name, Data: src.data}
	}
	if o.request != "" {
		src, err := s.in.json("--request", o.request)
		if err != nil {
			return opts, err
		}
		opts.Request = &request.Source{Name: src.name, Data: src.data}
	}
	for _, name := range o.messages {
		src, err := s.in.json("--messages", name)
		if err != nil {
			return opts, err
		}
		opts.Messages = append(opts.Messages, request.Source{Name: src.name, Data: src.data})
	}
	if opts.System, err = s.message(o.system); err != nil {
		return opts, err
	}
	if opts.Developer, err = s.message(o.developer); err != nil {
		return opts, err
	}
	if opts.Turns, err = s.turns(); err != nil {
		return opts, err
	}
	if opts.Params, err = s.params(); err != nil {
		return opts, err
	}
	for _, e := range o.edits {
		edit := request.Edit{Op: e.op, Path: e.path}
		switch e.op {
		case "set":
			edit.Value = request.SetValue(e.value)
		case "set-string":
			edit.Value = request.String(e.value)
		}
		opts.Edits = append(opts.Edits, edit)
	}
	return opts, nil
}

// streamsByDefault tells whether the reply is streamed though nobody said so: text for a terminal is.
func (s *session) streamsByDefault() bool {
	text := s.o.output == output.Content || s.o.output == output.Reasoning
	return text && s.o.outputFile == "" && s.o.batch == "" && isTerminal(s.std.out)
}

// message reads the text of --system, --system-file or --developer; nil if none was given.
func (s *session) message(t textSource) ([]byte, error) {
	if t.flag == "" {
		return nil, nil
	}
	src := source{t.flag, []byte(t.text)}
	if t.file != "" {
		var err error
		if src, err = s.in.file(t.flag, t.file); err != nil {
			return nil, err
		}
	}
	return request.CheckText(src.name, src.data)
}

// turns reads the messages and media given by flags, in argv order.
func (s *session) turns() ([]request.Turn, error) {
	var turns []request.Turn
	for _, t := range s.o.turns {
		turn, flag := request.Turn{Kind: t.kind}, "--"+t.kind
		switch t.kind {
		case "image", "audio":
			m, err := s.media(t.kind, t.value)
			if err != nil {
				return nil, err
			}
			turn.Media = m
		case "tool":
			id, text, ok := strings.Cut(t.value, "=")
			if !ok || id == "" {
				return nil, usageError{msg: "--tool-result: want ID=TEXT: " + t.value}
			}
			turn.ID, t.value, flag = id, text, "--tool-result"
			fallthrough
		default:
			text, err := request.CheckText(flag, []byte(t.value))
			if err != nil {
				return nil, err
			}
			turn.Text = text
		}
		turns = append(turns, turn)
	}
	return turns, nil
}

// media reads an image or a sound; an image's URL is passed on as it is.
func (s *session) media(kind, value string) (request.Media, error) {
	if request.IsURL(value) {
		return request.MediaURL(kind, value)
	}
	src, err := s.in.file("--"+kind, value)
	if err != nil {
		return request.Media{}, err
	}
	return request.ReadMedia(kind, src.name, src.data, s.lint == "off")
}

// checkRules holds a finished body against the rules of its provider and model. A rule of level E, or W with --lint strict,
// refuses it.
func (s *session) checkRules(body []byte) error {
	if s.lint == "off" {
		return nil
	}
	for _, f := range s.row.Lint(body) {
		text := "parameter " + f.Param + joint(f.Message) + f.Message
		switch {
		case f.Level == 'E' || f.Level == 'W' && s.lint == "strict":
			hint := f.Do
			if hint != "" {
				hint += "; "
			}
			return usageError{msg: s.row.Name + ": " + text, hint: hint + "--lint off sends it all the same"}
		case f.Level == 'W':
			s.say.warn(sentence(text, f))
		default:
			s.say.detail("note: " + sentence(text, f))
		}
	}
	return nil
}

// joint is what stands between a parameter's name and what is said of it: a message that begins with a verb goes on from
// the name.
func joint(message string) string {
	switch verb, _, _ := strings.Cut(message, " "); verb {
	case "is", "has", "needs", "differs", "lengthens":
		return " "
	}
	return ": "
}

func sentence(text string, f providers.Finding) string {
	if f.Do == "" {
		return text
	}
	return text + "; " + f.Do
}
