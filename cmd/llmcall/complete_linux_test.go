package main

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// all is a key that inserts every candidate at once.
const all = "\x18a"

// shells read the committed scripts from their start files, and say when they are ready.
var shells = []struct {
	name, file, text string
	args             []string
}{
	{"bash", "bashrc", `
PS1='ready> '
source "$COMPLETIONS/llmcall.bash"
show() { printf '<<%s>>' "$READLINE_LINE"; READLINE_LINE=; READLINE_POINT=0; }
bind -x '"\C-t": show'
bind '"\C-xa": insert-completions'
bind 'set bell-style none'
`, []string{"--noprofile", "--rcfile", "bashrc", "-i"}},
	{"zsh", ".zshrc", `
PS1='ready> '
fpath=("$COMPLETIONS" $fpath)
autoload -U compinit
compinit -u -D
show() { print -rn -- "<<$BUFFER>>"; BUFFER=; }
zle -N show
bindkey '^T' show
bindkey '^I' complete-word
zle -C every complete-word _generic
bindkey '^Xa' every
zstyle ':completion:every::::' completer _all_matches _complete
zstyle ':completion:every:*' insert true
setopt no_beep
unsetopt prompt_cr prompt_sp list_ambiguous
`, []string{"-d", "-i"}},
}

// completionCases are typed in bash and zsh, and asked of fish.
var completionCases = []struct{ name, keys, want string }{
	{"a flag with a value", "llmcall --repetition\t", "llmcall --repetition-penalty"},
	{"names that begin alike", "llmcall --output" + all, "llmcall --output --output-file"},
	{"a switch", "llmcall --dry\t", "llmcall --dry-run"},
	{"a value", "llmcall -o nd\t", "llmcall -o ndjson"},
	{"a value after =", "llmcall --output=nd\t", "llmcall --output=ndjson"},
	{"a value attached", "llmcall -ond\t", "llmcall -ondjson"},
	{"a flag after words", "llmcall 'two words' more --outpu" + all, "llmcall 'two words' more --output --output-file"},
	{"every value", "llmcall --lint " + all, "llmcall --lint default off strict"},
	{"a provider", "llmcall -p exa\t", "llmcall -p exascale"},
	{"a provider after =", "llmcall --provider=exa\t", "llmcall --provider=exascale"},
	{"a model", "llmcall -p mock -m tool\t", "llmcall -p mock -m tool-call"},
	{"a model before words", "llmcall --provider=mock hello --model tool\t", "llmcall --provider=mock hello --model tool-call"},
	{"a colon in an id", "llmcall --base-url URL -m llama3:8\t", "llmcall --base-url URL -m llama3:8b"},
	{"a colon after =", "llmcall --base-url=URL --model=llama3:8\t", "llmcall --base-url=URL --model=llama3:8b"},
	{"ids that a shell would run", "llmcall --base-url URL -m ev\t", "llmcall --base-url URL -m ev"},
	{"no key", "llmcall -p infercom -m Min\t", "llmcall -p infercom -m Min"},
	{"a file", "llmcall -f somef\t", "llmcall -f somefile.txt"},
	{"a file to write", "llmcall --meta=somef\t", "llmcall --meta=somefile.txt"},
	{"a value or a file", "llmcall --response-format json_\t", "llmcall --response-format json_object"},
	{"a file or a value", "llmcall --response-format somef\t", "llmcall --response-format somefile.txt"},
	{"no value is known", "llmcall --seed somef\t", "llmcall --seed somef"},
	{"a prompt word", "llmcall somef\t", "llmcall somef"},
	{"after --", "llmcall -- --outpu\t", "llmcall -- --outpu"},
}

// modelServer counts how often it is asked for its list.
func modelServer(t *testing.T) (url string, asked *atomic.Int32) {
	asked = new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		fmt.Fprint(w, `{"data":[{"id":"llama3:8b"},{"id":"llama3:70b"},{"id":"evil$(touch ran)"},{"id":"evil;touch ran"}]}`)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1", asked
}

// completionDir is a folder with one file and the environment of a user there who has no config and no key.
func completionDir(t *testing.T) (dir string, env []string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "somefile.txt"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	completions, err := filepath.Abs("../../completions")
	if err != nil {
		t.Fatal(err)
	}
	return dir, []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "ZDOTDIR=" + dir, "TERM=dumb", "LC_ALL=C.UTF-8", "COMPLETIONS=" + completions,
	}
}

