package request

import (
	"fmt"
	"strings"

	"github.com/llmcall/llmcall/pkg/object"
)

// maxName is the longest name of a schema or a function, as OpenAI documents it.
const maxName = 64

// SchemaFormat gives the json_schema response format of a JSON Schema. Its name is the given one, else the schema's title
// with other bytes than A–Z a–z 0–9 _ - made _, else "response". Strict is sent if it is not nil. A source that is such a
// response format already is taken as it is, but for what the arguments say.
func SchemaFormat(src Source, name string, strict *bool) ([]byte, error) {
	if name != "" && (len(name) > maxName || safeName(name) != name) {
		return nil, &InputError{Source: "--schema-name", Msg: fmt.Sprintf("want at most %d of A–Z a–z 0–9 _ -: %s", maxName, clip(name))}
	}
	raw, err := JSON(src, "{")
	if err != nil {
		return nil, err
	}
	o, err := object.Parse(raw)
	if err != nil {
		return nil, src.within(raw, err)
	}
	if kind, _ := o.Get("type"); string(kind) == `"json_schema"` {
		return nameFormat(o, src, name, strict)
	}
	if title, _ := o.Get("title"); name == "" && len(title) > len(`""`) && title[0] == '"' {
		name = safeName(string(object.AppendUnquoted(nil, title)))
		name = name[:min(len(name), maxName)]
	}
	if name == "" {
		name = "response"
	}
	format := append(String(name), `,`...)
	format = append([]byte(`{"type":"json_schema","json_schema":{"name":`), format...)
	if strict != nil {
		format = fmt.Appendf(format, `"strict":%t,`, *strict)
	}
	format = append(append(format, `"schema":`...), raw...)
	return append(format, "}}"...), nil
}

// nameFormat sets name and strict in a response format.
func nameFormat(format *object.Object, src Source, name string, strict *bool) ([]byte, error) {
	inner, _ := format.Get("json_schema")
	if c := object.NewCursor(inner); c.Kind() != '{' {
		return nil, &InputError{Source: src.Name, Msg: "a json_schema response format without an object json_schema"}
	}
	if name != "" {
		if err := format.SetPath("json_schema.name", String(name)); err != nil {
			return nil, err
		}
	}
	if strict != nil {
		if err := format.SetPath("json_schema.strict", boolean(*strict)); err != nil {
			return nil, err
		}
	}
	return format.Append(nil), nil
}

// safeName makes each byte that a name may not have an underscore.
func safeName(name string) string {
	b := []byte(name)
	for i, c := range b {
		switch {
		case c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '_', c == '-':
		default:
			b[i] = '_'
		}
	}
	return string(b)
}

// FormatType gives the response format of a bare word: text or json_object.
func FormatType(word string) []byte {
	return append(append([]byte(`{"type":`), String(word)...), '}')
}

// ToolChoice gives the JSON of --tool-choice: auto, none and required are strings, JSON stays as it is, and any other text
// is the name of a tool.
func ToolChoice(text string) ([]byte, error) {
	switch {
	case text == "auto", text == "none", text == "required":
		return String(text), nil
	case strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), "{"):
		return JSON(Source{Name: "parameter tool_choice", Data: []byte(text)}, "{")
	}
	return append(append([]byte(`{"type":"function","function":{"name":`), String(text)...), "}}"...), nil
}

// Tools gives the JSON of a list of tools. One tool stands for a list of it, and a bare function (a name with parameters or
// a description, no type) is wrapped as a tool of type function; what is in the list else stays as it is.
func Tools(src Source) ([]byte, error) {
	raw, err := JSON(src, "[{")
	if err != nil {
		return nil, err
	}
	if raw[0] == '{' {
		raw, err = tool(src, raw)
		return append(append([]byte{'['}, raw...), ']'), err
	}
	var (
		list    = []byte{'['}
		changed bool
	)
	c := object.NewCursor(raw)
	for c.Begin('['); c.Next(); {
		one := c.Value()
		wrapped, err := tool(src, one)
		if err != nil {
			return nil, err
		}
		changed = changed || len(wrapped) != len(one)
		if len(list) > 1 {
			list = append(list, ',')
		}
		list = append(list, wrapped...)
	}
	if !changed {
		return raw, c.Err()
	}
	return append(list, ']'), c.Err()
}

func tool(src Source, raw []byte) ([]byte, error) {
	if raw[0] != '{' {
		return nil, src.at(raw, "a tool is not an object: "+clip(raw))
	}
	o, err := object.Parse(raw)
	if err != nil {
		return nil, src.within(raw, err)
	}
	name, _ := o.Get("name")
	bare := len(name) > 0 && name[0] == '"' && (has(o, "parameters") || has(o, "description")) && !has(o, "type") &&
		!has(o, "function") && !has(o, "input_schema") && !has(o, "inputSchema")
	if !bare {
		return raw, nil
	}
	return append(append([]byte(`{"type":"function","function":`), raw...), '}'), nil
}
