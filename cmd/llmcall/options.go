package main

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"
)

// options is a command line, read but not yet acted on: no file was opened and no variable looked up.
type options struct {
	words []string // the prompt's

	system, developer textSource
	files             []string
	turns             []turnFlag
	messages          []string
	request, profile  string
	params            []setting
	edits             []editFlag
	schema            string
	schemaName        string
	strict, stream    *bool
	noStdin           bool
	recommended       bool

	output, query, reasoning, outputFile string
	extract, null, noNewline, stripThink bool
	allowIncomplete, validate            bool
	validateRetries                      int
	usage, verbose, quiet                bool
	meta, errorFormat                    string

	provider, model, baseURL      string
	headers                       []string
	keyFile, keyCommand, config   string
	lint, caCert, cert, certKey   string
	insecureHTTP                  bool
	models, providers             bool
	mock                          string
	retries                       int
	retryMaxWait, timeout         seconds
	connectTimeout, idleTimeout   seconds
	record, replay, replaySpeed   string
	batch, batchFormat, shard     string
	failed                        string
	concurrency, rpm, maxFailures int
	ordered, resume               bool
	dryRun, curl, help, version   bool
	completion                    string
	stdinFlags                    []string        // flags given "-"
	given                         map[string]bool // names of the flags that stand on the command line
	err                           error           // of the flag that could not be set
}

// textSource is a text given by a flag, or the file that holds it.
type textSource struct{ flag, text, file string }

// turnFlag is a flag that adds a message, or a part of one, in argv order.
type turnFlag struct{ kind, value string }

// setting is a flag that sets a member of the request.
type setting struct {
	flag, member string
	kind         kind
	value        string
}

// editFlag is --set, --set-string or --unset.
type editFlag struct{ op, path, value string }

// seconds is a time given by a flag; text is how it was typed.
type seconds struct {
	time.Duration
	text string
}

// parse reads a command line. All it can find wrong is a usageError.
func parse(args []string) (*options, error) {
	args, err := canonical(flagTable, args)
	if err != nil {
		return nil, err
	}
	o := &options{
		output: "content", reasoning: "hide", errorFormat: "text", batchFormat: "json",
		retries: 2, retryMaxWait: seconds{time.Minute, "60s"}, connectTimeout: seconds{10 * time.Second, "10s"},
		idleTimeout: seconds{10 * time.Minute, "10m"}, concurrency: 8, maxFailures: -1, given: map[string]bool{},
	}
	app := &cli.App{
		Name: "llmcall", HideHelp: true, HideHelpCommand: true, HideVersion: true, DisableSliceFlagSeparator: true,
		ExitErrHandler: func(*cli.Context, error) {},
		OnUsageError:   func(_ *cli.Context, err error, _ bool) error { return err },
		Action: func(c *cli.Context) error {
			o.words = c.Args().Slice()
			return nil
		},
	}
	// Only the flags that are there: cli runs regular expressions over the names of all it is given, several times each.
	for name := range settingNames(args) {
		app.Flags = append(app.Flags, &cli.GenericFlag{Name: name, Value: &logged{flag: findFlag(flagTable, name), options: o}})
	}
	if err := app.Run(append([]string{"llmcall"}, args...)); err != nil {
		if o.err != nil {
			err = o.err
		}
		return nil, usageError{msg: err.Error()}
	}
	return o, nil
}

// settingNames gives the names of the flags on a canonical command line, each once.
func settingNames(args []string) iter.Seq[string] {
	return func(yield func(string) bool) {
		var seen []string
		for _, arg := range args {
			if arg == "--" {
				return
			}
			name, _, _ := strings.Cut(arg[len("--"):], "=")
			if slices.Contains(seen, name) {
				continue
			}
			if seen = append(seen, name); !yield(name) {
				return
			}
		}
	}
}

// logged is the value of a flag: setting it sets the options at once, so that flags act in argv order.
type logged struct {
	flag    *flag
	options *options
}

func (l *logged) String() string { return "" }

func (l *logged) Set(value string) error {
	f, o := l.flag, l.options
	o.given[f.name] = true
	if f.file == reads && value == "-" {
		o.stdinFlags = append(o.stdinFlags, "--"+f.name)
	}
	switch {
	case f.set == nil:
		o.params = append(o.params, setting{flag: "--" + f.name, member: f.member, kind: f.kind, value: value})
	case len(f.values) > 0 && !slices.Contains(f.values, value):
		o.err = fmt.Errorf("--%s: unknown value %q; want %s", f.name, value, orList(f.values))
	default:
		if err := f.set(o, value); err != nil {
			o.err = fmt.Errorf("--%s: %w", f.name, err)
		}
	}
	return o.err
}

func orList(values []string) string {
	last := len(values) - 1
	if last == 0 {
		return values[0]
	}
	return strings.Join(values[:last], ", ") + " or " + values[last]
}

func text(at func(*options) *string) func(*options, string) error {
	return func(o *options, v string) error {
		*at(o) = v
		return nil
	}
}

