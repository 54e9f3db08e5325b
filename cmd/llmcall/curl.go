package main

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/llmcall/llmcall/pkg/providers"
)

// printCurl prints a curl command that sends what llmcall would send. A key stands in it as the variable that it comes from,
// or that the user is to set.
func (s *session) printCurl(body []byte) error {
	base, err := providers.ParseBaseURL(s.base)
	if err != nil {
		return usageError{msg: err.Error()}
	}
	headers, given, _, err := s.row.ParseHeaders(s.o.headers)
	if err != nil {
		return err
	}
	client := providers.Client{Provider: &s.row.Provider, BaseURL: base, Headers: headers, UserAgent: userAgent()}
	req, err := client.Request(context.Background(), body)
	if err != nil {
		return usageError{msg: err.Error()}
	}
	lines := []string{"curl -sS -N -X POST " + shellQuote(req.URL.String())}
	for _, name := range slices.Sorted(maps.Keys(req.Header)) {
		for _, value := range req.Header[name] {
			line := "-H " + shellQuote(name+": "+value)
			if providers.SecretHeader(name, value) {
				line = variableHeader(name, "", headerVariable(name))
			}
			lines = append(lines, line)
		}
	}
	for _, h := range given.Headers {
		lines = append(lines, variableHeader(h.Name, "", headerVariable(h.Name)))
	}
	if len(given.Headers) == 0 {
		for _, h := range s.keyHeaders() {
			lines = append(lines, variableHeader(h.Name, h.Prefix, h.Var))
		}
	}
	lines = append(lines, "--data-binary "+shellQuote(string(body)))
	return write(s.std.out, strings.Join(lines, " \\\n  ")+"\n")
}

// variableHeader is a header whose value is in a variable of the shell.
func variableHeader(name, prefix, variable string) string {
	return `-H "` + name + ": " + prefix + "$" + variable + `"`
}

// headerVariable names a variable for the secret value of a header.
func headerVariable(name string) string {
	return strings.ToUpper(strings.ReplaceAll(name, "-", "_"))
}

// keyHeaders are the headers of the way to authenticate whose variables are set, else of the first.
func (s *session) keyHeaders() []providers.KeyHeader {
	for _, way := range s.row.Keys {
		all := len(way.Headers) > 0
		for _, h := range way.Headers {
			all = all && s.std.getenv(h.Var) != ""
		}
		if all {
			return way.Headers
		}
	}
	if len(s.row.Keys) == 0 || s.row.KeyOptional {
		return nil
	}
	return s.row.Keys[0].Headers
}

// shellQuote quotes a text for a POSIX shell.
func shellQuote(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
