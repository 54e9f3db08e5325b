package main

// flag is a row of the flag table, from which parsing, --help, the completions and the man page's options are made.
type flag struct {
	name  string // without the dashes
	short string // one letter, or none
	arg   string // what the value is called; none: a switch
	group string
	help  string // one line, with the unit and the default

	values []string // the values there are, if they can be listed
	file   fileUse  // the value is a file's name
	member string   // the request's member that the flag sets
	kind   kind     // how the value becomes that member's JSON

	set func(o *options, value string) error // nil for flags that set a member
}

// fileUse says what llmcall does with a file.
type fileUse int

const (
	reads fileUse = iota + 1 // "-" is stdin
	writes
)

// kind says how the text of a flag becomes the JSON of a request's member.
type kind int

const (
	asNumber kind = iota + 1
	asInteger
	asBool
	asText
	asList   // each use adds a string to an array
	asJSON   // inline JSON or a file
	asFormat // as asJSON; text and json_object may stand bare
	asChoice // as asJSON; auto, none, required or a tool's name may stand bare
	asTools  // as asJSON; one tool stands for a list of it
	asBias   // each use adds TOKEN=BIAS to an object
)

// groups are the headings of --help and the man page, in order.
var groups = []string{"Prompt", "Messages", "Parameters", "Output", "Provider", "Reliability", "Batch", "Other"}

