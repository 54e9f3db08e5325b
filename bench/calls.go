//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
)

const prompt = "Say hi."

// calls are the sections that compare single calls.
func (b *bench) calls() []section {
	return []section{
		{"size", b.size},
		{"start", func() error {
			return b.compare("Start-up: --version", command{name: "curl", args: []string{"curl", "--version"}}, command{name: "llmcall", args: []string{b.llmcall, "--version"}})
		}},
		{"small", func() error {
			return b.compare("One small call, plain", b.curl("reply", false), b.call("reply"))
		}},
		{"small-stream", func() error {
			return b.compare("One small call, a stream of 20 chunks", b.curl("stream-20", true), b.call("stream-20", "--stream"))
		}},
		{"latency", b.latency},
		{"stream", func() error { return b.fast(200_000) }},
		{"pipeline", func() error {
			return b.compare("A stream of 20,000 chunks, beside the shell's pipeline", b.call("stream-20000", "--stream"), b.pipeline("stream-20000"))
		}},
		{"long-stream", b.long},
		{"prompt", b.prompt},
	}
}

func (b *bench) size() error {
	st, err := os.Stat(b.llmcall)
	if err != nil {
		return err
	}
	fmt.Printf("### Binary\n\n%.2f MB\n", float64(st.Size())/1e6)
	return nil
}

// call is llmcall asking a model of the server.
func (b *bench) call(model string, flags ...string) command {
	name := "llmcall"
	for _, f := range flags {
		if f != "--stream" {
			name += " " + f
		}
	}
	return command{name: name, args: append(append([]string{b.llmcall, "-m", model, "--no-stdin"}, flags...), prompt)}
}

// curl posts the body that llmcall would and writes what comes.
func (b *bench) curl(model string, stream bool) command {
	return command{name: "curl -sN", args: []string{
		"curl", "-sN", "-H", "Content-Type: application/json", "-d", body(model, prompt, stream), b.server.base() + "/chat/completions",
	}}
}

// pipeline is what a shell user writes to see the text of a stream as it comes.
func (b *bench) pipeline(model string) command {
	return command{name: "curl, sed -u, jq", args: []string{"sh", "-c",
		`curl -sN -H 'Content-Type: application/json' -d "$1" "$2" | sed -u -n '/^data: \[DONE\]/d; s/^data: //p' | jq -rj --unbuffered '.choices[0].delta.content // empty'`,
		"sh", body(model, prompt, true), b.server.base() + "/chat/completions"}}
}

func body(model, text string, stream bool) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string has a JSON form
	}
	return `{"model":"` + model + `","messages":[{"role":"user","content":` + string(quoted) + `}],"stream":` + strconv.FormatBool(stream) + `}`
}

// fast compares the formats on a stream that comes as fast as it is read.
func (b *bench) fast(chunks int) error {
	model := "stream-" + strconv.Itoa(chunks)
	return b.compare(fmt.Sprintf("A stream of %d chunks to a file", chunks), b.curl(model, true),
		b.call(model, "--stream"), b.call(model, "--stream", "-o", "ndjson"), b.call(model, "--stream", "-o", "json"))
}

// long shows whether ten times as many chunks cost more each.
func (b *bench) long() error {
	const few, many = 200_000, 2_000_000
	var commands []command
	for _, n := range []int{few, many} {
		model := "stream-" + strconv.Itoa(n)
		commands = append(commands, b.call(model, "--stream"), b.call(model, "--stream", "-o", "ndjson"))
	}
	samples, err := b.inTurn(commands)
	if err != nil {
		return err
	}
	fmt.Printf("\n### Ten times the chunks\n\n| command | CPU ns a chunk, 200,000 | 2,000,000 | ratio | peak MiB, 200,000 | 2,000,000 | ratio |\n|---|--:|--:|--:|--:|--:|--:|\n")
	for i := range 2 {
		cpuFew := func(s sample) float64 { return float64(s.CPU) / few }
		cpuMany := func(s sample) float64 { return float64(s.CPU) / many }
		few, many := samples[i], samples[i+2]
		fmt.Printf("| %s | %.0f | %.0f | %.2f | %.1f | %.1f | %.2f |\n", commands[i].name, medianOf(few, cpuFew), medianOf(many, cpuMany),
			medianOf(many, cpuMany)/medianOf(few, cpuFew), medianOf(few, peak), medianOf(many, peak), ratio(many, few, peak))
	}
	return nil
}

// prompt compares posting a large text from stdin with curl posting the body that is made of it.
func (b *bench) prompt() error {
	const size = 50_000_000
	line := "The quick brown fox jumps over the lazy dog, \"said\" the naïve crow; and so on and so forth for 1 line.\n"
	text := make([]byte, 0, size+len(line))
	for len(text) < size {
		text = append(text, line...)
	}
	textFile, bodyFile := b.dir+"/prompt.txt", b.dir+"/prompt.json"
	if err := os.WriteFile(textFile, text, 0o600); err != nil {
		return err
	}
	if err := os.WriteFile(bodyFile, []byte(body("reply", string(text), false)), 0o600); err != nil {
		return err
	}
	curl := command{name: "curl --data-binary @file", args: []string{
		"curl", "-sN", "-H", "Content-Type: application/json", "--data-binary", "@" + bodyFile, b.server.base() + "/chat/completions",
	}}
	file := command{name: "llmcall <file", args: []string{b.llmcall, "-m", "reply"}, stdin: textFile}
	piped := command{name: "cat file \\| llmcall", args: []string{"sh", "-c", `cat "$1" | "$2" -m reply`, "sh", textFile, b.llmcall}}
	return b.compare("A prompt of 50 MB on stdin", curl, file, piped)
}
