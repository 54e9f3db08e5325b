package providers

import (
	"errors"
	"net/http"
	"strings"
	"testing"
)

func TestCleanKey(t *testing.T) {
	for _, test := range []struct{ name, raw, want, reason string }{
		{"as it is", "k-123", "k-123", ""},
		{"newline", "k-123\n", "k-123", ""},
		{"CRLF", "k-123\r\n", "k-123", ""},
		{"blanks and newline", " k-123\n", "k-123", ""},
		{"byte order mark", "\ufeffk-123\r\n", "k-123", ""},
		{"byte order mark after blank", " \ufeffk-123", "k-123", ""},
		{"Bearer", "Bearer k-123", "k-123", ""},
		{"bearer in capitals", "BEARER  k-123\n", "k-123", ""},
		{"Bearer twice", "Bearer bearer k-123", "k-123", ""},
		{"a key that starts so", "bearer-k-123", "bearer-k-123", ""},
		{"empty", "", "", ""},
		{"white space", " \r\n\t", "", ""},
		{"Bearer alone", "Bearer ", "", ""},
		{"blank inside", "k 123", "k 123", ""},
		{"two lines", "k-123\nk-456\n", "", "more than one line"},
		{"two lines of CR", "k-123\rk-456", "", "more than one line"},
		{"curly quote", "\u201dk-123\u201d", "", "character 1 is U+201D, not printable ASCII"},
		{"curly quote after the scheme", "Bearer k\u201d", "", "character 9 is U+201D, not printable ASCII"},
		{"tab", "k\t1", "", "character 2 is U+0009, not printable ASCII"},
		{"NUL of UTF-16", "k\x001\x00", "", "character 2 is U+0000, not printable ASCII"},
		{"not UTF-8", "ké\xff", "", "character 2 is U+00E9, not printable ASCII"},
		{"byte that is no character", "k\xff", "", "character 2 is the byte 0xFF, not printable ASCII"},
		{"replacement character", "k\ufffd", "", "character 2 is U+FFFD, not printable ASCII"},
		{"DEL", "k\x7f", "", "character 2 is U+007F, not printable ASCII"},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := CleanKey(test.raw, "KEY_VAR")
			var wrong *KeyError
			switch {
			case test.reason == "" && err != nil:
				t.Fatalf("error %v", err)
			case test.reason != "" && !errors.As(err, &wrong):
				t.Fatalf("%q, error %v; want a KeyError", got, err)
			case test.reason != "" && err.Error() != "API key from KEY_VAR: "+test.reason:
				t.Errorf("error %q, want reason %q", err, test.reason)
			}
			if got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

func FuzzCleanKey(f *testing.F) {
	for _, s := range []string{"k-123\n", "\ufeffBearer x", "a\nb", "k\u201d", " \t", "bearer\tbearer"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		key, err := CleanKey(raw, "SOURCE")
		if err != nil {
			if key != "" || !strings.Contains(err.Error(), "SOURCE") {
				t.Fatalf("%q with error %v", key, err)
			}
			if body := strings.TrimSpace(raw); len(body) > 12 && strings.Contains(err.Error(), body) {
				t.Fatalf("error shows the key: %v", err)
			}
			return
		}
		if again, err := CleanKey(key, "SOURCE"); err != nil || again != key {
			t.Fatalf("%q cleaned again is %q, error %v", key, again, err)
		}
		if !validHeaderValue(key) || !strings.Contains(raw, key) {
			t.Fatalf("%q of %q", key, raw)
		}
	})
}

func validHeaderValue(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}

// twoWays is a row with a token, else a session of two tokens.
func twoWays() *Provider {
	return &Provider{Name: "twoways", Keys: []Key{
		{Headers: []KeyHeader{{Name: "Authorization", Prefix: "Bearer ", Var: "TOKEN"}}},
		{Headers: []KeyHeader{{Name: "Authorization", Prefix: "Bearer ", Var: "ACCESS"}, {Name: "refresh-token", Var: "REFRESH"}}, Hint: "log in again"},
	}}
}

func getenv(vars map[string]string) func(string) string {
	return func(name string) string { return vars[name] }
}

func TestCredential(t *testing.T) {
	for _, test := range []struct {
		name         string
		vars         map[string]string
		want, source string
		ok, wrong    bool
	}{
		{"none", nil, "", "", false, false},
		{"first", map[string]string{"TOKEN": "t1\n"}, "Authorization: Bearer t1", "TOKEN", true, false},
		{"first of both", map[string]string{"TOKEN": "t1", "ACCESS": "a", "REFRESH": "r"}, "Authorization: Bearer t1", "TOKEN", true, false},
		{"second", map[string]string{"ACCESS": "Bearer a", "REFRESH": " r"}, "Authorization: Bearer a, refresh-token: r", "ACCESS and REFRESH", true, false},
		{"half of the second", map[string]string{"ACCESS": "a"}, "", "", false, false},
		{"first is blank", map[string]string{"TOKEN": " \n", "ACCESS": "a", "REFRESH": "r"}, "Authorization: Bearer a, refresh-token: r", "ACCESS and REFRESH", true, false},
		{"first is bad", map[string]string{"TOKEN": "“t”", "ACCESS": "a", "REFRESH": "r"}, "", "", false, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, ok, err := twoWays().Credential(getenv(test.vars))
			var parts []string
			for _, h := range c.Headers {
				parts = append(parts, h.Name+": "+h.Value)
			}
			if got := strings.Join(parts, ", "); got != test.want || c.Source != test.source || ok != test.ok || (err != nil) != test.wrong {
				t.Errorf("%q from %q, %v, error %v", got, c.Source, ok, err)
			}
		})
	}
}

