package request

import (
	"strings"
	"testing"
)

func TestNumber(t *testing.T) {
	for _, text := range []string{"0", "-0", "0.70", "1", "1e5", "1E+5", "-1.5e-300", "9007199254740993", "123456789012345678901234567890"} {
		if got, err := Number("temperature", text); err != nil || string(got) != text {
			t.Errorf("%s: got %s, %v", text, got, err)
		}
	}
	for _, text := range []string{"", " 1", "1 ", "0,5", ".5", "1.", "010", "+1", "0x1", "NaN", "Infinity", "1e", "1_000", "1 2", "true", "\"1\"", "½"} {
		if got, err := Number("temperature", text); err == nil || err.Error() != "parameter temperature: not a JSON number: "+text {
			t.Errorf("%q: got %s, %v", text, got, err)
		}
	}
}

func TestInteger(t *testing.T) {
	for _, text := range []string{"0", "-1", "9007199254740993", "123456789012345678901234567890"} {
		if got, err := Integer("seed", text); err != nil || string(got) != text {
			t.Errorf("%s: got %s, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "1.0", "1e3", "010", "-", "one"} {
		if got, err := Integer("seed", text); err == nil || err.Error() != "parameter seed: not a JSON integer: "+text {
			t.Errorf("%q: got %s, %v", text, got, err)
		}
	}
}

func TestBool(t *testing.T) {
	if got, err := Bool("do_sample", "false"); err != nil || string(got) != "false" {
		t.Errorf("got %s, %v", got, err)
	}
	if _, err := Bool("do_sample", "True"); err == nil || err.Error() != "parameter do_sample: neither true nor false: True" {
		t.Errorf("got %v", err)
	}
}

func TestStrings(t *testing.T) {
	if got := string(Strings([]string{",", "a,b", " \n", "<\">"})); got != `[","`+`,"a,b"," \n","<\">"]` {
		t.Errorf("got %s", got)
	}
}

func TestSetValue(t *testing.T) {
	for text, want := range map[string]string{
		"1.0":           "1.0",
		" [1, 2] ":      "[1, 2]",
		"true":          "true",
		"null":          "null",
		`"text"`:        `"text"`,
		`{"z":1,"a":2}`: `{"z":1,"a":2}`,
		"":              `""`,
		"text":          `"text"`,
		"010":           `"010"`,
		"1 2":           `"1 2"`,
		"{broken":       `"{broken"`,
		"a\n\"b\"":      `"a\n\"b\""`,
	} {
		if got := string(SetValue(text)); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

func TestLogitBias(t *testing.T) {
	got, err := LogitBias([]string{"1234=-100", "5=0.50", `{"7": 1, "5": 2}`, "99999999999999999999=1"})
	if want := `{"1234":-100,"5":2,"7":1,"99999999999999999999":1}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	for entry, want := range map[string]string{
		"1234":        "want TOKEN=BIAS: 1234",
		"cat=1":       "not a token id: cat",
		"-1=1":        "not a token id: -1",
		"=1":          "not a token id: ",
		"1=":          "not a JSON number: ",
		"1=a":         "not a JSON number: a",
		`{"1":"a"}`:   `not a JSON number: "a"`,
		`{"cat":1}`:   "not a token id: cat",
		`{"1":1} {}`:  "line 1, column 9: …",
		` {"1":nope}`: "line 1, column 8: …",
	} {
		if _, err := LogitBias([]string{entry}); err == nil || !same(err.Error(), "parameter logit_bias: "+want) {
			t.Errorf("%s: got %v", entry, err)
		}
	}
}

func TestSchemaFormat(t *testing.T) {
	long := strings.Repeat("x", 100)
	tests := []struct {
		name, schema, flag string
		strict             *bool
		want               string
	}{
		{"no name", `{"type":"object"}`, "", nil, `{"type":"json_schema","json_schema":{"name":"response","schema":{"type":"object"}}}`},
		{"its title", `{"title":"My Größe-1_a"}`, "", nil, `{"type":"json_schema","json_schema":{"name":"My_Gr____e-1_a","schema":{"title":"My Größe-1_a"}}}`},
		{"a title that is no text", `{"title":1}`, "", nil, `{"type":"json_schema","json_schema":{"name":"response","schema":{"title":1}}}`},
		{"an empty title", `{"title":""}`, "", nil, `{"type":"json_schema","json_schema":{"name":"response","schema":{"title":""}}}`},
		{"a long title", `{"title":"` + long + `"}`, "", nil, `{"type":"json_schema","json_schema":{"name":"` + long[:64] + `","schema":{"title":"` + long + `"}}}`},
		{"a flag's name and strict", "\ufeff {\"title\" : \"t\", \"x\":1.0}\r\n", "n-1", on(true), `{"type":"json_schema","json_schema":{"name":"n-1","strict":true,"schema":{"title" : "t", "x":1.0}}}`},
		{"strict that is false", `{}`, "", on(false), `{"type":"json_schema","json_schema":{"name":"response","strict":false,"schema":{}}}`},
		{"a response format already", `{"type":"json_schema", "json_schema":{"name":"a","schema":{}}}`, "", nil, `{"type":"json_schema","json_schema":{"name":"a","schema":{}}}`},
		{"a response format and flags", `{"type":"json_schema","json_schema":{"name":"a","schema":{}}}`, "b", on(true), `{"type":"json_schema","json_schema":{"name":"b","schema":{},"strict":true}}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := SchemaFormat(Source{"s.json", []byte(test.schema)}, test.flag, test.strict)
			if err != nil || string(got) != test.want {
				t.Errorf("got  %s, %v\nwant %s", got, err, test.want)
			}
		})
	}
	for name, test := range map[string]struct{ schema, flag, want string }{
		"an array":        {"[1,2]", "", "s.json: line 1, column 1: want a JSON object, not [1,2]"},
		"broken":          {"{\"type\":\"object\",\n \"properties\":{\"a\":{\"type\":\"string\"},}}\n", "", "s.json: line 2, column 38: …"},
		"empty":           {"", "", "s.json: …"},
		"text after it":   {`{"type":"object"} {"x":1}`, "", "s.json: line 1, column 19: …"},
		"a bad name":      {"{}", "my name", "--schema-name: want at most 64 of A–Z a–z 0–9 _ -: my name"},
		"a long name":     {"{}", long, "--schema-name: want at most 64 of A–Z a–z 0–9 _ -: …"},
		"a broken format": {`{"type":"json_schema","json_schema":[]}`, "", "s.json: a json_schema response format without an object json_schema"},
	} {
		if _, err := SchemaFormat(Source{"s.json", []byte(test.schema)}, test.flag, nil); err == nil || !same(err.Error(), test.want) {
			t.Errorf("%s: got  %v\nwant %s", name, err, test.want)
		}
	}
}

func TestFormatType(t *testing.T) {
	if got := string(FormatType("json_object")); got != `{"type":"json_object"}` {
		t.Errorf("got %s", got)
	}
}

func TestToolChoice(t *testing.T) {
	for text, want := range map[string]string{
		"auto":     `"auto"`,
		"none":     `"none"`,
		"required": `"required"`,
		"get_time": `{"type":"function","function":{"name":"get_time"}}`,
		` {"type":"function", "function":{"name":"x"}}`: `{"type":"function", "function":{"name":"x"}}`,
	} {
		if got, err := ToolChoice(text); err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v", text, got, err)
		}
	}
	if _, err := ToolChoice(`{"type":}`); err == nil || !same(err.Error(), "parameter tool_choice: line 1, column 9: …") {
		t.Errorf("got %v", err)
	}
}

