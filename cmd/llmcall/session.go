package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/llmcall/llmcall/pkg/providers"
	"github.com/llmcall/llmcall/pkg/record"
)

// session is what all the calls of a run share: where they go, as whom, and how things are said.
type session struct {
	std   stdio
	o     *options
	say   *reporter
	in    *input
	cfg   config
	row   row
	base  string // the base URL as given, else the row's
	model string // the model a flag names; defaultModel is the one of lesser strength
	defaultModel,
	lint string
	client *providers.Client
	opened []io.Closer
	tape   *record.Recording // nil without --record
}

// newSession reads the config file and decides which provider is meant.
func newSession(ctx context.Context, std stdio, o *options, say *reporter) (*session, error) {
	cfg, err := loadConfig(o, std.getenv, say)
	if err != nil {
		return nil, err
	}
	s := &session{std: std, o: o, say: say, cfg: cfg, lint: first(o.lint, cfg.Lint, "default")}
	s.in = &input{ctx: ctx, in: std.in, taken: len(o.stdinFlags) > 0, notice: func() { say.notice("waiting for text on stdin; --no-stdin does without") }}
	if o.providers {
		return s, nil
	}
	return s, s.choose()
}

// choose takes provider and base URL as a pair from the first of flags, variables and config file that names either, so
// that a key never goes to another host by accident.
func (s *session) choose() error {
	provider, model := s.o.provider, s.o.model
	if before, after, ok := strings.Cut(model, ":"); ok && provider == "" && after != "" && s.cfg.knows(before) {
		provider, model = before, after
	}
	s.model, s.defaultModel = model, first(s.std.getenv("LLMCALL_MODEL"), s.cfg.Model)
	name := providers.Default
	for _, pair := range [][2]string{
		{provider, s.o.baseURL},
		{s.std.getenv("LLMCALL_PROVIDER"), s.std.getenv("LLMCALL_BASE_URL")},
		{s.cfg.Provider, s.cfg.BaseURL},
	} {
		if pair[0] != "" || pair[1] != "" {
			name, s.base = first(pair[0], providers.Custom), pair[1]
			break
		}
	}
	var err error
	if s.row, err = s.cfg.provider(name); err != nil {
		return err
	}
	s.defaultModel = first(s.defaultModel, s.row.DefaultModel)
	if s.base = first(s.base, s.row.BaseURL); s.base == "" {
		return usageError{msg: fmt.Sprintf("provider %s has no address of its own", name), hint: "give --base-url URL beside -p " + name}
	}
	if s.o.mock != "" && !strings.HasPrefix(s.base, "mock:") {
		return usageError{msg: "--mock scripts the mock, and the provider is " + name, hint: "add -p mock"}
	}
	return nil
}

// connect makes the client: address, key, headers, transport. Nothing is sent yet.
func (s *session) connect() error {
	base, err := providers.ParseBaseURL(s.base)
	if err != nil {
		return usageError{msg: err.Error(), hint: "an address looks like https://host/v1"}
	}
	headers, credential, given, err := s.row.ParseHeaders(s.o.headers)
	if err != nil {
		return err
	}
	if !given && s.o.replay == "" {
		if credential, err = s.credential(); err != nil {
			return err
		}
	}
	s.client = &providers.Client{
		Provider: &s.row.Provider, BaseURL: base, Headers: headers, Credential: credential,
		ConnectTimeout: s.o.connectTimeout.Duration, IdleTimeout: s.o.idleTimeout.Duration,
		UserAgent: userAgent(), AllowPlainHTTP: s.o.insecureHTTP,
	}
	if s.o.verbose {
		s.client.Log = s.say.detail
	}
	if s.client.Transport, err = s.transport(); err != nil {
		return err
	}
	if err := s.client.Check(); err != nil {
		return usageError{msg: err.Error(), hint: "use https, or send it all the same with --insecure-http"}
	}
	return nil
}

// transport is the network, the mock or a recording, and what records it.
func (s *session) transport() (transport http.RoundTripper, err error) {
	switch {
	case s.o.replay != "":
		return s.replayer()
	case s.client.BaseURL.Scheme == "mock":
		transport, err = s.mock()
	default:
		transport, err = s.network()
	}
	if err != nil || s.o.record == "" {
		return transport, err
	}
	f, err := os.OpenFile(s.o.record, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, usageError{msg: "--record: " + fileError(s.o.record, err)}
	}
	s.opened = append(s.opened, f)
	s.tape = record.Recorder(transport, f, s.redact)
	return s.tape, nil
}

// network is the real one. What net/http reports of a server's faults to package log, with the server's bytes in it, is an
// error of the call all the same and would stand on stderr beside what a reporter says.
func (s *session) network() (http.RoundTripper, error) {
	log.SetOutput(io.Discard)
	var opts providers.TransportOptions
	for _, f := range []struct {
		flag, name string
		pem        *[]byte
	}{{"--cacert", s.o.caCert, &opts.CACert}, {"--cert", s.o.cert, &opts.ClientCert}, {"--key", s.o.certKey, &opts.ClientKey}} {
		if f.name == "" {
			continue
		}
		src, err := s.in.file(f.flag, f.name)
		if err != nil {
			return nil, err
		}
		*f.pem = src.data
	}
	return providers.NewTransport(opts)
}