func TestKeyCredential(t *testing.T) {
	c, ok, err := twoWays().KeyCredential("\ufeffk-1\r\n", "/run/key")
	if err != nil || !ok || len(c.Headers) != 1 || c.Headers[0] != (Header{"Authorization", "Bearer k-1"}) || c.Source != "/run/key" {
		t.Errorf("%+v, %v, error %v", c, ok, err)
	}
	c, ok, err = (&Provider{Keys: []Key{{Headers: []KeyHeader{{Name: "x-api-key", Var: "K"}}}}}).KeyCredential("k", "s")
	if err != nil || !ok || c.Headers[0] != (Header{"x-api-key", "k"}) {
		t.Errorf("%+v, %v, error %v", c, ok, err)
	}
	if c, ok, err = (&Provider{}).KeyCredential(" \n", "s"); ok || err != nil {
		t.Errorf("an empty key is %+v, %v, error %v", c, ok, err)
	}
}

func TestParseHeaders(t *testing.T) {
	for _, test := range []struct {
		name  string
		lines []string
		h     http.Header
		cred  []Header
		ok    bool
		wrong string // part of the error
	}{
		{"plain", []string{"X-Team: a b"}, http.Header{"X-Team": {"a b"}}, nil, false, ""},
		{"repeated", []string{"x-a: 1", "X-A:2"}, http.Header{"X-A": {"1", "2"}}, nil, false, ""},
		{"taken away", []string{"Accept:"}, http.Header{"Accept": {""}}, nil, false, ""},
		{"credential", []string{"authorization: bearer  k-1 "}, http.Header{}, []Header{{"Authorization", "Bearer k-1"}}, true, ""},
		{"another scheme", []string{"Authorization: Basic dTpw"}, http.Header{}, []Header{{"Authorization", "Basic dTpw"}}, true, ""},
		{"no scheme", []string{"Authorization: k-1"}, http.Header{}, []Header{{"Authorization", "k-1"}}, true, ""},
		{"the row's header", []string{"refresh-token: r", "Authorization: Bearer a"}, http.Header{}, []Header{{"Refresh-Token", "r"}, {"Authorization", "Bearer a"}}, true, ""},
		{"the last counts", []string{"Authorization: a", "Authorization: b"}, http.Header{}, []Header{{"Authorization", "b"}}, true, ""},
		{"empty variable", []string{"Authorization: Bearer "}, http.Header{}, nil, false, ""},
		{"none wanted", []string{"Authorization:"}, http.Header{"Authorization": {""}}, nil, true, ""},
		{"no colon", []string{"X-A: 1", "Authorization Bearer k-secret"}, nil, nil, false, "header 2 given by -H: no colon"},
		{"no name", []string{": k-secret"}, nil, nil, false, "header 1 given by -H"},
		{"blank in the name", []string{"X A: k-secret"}, nil, nil, false, "header 1 given by -H"},
		{"two lines", []string{"Authorization: k-secret\nX-B: 2"}, nil, nil, false, "API key from -H Authorization: more than one line"},
		{"control in the value", []string{"X-A: k-secret\r\nX-B: 2"}, nil, nil, false, "header X-A: character 9 is U+000D"},
		{"the connection's", []string{"Content-Length: 3"}, nil, nil, false, "header Content-Length: belongs to the connection"},
	} {
		t.Run(test.name, func(t *testing.T) {
			h, c, ok, err := twoWays().ParseHeaders(test.lines)
			if test.wrong != "" {
				if err == nil || !strings.Contains(err.Error(), test.wrong) || strings.Contains(err.Error(), "secret") {
					t.Errorf("error %v, want %q", err, test.wrong)
				}
				return
			}
			if err != nil || ok != test.ok || !equalHeaders(h, test.h) || len(c.Headers) != len(test.cred) {
				t.Fatalf("%v, %+v, %v, error %v", h, c, ok, err)
			}
			for i, want := range test.cred {
				if c.Headers[i] != want {
					t.Errorf("credential %d is %+v, want %+v", i, c.Headers[i], want)
				}
			}
		})
	}
}

func equalHeaders(a, b http.Header) bool {
	if len(a) != len(b) {
		return false
	}
	for name := range a {
		if strings.Join(a[name], "|") != strings.Join(b[name], "|") {
			return false
		}
	}
	return true
}
