//go:build unix

package batch

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// childVar names the output file to a child, which is this test's own binary, and says what it is to do.
const childVar = "BATCH_TEST_CHILD"

func TestMain(m *testing.M) {
	if job := os.Getenv(childVar); job != "" {
		what, path, _ := strings.Cut(job, " ")
		if err := child(what, path); err != nil {
			fmt.Println("error", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// killItems is how many lines the killed batch has: half of them give ids, and a tenth fail in each run, others each time.
const killItems = 2000

func killInput() *strings.Reader {
	var b strings.Builder
	for i := range killItems {
		if i%2 == 0 {
			fmt.Fprintf(&b, "{\"id\":\"id-%d\",\"prompt\":\"p\"}\n", i)
		} else {
			b.WriteString("\"p\"\n")
		}
	}
	return strings.NewReader(b.String())
}

// child runs a batch and prints a line when it begins, and one for each item that it asks.
func child(what, path string) error {
	if what == "full" {
		// A file cannot grow beyond 100,000 bytes: what a full disk does to a write.
		signal.Ignore(syscall.SIGXFSZ)
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 100_000, Max: 100_000}); err != nil {
			return err
		}
	}
	fmt.Println("begin")
	f, err := Open(path, true)
	if err != nil {
		return err
	}
	body := fmt.Appendf(nil, `{"text":"%s"}`, strings.Repeat("x", 1000))
	_, err = Run(context.Background(), Options{
		Input: Input{Reader: killInput(), Answered: f.Answered}, Out: f, Concurrency: 16, Ordered: what == "ordered",
		Do: func(ctx context.Context, item *Item, turn *Turn) Outcome {
			fmt.Println("ask", item.ID)
			if what != "whole" && rand.IntN(10) == 0 {
				return Outcome{Status: 500, Body: body}
			}
			return Outcome{Status: 200, Body: body}
		},
	})
	return errors.Join(err, f.Close())
}

// wholeAnswers gives the ids of the answers in a file, and whether its last line is torn.
func wholeAnswers(t *testing.T, path string) (map[string]int, bool) {
	t.Helper()
	got := map[string]int{}
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	for l := range strings.Lines(string(data)) {
		if id, verdict := judge([]byte(strings.TrimSuffix(l, "\n"))); verdict == answered {
			got[id]++
		} else if verdict != failed && strings.HasSuffix(l, "\n") {
			t.Fatalf("a torn line is not the last: %q", l)
		}
	}
	return got, len(data) > 0 && data[len(data)-1] != '\n'
}

// runChild runs a child, kills it after a number of lines if that is not negative, and gives the ids it asked.
func runChild(t *testing.T, what, path string, killAfter int) (asked []string, failure string) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVar+"="+what+" "+path)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	scan := bufio.NewScanner(out)
	for n := 0; ; n++ {
		if n == killAfter {
			cmd.Process.Kill()
		}
		if !scan.Scan() {
			break
		}
		if id, ok := strings.CutPrefix(scan.Text(), "ask "); ok {
			asked = append(asked, id)
		}
		if msg, ok := strings.CutPrefix(scan.Text(), "error "); ok {
			failure = msg
		}
	}
	err = cmd.Wait()
	if killed := killAfter >= 0; err != nil && !killed && failure == "" {
		t.Fatal(err)
	}
	return asked, failure
}

// TestKill kills a batch at random moments, at times just when it begins to take the failed lines out of the file, and resumes
// it each time: no answer that is whole is lost or asked again.
func TestKill(t *testing.T) {
	for _, what := range []string{"unordered", "ordered"} {
		path := filepath.Join(t.TempDir(), "out.jsonl")
		kills, torn := 0, 0
		before := map[string]int{}
		check := func(asked []string) {
			slices.Sort(asked)
			for i, id := range asked {
				if before[id] > 0 || i > 0 && asked[i-1] == id {
					t.Errorf("%s was asked twice", id)
				}
			}
			after, cut := wholeAnswers(t, path)
			for id, n := range after {
				if n > 1 {
					t.Errorf("%s is there %d times", id, n)
				}
			}
			for id := range before {
				if after[id] == 0 {
					t.Errorf("the answer to %s is lost", id)
				}
			}
			if before = after; cut {
				torn++
			}
		}
		for ; kills < 10; kills++ {
			after := 1
			if kills%2 == 0 {
				after += rand.IntN(killItems / 8)
			}
			asked, failure := runChild(t, what, path, after)
			if failure != "" {
				t.Fatal(failure)
			}
			check(asked)
		}
		asked, failure := runChild(t, "whole", path, -1)
		check(asked)
		if failure != "" || len(before) != killItems {
			t.Errorf("%d answers of %d, %s", len(before), killItems, failure)
		}
		t.Logf("%s: %d kills, %d items, %d torn lines were healed, %d asked in the last run", what, kills, killItems, torn, len(asked))
	}
}

// TestFullDisk has the disk fill up: what is in the file then is whole lines, and the batch can go on.
func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.jsonl")
	_, failure := runChild(t, "full", path, -1)
	if !strings.Contains(failure, syscall.EFBIG.Error()) {
		t.Errorf("error %q", failure)
	}
	kept, torn := wholeAnswers(t, path)
	if torn || len(kept) < 50 {
		t.Errorf("%d lines, the last one torn: %v", len(kept), torn)
	}
	asked, failure := runChild(t, "whole", path, -1)
	if failure != "" || len(asked)+len(kept) != killItems {
		t.Errorf("%d kept, %d asked, %s", len(kept), len(asked), failure)
	}
}
