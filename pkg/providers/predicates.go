package providers

import (
	"bytes"
	"strconv"

	"github.com/llmcall/llmcall/pkg/object"
)

// predicate gives the predicate of that name: whether a rule fires for a request q, where v is the member that the rule is
// about, null if that is absent. There is nil for an unknown name.
func predicate(name string) func(q *query, v []byte) bool {
	switch name {
	case "has a slash":
		return func(_ *query, v []byte) bool { return bytes.IndexByte(v, '/') >= 0 }
	case "has no slash":
		return func(_ *query, v []byte) bool { return bytes.IndexByte(v, '/') < 0 && !isDatabaseID(v) }
	case "is a database id":
		return func(_ *query, v []byte) bool { return isDatabaseID(v) }
	case "is empty":
		return func(_ *query, v []byte) bool {
			c := object.NewCursor(v)
			return c.Begin('[') && !c.Next()
		}
	case "decoding is greedy":
		return func(q *query, _ []byte) bool { return isGreedy(q) }
	case "sampling is asked for":
		return func(q *query, _ []byte) bool { return q.has("top_k") || q.above("temperature", "0") }
	case "token limit is small":
		return func(q *query, _ []byte) bool {
			return q.below("max_tokens", "512") || q.below("max_completion_tokens", "512")
		}
	case "differs from max_tokens":
		return func(q *query, v []byte) bool {
			other, _ := q.get("max_tokens")
			n, ok1 := parseDecimal(v)
			m, ok2 := parseDecimal(other)
			return ok1 && ok2 && n.compare(m) != 0
		}
	case "no message says json":
		return func(q *query, _ []byte) bool { return !saysJSON(q) }
	case "json_schema lacks name or schema":
		return func(_ *query, v []byte) bool {
			name, ok1 := object.GetPath(v, "json_schema.name")
			schema, ok2 := object.GetPath(v, "json_schema.schema")
			return !ok1 || !ok2 || name[0] != '"' || schema[0] != '{'
		}
	case "has a bad tool name":
		return func(_ *query, v []byte) bool {
			return anyTool(v, func(t []byte) bool { return !isToolName(textAt(t, "function.name")) })
		}
	case "has a tool that is no function":
		return func(_ *query, v []byte) bool {
			return anyTool(v, func(t []byte) bool { return textAt(t, "type") != "function" })
		}
	case "has a tool without description":
		return func(_ *query, v []byte) bool {
			return anyTool(v, func(t []byte) bool { return textAt(t, "function.description") == "" })
		}
	case "names a tool that is not there":
		return func(q *query, v []byte) bool {
			tools, ok := q.get("tools")
			name := scalar(v)
			return ok && !anyTool(tools, func(t []byte) bool { return textAt(t, "function.name") == name })
		}
	case "has a key that is no token id":
		return func(_ *query, v []byte) bool { return anyBias(v, isNoTokenID) }
	case "has a bias beyond 100":
		return func(_ *query, v []byte) bool { return anyBias(v, isBeyond100) }
	case "has a message without content":
		return func(q *query, _ []byte) bool { return q.messages.withoutContent }
	case "has an image":
		return func(q *query, _ []byte) bool { return q.messages.image }
	case "has an image by address":
		return func(q *query, _ []byte) bool { return q.messages.imageByAddress }
	case "has an image that is no data":
		return func(q *query, _ []byte) bool { return q.messages.imageNoData }
	case "has audio_content":
		return func(q *query, _ []byte) bool { return q.messages.audioContent }
	case "has input_audio, a file or a video":
		return func(q *query, _ []byte) bool { return q.messages.inputAudio || q.messages.otherPart }
	case "has media":
		return func(q *query, _ []byte) bool {
			return q.messages.image || q.messages.audioContent || q.messages.inputAudio || q.messages.otherPart
		}
	case "has reasoning_details":
		return func(q *query, _ []byte) bool { return q.messages.reasoningDetails }
	}
	return nil
}

// isGreedy says whether the temperature is absent or below 0.001, where decoding is greedy on Infercom.
func isGreedy(q *query) bool { return !q.has("temperature") || q.below("temperature", "0.001") }

func (q *query) below(path, limit string) bool { return q.order(path, limit) < 0 }

func (q *query) above(path, limit string) bool { return q.order(path, limit) > 0 }

// order compares a number of the request with a limit; it is 0 too where there is no number.
func (q *query) order(path, limit string) int {
	v, _ := q.get(path)
	n, ok := parseDecimal(v)
	if !ok {
		return 0
	}
	m, _ := parseDecimal([]byte(limit))
	return n.compare(m)
}

// isDatabaseID says whether a JSON string is 24 hexadecimal digits.
func isDatabaseID(v []byte) bool {
	if len(v) != 26 {
		return false
	}
	for _, c := range v[1:25] {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F') {
			return false
		}
	}
	return true
}

// anyTool says whether is holds for one of the tools.
func anyTool(tools []byte, is func(tool []byte) bool) bool {
	c := object.NewCursor(tools)
	for c.Begin('['); c.Next(); {
		if is(c.Value()) {
			return true
		}
	}
	return false
}

// textAt gives the text at a path; empty where there is no string.
func textAt(v []byte, path string) string {
	if raw, ok := object.GetPath(v, path); ok && raw[0] == '"' {
		return text(raw)
	}
	return ""
}

func isToolName(name string) bool {
	for _, c := range name {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-') {
			return false
		}
	}
	return name != ""
}

// anyBias says whether is holds for one of the members of a logit_bias.
func anyBias(bias []byte, is func(key string, value []byte) bool) bool {
	c := object.NewCursor(bias)
	for c.Begin('{'); c.Next(); {
		key := string(plainText(c.Key()))
		if is(key, c.Value()) {
			return true
		}
	}
	return false
}

func isNoTokenID(key string, _ []byte) bool {
	_, err := strconv.ParseUint(key, 10, 63)
	return err != nil
}

func isBeyond100(_ string, value []byte) bool {
	n, ok := parseDecimal(value)
	if !ok {
		return true
	}
	n.negative = false
	limit, _ := parseDecimal([]byte("100"))
	return n.compare(limit) > 0
}

// saysJSON says whether the text of a message has the word JSON, in any case.
func saysJSON(q *query) bool {
	for m := range q.eachMessage {
		if content, ok := object.GetPath(m, "content"); ok && containsFold(content, "json") {
			return true
		}
	}
	return false
}

// containsFold says whether s has the word, which is ASCII in lower case, in any case.
func containsFold(s []byte, word string) bool {
	for i := 0; i+len(word) <= len(s); i++ {
		if s[i]|0x20 == word[0] && bytes.EqualFold(s[i:i+len(word)], []byte(word)) {
			return true
		}
	}
	return false
}
