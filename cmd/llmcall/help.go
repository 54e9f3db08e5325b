package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// help is what --help prints: examples first, then every flag of the table, grouped by what one wants to do.
func help() string {
	var b strings.Builder
	b.WriteString(`Usage: llmcall [flags] [PROMPT...]

Sends a chat completion request and prints the reply. The prompt is the words,
then each --file, then piped stdin. Flags may stand anywhere; text that starts
with a dash goes after --.

Examples:
  llmcall -p mock 'Say hi'                     no key, no network: try it
  cat prompt.txt | llmcall -m MiniMax-M2.7     Infercom, with INFERCOM_API_KEY
  git diff | llmcall -m MiniMax-M2.7 -s 'Write a commit message.'
  llmcall -p exascale -m MiniMaxAI/MiniMax-M2.7 'Hello'
  llmcall --base-url http://127.0.0.1:8080/v1 'Hello'
  llmcall -m gemma-4-31B-it --schema city.json 'Where is the Louvre?' | jq .city
  llmcall -m gpt-oss-120b --batch prompts.jsonl --output-file out.jsonl
`)
	for _, g := range groups {
		fmt.Fprintf(&b, "\n%s:\n", g)
		for _, f := range flagTable {
			if f.group == g {
				fmt.Fprintf(&b, "  %-31s %s\n", f.usage(), f.help)
			}
		}
	}
	b.WriteString(`
A switch takes =false too. TIME is seconds, or a form like 90s, 5m, 1h30m.
FILE|- and - are stdin; JSON|FILE is JSON itself or the name of a file.

Output formats:
  content      the text of the reply
  json         the response body as received; of a stream, reassembled
  ndjson       the chunks of a stream, one a line
  message      the reply as a message, to append to a --messages file
  tool-calls   one JSON object a tool call
  reasoning    the reasoning text

Exit status: 0 whole, 2 bad input, 3 cut by the token limit, 4 schema, 5 batch,
6 7 network, 8 protocol, 18 broken off, 28 timeout, 35 TLS, 40-69 HTTP 400-429
(41 key, 50 model removed, 62 plan, 69 rate limit), 70-78 HTTP 500-508.
man llmcall tells the rest.
`)
	return b.String()
}

// shortUsage is what a user sees who gave nothing to work on.
const shortUsage = `usage: llmcall [flags] PROMPT...   or: COMMAND | llmcall [flags]
try:   llmcall -p mock 'Say hi'    llmcall --help lists all flags`

// usage is the flag as --help and the man page write it.
func (f *flag) usage() string {
	s := "    "
	if f.short != "" {
		s = "-" + f.short + ", "
	}
	s += "--" + f.name
	if f.arg != "" {
		s += " " + f.arg
	}
	return s
}

// version and commit are set when a release is built; else they come from the build's own record.
var version, commit string

// versionNumber is the release's, or what the go command knows of the module.
func versionNumber() string {
	v := version
	if v == "" {
		if info, ok := debug.ReadBuildInfo(); ok {
			v = strings.TrimPrefix(info.Main.Version, "v")
		}
	}
	if v == "" || v == "(devel)" {
		v = "dev"
	}
	return v
}

// versionText is what --version prints.
func versionText() string {
	v, c := versionNumber(), commit
	if info, ok := debug.ReadBuildInfo(); ok && c == "" {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				c = s.Value[:min(12, len(s.Value))]
			}
		}
	}
	if c == "" {
		c = "unknown"
	}
	return fmt.Sprintf("llmcall %s\ncommit %s\n%s %s/%s\n", v, c, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
