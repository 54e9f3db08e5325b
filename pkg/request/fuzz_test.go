package request

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/llmcall/llmcall/pkg/object"
)

// FuzzBuild sends texts in each place where one may stand, and reads them from the body.
func FuzzBuild(f *testing.F) {
	f.Add([]byte("sys"), []byte("one"), []byte("two\n\n"), []byte("a<b> & \"c\" \\ \x01\u2028"), "id")
	f.Add([]byte("\ufeff"), []byte("\xff"), []byte(" \t"), []byte("\U0001F600\n"), "\x00")
	f.Fuzz(func(t *testing.T, system, turn, first, second []byte, id string) {
		var o Options
		for _, at := range []struct {
			text []byte
			use  func(text []byte)
		}{
			{system, func(text []byte) { o.System = text }},
			{turn, func(text []byte) { o.Turns = append(o.Turns, Turn{Kind: "user", Text: text}) }},
			{[]byte(id), func(text []byte) { o.Turns = append(o.Turns, Turn{Kind: "tool", ID: string(text), Text: text}) }},
			{first, func(text []byte) { o.Prompt = append(o.Prompt, text) }},
			{second, func(text []byte) { o.Prompt = append(o.Prompt, text) }},
		} {
			text, err := CheckText("text", at.text)
			if err != nil {
				continue
			}
			at.use(text)
		}
		r, err := Build(o)
		if err != nil {
			if !errors.Is(err, ErrNoInput) {
				t.Fatal(err)
			}
			return
		}
		if err := object.Valid(r.Body); err != nil {
			t.Fatalf("%v: %s", err, r.Body)
		}
		var body struct {
			Messages []struct{ Role, Content, Tool_call_id string }
		}
		if err := json.Unmarshal(r.Body, &body); err != nil {
			t.Fatal(err)
		}
		var want []string
		if text := strings.TrimRight(string(o.System), "\n"); strings.TrimSpace(text) != "" {
			want = append(want, "system "+text)
		}
		for _, turn := range o.Turns {
			want = append(want, turn.Kind+turn.ID+" "+string(turn.Text))
		}
		var pieces []string
		for _, p := range o.Prompt {
			if strings.TrimSpace(string(p)) != "" {
				pieces = append(pieces, strings.TrimRight(string(p), "\n"))
			}
		}
		if pieces != nil {
			want = append(want, "user "+strings.Join(pieces, "\n\n"))
		}
		var got []string
		for _, m := range body.Messages {
			got = append(got, m.Role+m.Tool_call_id+" "+m.Content)
		}
		if strings.Join(got, "\x00") != strings.Join(want, "\x00") {
			t.Fatalf("got  %q\nwant %q", got, want)
		}
	})
}

// FuzzSources reads message files and base bodies. What is taken makes a body that is JSON, with each message as it was.
func FuzzSources(f *testing.F) {
	f.Add([]byte(`[{"role":"user","content":"a"}]`), []byte(`{"messages":[{"role":"system"}],"stream":true}`))
	f.Add([]byte("\ufeff{\"role\":\"user\"}\r\n\n{\"role\":\"tool\",\"x\":1.0}\n"), []byte(`{"mess\u0061ges":null,"a":1,"a":2}`))
	f.Add([]byte(`{"messages":[{"role":"user","content":[]}]}`), []byte(" {}\n"))
	f.Add([]byte("\xff\xfe{\x00}\x00"), []byte("{}{}"))
	f.Fuzz(func(t *testing.T, messages, request []byte) {
		r, err := Build(Options{
			Messages: []Source{{"m", messages}}, Request: &Source{"r", request}, System: []byte("s"),
			Turns: []Turn{image}, Params: []Param{{"n.x", []byte("1")}},
		})
		if err != nil {
			var input *InputError
			if !errors.As(err, &input) || input.Msg == "" {
				t.Fatalf("an error of another kind: %v", err)
			}
			if input.Line > 0 && (input.Column < 1 || input.Offset > max(len(messages), len(request))) {
				t.Fatalf("a place outside of the source: %+v", input)
			}
			return
		}
		if err := object.Valid(r.Body); err != nil {
			t.Fatalf("%v: %s", err, r.Body)
		}
		if !bytes.Contains(r.Body, []byte(imagePart)) {
			t.Fatalf("the image is lost: %s", r.Body)
		}
	})
}

// FuzzReadMedia looks at the first bytes of anything.
func FuzzReadMedia(f *testing.F) {
	for _, name := range []string{"pixel.png", "pixel.webp", "silence.wav"} {
		f.Add([]byte(name))
	}
	f.Add([]byte("\xff\xfb\x90\x64"))
	f.Add(iso("mp42", "soun"))
	f.Add([]byte("<?xml <svg"))
	f.Fuzz(func(t *testing.T, data []byte) {
		taken := 0
		for _, kind := range []string{"image", "audio"} {
			m, err := ReadMedia(kind, "f", data, false)
			if err != nil {
				continue
			}
			taken++
			if !strings.HasPrefix(m.Type, kind+"/") || (m.Format == "") != (kind == "image") {
				t.Fatalf("%s: %+v", kind, m.Type)
			}
		}
		if taken == 2 {
			t.Fatal("both an image and a sound")
		}
	})
}

// BenchmarkBuild50MB builds the body of a large prompt, of lines and of one line.
func BenchmarkBuild50MB(b *testing.B) {
	for name, unit := range map[string]string{"lines": "line of text\n", "one line": "a"} {
		text := bytes.Repeat([]byte(unit), 50<<20/len(unit))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				checked, err := CheckText("stdin", text)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := Build(Options{Model: "m", Prompt: [][]byte{checked}}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkBuild(b *testing.B) {
	o := Options{
		Model: "m", System: []byte("be brief"), Prompt: [][]byte{[]byte("Say hi")},
		Params: []Param{{"temperature", []byte("0.7")}, {"max_tokens", []byte("100")}},
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Build(o); err != nil {
			b.Fatal(err)
		}
	}
}
