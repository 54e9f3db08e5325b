package request

import "testing"

// TestBuildBytes is the body of a command line that says something in each place, byte for byte.
func TestBuildBytes(t *testing.T) {
	body, err := Build(Options{
		Model:  "MiniMax-M2.7",
		System: []byte("sys"),
		Turns:  []Turn{{Kind: "user", Text: []byte("one")}, {Kind: "assistant", Text: []byte("two")}},
		Prompt: [][]byte{[]byte("three")},
		Params: []Param{
			{"temperature", []byte("0.70")}, {"top_p", []byte("1")}, {"seed", []byte("9007199254740993")}, {"stop", Strings([]string{",", "a,b"})},
		},
		Edits: []Edit{{"set", "chat_template_kwargs.x", SetValue(`{"z":1,"a":2}`)}},
	})
	want := `{"model":"MiniMax-M2.7","messages":[{"role":"system","content":"sys"},{"role":"user","content":"one"},` +
		`{"role":"assistant","content":"two"},{"role":"user","content":"three"}],"stream":false,"temperature":0.70,"top_p":1,` +
		`"seed":9007199254740993,"stop":[",","a,b"],"chat_template_kwargs":{"x":{"z":1,"a":2}}}`
	if err != nil || string(body.Body) != want {
		t.Errorf("got  %s, %v\nwant %s", body.Body, err, want)
	}
}