func TestCompletionTyped(t *testing.T) {
	for _, shell := range shells {
		t.Run(shell.name, func(t *testing.T) {
			path, err := exec.LookPath(shell.name)
			if err != nil {
				t.Skip(err)
			}
			dir, env := completionDir(t)
			if err := os.WriteFile(filepath.Join(dir, shell.file), []byte(shell.text), 0o666); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(path, shell.args...)
			cmd.Dir, cmd.Env = dir, env
			term := openTerminal(t, cmd)
			term.waitFor("ready> ")
			url, asked := modelServer(t)
			for _, c := range completionCases {
				got := strings.ReplaceAll(term.press(strings.ReplaceAll(c.keys, "URL", url)), url, "URL")
				got = strings.TrimSuffix(got, "=") // zsh's, of a flag that takes a value
				if got != c.want {
					t.Errorf("%s: %q became %q, want %q", c.name, c.keys, got, c.want)
				}
			}
			if n := asked.Load(); n != 1 { // once for each way of naming the server
				t.Errorf("the list was asked for %d times", n)
			}
			got := strings.Fields(term.press("llmcall --" + all))
			checkAllFlags(t, got[1:])
		})
	}
}

func TestCompletionFish(t *testing.T) {
	path, err := exec.LookPath("fish")
	if err != nil {
		t.Skip(err)
	}
	dir, env := completionDir(t)
	url, asked := modelServer(t)
	// complete gives the word as it would become, a tab and its description.
	complete := func(line string) (words []string) {
		cmd := exec.Command(path, "--no-config", "-c", `source "$COMPLETIONS/llmcall.fish"; complete -C "$argv[1]"`, line)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		for line := range strings.Lines(string(out)) {
			word, _, _ := strings.Cut(strings.TrimRight(line, "\n"), "\t")
			words = append(words, word)
		}
		return words
	}
	for _, c := range completionCases {
		line := strings.TrimSuffix(strings.TrimSuffix(c.keys, "\t"), all)
		typed := line[strings.LastIndexByte(line, ' ')+1:]
		want := strings.Fields(strings.TrimPrefix(c.want, strings.TrimSuffix(line, typed)))
		if slices.Equal(want, []string{typed}) {
			want = nil // nothing to complete
		}
		got := complete(strings.ReplaceAll(line, "URL", url))
		for i := range got {
			got[i] = strings.ReplaceAll(got[i], url, "URL")
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q gave %q, want %q", c.name, line, got, want)
		}
	}
	if n := asked.Load(); n != 1 {
		t.Errorf("the list was asked for %d times", n)
	}
	checkAllFlags(t, complete("llmcall --"))
}

func checkAllFlags(t *testing.T, got []string) {
	t.Helper()
	var want []string
	for _, f := range flagTable {
		want = append(want, "--"+f.name)
	}
	for i := range got {
		got[i] = strings.TrimSuffix(got[i], "=")
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("flags offered:\n%q\nflags there are:\n%q", got, want)
	}
}

// A list that cannot be had costs 2 seconds at most and no word; the last one that could be had stays in use.
func TestModelsOfCompletion(t *testing.T) {
	dir, env := completionDir(t)
	models := func(args ...string) string {
		start := time.Now()
		cmd := exec.Command("sh", append([]string{"-c", strings.TrimSpace(modelsScript), "llmcall"}, args...)...)
		cmd.Dir, cmd.Env = dir, env
		out, err := cmd.CombinedOutput()
		if took := time.Since(start); took > 4*time.Second {
			t.Errorf("%q took %v", args, took)
		}
		if err != nil && len(out) > 0 {
			t.Errorf("%q: %v: %s", args, err, out)
		}
		return string(out)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0") // never answers
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if got := models("--base-url=http://" + l.Addr().String() + "/v1"); got != "" {
		t.Errorf("a silent server: %q", got)
	}
	config := filepath.Join(dir, "config.json")
	if err := os.WriteFile(config, []byte(`{"providers":{"infercom":{"api_key_command":"echo waiting >&2; sleep 60"}}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := models("-p=infercom", "--config="+config); got != "" {
		t.Errorf("a key command that waits: %q", got)
	}

	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"data":[{"id":"one"}]}`)
	}))
	defer s.Close()
	url := "--base-url=" + s.URL
	if got := models(url); got != "one\n" {
		t.Errorf("a list: %q", got)
	}
	kept, err := filepath.Glob(filepath.Join(dir, ".cache/llmcall/*"))
	if err != nil || len(kept) != 1 {
		t.Fatalf("kept: %q, %v", kept, err)
	}
	old := time.Now().Add(-25 * time.Hour)
	if err := os.Chtimes(kept[0], old, old); err != nil {
		t.Fatal(err)
	}
	s.Close()
	if got := models(url); got != "one\n" {
		t.Errorf("the server is gone, the list of yesterday is kept: %q", got)
	}
	env = append(env, "XDG_CACHE_HOME=/proc/no/such")
	if got := models("-p=mock"); !strings.Contains(got, "echo\n") {
		t.Errorf("nowhere to keep a list: %q", got)
	}
}
