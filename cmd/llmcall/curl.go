package main

import (
	"strings"

	"github.com/llmcall/llmcall/pkg/providers"
)

// printCurl prints a curl command that sends what llmcall would send. The key stands in it as the variable it comes from.
func (s *session) printCurl(body []byte) error {
	base, err := providers.ParseBaseURL(s.base)
	if err != nil {
		return usageError{msg: err.Error()}
	}
	headers, _, given, err := s.row.ParseHeaders(s.o.headers)
	if err != nil {
		return err
	}
	client := providers.Client{Provider: &s.row.Provider, BaseURL: base, Headers: headers, UserAgent: "llmcall/" + first(version, "dev")}
	lines := []string{"curl -sS -N " + shellQuote(client.Endpoint())}
	for _, h := range client.PlainHeaders(body) {
		lines = append(lines, "-H "+shellQuote(h.Name+": "+h.Value))
	}
	switch {
	case given:
		lines = append(lines, `-H "Authorization: $LLMCALL_HEADER"`)
	default:
		for _, h := range s.keyHeaders() {
			lines = append(lines, `-H "`+h.Name+": "+h.Prefix+"$"+h.Var+`"`)
		}
	}
	lines = append(lines, "--data-binary "+shellQuote(string(body)))
	return write(s.std.out, strings.Join(lines, " \\\n  ")+"\n")
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
