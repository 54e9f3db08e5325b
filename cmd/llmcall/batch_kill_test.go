//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/tidwall/gjson"
)

// killer is a provider that kills its client when so many requests have come, and counts how often each item is asked.
type killer struct {
	mu     sync.Mutex
	asked  map[string]int
	left   int // requests until the kill; 0: none
	victim *os.Process
}

func (k *killer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	prompt := gjson.GetBytes(body, "messages.0.content").String()
	k.mu.Lock()
	k.asked[prompt]++
	if k.left--; k.left == 0 {
		k.victim.Kill()
	}
	k.mu.Unlock()
	fmt.Fprintf(w, `{"choices":[{"index":0,"message":{"role":"assistant","content":%q},"finish_reason":"stop"}]}`, "answer to "+prompt)
}

// answers reads an output file: the ids that have an answer, how many each, and the lines that are torn.
func answers(t *testing.T, file string) (answered map[string]int, torn int) {
	t.Helper()
	answered = map[string]int{}
	data, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var out struct {
			ID       string `json:"custom_id"`
			Response struct {
				Body json.RawMessage `json:"body"`
			} `json:"response"`
		}
		if json.Unmarshal(line, &out) != nil || !bytes.HasSuffix(line, []byte("\n")) {
			torn++
			continue
		}
		if text := gjson.GetBytes(out.Response.Body, "choices.0.message.content").String(); text != "answer to "+out.ID {
			t.Errorf("item %s has the answer %q", out.ID, text)
		}
		answered[out.ID]++
	}
	return answered, torn
}

// TestBatchSurvivesKills kills a batch at 50 random moments and resumes it each time: no item whose answer is in the file
// is asked again, and at the end each has one answer, as after an unbroken run.
func TestBatchSurvivesKills(t *testing.T) {
	const items, kills = 2500, 50
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.jsonl"), filepath.Join(dir, "out.jsonl")
	var lines strings.Builder
	for i := 1; i <= items; i++ {
		fmt.Fprintf(&lines, `{"custom_id":"p%d","prompt":"p%d"}`+"\n", i, i)
	}
	if err := os.WriteFile(in, []byte(lines.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	k := &killer{asked: map[string]int{}}
	server := httptest.NewServer(k)
	defer server.Close()
	random := rand.New(rand.NewPCG(7, 11))
	killed, twice, tornSeen := 0, 0, 0
	for done := false; !done; {
		before, torn := answers(t, out)
		tornSeen += torn
		k.mu.Lock()
		k.asked, k.left = map[string]int{}, 0
		cmd := exec.Command("llmcall", "--base-url", server.URL, "--batch", in, "--output-file", out, "--resume", "--concurrency", "16", "--quiet")
		cmd.Env = append(os.Environ(), "HOME="+dir)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if killed < kills {
			k.left, k.victim = 1+random.IntN(2*items/kills-10), cmd.Process
		}
		k.mu.Unlock()
		err := cmd.Wait()
		server.CloseClientConnections()
		k.mu.Lock()
		for id := range before {
			twice += k.asked[id]
		}
		k.mu.Unlock()
		if done = err == nil; !done {
			killed++
		}
		if killed > kills {
			t.Fatalf("after %d kills: %v", kills, err)
		}
	}
	answered, torn := answers(t, out)
	lost, doubled := items-len(answered), 0
	for _, n := range answered {
		doubled += n - 1
	}
	t.Logf("kills %d, items %d, asked twice %d, lost %d, torn %d (%d torn lines were cut off on resuming)", killed, items, twice, lost, torn, tornSeen)
	if killed < kills || twice+lost+torn+doubled > 0 {
		t.Errorf("kills %d, asked twice %d, lost %d, torn %d, answered twice %d", killed, twice, lost, torn, doubled)
	}
}
