package record

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

func TestMissesSayWhatIsNearest(t *testing.T) {
	line := func(path, body string) string {
		return fmt.Sprintf(`{"v":1,"request":{"method":"POST","path":%q,"body":%s},"response":{"status":200,"chunks":[]}}`+"\n", path, body)
	}
	long := strings.Repeat("the same <words> \u00e9", 20)
	tests := []struct{ name, file, body, want string }{
		{"nothing recorded", "", `{}`, "not recorded: POST /c: nothing was recorded for it"},
		{"member", line("/c", `{"a":1,"b":2}`), `{"a":1,"b":3}`, "not recorded: POST /c: the nearest recorded request differs: b was 2, is 3"},
		{"nearest of several", line("/c", `{"a":1,"b":2}`) + line("/c", `{"a":5,"b":6}`), `{"a":5,"b":7}`, "b was 6, is 7"},
		{"nearest path", line("/d", `{"a":1}`) + line("/c", `{"a":2}`), `{"a":1}`, "a was 2, is 1"},
		{"path", line("/d", `{"a":1}`), `{"a":1}`, "path was /d"},
		{"spelling of a number", line("/c", `{"a":1.0}`), `{"a":1}`, "a was 1.0, is 1"},
		{"type", line("/c", `{"a":"1"}`), `{"a":1}`, `a was "1", is 1`},
		{"null", line("/c", `{"a":null}`), `{}`, "a was null, is absent"},
		{"element more", line("/c", `{"m":[{"r":"a"}]}`), `{"m":[{"r":"a"},{"r":"b"}]}`, `m.1 was absent, is {"r":"b"}`},
		{"element less", line("/c", `{"m":[1,2]}`), `{"m":[1]}`, "m.1 was 2, is absent"},
		{"at most three", line("/c", `{"a":1,"b":1,"c":1,"d":1}`), `{}`, "a was 1, is absent; b was 1, is absent; c was 1, is absent"},
		{"end of a long text", line("/c", `{"a":"`+long+`old"}`), `{"a":"` + long + `new"}`, `a was …"` + "\u00e9the same <words> \u00e9" + `old", is …"` + "\u00e9the same <words> \u00e9" + `new"`},
		{"long value", line("/c", `{"a":[]}`), `{"a":"` + strings.Repeat("x", 100) + `"}`, `a was [], is "` + strings.Repeat("x", 59) + "…"},
		{"no JSON", line("/c", `{"a":1}`), "text", `body was {"a":1}, is "text"`},
		{"stream is ignored", line("/c", `{"a":1,"stream":true}`), `{"a":2,"stream":false}`, "a was 1, is 2"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := load(t, test.file).Replayer(0).RoundTrip(post(t, test.body))
			var miss *MissError
			if !errors.As(err, &miss) || !strings.HasSuffix(err.Error(), test.want) {
				t.Errorf("got %v\nwant %s", err, test.want)
			}
		})
	}
}

func TestMissesCompareTheNearestOfMany(t *testing.T) {
	var file strings.Builder
	for i := range 500 {
		fmt.Fprintf(&file, `{"v":1,"request":{"method":"POST","path":"/c","body":{"a":"%s","n":%d}},"response":{"status":200,"chunks":[]}}`+"\n", strings.Repeat("x", i), i)
	}
	_, err := load(t, file.String()).Replayer(0).RoundTrip(post(t, `{"a":"`+strings.Repeat("x", 400)+`","n":401}`))
	var miss *MissError
	if !errors.As(err, &miss) || miss.Difference != "n was 400, is 401" {
		t.Errorf("got %v", err)
	}
}
