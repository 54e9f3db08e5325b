package record

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
)

const secret = "secret-key-1"

func TestSecretsInEveryPlace(t *testing.T) {
	packed := func(text string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = io.WriteString(z, text)
		_ = z.Close()
		return b.String()
	}
	tests := []struct {
		name   string
		path   string
		body   string
		header http.Header
		parts  []string
		want   string // of the replayed body
	}{
		{"request", "/c", `{"a":"secret-key-1"}`, nil, []string{"ok"}, "ok"},
		{"request that is no JSON", "/c", `secret-key-1`, nil, []string{"ok"}, "ok"},
		{"path", "/secret-key-1/c", `{}`, nil, []string{"ok"}, "ok"},
		{"whole reply", "/c", `{}`, nil, []string{"your secret-key-1 is bad"}, "your [redacted] is bad"},
		{"reply over two reads", "/c", `{}`, nil, []string{"your secr", "et-key-1 is bad"}, "your [redacted] is bad"},
		{"stream", "/c", `{}`, nil, []string{"data: a\n\ndata: secret-", "key-1\n\n", "data: [DONE]\n\n"}, "data: a\n\ndata: [redacted]\n\ndata: [DONE]\n\n"},
		{"beside bytes that are no text", "/c", `{}`, nil, []string{"\xffsecret-key-1\xfe"}, "\xff[redacted]\xfe"},
		{"packed", "/c", `{}`, http.Header{"Content-Encoding": {"gzip"}}, []string{packed("the secret-key-1")}, "the [redacted]"},
		{"packed, unsaid and cut", "/c", `{}`, nil, []string{packed("the secret-key-1" + strings.Repeat("\n", 1000))[:40]}, ""},
		{"packed without a secret", "/c", `{}`, http.Header{"Content-Encoding": {"gzip"}}, []string{packed("ok")}, packed("ok")},
		{"headers", "/c", `{}`, http.Header{
			"Set-Cookie": {secret}, "Authorization": {secret}, "Refresh-Token": {"a"}, "X-Access-Token": {"0b9c1c4e-0000-4000-8000-000000000000"},
			"X-Session-Id": {"0b9c1c4e-0000-4000-8000-000000000000"}, "Server": {"s"}, "X-Request-Id": {"id of " + secret},
			"Location": {"https://x/y?token=a"}, "X-Inference-Id": {"0b9c1c4e-0000-4000-8000-00000000abCD"}, "X-Ratelimit-Limit-Tokens": {"9"},
		}, []string{"ok"}, "ok"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var tape bytes.Buffer
			next := roundTrip(func(*http.Request) (*http.Response, error) {
				h := test.header.Clone()
				if h == nil {
					h = http.Header{}
				}
				return &http.Response{StatusCode: 200, Header: h, Body: &reads{slices.Clone(test.parts), io.EOF}}, nil
			})
			send := func(rt http.RoundTripper) *http.Response {
				req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://user:"+secret+"@x.invalid"+test.path+"?key="+secret, strings.NewReader(test.body))
				if err != nil {
					t.Fatal(err)
				}
				req.Header = http.Header{"Authorization": {"Bearer " + secret}, "X-Api-Key": {secret}}
				resp, err := rt.RoundTrip(req)
				if err != nil {
					t.Fatal(err)
				}
				return resp
			}
			resp := send(Recorder(next, &tape, redact))
			if got, _ := io.ReadAll(resp.Body); string(got) != strings.Join(test.parts, "") {
				t.Errorf("the caller gets %q", got)
			}
			file := tape.String()
			if strings.Contains(file, "secret-") || strings.Contains(file, "-key-1") {
				t.Errorf("the recording holds a secret: %s", file)
			}
			c := load(t, file)
			c.Redact = redact
			resp = send(c.Replayer(0))
			body, err := io.ReadAll(resp.Body)
			if err != nil || test.want != "" && string(body) != test.want {
				t.Errorf("replayed %q, %v; want %q", body, err, test.want)
			}
			if bytes.Contains(body, []byte(secret)) {
				t.Errorf("replayed %q", body)
			}
			if test.name == "headers" {
				want := http.Header{
					"X-Request-Id": {"id of [redacted]"}, "Location": {"https://x/y"}, "X-Inference-Id": {"0b9c1c4e-0000-4000-8000-00000000abCD"}, "X-Ratelimit-Limit-Tokens": {"9"},
				}
				for name := range test.header {
					if got := resp.Header.Get(name); got != want.Get(name) {
						t.Errorf("%s: got %q, want %q", name, got, want.Get(name))
					}
				}
			}
			if test.name == "packed" && resp.Header.Get("Content-Encoding") != "" {
				t.Error("an unpacked body is said to be packed")
			}
		})
	}
}

func TestSecretsLeaveTheTimesOfAStream(t *testing.T) {
	parts, _ := withoutSecrets([]part{{1, []byte("data: a\n\ndata: secr")}, {2, []byte("et-key-1 b\n\n")}, {3, []byte("data: c\n\n")}}, redact)
	want := []part{{1, []byte("data: a\n\n")}, {2, []byte("data: [redacted] b\n\n")}, {3, []byte("data: c\n\n")}}
	if len(parts) != len(want) {
		t.Fatalf("got %v", parts)
	}
	for i := range want {
		if parts[i].at != want[i].at || !bytes.Equal(parts[i].data, want[i].data) {
			t.Errorf("part %d: got %g %q, want %g %q", i, parts[i].at, parts[i].data, want[i].at, want[i].data)
		}
	}
}

func TestSecretsOfMoreThanALine(t *testing.T) {
	both := func(s string) string { return strings.ReplaceAll(s, "a\nb", "[redacted]") }
	if parts, _ := withoutSecrets([]part{{1, []byte("1 a\n")}, {2, []byte("b 2")}}, both); len(parts) != 1 || string(parts[0].data) != "1 [redacted] 2" {
		t.Errorf("got %v", parts)
	}
}

func TestCharactersSpreadOverReadsStayText(t *testing.T) {
	const text = "h\u00e9llo \U0001F600 w\u00f6rld"
	for size := 1; size <= len(text); size++ {
		var tape bytes.Buffer
		var parts []string
		for s := text; s != ""; s = s[min(size, len(s)):] {
			parts = append(parts, s[:min(size, len(s))])
		}
		ask(Recorder(answering(io.EOF, parts...), &tape, redact), "http://x.invalid/c", "{}")
		if strings.Contains(tape.String(), "base64") {
			t.Errorf("reads of %d bytes: %s", size, tape.String())
		}
		if got := ask(load(t, tape.String()).Replayer(0), "http://x.invalid/c", "{}"); got != `200  "`+text+`" <nil>` {
			t.Errorf("reads of %d bytes: %s", size, got)
		}
	}
}

func FuzzWithoutSecrets(f *testing.F) {
	f.Add([]byte("data: secret-key-1\n\n\xff\u00e9 secret-key-"), uint8(3))
	f.Fuzz(func(t *testing.T, body []byte, size uint8) {
		var parts []part
		for rest, at := body, 0.0; len(rest) > 0; at++ {
			n := min(int(size)+1, len(rest))
			parts = append(parts, part{at, bytes.Clone(rest[:n])})
			rest = rest[n:]
		}
		safe, unpacked := withoutSecrets(parts, redact)
		if got := join(safe); !unpacked && string(got) != redact(string(body)) {
			t.Errorf("%q in reads of %d: got %q", body, size, got)
		}
		for i := 1; i < len(safe); i++ {
			if safe[i].at < safe[i-1].at {
				t.Errorf("times go back: %v", safe)
			}
		}
	})
}