var flagTable = []flag{
	{name: "system", short: "s", arg: "TEXT", group: "Prompt", help: "system message", set: func(o *options, v string) error {
		return once(&o.system, textSource{flag: "--system", text: v})
	}},
	{name: "system-file", arg: "FILE", file: reads, group: "Prompt", help: "system message from a file (- is stdin)", set: func(o *options, v string) error {
		return once(&o.system, textSource{flag: "--system-file", file: v})
	}},
	{name: "developer", arg: "TEXT", group: "Prompt", help: "developer message", set: func(o *options, v string) error {
		o.developer = textSource{flag: "--developer", text: v}
		return nil
	}},
	{name: "file", short: "f", arg: "FILE", file: reads, group: "Prompt", help: "add a file's text to the prompt (repeatable)", set: func(o *options, v string) error {
		o.files = append(o.files, v)
		return nil
	}},
	{name: "image", arg: "FILE|URL|-", file: reads, group: "Prompt", help: "attach an image (repeatable)", set: turn("image")},
	{name: "audio", arg: "FILE|-", file: reads, group: "Prompt", help: "attach a sound (repeatable)", set: turn("audio")},
	{name: "no-stdin", group: "Prompt", help: "leave stdin alone, as inside a shell loop", set: onOff(func(o *options) *bool { return &o.noStdin })},

	{name: "user", short: "u", arg: "TEXT", group: "Messages", help: "a user message (repeatable)", set: turn("user")},
	{name: "assistant", arg: "TEXT", group: "Messages", help: "an assistant message (repeatable)", set: turn("assistant")},
	{name: "tool-result", arg: "ID=TEXT", group: "Messages", help: "the result of a tool call (repeatable)", set: turn("tool")},
	{name: "messages", short: "M", arg: "FILE|-", file: reads, group: "Messages", help: "messages as JSON or NDJSON (repeatable)", set: func(o *options, v string) error {
		o.messages = append(o.messages, v)
		return nil
	}},
	{name: "request", short: "r", arg: "FILE|-", file: reads, group: "Messages", help: "start from a whole request body", set: text(func(o *options) *string { return &o.request })},
	{name: "profile", arg: "NAME", group: "Messages", help: "start from a named body of the config file", set: text(func(o *options) *string { return &o.profile })},
	{name: "set", arg: "PATH=VALUE", group: "Messages", help: "set a member: JSON, else a string (repeatable)", set: edit("set")},
	{name: "set-string", arg: "PATH=TEXT", group: "Messages", help: "set a member to a string (repeatable)", set: edit("set-string")},
	{name: "unset", arg: "PATH", group: "Messages", help: "remove a member (repeatable)", set: edit("unset")},

	{name: "temperature", short: "t", arg: "NUMBER", group: "Parameters", member: "temperature", kind: asNumber, help: "sampling temperature"},
	{name: "top-p", arg: "NUMBER", group: "Parameters", member: "top_p", kind: asNumber, help: "nucleus sampling, 0 to 1"},
	{name: "top-k", arg: "N", group: "Parameters", member: "top_k", kind: asInteger, help: "sample among the N likeliest tokens"},
	{name: "max-tokens", arg: "N", group: "Parameters", member: "max_tokens", kind: asInteger, help: "longest reply, in tokens"},
	{name: "max-completion-tokens", arg: "N", group: "Parameters", member: "max_completion_tokens", kind: asInteger, help: "the same under its newer name"},
	{name: "stop", arg: "TEXT", group: "Parameters", member: "stop", kind: asList, help: "end the reply before TEXT (repeatable)"},
	{name: "seed", arg: "N", group: "Parameters", member: "seed", kind: asInteger, help: "seed for a repeatable sample"},
	{name: "n", arg: "N", group: "Parameters", member: "n", kind: asInteger, help: "number of choices (1)"},
	{name: "presence-penalty", arg: "NUMBER", group: "Parameters", member: "presence_penalty", kind: asNumber, help: "penalty for tokens seen, -2 to 2"},
	{name: "frequency-penalty", arg: "NUMBER", group: "Parameters", member: "frequency_penalty", kind: asNumber, help: "penalty for tokens seen often, -2 to 2"},
	{name: "repetition-penalty", arg: "NUMBER", group: "Parameters", member: "repetition_penalty", kind: asNumber, help: "factor for tokens seen, 1 is none"},
	{name: "do-sample", group: "Parameters", member: "do_sample", kind: asBool, help: "sample; =false is greedy"},
	{name: "reasoning-effort", arg: "LEVEL", group: "Parameters", member: "reasoning_effort", kind: asText, values: []string{"low", "medium", "high"}, help: "how long to think: low, medium or high"},
	{name: "thinking", group: "Parameters", help: "turn thinking on; =false turns it off", set: func(o *options, v string) error {
		o.params = append(o.params, setting{flag: "--thinking", member: "chat_template_kwargs.enable_thinking", kind: asBool, value: v})
		return nil
	}},
	{name: "logprobs", group: "Parameters", member: "logprobs", kind: asBool, help: "return log probabilities"},
	{name: "top-logprobs", arg: "N", group: "Parameters", member: "top_logprobs", kind: asInteger, help: "log probabilities of the N likeliest tokens"},
	{name: "logit-bias", arg: "TOKEN=BIAS", group: "Parameters", member: "logit_bias", kind: asBias, help: "bias of a token id, -100 to 100 (repeatable)"},
	{name: "tools", arg: "JSON|FILE", file: reads, group: "Parameters", member: "tools", kind: asTools, help: "tools the model may call"},
	{name: "tool-choice", arg: "CHOICE", group: "Parameters", member: "tool_choice", kind: asChoice, values: []string{"auto", "none", "required"}, help: "auto, none, required or a tool's name"},
	{name: "parallel-tool-calls", group: "Parameters", member: "parallel_tool_calls", kind: asBool, help: "allow several tool calls at once"},
	{name: "response-format", arg: "JSON|FILE", file: reads, group: "Parameters", member: "response_format", kind: asFormat, values: []string{"text", "json_object"}, help: "text, json_object or JSON"},
	{name: "schema", arg: "JSON|FILE", file: reads, group: "Parameters", help: "JSON Schema for the reply to follow", set: text(func(o *options) *string { return &o.schema })},
	{name: "schema-name", arg: "NAME", group: "Parameters", help: "name of the schema (its title, else response)", set: text(func(o *options) *string { return &o.schemaName })},
	{name: "strict", group: "Parameters", help: "send strict with the schema", set: func(o *options, v string) error {
		on := v == "true"
		o.strict = &on
		return nil
	}},
	{name: "stream", group: "Parameters", help: "print the reply as it comes (on a terminal)", set: func(o *options, v string) error {
		on := v == "true"
		o.stream = &on
		return nil
	}},
	{name: "stream-options", arg: "JSON|FILE", file: reads, group: "Parameters", member: "stream_options", kind: asJSON, help: "options of a stream"},
	{name: "chat-template-kwargs", arg: "JSON|FILE", file: reads, group: "Parameters", member: "chat_template_kwargs", kind: asJSON, help: "arguments of the chat template"},
	{name: "recommended", group: "Parameters", help: "fill sampling from the publisher's advice", set: onOff(func(o *options) *bool { return &o.recommended })},

	{name: "output", short: "o", arg: "FORMAT", group: "Output", values: []string{"content", "json", "ndjson", "message", "tool-calls", "reasoning", "table"}, help: "form of the result, listed below (content)", set: text(func(o *options) *string { return &o.output })},
	{name: "query", short: "q", arg: "PATH", group: "Output", help: "print what a GJSON path finds in the JSON", set: text(func(o *options) *string { return &o.query })},
	{name: "extract", short: "x", group: "Output", help: "print only the first fenced code block", set: onOff(func(o *options) *bool { return &o.extract })},
	{name: "null", short: "0", group: "Output", help: "end each choice by NUL, not by a newline", set: onOff(func(o *options) *bool { return &o.null })},
	{name: "no-newline", group: "Output", help: "never add a newline", set: onOff(func(o *options) *bool { return &o.noNewline })},
	{name: "reasoning", arg: "WHERE", group: "Output", values: []string{"hide", "stderr", "stdout"}, help: "show reasoning: hide, stderr or stdout (hide)", set: text(func(o *options) *string { return &o.reasoning })},
	{name: "strip-think", group: "Output", help: "count a leading <think> block as reasoning", set: onOff(func(o *options) *bool { return &o.stripThink })},
	{name: "output-file", arg: "FILE", file: writes, group: "Output", help: "write there, only if the result is whole", set: text(func(o *options) *string { return &o.outputFile })},
	{name: "allow-incomplete", group: "Output", help: "exit 0 though the token limit cut the reply", set: onOff(func(o *options) *bool { return &o.allowIncomplete })},
	{name: "validate", group: "Output", help: "check the reply against the schema; exit 4", set: onOff(func(o *options) *bool { return &o.validate })},
	{name: "validate-retries", arg: "N", group: "Output", help: "ask again N times with the errors (0)", set: count(func(o *options) *int { return &o.validateRetries })},
	{name: "usage", group: "Output", help: "print token counts on stderr", set: onOff(func(o *options) *bool { return &o.usage })},
	{name: "meta", arg: "FILE", file: writes, group: "Output", help: "write facts about the call as JSON", set: text(func(o *options) *string { return &o.meta })},
	{name: "error-format", arg: "FORMAT", group: "Output", values: []string{"text", "json"}, help: "text or json on stderr (text)", set: text(func(o *options) *string { return &o.errorFormat })},
	{name: "verbose", short: "v", group: "Output", help: "show request, headers and times on stderr", set: onOff(func(o *options) *bool { return &o.verbose })},
	{name: "quiet", group: "Output", help: "no warnings, notices or hints", set: onOff(func(o *options) *bool { return &o.quiet })},

	{name: "provider", short: "p", arg: "NAME", group: "Provider", help: "provider, see --providers (infercom)", set: text(func(o *options) *string { return &o.provider })},
	{name: "model", short: "m", arg: "ID", group: "Provider", help: "model, also PROVIDER:ID", set: text(func(o *options) *string { return &o.model })},
	{name: "base-url", arg: "URL", group: "Provider", help: "address of the API, as https://host/v1", set: text(func(o *options) *string { return &o.baseURL })},
	{name: "header", short: "H", arg: "'NAME: VALUE'", group: "Provider", help: "add or replace a header (repeatable)", set: func(o *options, v string) error {
		o.headers = append(o.headers, v)
		return nil
	}},
	{name: "api-key-file", arg: "FILE", file: reads, group: "Provider", help: "read the key from a file", set: text(func(o *options) *string { return &o.keyFile })},
	{name: "api-key-command", arg: "COMMAND", group: "Provider", help: "read the key from what sh -c COMMAND prints", set: text(func(o *options) *string { return &o.keyCommand })},
	{name: "models", group: "Provider", help: "list model ids (-o json, -o table)", set: onOff(func(o *options) *bool { return &o.models })},
	{name: "providers", group: "Provider", help: "list providers (-o json)", set: onOff(func(o *options) *bool { return &o.providers })},
	{name: "config", arg: "FILE", file: reads, group: "Provider", help: "config file (~/.config/llmcall/config.json)", set: text(func(o *options) *string { return &o.config })},
	{name: "lint", arg: "LEVEL", group: "Provider", values: []string{"default", "strict", "off"}, help: "rule check: default, strict or off (default)", set: text(func(o *options) *string { return &o.lint })},
	{name: "cacert", arg: "FILE", file: reads, group: "Provider", help: "trust these certificates too (PEM)", set: text(func(o *options) *string { return &o.caCert })},
	{name: "cert", arg: "FILE", file: reads, group: "Provider", help: "client certificate (PEM)", set: text(func(o *options) *string { return &o.cert })},
	{name: "key", arg: "FILE", file: reads, group: "Provider", help: "private key of --cert (PEM)", set: text(func(o *options) *string { return &o.certKey })},
	{name: "insecure-http", group: "Provider", help: "send a key over plain http", set: onOff(func(o *options) *bool { return &o.insecureHTTP })},
	{name: "mock", arg: "FILE", file: reads, group: "Provider", help: "script of replies for -p mock", set: text(func(o *options) *string { return &o.mock })},

	{name: "retries", arg: "N", group: "Reliability", help: "tries after the first (2); 0 is none", set: count(func(o *options) *int { return &o.retries })},
	{name: "retry-max-wait", arg: "TIME", group: "Reliability", help: "longest wait between tries (60s)", set: span(func(o *options) *seconds { return &o.retryMaxWait })},
	{name: "timeout", arg: "TIME", group: "Reliability", help: "longest time for the whole call (none)", set: span(func(o *options) *seconds { return &o.timeout })},
	{name: "connect-timeout", arg: "TIME", group: "Reliability", help: "longest time to connect (10s)", set: span(func(o *options) *seconds { return &o.connectTimeout })},
	{name: "idle-timeout", arg: "TIME", group: "Reliability", help: "longest time without data (10m)", set: span(func(o *options) *seconds { return &o.idleTimeout })},
	{name: "record", arg: "FILE", file: writes, group: "Reliability", help: "append the exchanges to a file", set: text(func(o *options) *string { return &o.record })},
	{name: "replay", arg: "FILE", file: reads, group: "Reliability", help: "answer from a recorded file, offline", set: text(func(o *options) *string { return &o.replay })},
	{name: "replay-speed", arg: "FACTOR", group: "Reliability", help: "replay's pace: 1 as recorded, 0 at once (0)", set: text(func(o *options) *string { return &o.replaySpeed })},

	{name: "batch", arg: "FILE|-", file: reads, group: "Batch", help: "answer each line of a file", set: text(func(o *options) *string { return &o.batch })},
	{name: "batch-format", arg: "FORMAT", group: "Batch", values: []string{"json", "lines"}, help: "json, or lines of plain text (json)", set: text(func(o *options) *string { return &o.batchFormat })},
	{name: "concurrency", arg: "N", group: "Batch", help: "requests at a time (8)", set: count(func(o *options) *int { return &o.concurrency })},
	{name: "rpm", arg: "N", group: "Batch", help: "most requests a minute (no limit)", set: count(func(o *options) *int { return &o.rpm })},
	{name: "ordered", group: "Batch", help: "answers in the order of the lines", set: onOff(func(o *options) *bool { return &o.ordered })},
	{name: "resume", group: "Batch", help: "go on where --output-file ends", set: onOff(func(o *options) *bool { return &o.resume })},
	{name: "shard", arg: "K/N", group: "Batch", help: "only each Nth line, from the Kth", set: text(func(o *options) *string { return &o.shard })},
	{name: "max-failures", arg: "N", group: "Batch", help: "stop after more than N failures (no limit)", set: count(func(o *options) *int { return &o.maxFailures })},
	{name: "failed", arg: "FILE", file: writes, group: "Batch", help: "collect the lines that failed", set: text(func(o *options) *string { return &o.failed })},

	{name: "dry-run", group: "Other", help: "print the request body, send nothing", set: onOff(func(o *options) *bool { return &o.dryRun })},
	{name: "curl", group: "Other", help: "print the call as a curl command, send nothing", set: onOff(func(o *options) *bool { return &o.curl })},
	{name: "completion", arg: "SHELL", group: "Other", values: []string{"bash", "zsh", "fish"}, help: "print the completion script of a shell", set: text(func(o *options) *string { return &o.completion })},
	{name: "help", short: "h", group: "Other", help: "this text", set: onOff(func(o *options) *bool { return &o.help })},
	{name: "version", group: "Other", help: "version, commit, Go and platform", set: onOff(func(o *options) *bool { return &o.version })},
}