func (s *session) mock() (http.RoundTripper, error) {
	if s.o.mock == "" {
		return providers.MockTransport(nil)
	}
	src, err := s.in.file("--mock", s.o.mock)
	if err != nil {
		return nil, err
	}
	transport, err := providers.MockTransport(src.data)
	if err != nil {
		return nil, usageError{msg: fmt.Sprintf("--mock: %s: %v", src.name, err)}
	}
	return transport, nil
}

func (s *session) replayer() (http.RoundTripper, error) {
	src, err := s.in.file("--replay", s.o.replay)
	if err != nil {
		return nil, err
	}
	tape, err := record.Load(bytes.NewReader(src.data))
	if err != nil {
		return nil, usageError{msg: fmt.Sprintf("--replay: %s: %v", s.o.replay, err)}
	}
	speed, err := strconv.ParseFloat(first(s.o.replaySpeed, "0"), 64)
	if err != nil || speed < 0 {
		return nil, usageError{msg: "--replay-speed: not a factor from 0 up: " + s.o.replaySpeed}
	}
	tape.Redact = s.redact
	return tape.Replayer(speed), nil
}

// credential finds the key: a file, a command, the row's variables, the config file. None is an error where the row
// wants one and no header brings it.
func (s *session) credential() (providers.Credential, error) {
	p := &s.row.Provider
	switch {
	case s.o.keyFile != "":
		src, err := s.in.file("--api-key-file", s.o.keyFile)
		if err != nil {
			return providers.Credential{}, err
		}
		if c, ok, err := p.KeyCredential(string(src.data), "--api-key-file "+s.o.keyFile); ok || err != nil {
			return c, err
		}
		return providers.Credential{}, missingKeyError{msg: "--api-key-file " + s.o.keyFile + " holds no key"}
	case s.o.keyCommand != "":
		return s.commandCredential(s.o.keyCommand, "--api-key-command")
	}
	if c, ok, err := p.Credential(s.std.getenv); ok || err != nil {
		return c, err
	}
	if s.row.APIKeyCommand != "" {
		return s.commandCredential(s.row.APIKeyCommand, "api_key_command of "+s.cfg.path)
	}
	if s.row.APIKey != "" {
		if c, ok, err := p.KeyCredential(s.row.APIKey, "api_key of "+s.cfg.path); ok || err != nil {
			return c, err
		}
	}
	if p.KeyOptional || len(p.Keys) == 0 {
		return providers.Credential{}, nil
	}
	if half, missing := s.halfKey(); missing != "" {
		return providers.Credential{}, missingKeyError{
			msg: fmt.Sprintf("%s: %s is set, but %s is not", p.Name, half, missing), hint: "they go together; or set " + p.Keys[0].Headers[0].Var,
		}
	}
	name := p.Keys[0].Headers[0].Var
	return providers.Credential{}, missingKeyError{
		msg:  fmt.Sprintf("%s: no API key: %s is not set", p.Name, name),
		hint: fmt.Sprintf("export %s=… (or --api-key-file); without a key, try it with -p mock", name),
	}
}

// halfKey names a variable that is set and one that is not, of the same way to authenticate.
func (s *session) halfKey() (set, missing string) {
	for _, way := range s.row.Keys {
		set, missing = "", ""
		for _, h := range way.Headers {
			if s.std.getenv(h.Var) == "" {
				missing = h.Var
			} else {
				set = h.Var
			}
		}
		if set != "" && missing != "" {
			return set, missing
		}
	}
	return "", ""
}

// commandCredential runs a command whose stdout is the key. Its own stderr is shown.
func (s *session) commandCredential(command, source string) (providers.Credential, error) {
	cmd := exec.CommandContext(s.in.ctx, "sh", "-c", command)
	cmd.Stderr, cmd.WaitDelay = s.std.err, time.Second
	out, err := cmd.Output()
	if s.in.ctx.Err() != nil {
		return providers.Credential{}, context.Cause(s.in.ctx)
	}
	if err != nil {
		return providers.Credential{}, missingKeyError{msg: fmt.Sprintf("%s: %v", source, err), hint: "run the command by hand: it must print the key and end with 0"}
	}
	c, ok, err := s.row.KeyCredential(string(out), source)
	if err == nil && !ok {
		err = missingKeyError{msg: source + " printed no key"}
	}
	return c, err
}

func userAgent() string { return "llmcall/" + versionNumber() }

// redact replaces what is a key, in use or only set for this provider, in what is recorded.
func (s *session) redact(text string) string {
	text = s.client.Redact(text)
	for _, way := range s.row.Keys {
		for _, h := range way.Headers {
			if key, err := providers.CleanKey(s.std.getenv(h.Var), h.Var); err == nil && key != "" {
				text = strings.ReplaceAll(text, key, "[redacted]")
			}
		}
	}
	return text
}

// end closes what connect opened. Its error is a recording that is not whole.
func (s *session) end() (err error) {
	if s.tape != nil {
		err = s.tape.Err()
	}
	for _, c := range s.opened {
		if e := c.Close(); e != nil && err == nil {
			err = e
		}
	}
	return err
}

// first gives the first string that is not empty.
func first(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}
