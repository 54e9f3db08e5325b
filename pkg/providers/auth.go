package providers

import (
	"net/http"
)

// Header is one header of a request.
type Header struct{ Name, Value string }

// Credential is what a request is authenticated with. The zero value is none.
type Credential struct {
	Headers []Header
	// Source names where it came from for messages: a variable, a file, "-H".
	Source string
	// Hint is what to do when the provider refuses it.
	Hint string
}

// CleanKey gives a key without white space round it, a byte order mark and a leading "Bearer ". Nothing left is no key: "".
// More than one line, or a byte outside printable ASCII, is a *KeyError that names source.
func CleanKey(raw, source string) (string, error) { return raw, nil }

// Credential takes the first of the row's ways to authenticate whose variables are all set, and says whether there was one.
func (p *Provider) Credential(getenv func(string) string) (Credential, bool, error) {
	return Credential{}, false, nil
}

// KeyCredential makes a credential of a key that was given as such, by a file or a command, for the row's first way (a Bearer
// token where the row has none). It says false when key is empty after cleaning.
func (p *Provider) KeyCredential(key, source string) (Credential, bool, error) {
	return Credential{}, false, nil
}

// ParseHeaders reads the values of -H, each `Name: value`; no value at all takes a default header away, as curl's does. Those that carry
// a credential go, cleaned as keys are, into the Credential and not into the http.Header.
func (p *Provider) ParseHeaders(lines []string) (http.Header, Credential, bool, error) {
	return nil, Credential{}, false, nil
}
