package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/llmcall/llmcall/pkg/object"
	"github.com/llmcall/llmcall/pkg/providers"
)

// docPages are the pages whose commands run in TestDocs.
var docPages = []string{"README.md", "CONTRIBUTING.md", "doc/infercom.md", "doc/exascale.md"}

// TestDocs runs what the pages tell readers to type. A section has a directory of its own, in which its blocks run in their
// order. A fenced block of sh runs with sh -e; of a yaml block run the block scalars, which are shell there; a block of text right after
// is what the one before it prints. Comments, which readers do not see, say more:
//
//	<!-- setup: COMMANDS -->   before a block: run first, in the same shell
//	<!-- check: COMMANDS -->   after a block: must succeed
//	<!-- file: NAME -->        before a block: it is a file, not commands
//	<!-- needs: COMMAND -->    before a block: left out where there is no such command
//	<!-- not run: REASON -->   before a block
//
// Calls of Infercom, Exascale and OpenAI go to a server in this process; nothing else can be reached.
func TestDocs(t *testing.T) {
	llmcall, err := exec.LookPath("llmcall")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(docServer(t))
	defer server.Close()
	shared := t.TempDir()
	d := docRun{
		bin: filepath.Join(shared, "bin"), calls: filepath.Join(shared, "calls"), outputs: filepath.Join(shared, "said"),
		config: fmt.Sprintf(`{"providers": {"infercom": {"base_url": "%[1]s/infercom/v1"},
			"exascale": {"base_url": "%[1]s/exascale/api/v1"}, "openai": {"base_url": "%[1]s/openai/v1"}}}`, server.URL),
	}
	if err := os.Mkdir(d.bin, 0o777); err != nil {
		t.Fatal(err)
	}
	counting := fmt.Sprintf("#!/bin/sh\necho \"$*\" >>'%s'\nexec '%s' \"$@\"\n", d.calls, llmcall)
	if err := os.WriteFile(filepath.Join(d.bin, "llmcall"), []byte(counting), 0o777); err != nil {
		t.Fatal(err)
	}
	blocks, skipped := 0, 0
	t.Run("of", func(t *testing.T) {
		for _, page := range docPages {
			text, err := os.ReadFile(filepath.Join("../..", page))
			if err != nil {
				t.Fatal(err)
			}
			for _, section := range sections(t, page, string(text)) {
				for _, b := range section.blocks {
					if b.notRun != "" {
						skipped++
					} else if b.file == "" {
						blocks++
					}
				}
				t.Run(page+" "+section.title, func(t *testing.T) {
					t.Parallel()
					d.run(t, section)
				})
			}
		}
	})
	calls, _ := os.ReadFile(d.calls)
	t.Logf("ran %d blocks of commands with %d calls of llmcall; %d blocks are marked as not run", blocks, bytes.Count(calls, []byte("\n")), skipped)
	for _, name := range []string{d.outputs + ".out", d.outputs + ".err"} {
		if said, _ := os.ReadFile(name); bytes.Contains(said, []byte(keyMark)) {
			t.Errorf("a key is in what llmcall said: %s", name)
		}
	}
}

type docRun struct{ bin, calls, outputs, config string }

// run plays a section's blocks.
func (d *docRun) run(t *testing.T, section docSection) {
	home := t.TempDir()
	dir := filepath.Join(home, "work")
	save(t, filepath.Join(home, ".config/llmcall/config.json"), d.config)
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, b := range section.blocks {
		switch {
		case b.notRun != "":
			continue
		case b.file != "":
			save(t, filepath.Join(dir, b.file), b.text)
			continue
		}
		if _, err := exec.LookPath(b.needs); b.needs != "" && err != nil {
			t.Logf("line %d: left out, there is no %s here", b.line, b.needs)
			continue
		}
		script := fmt.Sprintf("{ :\n%s\n} >'%s/aside' 2>&1\n%s\n{ :\n%s\n} >'%[2]s/aside' 2>&1\n", b.setup, home, b.commands(), b.check)
		cmd := exec.Command("sh", "-e", "-c", script)
		cmd.Dir = dir
		cmd.Env = []string{
			"PATH=" + d.bin + ":" + os.Getenv("PATH"), "HOME=" + home, "TMPDIR=" + home, "OUTPUTS=" + d.outputs, "TERM=dumb", "LC_ALL=C.UTF-8",
			"INFERCOM_API_KEY=" + keyMark + "-infercom", "EXASCALE_API_TOKEN=" + keyMark + "-exascale", "OPENAI_API_KEY=" + keyMark + "-openai",
			"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com",
			"http_proxy=http://127.0.0.1:1", "https_proxy=http://127.0.0.1:1",
		}
		var printed bytes.Buffer
		cmd.Stdout, cmd.Stderr = &printed, &printed
		if err := cmd.Run(); err != nil {
			aside, _ := os.ReadFile(filepath.Join(home, "aside"))
			t.Fatalf("line %d: %v\n%s\n-- printed\n%s-- by setup or check\n%s", b.line, err, b.text, printed.String(), aside)
		}
		if b.prints != nil && printed.String() != *b.prints {
			t.Fatalf("line %d: printed\n%s-- the page says\n%s", b.line, printed.String(), *b.prints)
		}
	}
}

