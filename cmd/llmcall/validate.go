package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/llmcall/llmcall/pkg/object"
	"github.com/llmcall/llmcall/pkg/output"
	"github.com/llmcall/llmcall/pkg/schema"
)

// checker checks a reply: its text against the schema of the request's response format, the arguments of its tool calls
// against the parameters of their tools.
type checker struct {
	text  *schema.Schema
	tools map[string]*schema.Schema
}

// checker compiles the schemas that a body holds; nil without --validate.
func (s *session) checker(body []byte) (*checker, error) {
	if !s.o.validate {
		return nil, nil
	}
	k := &checker{tools: map[string]*schema.Schema{}}
	compile := func(name string, raw []byte) (*schema.Schema, error) {
		compiled, err := schema.Compile(name, raw)
		if errors.Is(err, schema.ErrUnsupported) {
			return nil, usageError{msg: err.Error(), hint: "without --validate the schema is sent as it is"}
		}
		if err != nil {
			return nil, usageError{msg: err.Error()}
		}
		return compiled, nil
	}
	var err error
	if raw, ok := schema.FromResponseFormat([]byte(gjson.GetBytes(body, "response_format").Raw)); ok {
		if k.text, err = compile("response_format", raw); err != nil {
			return nil, err
		}
	}
	gjson.GetBytes(body, "tools").ForEach(func(_, tool gjson.Result) bool {
		name, parameters := tool.Get("function.name").String(), tool.Get("function.parameters")
		if parameters.IsObject() {
			k.tools[name], err = compile("parameters of tool "+name, []byte(parameters.Raw))
		}
		return err == nil
	})
	if err != nil {
		return nil, err
	}
	if k.text == nil && len(k.tools) == 0 {
		return nil, usageError{msg: "--validate has no schema to check against", hint: "give --schema FILE, or --tools with parameters"}
	}
	return k, nil
}

// check gives a mismatchError if the reply does not match.
func (k *checker) check(r output.Result) error {
	var lines []string
	add := func(before string, s *schema.Schema, text string) {
		for _, m := range s.Check([]byte(text)) {
			lines = append(lines, fmt.Sprintf("%s%s: %s", before, m.Path, m.Reason))
		}
	}
	for _, call := range r.ToolCalls {
		if s := k.tools[call.Name]; s != nil {
			add(fmt.Sprintf("tool call %s: ", call.Name), s, first(call.Arguments, "{}"))
		}
	}
	if k.text != nil && len(r.ToolCalls) == 0 {
		add("", k.text, r.Text)
	}
	if len(lines) > 0 {
		return mismatchError{lines}
	}
	return nil
}

// doChecked makes the call and checks the reply; one that does not match is asked for again with the errors, as often as
// --validate-retries says. What is held of it is dropped then.
func (c *call) doChecked(ctx context.Context, k *checker, to *delivery) error {
	err := c.doAllowed(ctx)
	for n := 0; k != nil && err == nil; n++ {
		if err = k.check(c.facts.result); err == nil || n >= c.s.o.validateRetries {
			break
		}
		var mismatch mismatchError
		errors.As(err, &mismatch)
		tell := c.s.say.notice
		if c.turn != nil {
			tell = c.s.say.detail
		}
		tell(fmt.Sprintf("%s; asking again (%d of %d): %s", err, n+1, c.s.o.validateRetries, mismatch.lines[0]))
		if c.body, err = askAgain(c.body, c.facts.result, mismatch.lines); err != nil {
			return err
		}
		before, usage := bytes.Clone(to.held.Bytes()), c.facts.result.Usage
		to.again()
		err = c.doAllowed(ctx)
		c.facts.result.Usage = addUsage(usage, c.facts.result.Usage)
		if code := exitCode(err); code != exitOK && code != exitCut && code < exitSignal {
			// The reply that was paid for is not lost for the one that did not come.
			to.again()
			to.held.Write(before)
			return mismatchError{append(mismatch.lines, "asking again failed: "+oneLine(err.Error()))}
		}
	}
	return err
}

// doAllowed makes the call and lets a cut reply pass where --allow-incomplete says so.
func (c *call) doAllowed(ctx context.Context) error {
	err := c.do(ctx)
	var cut *output.CutError
	if c.s.o.allowIncomplete && errors.As(err, &cut) && exitCode(err) == exitCut {
		c.s.say.warn(cut.Error())
		return cut.Err
	}
	return err
}

// askAgain adds to a request the reply that did not match and what was wrong with it. Tool calls are answered, for a request
// whose calls have no results would be refused.
func askAgain(body []byte, reply output.Result, wrong []string) ([]byte, error) {
	o, err := object.Parse(body)
	if err != nil {
		return nil, err
	}
	fault := strings.Join(wrong, "\n")
	assistant := member{}
	assistant.text("role", "assistant")
	assistant.raw("content", quote(reply.Text))
	messages := []*member{&assistant}
	ask := "That reply does not match the JSON Schema:\n" + fault + "\nAnswer again with JSON alone that matches it."
	if len(reply.ToolCalls) > 0 {
		ask = "Call again, with arguments that match the parameters."
		var calls []string
		for _, call := range reply.ToolCalls {
			function, entry, result := member{}, member{}, &member{}
			function.text("name", call.Name)
			function.raw("arguments", quote(call.Arguments))
			entry.text("id", call.ID)
			entry.text("type", "function")
			entry.raw("function", string(function.object()))
			calls = append(calls, string(entry.object()))
			result.text("role", "tool")
			result.text("tool_call_id", call.ID)
			result.text("content", "not run: the arguments do not match:\n"+fault)
			messages = append(messages, result)
		}
		assistant.raw("tool_calls", "["+strings.Join(calls, ",")+"]")
	}
	user := member{}
	user.text("role", "user")
	user.text("content", ask)
	at := len(gjson.GetBytes(body, "messages").Array())
	for i, m := range append(messages, &user) {
		if err := o.SetPath(fmt.Sprintf("messages.%d", at+i), m.object()); err != nil {
			return nil, err
		}
	}
	return o.Append(nil), nil
}
