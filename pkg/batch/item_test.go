package batch

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// items reads an input that has no error of its own.
func items(t *testing.T, in Input) []*Item {
	t.Helper()
	var all []*Item
	for item, err := range in.Items() {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, item)
	}
	return all
}

func TestLineShapes(t *testing.T) {
	tests := []struct {
		name, line       string
		id, body, prompt string // body and prompt "-" for nil
		fault            string // of the message; code is invalid_line
	}{
		{name: "string", line: `"a \u00e9\n<b>"`, id: "1", body: "-", prompt: "a é\n<b>"},
		{name: "string with blanks round it", line: "\t \"a\" \r", id: "1", body: "-", prompt: "a"},
		{name: "empty string", line: `""`, id: "1", body: "-", prompt: ""},
		{name: "prompt", line: `{"prompt":"p"}`, id: "1", body: "-", prompt: "p"},
		{name: "prompt and id", line: `{"id":"x","prompt":"p"}`, id: "x", body: "-", prompt: "p"},
		{name: "number as id", line: `{"id": 1.50, "prompt":"p"}`, id: "1.50", body: "-", prompt: "p"},
		{name: "escaped names and id", line: `{"\u0069d":"x\/y","pr\u006fmpt":"p"}`, id: "x/y", body: "-", prompt: "p"},
		{name: "null id", line: `{"custom_id":null,"prompt":"p"}`, id: "1", body: "-", prompt: "p"},
		{name: "custom_id before id", line: `{"id":"x","custom_id":"y","prompt":"p"}`, id: "y", body: "-", prompt: "p"},
		{name: "members in order, verbatim", line: `{"id":"x", "z" : 1.0e1, "prompt":"p","a":{"b": [1, 2]}}`, id: "x",
			body: `{"z":1.0e1,"a":{"b": [1, 2]}}`, prompt: "p"},
		{name: "messages as they are", line: ` {"messages": [ {"role":"user"} ], "seed": 18446744073709551617 } `, id: "1",
			body: `{"messages": [ {"role":"user"} ], "seed": 18446744073709551617 }`, prompt: "-"},
		{name: "messages and prompt", line: `{"messages":[],"prompt":"p","custom_id":"c"}`, id: "c", body: `{"messages":[]}`, prompt: "p"},
		{name: "null prompt", line: `{"messages":[],"prompt":null}`, id: "1", body: `{"messages":[]}`, prompt: "-"},
		{name: "batch", line: `{"custom_id":"c","method":"POST","url":"/v1/chat/completions","body":{ "messages":[], "id":3}}`, id: "c",
			body: `{ "messages":[], "id":3}`, prompt: "-"},
		{name: "batch without id", line: `{"method":"POST","url":"/chat/completions","body":{"messages":[]}}`, id: "1",
			body: `{"messages":[]}`, prompt: "-"},

		{name: "no JSON", line: `not json`, id: "1", fault: "column 2: "},
		{name: "cut", line: `{"id":"x","prompt":"p`, id: "1", fault: "column 22: "},
		{name: "two values", line: `"a" "b"`, id: "1", fault: "column 5: "},
		{name: "array", line: `[1,2]`, id: "1", fault: "want a JSON string or an object, found an array"},
		{name: "null", line: `null`, id: "1", fault: "found null"},
		{name: "number", line: `-1`, id: "1", fault: "found a number"},
		{name: "true", line: `true`, id: "1", fault: "found true or false"},
		{name: "not UTF-8", line: "\"a\xff\"", id: "1", fault: "column 3: "},
		{name: "NUL", line: "\"a\x00\"", id: "1", fault: "control character"},
		{name: "nothing to ask", line: `{"id":"x"}`, id: "x", fault: "none of messages, prompt and body"},
		{name: "prompt not text", line: `{"id":"x","prompt":["p"]}`, id: "x", fault: "prompt: want a string, found an array"},
		{name: "messages not a list", line: `{"id":"x","messages":"p"}`, id: "x", fault: "messages: want an array, found a string"},
		{name: "id not text", line: `{"id":["x"],"prompt":"p"}`, id: "1", fault: "id: want a string, found an array"},
		{name: "method", line: `{"custom_id":"c","method":"GET","url":"/v1/chat/completions","body":{"messages":[]}}`, id: "c",
			fault: `method: want "POST", found "GET"`},
		{name: "no method", line: `{"custom_id":"c","url":"/v1/chat/completions","body":{"messages":[]}}`, id: "c",
			fault: `method: want "POST", found none`},
		{name: "url", line: `{"custom_id":"c","method":"POST","url":"/v1/embeddings","body":{"messages":[]}}`, id: "c",
			fault: `ends in /chat/completions, found "/v1/embeddings"`},
		{name: "body", line: `{"custom_id":"c","method":"POST","url":"/v1/chat/completions","body":"b"}`, id: "c",
			fault: "body: want an object, found a string"},
		{name: "body without messages", line: `{"custom_id":"c","method":"POST","url":"/v1/chat/completions","body":{"prompt":"p"}}`, id: "c",
			fault: "body: has no messages"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			all := items(t, Input{Reader: strings.NewReader(tt.line)})
			if len(all) != 1 {
				t.Fatalf("%d items", len(all))
			}
			item := all[0]
			if item.ID != tt.id {
				t.Errorf("id %q, want %q", item.ID, tt.id)
			}
			if string(item.Raw) != tt.line {
				t.Errorf("raw %q", item.Raw)
			}
			if tt.fault != "" {
				if item.Code != InvalidLine || !strings.Contains(item.Message, tt.fault) || item.Body != nil || item.Prompt != nil {
					t.Errorf("code %q, message %q, want %q", item.Code, item.Message, tt.fault)
				}
				return
			}
			if item.Code != "" {
				t.Errorf("%s: %s", item.Code, item.Message)
			}
			for _, part := range []struct {
				got  []byte
				want string
			}{{item.Body, tt.body}, {item.Prompt, tt.prompt}} {
				if (part.got == nil) != (part.want == "-") || part.got != nil && string(part.got) != part.want {
					t.Errorf("got %q, want %q", part.got, part.want)
				}
			}
		})
	}
}

