package providers

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// redacted stands where a secret stood.
const redacted = "[redacted]"

// minRun is the length from which a part of a secret is one itself: providers echo keys in part, such as the first 8 bytes.
const minRun = 8

// SecretHeader says whether a header's value is to be kept from every output, by the header's name or by what the value looks like.
func SecretHeader(name, value string) bool {
	name = strings.ToLower(name)
	if strings.HasPrefix(name, "x-ratelimit-") { // such as x-ratelimit-limit-tokens, which counts them
		return false
	}
	if name == "sig" { // a signed URL's
		return true
	}
	for _, part := range [...]string{"auth", "token", "key", "secret", "passw", "cookie", "credential", "session", "signature"} {
		if strings.Contains(name, part) {
			return true
		}
	}
	for field := range strings.FieldsSeq(value) {
		if looksSecret(field) {
			return true
		}
	}
	return false
}

// looksSecret tells tokens by their well-known beginnings: those of common providers, of code hosts, and of JSON web tokens.
func looksSecret(s string) bool {
	if len(s) < 16 {
		return false
	}
	for _, prefix := range [...]string{"sk-", "pk-", "rk-", "sk_", "gsk_", "hf_", "r8_", "xai-", "nvapi-", "ghp_", "gho_", "ghs_", "github_pat_", "glpat-", "xox", "AKIA", "AIza", "eyJ", "ya29."} {
		if strings.HasPrefix(s, prefix) {
			return true
		}
	}
	return false
}

// secrets lists what must not be shown of a client: the credential as given and as renewed, what -H and the base URL hold.
func (c *Client) secrets() []string {
	var list []string
	add := func(value string) {
		for _, scheme := range [...]string{"Bearer ", "Basic "} {
			if len(value) > len(scheme) && strings.EqualFold(value[:len(scheme)], scheme) {
				value = value[len(scheme):]
			}
		}
		if value = strings.TrimSpace(value); value != "" {
			list = append(list, value)
		}
	}
	for _, h := range c.Credential.Headers {
		add(h.Value)
	}
	for _, h := range c.credential() {
		add(h.Value)
	}
	for name, values := range c.Headers {
		for _, value := range values {
			if SecretHeader(name, value) {
				add(value)
			}
		}
	}
	if c.BaseURL != nil {
		if c.BaseURL.User != nil {
			password, _ := c.BaseURL.User.Password()
			add(password)
			add(basic(c.BaseURL.User))
		}
		if c.BaseURL.RawQuery != "" {
			for name, values := range c.BaseURL.Query() {
				for _, value := range values {
					if SecretHeader(name, value) {
						add(value)
					}
				}
			}
		}
	}
	return list
}

// basic is the credential of basic authentication, RFC 7617.
func basic(user *url.Userinfo) string {
	password, _ := user.Password()
	return base64.StdEncoding.EncodeToString([]byte(user.Username() + ":" + password))
}

// Redact replaces in s the secrets of c, and every part of one that is 8 bytes or longer.
func (c *Client) Redact(s string) string { return redact(s, c.secrets()) }

// redactedError is an error whose text held a secret.
type redactedError struct {
	error
	text string
}

func (e *redactedError) Error() string { return e.text }

// Unwrap gives the error as it was.
func (e *redactedError) Unwrap() error { return e.error }

// redactError gives err with a text without the secrets of c: what a server sends is quoted by errors of net/http too.
func (c *Client) redactError(err error) error {
	if err == nil {
		return nil
	}
	if text := err.Error(); c.Redact(text) != text {
		return &redactedError{err, c.Redact(text)}
	}
	return err
}

// redact replaces each of secrets in s: whole, and every run of it of at least minRun bytes that is no plain word.
func redact(s string, secrets []string) string {
	for _, secret := range secrets {
		s = redactOne(s, secret)
	}
	return s
}

func redactOne(s, secret string) string {
	if len(secret) < minRun {
		return redactShort(s, secret)
	}
	if len(s) < minRun {
		return s
	}
	runs := make(map[string]bool, len(secret))
	for i := 0; i+minRun <= len(secret); i++ {
		runs[secret[i:i+minRun]] = true
	}
	var b strings.Builder
	kept := 0 // s[:kept] is in b
	for i := 0; i+minRun <= len(s); {
		if !runs[s[i:i+minRun]] {
			i++
			continue
		}
		end := i + minRun
		for end < len(s) && runs[s[end+1-minRun:end+1]] {
			end++
		}
		if run := s[i:end]; !strings.Contains(run, secret) && isPlainWord(run) {
			i = end
			continue
		}
		b.WriteString(s[kept:i])
		b.WriteString(redacted)
		kept, i = end, end
	}
	if kept == 0 {
		return s
	}
	b.WriteString(s[kept:])
	return b.String()
}

// isPlainWord tells a short run of small letters, such as a provider's name that its keys begin with: it gives nothing away,
// and a path or a text that holds it must stay as it is.
func isPlainWord(run string) bool {
	return len(run) < 2*minRun && strings.Trim(run, "abcdefghijklmnopqrstuvwxyz") == ""
}

// redactShort replaces a short secret where it stands as a word of its own, for as part of longer words it gives nothing
// away but garbles them.
func redactShort(s, secret string) string {
	var b strings.Builder
	kept := 0
	for i := 0; i < len(s); {
		j := strings.Index(s[i:], secret)
		if j < 0 {
			break
		}
		from, to := i+j, i+j+len(secret)
		before, _ := utf8.DecodeLastRuneInString(s[:from])
		after, _ := utf8.DecodeRuneInString(s[to:])
		if isWord(before) || isWord(after) {
			_, size := utf8.DecodeRuneInString(s[from:])
			i = from + size
			continue
		}
		b.WriteString(s[kept:from])
		b.WriteString(redacted)
		kept, i = to, to
	}
	if kept == 0 {
		return s
	}
	b.WriteString(s[kept:])
	return b.String()
}

func isWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// shownHeaders gives the lines of h for --verbose, in the order of their names, secrets replaced.
func shownHeaders(h http.Header, secrets []string) []string {
	var lines []string
	for name, values := range h {
		for _, value := range values {
			switch {
			case SecretHeader(name, value):
				scheme, _, found := strings.Cut(value, " ")
				if value = redacted; found && (strings.EqualFold(scheme, "bearer") || strings.EqualFold(scheme, "basic")) {
					value = scheme + " " + redacted
				}
			default:
				value = redact(oneLine(value, maxMessage), secrets)
			}
			lines = append(lines, name+": "+value)
		}
	}
	return lines
}
