package providers

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

func TestRedact(t *testing.T) {
	const key = "sk-abcdef0123456789"
	for _, test := range []struct{ name, text, secret, want string }{
		{"nothing", "slow down", key, "slow down"},
		{"whole", "key " + key + " is wrong", key, "key [redacted] is wrong"},
		{"beginning", "key sk-abcde*** is wrong", key, "key [redacted]*** is wrong"},
		{"end", "key ***23456789.", key, "key ***[redacted]."},
		{"both ends", "sk-abcdef…23456789", key, "[redacted]…[redacted]"},
		{"seven bytes are no part", "key sk-abcd***", key, "key sk-abcd***"},
		{"twice", key + key, key, "[redacted][redacted]"},
		{"alone", key, key, "[redacted]"},
		{"a plain word that a key begins with", "POST /infercom/v1", "infercom-0123456789", "POST /infercom/v1"},
		{"in other words", "x" + key + "y", key, "x[redacted]y"},
		{"short key", "key k-123 is wrong", "k-123", "key [redacted] is wrong"},
		{"short key in a word", "task-1234", "k-123", "task-1234"},
		{"short key at the ends", "k-123:k-123", "k-123", "[redacted]:[redacted]"},
		{"one letter", "a key of a kind", "a", "[redacted] key of [redacted] kind"},
		{"repeating key", "aaaaaaaaaaaa!", "aaaaaaaaaa", "[redacted]!"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := redact(test.text, []string{test.secret}); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}

func FuzzRedact(f *testing.F) {
	f.Add("a key 0123456789 here", "0123456789")
	f.Add("k-123 and k-1234", "k-123")
	f.Fuzz(func(t *testing.T, text, secret string) {
		got := redact(text, []string{secret})
		if strings.Contains(redacted, secret) || len(secret) < minRun || strings.Contains(secret, redacted[:minRun-1]) {
			return
		}
		for i := 0; i+minRun <= len(secret); i++ {
			run := secret[i : i+minRun]
			// The mark itself may make a run together with what stands beside it.
			if strings.Contains(strings.ReplaceAll(got, redacted, "\x00"), run) && !strings.Contains(run, "\x00") {
				t.Fatalf("%q still holds %q", got, run)
			}
		}
	})
}

func TestSecrets(t *testing.T) {
	base, err := ParseBaseURL("https://u:pass-word-1@h/v1?api-version=2024-02-01&sig=abcdefgh")
	if err != nil {
		t.Fatal(err)
	}
	c := &Client{
		BaseURL:    base,
		Credential: Credential{Headers: []Header{{"Authorization", "Bearer key-1"}, {"refresh-token", "ref-1"}}},
		Headers:    http.Header{"X-Team": {"blue"}, "Cookie": {"c=1"}, "X-Forward": {"sk-0123456789abcdef"}},
	}
	got := c.secrets()
	slices.Sort(got)
	got = slices.Compact(got)
	want := []string{"abcdefgh", "c=1", "dTpwYXNzLXdvcmQtMQ==", "key-1", "pass-word-1", "ref-1", "sk-0123456789abcdef"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestSecretHeader(t *testing.T) {
	for _, test := range []struct {
		name, value string
		want        bool
	}{
		{"Authorization", "x", true}, {"X-Api-Key", "x", true}, {"refresh-token", "x", true}, {"Set-Cookie", "x", true},
		{"Proxy-Authorization", "x", true}, {"X-Session", "x", true}, {"X-Forward", "Token sk-0123456789abcdef", true},
		{"X-Jwt", "eyJhbGciOiJIUzI1NiJ9.e30.x", true},
		{"Content-Type", "application/json", false}, {"X-Request-Id", "6b0c0000-0000-0000-0000-000000000000", false},
		{"X-Ratelimit-Limit-Tokens", "150000", false}, {"X-Team", "sk-short", false},
	} {
		if got := SecretHeader(test.name, test.value); got != test.want {
			t.Errorf("%s: %s is %v", test.name, test.value, got)
		}
	}
}
