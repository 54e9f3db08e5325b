package main

import (
	"bytes"
	"strings"
	"sync"
	"testing"

	"github.com/tidwall/gjson"
)

func TestWarningsOfManyItems(t *testing.T) {
	var stderr bytes.Buffer
	say := &reporter{err: &stderr}
	var items sync.WaitGroup
	for range 50 {
		items.Go(func() {
			say.warn("the reply was cut")
			say.warn("the model is old")
		})
	}
	items.Wait()
	if n := strings.Count(stderr.String(), "\n"); n != 2 || len(say.warnings) != 2 {
		t.Errorf("%d lines, %d kept: %s", n, len(say.warnings), stderr.String())
	}
}

func TestTextErrorNamesItsFlag(t *testing.T) {
	_, _, stderr := runWith(t.Context(), strings.NewReader(""), "-p", "mock", "--tool-result", "x=\xff", "hi")
	if !strings.HasPrefix(stderr, "llmcall: --tool-result: not valid UTF-8") {
		t.Error(stderr)
	}
}

func TestMismatchAsJSON(t *testing.T) {
	code, _, stderr := runWith(t.Context(), strings.NewReader(""), "-p", "mock", "--schema", `{"required":["a"]}`, "--validate", "--error-format", "json", `{"b":1}`)
	if message := gjson.Get(stderr, "message").Str; code != 4 || message != `the reply does not match the schema: /: the member "a" is missing` {
		t.Errorf("exit %d, %s", code, stderr)
	}
}
