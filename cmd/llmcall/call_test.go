package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

func TestMetaIsOfTheLastAttempt(t *testing.T) {
	n := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if n++; n == 1 {
			w.Header().Set("X-Request-Id", "first")
			w.Header().Set("Retry-After-Ms", "1")
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		panic(http.ErrAbortHandler)
	}))
	defer server.Close()
	meta := filepath.Join(t.TempDir(), "meta")
	code, _, stderr := runWith(t.Context(), strings.NewReader(""), "--base-url", server.URL, "--retries", "1", "--meta", meta, "hi")
	data, err := os.ReadFile(meta)
	if err != nil || code != 18 {
		t.Fatal(code, stderr, err)
	}
	if got := gjson.GetManyBytes(data, "status", "request_id", "attempts"); got[0].Raw != "null" || got[1].Raw != "null" || got[2].Raw != "2" {
		t.Errorf("%s", data)
	}
}

func TestMetaHasTimesOfAStreamThatBroke(t *testing.T) {
	meta := filepath.Join(t.TempDir(), "meta")
	runWith(t.Context(), strings.NewReader(""), "-p", "mock", "-m", "truncate", "--retries", "0", "--stream", "--meta", meta, "hi there you")
	data, _ := os.ReadFile(meta)
	if got := gjson.GetManyBytes(data, "timings_ms.first_byte", "timings_ms.first_token"); got[0].Type != gjson.Number || got[1].Type != gjson.Number {
		t.Errorf("%s", data)
	}
}

func TestNoTimeIsNoLimit(t *testing.T) {
	code, stdout, stderr := runWith(t.Context(), strings.NewReader(""), "-p", "mock", "--timeout", "0", "--idle-timeout", "0", "--connect-timeout", "0", "hi")
	if code != 0 || stdout != "hi\n" || stderr != "" {
		t.Errorf("exit %d, %q, %q", code, stdout, stderr)
	}
}
