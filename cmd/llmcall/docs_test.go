package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/llmcall/llmcall/pkg/providers"
)

func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// section gives the lines below a heading, up to the next one of its level.
func section(t *testing.T, page, heading string) string {
	t.Helper()
	level, _, _ := strings.Cut(heading, " ")
	_, rest, ok := strings.Cut(page, "\n"+heading+"\n")
	if !ok {
		t.Fatalf("no %q", heading)
	}
	rest, _, _ = strings.Cut(rest, "\n"+level+" ")
	return rest
}

// definitions gives the terms and texts of a page's definition lists.
func definitions(page string) (all [][2]string) {
	for block := range strings.SplitSeq(page, "\n\n") {
		if term, text, ok := strings.Cut(strings.TrimSpace(block), "\n: "); ok {
			all = append(all, [2]string{term, strings.ReplaceAll(text, "\n", " ")})
		}
	}
	return all
}

func plain(term string) string { return strings.NewReplacer("*", "", `\`, "").Replace(term) }

func TestCompletionsAreCurrent(t *testing.T) {
	for shell, file := range map[string]string{"bash": "llmcall.bash", "zsh": "_llmcall", "fish": "llmcall.fish"} {
		if readFile(t, "../../completions/"+file) != completion(shell) {
			t.Errorf("completions/%s is old: type make completions", file)
		}
	}
}

func TestHelpHasEachFlag(t *testing.T) {
	var got, want []string
	usage := "llmcall: " + strings.ReplaceAll(shortUsage, "\n", "\nllmcall: ") + "\n"
	for line := range strings.Lines(usage + help()) {
		line = strings.TrimRight(line, "\n")
		if n := utf8.RuneCountInString(line); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
		if m := regexp.MustCompile(`^  (?:    |-., )(--[a-z-]+)`).FindStringSubmatch(line); m != nil {
			got = append(got, m[1])
		}
	}
	for _, g := range groups {
		for _, f := range flagTable {
			if f.group == g {
				want = append(want, "--"+f.name)
			}
		}
	}
	if len(want) != len(flagTable) || !slices.Equal(got, want) {
		t.Errorf("in --help:\n%q\nin the table:\n%q", got, want)
	}
}

// The man page has the flags of the table, in its groups and with the names of their values, and no others.
func TestManHasEachFlag(t *testing.T) {
	page := readFile(t, "../../man/llmcall.1.md")
	made := strings.ReplaceAll(readFile(t, "../../man/llmcall.1"), `\-`, "-")
	options := section(t, page, "# OPTIONS")
	for _, g := range groups {
		var want, got []string
		for _, f := range flagTable {
			if f.group != g {
				continue
			}
			term := "**--" + f.name + "**"
			if f.short != "" {
				term = "**-" + f.short + "**, " + term
			}
			if f.arg != "" {
				term += " *" + f.arg + "*"
			}
			want = append(want, term)
			if !strings.Contains(made, `\fB--`+f.name+`\fP`) {
				t.Errorf("man/llmcall.1 is old, it has no --%s: type make man", f.name)
			}
		}
		for _, d := range definitions(section(t, options, "### "+g)) {
			got = append(got, d[0])
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s, in the man page:\n%q\nin the table:\n%q", g, got, want)
		}
	}
}

func TestDocsNameOnlyFlagsThereAre(t *testing.T) {
	long, short := regexp.MustCompile(`(?:^|[\s*('|=])--([a-z][a-z-]*)`), regexp.MustCompile(`llmcall (?:-[a-zA-Z0] \S+ )*-([a-zA-Z0])\b`)
	for name, page := range map[string]string{"man page": readFile(t, "../../man/llmcall.1.md"), "--help": help(), "usage": shortUsage} {
		for _, m := range long.FindAllStringSubmatch(page, -1) {
			if findFlag(flagTable, m[1]) == nil {
				t.Errorf("%s: there is no --%s", name, m[1])
			}
		}
		for _, m := range short.FindAllStringSubmatch(page, -1) {
			if findShort(flagTable, rune(m[1][0])) == nil {
				t.Errorf("%s: there is no -%s", name, m[1])
			}
		}
	}
}

func TestManHasEachExitCode(t *testing.T) {
	var want [][2]string
	for _, row := range exitTable {
		want = append(want, [2]string{"**" + row.code + "**", strings.ToUpper(row.when[:1]) + row.when[1:] + "."})
	}
	got := definitions(section(t, readFile(t, "../../man/llmcall.1.md"), "# EXIT STATUS"))
	if !slices.Equal(got, want) {
		t.Errorf("in the man page:\n%q\nin the table:\n%q", got, want)
	}
}

// What the man page says of values, files and providers is what the code has.
func TestManNamesWhatThereIs(t *testing.T) {
	page := readFile(t, "../../man/llmcall.1.md")
	terms := func(text string) (all []string) {
		for _, d := range definitions(text) {
			all = append(all, strings.Split(plain(d[0]), ", ")...)
		}
		return all
	}
	same := func(what string, got, want []string) {
		t.Helper()
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s, in the man page:\n%q\nthere are:\n%q", what, got, want)
		}
	}
	same("formats", terms(section(t, page, "# OUTPUT FORMATS")), slices.Clone(findFlag(flagTable, "output").values))

	files := section(t, page, "# FILES")
	configText := section(t, files, "### ~/.config/llmcall/config.json")
	same("members of the config", terms(configText), members(reflect.TypeFor[config]()))
	for _, name := range members(reflect.TypeFor[row]()) {
		if name != "name" && !strings.Contains(plain(configText), name) {
			t.Errorf("a member of a provider: %s", name)
		}
	}
	var meta map[string]json.RawMessage
	if err := json.Unmarshal((&call{s: &session{say: &reporter{}}}).meta(0, nil, nil), &meta); err != nil {
		t.Fatal(err)
	}
	for name := range meta {
		if !strings.Contains(section(t, files, "### The file of --meta"), name) {
			t.Errorf("a member of --meta: %s", name)
		}
	}
	_, script, _ := strings.Cut(readFile(t, "../../pkg/providers/mock.go"), "of them required:\n")
	script, _, _ = strings.Cut(script, "func MockTransport")
	var inSource []string
	for _, m := range regexp.MustCompile(`(?m)^//\t([a-z_]+) `).FindAllStringSubmatch(script, -1) {
		inSource = append(inSource, m[1])
	}
	same("members of --mock", terms(section(t, files, "### The file of --mock")), inSource)

	known := plain(section(t, page, "# PROVIDERS"))
	for _, p := range providers.Presets() {
		if !regexp.MustCompile(`\b` + p.Name + `\b`).MatchString(known) {
			t.Errorf("a provider: %s", p.Name)
		}
	}
	for _, f := range flagTable {
		_, text, _ := strings.Cut(section(t, page, "# OPTIONS"), "**--"+f.name+"**")
		text, _, _ = strings.Cut(text, "\n\n")
		for _, v := range f.values {
			if f.name != "output" && !strings.Contains(text, v) {
				t.Errorf("--%s: the value %s", f.name, v)
			}
		}
	}
}

// members are the names that a struct's fields have in JSON.
func members(of reflect.Type) (names []string) {
	for _, f := range reflect.VisibleFields(of) {
		if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); tag != "" {
			names = append(names, tag)
		}
	}
	return names
}

func TestManRenders(t *testing.T) {
	for _, command := range [][]string{
		{"mandoc", "-Tlint", "../../man/llmcall.1"},
		{"man", "--warnings", "-E", "UTF-8", "-l", "../../man/llmcall.1"},
	} {
		t.Run(command[0], func(t *testing.T) {
			path, err := exec.LookPath(command[0])
			if err != nil {
				t.Skip(err)
			}
			var out, errs strings.Builder
			cmd := exec.Command(path, command[1:]...)
			cmd.Env = append(os.Environ(), "MANWIDTH=80", "LC_ALL=C.UTF-8")
			cmd.Stdout, cmd.Stderr = &out, &errs
			if err := cmd.Run(); err != nil || errs.Len() > 0 || command[0] == "mandoc" && out.Len() > 0 {
				t.Errorf("%v\n%s%s", err, errs.String(), out.String())
			}
			if command[0] == "man" && !strings.Contains(out.String(), "--max-completion-tokens") {
				t.Errorf("the page shows no flags:\n%s", out.String())
			}
		})
	}
}
