package providers

import (
	"strings"
	"testing"
)

func TestParseBaseURL(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"plain", "http://h:80/v1", "http://h:80/v1/chat/completions"},
		{"slash", "http://h/v1/", "http://h/v1/chat/completions"},
		{"slashes", "http://h//v1//", "http://h/v1/chat/completions"},
		{"endpoint", "http://h/v1/chat/completions", "http://h/v1/chat/completions"},
		{"endpoint and slash", "http://h/v1/chat/completions/", "http://h/v1/chat/completions"},
		{"endpoint at the root", "https://h/chat/completions", "https://h/chat/completions"},
		{"no path", "https://h", "https://h/chat/completions"},
		{"white space", " \thttps://h/v1\r\n", "https://h/v1/chat/completions"},
		{"query", "https://h/v1?api-version=2", "https://h/v1/chat/completions?api-version=2"},
		{"endpoint and query", "https://h/v1/chat/completions?a=b", "https://h/v1/chat/completions?a=b"},
		{"fragment", "https://h/v1#top", "https://h/v1/chat/completions"},
		{"escapes", "https://h/a%2Fb/c%20d/", "https://h/a%2Fb/c%20d/chat/completions"},
		{"capitals", "HTTPS://h/V1", "https://h/V1/chat/completions"},
		{"IPv6", "http://[::1]:8080/v1", "http://[::1]:8080/v1/chat/completions"},
		{"mock", "mock://localhost/v1", "mock://localhost/v1/chat/completions"},
		{"userinfo", "http://u:p@h/v1", "http://h/v1/chat/completions"},
	} {
		t.Run(test.name, func(t *testing.T) {
			u, err := ParseBaseURL(test.in)
			if err != nil {
				t.Fatal(err)
			}
			if got := endpoint(u, "/chat/completions").String(); got != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
		})
	}
}

func TestParseBaseURLErrors(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"empty", " ", "base URL: empty"},
		{"no scheme", "127.0.0.1:80/v1", `base URL "127.0.0.1:80/v1": no scheme`},
		{"no scheme and a port", "localhost:80/v1", `base URL "localhost:80/v1": no scheme`},
		{"other scheme", "ftp://h/v1", `scheme is not http or https`},
		{"no host", "http:///v1", `no host`},
		{"blank inside", "http://h/v 1", `not a URL`},
		{"newline inside", "http://h/v1\nx", `not a URL`},
		{"port", "http://h:99999/v1", `no host, or a port that cannot be`},
		{"port of letters", "http://h:port/v1", `not a URL`},
		{"bad escape", "http://h/%zz", `not a URL`},
		{"password not shown", "http://u:secret@h/%zz?key=secret", `base URL "http://h/%zz": not a URL`},
		{"password and no scheme", "u:secret@h/v1", `base URL "h/v1": no scheme`},
	} {
		t.Run(test.name, func(t *testing.T) {
			u, err := ParseBaseURL(test.in)
			if err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%v, error %v, want %q", u, err, test.want)
			}
		})
	}
}

func TestShowURL(t *testing.T) {
	u, err := ParseBaseURL("https://user:pass@h:444/a%2Fb?key=k")
	if err != nil {
		t.Fatal(err)
	}
	if got := ShowURL(u); got != "https://h:444/a%2Fb" {
		t.Errorf("shown as %s", got)
	}
}

func TestIsLoopback(t *testing.T) {
	for host, want := range map[string]bool{
		"127.0.0.1": true, "127.8.9.1": true, "::1": true, "localhost": true, "LocalHost": true, "::ffff:127.0.0.1": true,
		"10.0.0.1": false, "localhost.example": false, "127.0.0.1.example": false, "example": false, "0.0.0.0": false, "::": false, "": false,
	} {
		if got := isLoopback(host); got != want {
			t.Errorf("%q: %v", host, got)
		}
	}
}
