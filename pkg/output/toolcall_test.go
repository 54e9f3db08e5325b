package output

import (
	"strings"
	"testing"
)

// TestMerge holds the rule of providers.md C3, point by point. Each string is one tool_calls array of a delta.
func TestMerge(t *testing.T) {
	for _, test := range []struct {
		name   string
		deltas []string
		want   []string // id name arguments
	}{
		{"fragments", []string{`[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":""}}]`, `[{"index":0,"id":null,"function":{"name":null,"arguments":"{\"x\":"}}]`, `[{"index":0,"function":{"arguments":"1}"}}]`}, []string{`a f {"x":1}`}},
		{"two indexes in turn", []string{`[{"index":0,"id":"a","function":{"name":"f"}},{"index":1,"id":"b","function":{"name":"g"}}]`, `[{"index":1,"function":{"arguments":"{\"y\":2}"}}]`, `[{"index":0,"function":{"arguments":"{\"x\":1}"}}]`}, []string{`a f {"x":1}`, `b g {"y":2}`}},
		{"other id under an index", []string{`[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]`, `[{"index":0,"id":"b","function":{"name":"g"}}]`, `[{"index":0,"function":{"arguments":"[2]"}}]`}, []string{`a f {}`, `b g [2]`}},
		{"and back by its id", []string{`[{"index":0,"id":"a","function":{"name":"f"}}]`, `[{"index":0,"id":"b","function":{"name":"g"}}]`, `[{"index":0,"id":"a","function":{"arguments":"[1]"}}]`}, []string{`a f [1]`, `b g {}`}},
		{"known id under a new index", []string{`[{"index":0,"id":"a","function":{"name":"f"}}]`, `[{"index":5,"id":"a","function":{"arguments":"[1]"}}]`}, []string{`a f [1]`}},
		{"new index without id and name", []string{`[{"index":0,"id":"a","function":{"name":"f"}}]`, `[{"index":1,"function":{"arguments":"[1]"}}]`}, []string{`a f [1]`}},
		{"new index with a name", []string{`[{"index":0,"function":{"name":"f"}}]`, `[{"index":1,"function":{"name":"f"}}]`}, []string{`call_1 f {}`, `call_2 f {}`}},
		{"first delta without all", []string{`[{"index":3,"function":{"arguments":"[1]"}}]`}, []string{`call_1  [1]`}},
		{"id comes later", []string{`[{"index":0,"function":{"name":"f"}}]`, `[{"index":0,"id":"a"}]`, `[{"index":0,"id":""}]`}, []string{`a f {}`}},
		{"no index, new id", []string{`[{"id":"a","function":{"name":"f"}}]`, `[{"id":"b","function":{"name":"f"}}]`}, []string{`a f {}`, `b f {}`}},
		{"no index, known id", []string{`[{"id":"a","function":{"name":"f"}}]`, `[{"id":"b","function":{"name":"g"}}]`, `[{"id":"a","function":{"arguments":"[1]"}}]`}, []string{`a f [1]`, `b g {}`}},
		{"no index, no id", []string{`[{"id":"a","function":{"name":"f","arguments":"["}}]`, `[{"function":{"arguments":"1]"}}]`}, []string{`a f [1]`}},
		{"no index, other name behind arguments", []string{`[{"function":{"name":"f","arguments":"[1]"}}]`, `[{"function":{"name":"g","arguments":"[2]"}}]`}, []string{`call_1 f [1]`, `call_2 g [2]`}},
		{"no index, other name before arguments", []string{`[{"function":{"name":"f"}}]`, `[{"function":{"name":"g"}}]`}, []string{`call_1 fg {}`}},
		{"negative index", []string{`[{"index":-1,"id":"a","function":{"name":"f"}}]`, `[{"index":-1,"id":"b","function":{"name":"g"}}]`}, []string{`a f {}`, `b g {}`}},
		{"name repeated", []string{`[{"index":0,"id":"a","function":{"name":"f","arguments":"["}}]`, `[{"index":0,"function":{"name":"f","arguments":"1]"}}]`}, []string{`a f [1]`}},
		{"name in pieces", []string{`[{"index":0,"id":"a","function":{"name":"get_"}}]`, `[{"index":0,"function":{"name":"time"}}]`}, []string{`a get_time {}`}},
		{"empty name first", []string{`[{"index":0,"id":"a","function":{"name":""}}]`, `[{"index":0,"function":{"name":"f"}}]`}, []string{`a f {}`}},
		{"name behind arguments is another's", []string{`[{"index":0,"id":"a","function":{"name":"f","arguments":"[1]"}}]`, `[{"index":0,"function":{"name":"g"}}]`}, []string{`a f [1]`}},
		{"arguments null", []string{`[{"index":0,"id":"a","function":{"name":"f","arguments":null}}]`}, []string{`a f {}`}},
		{"arguments blank", []string{`[{"index":0,"id":"a","function":{"name":"f","arguments":" \n"}}]`}, []string{`a f {}`}},
		{"arguments object", []string{`[{"index":0,"id":"a","function":{"name":"f","arguments":{ "x" : [ 1.50, "a \"b\" " ] }}}]`}, []string{`a f {"x":[1.50,"a \"b\" "]}`}},
		{"arguments array", []string{`[{"index":0,"id":"a","function":{"name":"f","arguments":[1, 2]}}]`}, []string{`a f [1,2]`}},
		{"an object replaces", []string{`[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]`, `[{"index":0,"function":{"arguments":{"x":1}}}]`}, []string{`a f {"x":1}`}},
		{"spelling is kept", []string{`[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\": 1.0e2,\n \"y\":\"\\u00e9<\"}"}}]`}, []string{`a f {"x": 1.0e2,  "y":"\u00e9<"}`}},
		{"no JSON", []string{`[{"index":0,"id":"a","function":{"name":"f","arguments":"{x"}}]`}, []string{`a f "{x"`}},
		{"cut in a pair", []string{`[{"index":0,"id":"a","function":{"name":"f","arguments":"\"\ud83d"}}]`, `[{"index":0,"function":{"arguments":"\ude00\""}}]`}, []string{`a f "😀"`}},
		{"no function", []string{`[{"index":0,"id":"a"},null,7,{}]`, `[{"index":0,"function":null}]`}, []string{`a  {}`}},
		{"ids stay apart", []string{`[{"index":0,"function":{"name":"f"}},{"index":1,"id":"call_1","function":{"name":"g"}}]`}, []string{`call_2 f {}`, `call_1 g {}`}},
	} {
		var d [][]byte
		for _, delta := range test.deltas {
			d = append(d, docs(say(`{"tool_calls":`+delta+`}`, ""))...)
		}
		d = append(d, docs(say(`{"tool_calls":null}`, "tool_calls"))...)
		want := ""
		for _, call := range test.want {
			part := strings.SplitN(call, " ", 3)
			want += `{"id":"` + part[0] + `","name":"` + part[1] + `","arguments":` + part[2] + "}\n"
		}
		for _, format := range []string{ToolCalls, Content} {
			got := play(t, Options{Format: format}, d, false, true, false)
			if got.out != want || got.fault != nil {
				t.Errorf("%s, %s:\ngot  %s, %v\nwant %s", test.name, format, got.out, got.fault, want)
			}
			if bad := strings.Contains(want, `"{x"`); (got.warnings != "") != bad {
				t.Errorf("%s: warned %q", test.name, got.warnings)
			}
		}
	}
}