func onOff(at func(*options) *bool) func(*options, string) error {
	return func(o *options, v string) error {
		*at(o) = v == "true"
		return nil
	}
}

func turn(kind string) func(*options, string) error {
	return func(o *options, v string) error {
		o.turns = append(o.turns, turnFlag{kind, v})
		return nil
	}
}

func count(at func(*options) *int) func(*options, string) error {
	return func(o *options, v string) error {
		n, err := strconv.ParseUint(v, 10, 31)
		if err != nil {
			return fmt.Errorf("not a whole number from 0 up: %s", v)
		}
		*at(o) = int(n)
		return nil
	}
}

// span reads a time: a Go duration, or seconds if it is a bare number.
func span(at func(*options) *seconds) func(*options, string) error {
	return func(o *options, v string) error {
		d, err := time.ParseDuration(v)
		if err != nil {
			d, err = time.ParseDuration(v + "s")
		}
		if err != nil || d < 0 {
			return fmt.Errorf("not a time: %s; want seconds or a form like 90s, 5m, 1h30m", v)
		}
		*at(o) = seconds{d, v}
		return nil
	}
}

func edit(op string) func(*options, string) error {
	return func(o *options, v string) error {
		path, value, ok := strings.Cut(v, "=")
		if op != "unset" && !ok || path == "" {
			return fmt.Errorf("want PATH=VALUE: %s", v)
		}
		if op == "unset" {
			path = v
		}
		o.edits = append(o.edits, editFlag{op, path, value})
		return nil
	}
}

// check finds what cannot go together.
func (o *options) check() error {
	if len(o.stdinFlags) > 1 {
		return usageError{msg: fmt.Sprintf("stdin can be read once, and %s both want it", strings.Join(o.stdinFlags, " - and ")+" -")}
	}
	for _, pair := range [][2]string{
		{"dry-run", "curl"}, {"record", "replay"},
		{"api-key-file", "api-key-command"},
	} {
		if o.given[pair[0]] && o.given[pair[1]] {
			return usageError{msg: fmt.Sprintf("--%s and --%s exclude each other", pair[0], pair[1])}
		}
	}
	for _, pair := range [][2]string{
		{"cert", "key"}, {"key", "cert"}, {"replay-speed", "replay"}, {"validate-retries", "validate"},
		{"schema-name", "schema"}, {"strict", "schema"},
		{"batch-format", "batch"}, {"concurrency", "batch"}, {"rpm", "batch"}, {"ordered", "batch"}, {"resume", "batch"}, {"resume", "output-file"},
		{"shard", "batch"}, {"max-failures", "batch"}, {"failed", "batch"},
	} {
		if o.given[pair[0]] && !o.given[pair[1]] {
			return usageError{msg: fmt.Sprintf("--%s goes with --%s", pair[0], pair[1])}
		}
	}
	for i := range flagTable {
		if f := &flagTable[i]; o.given[f.name] {
			if mode := o.uselessIn(f); mode != "" {
				return usageError{msg: fmt.Sprintf("--%s does nothing with --%s", f.name, mode), hint: "leave one of them out"}
			}
		}
	}
	switch {
	case (o.models || o.providers) && len(o.words) > 0:
		return usageError{msg: "--models and --providers take no prompt: " + strings.Join(o.words, " ")}
	case o.output == "table" && !o.models:
		return usageError{msg: "-o table goes with --models"}
	case o.query != "" && o.output != "json" && o.output != "ndjson" && o.output != "message":
		return usageError{msg: "--query looks into the formats json, ndjson and message, not " + o.output, hint: "add -o json"}
	case o.given["concurrency"] && o.concurrency == 0:
		return usageError{msg: "--concurrency: want at least 1"}
	}
	return nil
}

// uselessIn names the mode given in which a flag has no meaning, if there is one.
func (o *options) uselessIn(f *flag) string {
	switch {
	case o.batch != "" && slices.Contains([]string{"query", "extract", "null", "no-newline", "reasoning", "meta", "usage", "curl", "models", "providers"}, f.name):
		return "batch"
	case o.models && (slices.Contains([]string{"Prompt", "Messages", "Parameters", "Batch"}, f.group) || slices.Contains([]string{"dry-run", "curl", "providers"}, f.name) || isReplyFlag(f)):
		return "models"
	case o.providers && (slices.Contains([]string{"Prompt", "Messages", "Parameters", "Batch", "Reliability"}, f.group) || slices.Contains([]string{"dry-run", "curl", "output-file"}, f.name) || isReplyFlag(f)):
		return "providers"
	}
	return ""
}

// isReplyFlag tells the output flags that are about a model's reply.
func isReplyFlag(f *flag) bool {
	return f.group == "Output" && !slices.Contains([]string{"output", "output-file", "error-format", "verbose", "quiet"}, f.name)
}

// once sets a text that two flags can give, of which only one may.
func once(at *textSource, s textSource) error {
	if at.flag != "" && at.flag != s.flag {
		return fmt.Errorf("%s and %s exclude each other", at.flag, s.flag)
	}
	*at = s
	return nil
}
