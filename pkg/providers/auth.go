package providers

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

// Header is one header of a request.
type Header struct{ Name, Value string }

// Credential is what a request is authenticated with. The zero value is none.
type Credential struct {
	Headers []Header
	// Source names where it came from, for messages: the variables, a file, "-H Authorization".
	Source string
	// Hint is what to do when the provider refuses it; empty: nothing in particular.
	Hint string
}

// CleanKey gives a key without white space round it, a byte order mark and a leading "Bearer ". When nothing is left there is
// no key: "". More than one line, or a byte outside printable ASCII, is a *KeyError that names source and place, never the key.
func CleanKey(raw, source string) (string, error) {
	key := raw
	for {
		before := key
		key = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(key), "\ufeff"))
		if scheme := "bearer"; len(key) >= len(scheme) && strings.EqualFold(key[:len(scheme)], scheme) {
			if rest := key[len(scheme):]; rest == "" || rest[0] == ' ' || rest[0] == '\t' {
				key = rest
			}
		}
		if key == before {
			break
		}
	}
	if strings.ContainsAny(key, "\r\n") {
		return "", &KeyError{Source: source, Reason: "more than one line"}
	}
	// The place is counted in the text as the user has it, so that an editor's column finds it.
	place := utf8.RuneCountInString(raw[:strings.Index(raw, key)])
	for i, r := range key {
		place++
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(key[i:], "\ufffd"):
			return "", &KeyError{Source: source, Reason: fmt.Sprintf("character %d is the byte 0x%02X, not printable ASCII", place, key[i])}
		case r < ' ' || r > '~':
			return "", &KeyError{Source: source, Reason: fmt.Sprintf("character %d is %U, not printable ASCII", place, r)}
		}
	}
	return key, nil
}

// Credential takes the first of the row's ways to authenticate whose variables are all set; ok says whether there was one.
// An error is a *KeyError.
func (p *Provider) Credential(getenv func(string) string) (c Credential, ok bool, err error) {
	for _, way := range p.Keys {
		c := Credential{Hint: way.Hint}
		var vars []string
		for _, h := range way.Headers {
			value, err := CleanKey(getenv(h.Var), h.Var)
			if err != nil {
				return Credential{}, false, err
			}
			if value == "" {
				break
			}
			vars = append(vars, h.Var)
			c.Headers = append(c.Headers, Header{h.Name, h.Prefix + value})
		}
		if len(c.Headers) == len(way.Headers) && len(vars) > 0 {
			c.Source = strings.Join(vars, " and ")
			return c, true, nil
		}
	}
	return Credential{}, false, nil
}

// KeyCredential makes a credential of a key given as such, by a file, a command or the config, for the row's first way; where
// the row has none it is a Bearer token. ok is false when nothing is left of key after cleaning. An error is a *KeyError.
func (p *Provider) KeyCredential(key, source string) (c Credential, ok bool, err error) {
	key, err = CleanKey(key, source)
	if err != nil || key == "" {
		return Credential{}, false, err
	}
	header, hint := KeyHeader{Name: "Authorization", Prefix: "Bearer "}, ""
	if len(p.Keys) > 0 && len(p.Keys[0].Headers) > 0 {
		header, hint = p.Keys[0].Headers[0], p.Keys[0].Hint
	}
	return Credential{Headers: []Header{{header.Name, header.Prefix + key}}, Source: source, Hint: hint}, true, nil
}

// ParseHeaders reads the values of -H, each `Name: value`. Those that carry a credential are cleaned as keys are and become
// the Credential, of which ok says whether there is one; the rest is for Client.Headers. A name without a value takes a
// default header away, as curl's -H does; taking away a credential header counts as a credential of no headers. An error is
// a *ConfigError or a *KeyError.
func (p *Provider) ParseHeaders(lines []string) (h http.Header, c Credential, ok bool, err error) {
	h = http.Header{}
	for i, line := range lines {
		name, value, found := strings.Cut(line, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		// What is malformed may hold a key, so that only its place in the command is told.
		switch {
		case !found:
			return nil, Credential{}, false, &ConfigError{fmt.Sprintf("header %d given by -H: no colon; the form is 'Name: value'", i+1)}
		case !isToken(name):
			return nil, Credential{}, false, &ConfigError{fmt.Sprintf("header %d given by -H: what stands before the colon is not a header's name", i+1)}
		}
		name = http.CanonicalHeaderKey(name)
		switch name {
		case "Content-Length", "Transfer-Encoding", "Connection", "Trailer", "Upgrade", "Te":
			return nil, Credential{}, false, &ConfigError{fmt.Sprintf("header %s: belongs to the connection and cannot be set", name)}
		}
		if p.isCredentialHeader(name) && value != "" {
			if value, err = cleanCredential(name, value); err != nil {
				return nil, Credential{}, false, err
			}
			if value == "" {
				continue
			}
			c.Headers = slices.DeleteFunc(c.Headers, func(h Header) bool { return h.Name == name })
			c.Headers, c.Source, ok = append(c.Headers, Header{name, value}), "-H "+name, true
			continue
		}
		if j := strings.IndexFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }); j >= 0 {
			return nil, Credential{}, false, &ConfigError{fmt.Sprintf("header %s: character %d is %U", name, utf8.RuneCountInString(value[:j])+1, value[j])}
		}
		if p.isCredentialHeader(name) {
			ok = true
			if c.Source == "" {
				c.Source = "-H " + name
			}
		}
		h.Add(name, value)
	}
	return h, c, ok, nil
}

// cleanCredential cleans a credential header's value as a key. The scheme of Authorization stays, for the user wrote it.
func cleanCredential(name, value string) (string, error) {
	key, err := CleanKey(value, "-H "+name)
	if err != nil || key == "" || name != "Authorization" {
		return key, err
	}
	if len(value) >= 7 && strings.EqualFold(value[:6], "bearer") && (value[6] == ' ' || value[6] == '\t') {
		return "Bearer " + key, nil
	}
	return key, nil
}

// isCredentialHeader tells the headers that servers take keys from, those of the row included. name is in canonical form.
func (p *Provider) isCredentialHeader(name string) bool {
	switch name {
	case "Authorization", "X-Api-Key", "Api-Key":
		return true
	}
	for _, way := range p.Keys {
		for _, h := range way.Headers {
			if http.CanonicalHeaderKey(h.Name) == name {
				return true
			}
		}
	}
	return false
}

// isToken says whether s may be a header's name, RFC 9110 section 5.6.2.
func isToken(s string) bool {
	for _, r := range s {
		if r >= 0x7f || r <= ' ' || strings.ContainsRune(`"(),/:;<=>?@[\]{}`, r) {
			return false
		}
	}
	return s != ""
}