// listed shows items as id=prompt, or id!code for those that are not to be asked.
func listed(all []*Item) string {
	var b strings.Builder
	for _, item := range all {
		switch {
		case item.Answered:
			fmt.Fprintf(&b, "%s~ ", item.ID)
		case item.Code != "":
			fmt.Fprintf(&b, "%s!%s ", item.ID, item.Code)
		default:
			fmt.Fprintf(&b, "%s=%s ", item.ID, item.Prompt)
		}
	}
	return strings.TrimSuffix(b.String(), " ")
}

func TestItems(t *testing.T) {
	many := strings.Repeat("\"p\"\n\n", maxExact+2)
	tests := []struct {
		name, in string
		opts     Input
		want     string
	}{
		{name: "empty"},
		{name: "blank lines alone", in: "\n \t\r\n\n"},
		{name: "no line feed at the end", in: "\"a\"\n\"b\"", want: "1=a 2=b"},
		{name: "CRLF, BOM and blank lines", in: "\ufeff\"a\"\r\n\r\n\"b\"\r\n", want: "1=a 3=b"},
		{name: "BOM alone", in: "\ufeff"},
		{name: "BOM on the second line", in: "\"a\"\n\ufeff\"b\"\n", want: "1=a 2!invalid_line"},
		{name: "text", in: "\ufeffa \r\n\r\n \n{\"b\"", opts: Input{Text: true}, want: "1=a  4={\"b\""},
		{name: "text with NUL and bad UTF-8", in: "a\x00\nb\xc3\nc\ufffd\n", opts: Input{Text: true}, want: "1!invalid_line 2!invalid_line 3=c\ufffd"},
		{name: "second id", in: `{"id":"a","prompt":"p"}` + "\n" + `{"id":"a","prompt":"q"}`, want: "a=p a!duplicate_id"},
		{name: "id of a bad line", in: `{"id":"a"}` + "\n" + `{"id":"a","prompt":"q"}`, want: "a!invalid_line a!duplicate_id"},
		{name: "line number after the id", in: `{"id":"2","prompt":"p"}` + "\n\"q\"\n", want: "2=p 2!duplicate_id"},
		{name: "id after the line number", in: "\"p\"\n\n" + `{"id":1,"prompt":"q"}`, want: "1=p 1!duplicate_id"},
		{name: "a blank line has no id", in: "\"p\"\n\n" + `{"id":"2","prompt":"q"}` + "\n", want: "1=p 2=q"},
		{name: "other spellings of a number", in: "\"p\"\n" + `{"id":"01","prompt":"q"}` + "\n" + `{"id":"+1","prompt":"r"}`, want: "1=p 01=q +1=r"},
		{name: "ids that count from 0", in: `{"id":"0","prompt":"p"}` + "\n" + `{"id":"1","prompt":"q"}` + "\n" + `{"id":"2","prompt":"r"}`,
			want: "0=p 1=q 2=r"},
		{name: "first shard", in: "\"a\"\n\n\"c\"\n\"d\"\n\"e\"", opts: Input{Shard: 1, Shards: 2}, want: "1=a 3=c 5=e"},
		{name: "second shard", in: "\"a\"\n\n\"c\"\n\"d\"\n\"e\"", opts: Input{Shard: 2, Shards: 2}, want: "4=d"},
		{name: "a second id in another shard", in: `{"id":"a","prompt":"p"}` + "\n" + `{"id":"a","prompt":"q"}`, opts: Input{Shard: 2, Shards: 2},
			want: "a!duplicate_id"},
		{name: "the last shards are empty", in: "\"a\"\n", opts: Input{Shard: 3, Shards: 3}},
		{name: "many blank lines", in: many + `{"id":"2","prompt":"q"}`, opts: Input{Shard: 2*maxExact + 5, Shards: 1 << 40}, want: "2=q"},
		{name: "more of them than are kept", in: many + `{"id":"8194","prompt":"q"}`, opts: Input{Shard: 2*maxExact + 5, Shards: 1 << 40},
			want: "8194!duplicate_id"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			in := tt.opts
			in.Reader = strings.NewReader(tt.in)
			if got := listed(items(t, in)); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			in.Reader = iotest.OneByteReader(strings.NewReader(tt.in))
			if got := listed(items(t, in)); got != tt.want {
				t.Errorf("byte by byte: got %s", got)
			}
		})
	}
}