// In a body each element is a call of its own, whatever its id.
func TestBodyCalls(t *testing.T) {
	body := `{"choices":[{"message":{"content":"","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"a","type":"custom","function":{"name":"f","arguments":{"x": 1},"strict":true},"x_sig":"s"},{"function":{"name":"g"}}]},"finish_reason":"tool_calls"}]}`
	for format, want := range map[string]string{
		ToolCalls: `{"id":"a","name":"f","arguments":{}}` + "\n" + `{"id":"a","name":"f","arguments":{"x":1}}` + "\n" + `{"id":"call_3","name":"g","arguments":{}}` + "\n",
		Message:   `{"role":"assistant","content":"","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}},{"id":"a","type":"custom","function":{"name":"f","arguments":"{\"x\":1}","strict":true},"x_sig":"s"},{"id":"call_3","type":"function","function":{"name":"g","arguments":"{}"}}]}` + "\n",
	} {
		got := play(t, Options{Format: format}, docs(body), true, false, false)
		if got.out != want || got.fault != nil {
			t.Errorf("%s:\ngot  %s, %v\nwant %s", format, got.out, got.fault, want)
		}
		if calls := got.result.ToolCalls; len(calls) != 3 || calls[1] != (ToolCall{ID: "a", Name: "f", Arguments: `{"x":1}`}) {
			t.Errorf("%s: result %+v", format, calls)
		}
	}
}