func save(t *testing.T, name, text string) {
	mode := os.FileMode(0o666)
	if strings.HasPrefix(text, "#!") {
		mode = 0o777
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

type docSection struct {
	title  string
	blocks []docBlock
}

type docBlock struct {
	line       int
	lang, text string
	prints     *string // nil: the page does not say

	setup, check, file, needs, notRun string
}

// docComment is a comment that says how to run a block.
var docComment = regexp.MustCompile(`(?s)^<!-- (setup|check|file|needs|not run):\s(.*?)\s*-->\n`)

// sections reads the blocks of a page.
func sections(t *testing.T, page, text string) []docSection {
	found := []docSection{{title: "start"}}
	var next docBlock
	line, last := 1, ""
	for text != "" {
		took, _, _ := strings.Cut(text, "\n")
		took += "\n"
		now := &found[len(found)-1]
		switch {
		case strings.HasPrefix(text, "#"):
			found = append(found, docSection{title: strings.Trim(took, "# \n")})
		case docComment.MatchString(text):
			m := docComment.FindStringSubmatch(text)
			took = m[0]
			switch m[1] {
			case "setup":
				next.setup = m[2]
			case "check":
				now.blocks[len(now.blocks)-1].check = m[2]
			case "file":
				next.file = m[2]
			case "needs":
				next.needs = m[2]
			case "not run":
				next.notRun = m[2]
			}
		case strings.HasPrefix(text, "<!--"):
			t.Errorf("%s:%d: a comment that says nothing: %s", page, line, took)
		case strings.HasPrefix(text, "```"):
			end := strings.Index(text[3:], "\n```\n")
			if end < 0 {
				t.Fatalf("%s:%d: a block without an end", page, line)
			}
			next.line, next.lang = line, strings.TrimSpace(took[3:])
			next.text = text[len(took) : 3+end+1]
			took = text[:3+end+5]
			switch {
			case next.lang == "text" && last == "sh":
				prints := next.text
				now.blocks[len(now.blocks)-1].prints = &prints
			case next.lang == "sh" || next.lang == "yaml" || next.file != "" || next.notRun != "":
				now.blocks = append(now.blocks, next)
			case next.lang != "text":
				t.Errorf("%s:%d: a block of %s is neither a file nor marked as not run", page, line, next.lang)
			}
			last, next = next.lang, docBlock{}
			line += strings.Count(took, "\n")
			text = text[min(len(took), len(text)):]
			continue
		}
		if strings.TrimSpace(took) != "" {
			last = ""
		}
		line += strings.Count(took, "\n")
		text = text[min(len(took), len(text)):]
	}
	return slices.DeleteFunc(found, func(s docSection) bool { return len(s.blocks) == 0 })
}

// commands gives what of a block runs.
func (b *docBlock) commands() string {
	if b.lang != "yaml" {
		return b.text
	}
	var script strings.Builder
	lines := strings.Split(b.text, "\n")
	for i := 0; i < len(lines); i++ {
		if !strings.HasSuffix(lines[i], "|") {
			continue
		}
		depth := indent(lines[i])
		script.WriteString("(\n")
		for i+1 < len(lines) && (strings.TrimSpace(lines[i+1]) == "" || indent(lines[i+1]) > depth) {
			i++
			script.WriteString(lines[i] + "\n")
		}
		script.WriteString(")\n")
	}
	return script.String()
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// docServer stands in for the providers: it wants their keys and models, and answers as the mock does.
func docServer(t *testing.T) http.Handler {
	mock, err := providers.MockHandler(nil)
	if err != nil {
		t.Fatal(err)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		key, refresh := r.Header.Get("Authorization"), r.Header.Get("refresh-token")
		if !strings.HasPrefix(key, "Bearer "+keyMark+"-"+name) || strings.HasSuffix(key, "-access") != (refresh != "") {
			http.Error(w, `{"error":{"message":"no such key","code":"invalid_api_key"}}`, http.StatusUnauthorized)
			return
		}
		models := docModels[name]
		if strings.HasSuffix(r.URL.Path, "/models") {
			io.WriteString(w, docModelList(name, models))
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		request, err := object.Parse(body)
		if err != nil {
			t.Errorf("%s was sent %q: %v", name, body, err)
			return
		}
		id, _ := request.Get("model")
		if !slices.Contains(models, strings.Trim(string(id), `"`)) {
			http.Error(w, `{"error":{"message":"no such model","code":"model_not_found","param":"model"}}`, http.StatusNotFound)
			return
		}
		behaviour := `"echo"`
		if _, ok := request.Get("response_format"); ok {
			behaviour = `"json"`
		} else if _, ok := request.Get("tools"); ok {
			behaviour = `"tool-call"`
		}
		request.Set("model", []byte(behaviour))
		body = request.Append(nil)
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		mock.ServeHTTP(w, r)
	})
}

// docModels are the models of the pages, by provider.
var docModels = map[string][]string{
	"infercom": {"MiniMax-M2.7", "gpt-oss-120b", "gemma-4-31B-it", "DeepSeek-V3.1", "DeepSeek-V3.2", "Meta-Llama-3.3-70B-Instruct"},
	"exascale": {"MiniMaxAI/MiniMax-M2.7"},
	"openai":   {"gpt-audio"},
}

// docModelList is the list of models in the provider's own shape.
func docModelList(name string, models []string) string {
	var list []map[string]any
	for _, id := range models {
		if name == "exascale" {
			list = append(list, map[string]any{"id": "665f0c0e1f2a3b4c5d6e7f80", "model_name": id})
		} else {
			list = append(list, map[string]any{"id": id, "object": "model"})
		}
	}
	envelope := map[string]any{"object": "list", "data": list}
	if name == "exascale" {
		envelope = map[string]any{"status": true, "message": "success", "total": len(list), "data": list}
	}
	text, _ := json.Marshal(envelope)
	return string(text)
}

// TestTerminalPicture: what doc/terminal.svg shows is what the commands in it print.
func TestTerminalPicture(t *testing.T) {
	picture, err := os.ReadFile("../../doc/terminal.svg")
	if err != nil {
		t.Fatal(err)
	}
	var shown []string
	for _, m := range regexp.MustCompile(`<text [^>]*>(.*)</text>`).FindAllSubmatch(picture, -1) {
		line := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(string(m[1]), "")
		shown = append(shown, strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(line))
	}
	var script, want strings.Builder
	commands := 0
	for _, line := range shown {
		if command, ok := strings.CutPrefix(line, "$ "); ok {
			script.WriteString("( " + command + " )\n")
			commands++
		} else {
			want.WriteString(line + "\n")
		}
	}
	if commands < 5 {
		t.Fatalf("only %d commands in the picture", commands)
	}
	cmd := exec.Command("sh", "-c", script.String())
	cmd.Dir = "../../doc/terminal"
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir(), "OUTPUTS=" + filepath.Join(t.TempDir(), "said"), "LC_ALL=C.UTF-8"}
	got, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	// Long lines are broken and spaces at the end are lost on the screen.
	bare := strings.NewReplacer("\n", "", " ", "")
	if bare.Replace(string(got)) != bare.Replace(want.String()) {
		t.Errorf("prints\n%s-- the picture shows\n%s-- make it again: doc/terminal.sh", got, want.String())
	}
}

// TestExitCodesInReadme: the README has the table of exit codes.
func TestExitCodesInReadme(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	plain := strings.ReplaceAll(string(text), "`", "")
	var table strings.Builder
	for _, row := range exitTable {
		fmt.Fprintf(&table, "| %s | %s |\n", row.code, row.when)
	}
	if !strings.Contains(plain, table.String()) {
		t.Errorf("the README's table is not this one:\n%s", table.String())
	}
}

// TestFlagsInPages: a flag that the pages speak of is one of the table's.
func TestFlagsInPages(t *testing.T) {
	found := 0
	for _, page := range append([]string{"CHANGELOG.md"}, docPages...) {
		text, err := os.ReadFile(filepath.Join("../..", page))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile("`--([a-z][a-z0-9-]*)[^`]*`").FindAllSubmatch(text, -1) {
			found++
			if findFlag(flagTable, string(m[1])) == nil {
				t.Errorf("%s: no such flag: --%s", page, m[1])
			}
		}
	}
	if found < 100 {
		t.Errorf("only %d flags are spoken of", found)
	}
}
