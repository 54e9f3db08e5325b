package request

import (
	"strings"

	"github.com/llmcall/llmcall/pkg/object"
)

// Number gives the JSON of a number parameter: the text itself, if it is a number as RFC 8259 writes them.
func Number(name, text string) ([]byte, error) {
	c := object.NewCursor([]byte(text))
	if c.Kind() != '0' || len(c.Value()) != len(text) {
		return nil, parameter(name, "not a JSON number: "+clip(text))
	}
	return []byte(text), nil
}

// Integer gives the JSON of an integer parameter: the text itself, of any number of digits.
func Integer(name, text string) ([]byte, error) {
	if _, err := Number(name, text); err != nil || strings.ContainsAny(text, ".eE") {
		return nil, parameter(name, "not a JSON integer: "+clip(text))
	}
	return []byte(text), nil
}

// Bool gives the JSON of a switch, whose text is true or false.
func Bool(name, text string) ([]byte, error) {
	if text != "true" && text != "false" {
		return nil, parameter(name, "neither true nor false: "+clip(text))
	}
	return []byte(text), nil
}

// String gives a text as a JSON string. Build refuses it if the text is not UTF-8.
func String(text string) []byte { return object.AppendString(nil, []byte(text)) }

// Strings gives texts as a JSON array of strings, each as it is.
func Strings(texts []string) []byte {
	raw := []byte{'['}
	for i, t := range texts {
		if i > 0 {
			raw = append(raw, ',')
		}
		raw = object.AppendString(raw, []byte(t))
	}
	return append(raw, ']')
}

// SetValue gives the JSON of what --set was given: the text itself if it is JSON, else a string.
func SetValue(text string) []byte {
	if object.Valid([]byte(text)) == nil {
		return trimJSON([]byte(text))
	}
	return String(text)
}

// LogitBias gives the JSON object that entries make: each is TOKEN=BIAS, a token's id and a number, or a JSON object of
// such pairs. Ids and numbers keep their digits; of two biases for a token the last counts.
func LogitBias(entries []string) ([]byte, error) {
	bias := new(object.Object)
	set := func(token string, value []byte) error {
		if _, err := Integer("", token); err != nil || token[0] == '-' {
			return parameter("logit_bias", "not a token id: "+clip(token))
		}
		value, err := Number("logit_bias", string(value))
		bias.Set(token, value)
		return err
	}
	for _, entry := range entries {
		if strings.HasPrefix(strings.TrimLeft(entry, " \t\r\n"), "{") {
			raw, err := JSON(Source{Name: "parameter logit_bias", Data: []byte(entry)}, "{")
			if err != nil {
				return nil, err
			}
			from, err := object.Parse(raw)
			if err != nil {
				return nil, err
			}
			for token, value := range from.All() {
				if err := set(token, value); err != nil {
					return nil, err
				}
			}
			continue
		}
		token, value, found := strings.Cut(entry, "=")
		if !found {
			return nil, parameter("logit_bias", "want TOKEN=BIAS: "+clip(entry))
		}
		if err := set(token, []byte(value)); err != nil {
			return nil, err
		}
	}
	return bias.Append(nil), nil
}

func parameter(name, msg string) error {
	return &InputError{Source: "parameter " + name, Msg: msg}
}
