package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/llmcall/llmcall/pkg/output"
	"github.com/llmcall/llmcall/pkg/providers"
	"github.com/llmcall/llmcall/pkg/record"
)

// nearestWait is how long the provider's list of models may take when a model was not found.
const nearestWait = 2 * time.Second

// hint says what to do about an error of a call, in one line, or nothing.
func (c *call) hint(ctx context.Context, err error) string {
	var (
		api  *providers.APIError
		cut  *output.CutError
		slow *providers.TimeoutError
		miss *record.MissError
	)
	switch {
	case errors.As(err, &api):
		return c.apiHint(ctx, api)
	case errors.As(err, &cut) && cut.NoContent && isLength(cut.Reason):
		return "reasoning used the whole budget; raise --max-tokens, or lower --reasoning-effort where the model has it"
	case errors.As(err, &cut) && isLength(cut.Reason):
		return "raise --max-tokens, or take what came with --allow-incomplete"
	case errors.As(err, &cut):
		return "--allow-incomplete takes what came"
	case errors.As(err, &slow) && slow.Which == "idle":
		return "--idle-timeout sets how long to wait for data"
	case errors.As(err, &slow):
		return "--connect-timeout sets how long to wait; a proxy is named by HTTPS_PROXY"
	case errors.As(err, &miss):
		return "record it with --record, or change the request back"
	case errors.As(err, &callTimeout{}):
		return "--timeout counts retries and waits too"
	case exitCode(err) == exitTLS:
		return "--cacert FILE trusts a certificate of your own"
	case exitCode(err) == exitNoConnect, exitCode(err) == exitNoHost:
		if c.s.base == c.s.row.BaseURL && !c.s.row.KeyOptional {
			return "is this machine online? a proxy is named by HTTPS_PROXY"
		}
		return "asked " + c.s.client.URL() + "; is the server running, and is --base-url right?"
	}
	return hintOf(err)
}

func isLength(reason string) bool { return reason == "length" || reason == "max_tokens" }

func (c *call) apiHint(ctx context.Context, e *providers.APIError) string {
	switch {
	case e.Location != "":
		return "redirects are not followed; if that address is right, give it as --base-url"
	case e.Status == http.StatusBadRequest && e.Param != "":
		return fmt.Sprintf("the parameter is %s; --dry-run shows the request", e.Param)
	case e.Status == http.StatusBadRequest:
		return "--dry-run shows the request"
	case e.Status == http.StatusUnauthorized:
		cred := c.s.client.Credential
		if cred.Source == "" {
			return "no key was sent; " + c.s.keyHint()
		}
		return strings.TrimSuffix("the key came from "+cred.Source+"; "+cred.Hint, "; ")
	case e.Status == http.StatusPaymentRequired, e.Code == "insufficient_quota" && !c.s.row.QuotaIsRateLimit:
		return "the account has no credit left; waiting does not help"
	case e.Status == http.StatusNotFound:
		return c.notFoundHint(ctx, e)
	case e.Status == http.StatusForbidden:
		return "the key may lack the right to this model, or a firewall stands between"
	case e.Status == http.StatusRequestEntityTooLarge:
		return "the prompt is too large for the server; send less of it"
	case e.Status == http.StatusRequestTimeout, e.Status == http.StatusConflict, e.Status >= 500 && c.retryable(e):
		return "this may pass; --retries tries more often"
	case e.Status == http.StatusProxyAuthRequired:
		return "the proxy wants a user and password in its address"
	case e.Status == http.StatusGone:
		return "this is permanent: pick another model, llmcall --models -p " + c.s.row.Name + " lists them"
	case e.Status == http.StatusUnprocessableEntity:
		return "the model may not be in your plan; llmcall --models -p " + c.s.row.Name + " lists what there is"
	case e.Status == http.StatusTooManyRequests:
		return c.limitHint()
	}
	return ""
}

// keyHint names what a key is looked for in.
func (s *session) keyHint() string {
	if len(s.row.Keys) > 0 && len(s.row.Keys[0].Headers) > 0 && s.row.Keys[0].Headers[0].Var != "" {
		return "set " + s.row.Keys[0].Headers[0].Var + " or give --api-key-file"
	}
	return "give --api-key-file"
}

// notFoundHint names the models whose names are nearest, if it was the model that was not found.
func (c *call) notFoundHint(ctx context.Context, e *providers.APIError) string {
	url := "asked " + c.s.client.URL()
	if !c.aboutModel(e) {
		return url + "; is --base-url right?"
	}
	if c.s.say.quiet || c.s.o.replay != "" || ctx.Err() != nil {
		return url
	}
	ctx, cancel := context.WithTimeout(ctx, nearestWait)
	defer cancel()
	_, models, err := c.s.client.Models(ctx)
	if err != nil || len(models) == 0 {
		return "llmcall --models -p " + c.s.row.Name + " lists the models"
	}
	ids := make([]string, len(models))
	for i, m := range models {
		ids[i] = m.ID
	}
	if near := providers.Nearest(c.facts.model, ids, 3); len(near) > 0 {
		return "did you mean " + orList(near) + "?"
	}
	return "llmcall --models -p " + c.s.row.Name + " lists the models"
}

func (c *call) aboutModel(e *providers.APIError) bool {
	text := strings.ToLower(e.Code + " " + e.Param + " " + e.Message)
	return strings.Contains(text, "model") || c.facts.model != "" && strings.Contains(text, strings.ToLower(c.facts.model))
}

// limitHint says which window of requests is used up and when it opens again.
func (c *call) limitHint() string {
	for _, w := range []struct {
		name string
		providers.Window
	}{{"day", c.facts.limits.RequestsDay}, {"minute", c.facts.limits.Requests}} {
		if w.Remaining != nil && *w.Remaining == 0 {
			s := fmt.Sprintf("no requests are left in this %s", w.name)
			if w.Limit != nil {
				s += fmt.Sprintf(" of the %d allowed", *w.Limit)
			}
			if !w.Reset.IsZero() {
				s += ", until " + w.Reset.UTC().Format(time.RFC3339)
			}
			return s
		}
	}
	return "send fewer requests at a time, or wait longer with --retries and --retry-max-wait"
}
