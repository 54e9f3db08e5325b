package main

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
	"time"

	"github.com/llmcall/llmcall/pkg/providers"
)

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
