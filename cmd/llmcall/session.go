package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"

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
	s.say.redact = s.client.Redact
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
