package main

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/llmcall/llmcall/pkg/providers"
	"github.com/llmcall/llmcall/pkg/request"
)

// printCurl prints a curl command that sends what llmcall would send. A key stands in it as the variable that it comes from,
// or that the user is to set.
func (s *session) printCurl(body request.Result) error {
	base, err := providers.ParseBaseURL(s.base)
	if err != nil {
		return usageError{msg: err.Error()}
	}
	headers, given, _, err := s.row.ParseHeaders(s.o.headers)
	if err != nil {
		return err
	}
	client := providers.Client{Provider: &s.row.Provider, BaseURL: base, Headers: headers, UserAgent: userAgent()}
	req, err := client.Request(context.Background(), body.Body, body.Stream)
	if err != nil {
		return usageError{msg: err.Error()}
	}
	lines := []string{"curl -sS -N -X POST " + quoteAddress(req.URL)}
	for _, name := range slices.Sorted(maps.Keys(req.Header)) {
		for _, value := range req.Header[name] {
			line := "-H " + shellQuote(name+": "+value)
			if providers.SecretHeader(name, value) {
				line = variableHeader(name, "", variableName(name))
			}
			lines = append(lines, line)
		}
	}
	for _, h := range given.Headers {
		lines = append(lines, variableHeader(h.Name, "", variableName(h.Name)))
	}
	if len(given.Headers) == 0 {
		for _, h := range s.keyHeaders() {
			lines = append(lines, variableHeader(h.Name, h.Prefix, h.Var))
		}
	}
	for _, f := range []struct{ name, value string }{{"--cacert", s.o.caCert}, {"--cert", s.o.cert}, {"--key", s.o.certKey}} {
		if f.value != "" {
			lines = append(lines, f.name+" "+shellQuote(f.value))
		}
	}
	for _, t := range []struct {
		name string
		time seconds
	}{{"--connect-timeout", s.o.connectTimeout}, {"--max-time", s.o.timeout}} {
		if t.time.Duration > 0 {
			lines = append(lines, t.name+" "+strconv.FormatFloat(t.time.Seconds(), 'f', -1, 64))
		}
	}
	lines = append(lines, "--data-binary "+shellQuote(string(body.Body)))
	return write(s.std.out, strings.Join(lines, " \\\n  ")+"\n")
}

// quoteAddress quotes a URL for sh; the value of a secret in its query, such as a signed URL's, stands there as a variable.
func quoteAddress(u *url.URL) string {
	if u.RawQuery == "" {
		return shellQuote(u.String())
	}
	var quoted []string
	for field := range strings.SplitSeq(u.RawQuery, "&") {
		name, value, _ := strings.Cut(field, "=")
		plain, err := url.QueryUnescape(value)
		if err != nil {
			plain = value
		}
		if plain != "" && providers.SecretHeader(name, plain) {
			quoted = append(quoted, shellQuote(name+"=")+`"$`+variableName(name)+`"`)
		} else {
			quoted = append(quoted, shellQuote(field))
		}
	}
	address := *u
	address.RawQuery = ""
	return shellQuote(address.String()+"?") + strings.Join(quoted, "'&'")
}

// variableHeader is a header whose value is in a variable of the shell.
func variableHeader(name, prefix, variable string) string {
	return `-H "` + name + ": " + prefix + "$" + variable + `"`
}

// variableName names a variable for the secret value of a header or of a query's field.
func variableName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, name)
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