func TestAnsweredItems(t *testing.T) {
	var ids IDs
	for _, id := range []string{"a", "2", "never asked"} {
		ids.hold(hashOf(id))
	}
	in := Input{Answered: &ids, Reader: strings.NewReader(`{"id":"a","prompt":"p"}` + "\n\"q\"\n\"r\"\n" + `{"id":"a","prompt":"s"}` + "\n" +
		`{"id":"2","prompt":"t"}`)}
	if got, want := listed(items(t, in)), "a~ 2~ 3=r a!duplicate_id 2!duplicate_id"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestInputErrors(t *testing.T) {
	broken := errors.New("broken")
	tests := []struct {
		name string
		in   Input
		want string
	}{
		{"UTF-16", Input{Reader: strings.NewReader("\xff\xfe\"\x00")}, "UTF-16"},
		{"read error at the start", Input{Reader: iotest.ErrReader(broken)}, "broken"},
		{"read error within a line", Input{Reader: io.MultiReader(strings.NewReader("\"a\"\n\"b"), iotest.ErrReader(broken))}, "line 2: broken"},
		{"shard 0", Input{Reader: strings.NewReader(""), Shards: 2}, "shard 0/2: want a number from 1 to 2"},
		{"shard beyond", Input{Reader: strings.NewReader(""), Shard: 3, Shards: 2}, "shard 3/2"},
		{"no shards", Input{Reader: strings.NewReader(""), Shard: 1}, "shard 1/0"},
		{"negative", Input{Reader: strings.NewReader(""), Shard: -1, Shards: -1}, "shard -1/-1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var last error
			for _, err := range tt.in.Items() {
				if last != nil {
					t.Fatal("something follows an error")
				}
				last = err
			}
			if last == nil || !strings.Contains(last.Error(), tt.want) {
				t.Errorf("error %v, want %q", last, tt.want)
			}
		})
	}
}

func TestLineLength(t *testing.T) {
	line := func(n int) io.Reader {
		return io.MultiReader(strings.NewReader(`"`), io.LimitReader(letters{}, int64(n-2)), strings.NewReader(`"`))
	}
	end := strings.NewReader
	in := Input{Reader: io.MultiReader(line(MaxLine), end("\r\n"), line(MaxLine+1), end("\n"), end("\"c\"\n"), line(MaxLine+1))}
	all := items(t, in)
	if len(all) != 4 {
		t.Fatalf("%d items", len(all))
	}
	if len(all[0].Prompt) != MaxLine-2 || all[0].Code != "" {
		t.Errorf("a line of 64 MiB: %q", all[0].Message)
	}
	if string(all[2].Prompt) != "c" {
		t.Errorf("the line after a long one: %q", all[2].Message)
	}
	for _, i := range []int{1, 3} {
		if got := all[i]; got.Code != InvalidLine || got.Message != "the line is longer than 64 MiB" || got.Raw != nil || got.ID != fmt.Sprint(i+1) {
			t.Errorf("line %d: %q %q", got.Line, got.ID, got.Message)
		}
	}
}

// letters reads as endless text.
type letters struct{}

func (letters) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'a'
	}
	return len(p), nil
}