func TestTools(t *testing.T) {
	const tool, bare = `{"type":"function","function":{"name":"a"}}`, `{"name":"b", "parameters":{}}`
	for text, want := range map[string]string{
		"[ " + tool + " ]":            "[ " + tool + " ]",
		tool + "\n":                   "[" + tool + "]",
		bare:                          `[{"type":"function","function":` + bare + `}]`,
		"[" + tool + "," + bare + "]": "[" + tool + `,{"type":"function","function":` + bare + `}]`,
		`[]`:                          `[]`,
		`[{"name":"c"}]`:              `[{"name":"c"}]`,
		`[{"name":"c","description":"d","input_schema":{}}]`: `[{"name":"c","description":"d","input_schema":{}}]`,
		`[{"type":"function","name":"c","parameters":{}}]`:   `[{"type":"function","name":"c","parameters":{}}]`,
		`[{"name":{"a":1},"parameters":{}}]`:                 `[{"name":{"a":1},"parameters":{}}]`,
	} {
		if got, err := Tools(Source{"t.json", []byte(text)}); err != nil || string(got) != want {
			t.Errorf("%s: got %s, %v", text, got, err)
		}
	}
	for text, want := range map[string]string{
		"[\n 1]":     "t.json: line 2, column 2: a tool is not an object: 1",
		`"get_time"`: `t.json: line 1, column 1: want a JSON object or array, not "get_time"`,
		`[{]`:        "t.json: line 1, column 3: …",
	} {
		if got, err := Tools(Source{"t.json", []byte(text)}); err == nil || !same(err.Error(), want) {
			t.Errorf("%s: got %s, %v", text, got, err)
		}
	}
}
