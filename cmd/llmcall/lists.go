package main

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/llmcall/llmcall/pkg/providers"
)

// listModels does what --models asks for: ids sorted, one a line; the provider's body; or a table.
func (s *session) listModels(ctx context.Context) error {
	if s.o.output != "content" && s.o.output != "json" && s.o.output != "table" {
		return usageError{msg: "--models prints ids, -o json or -o table"}
	}
	if err := s.connect(); err != nil {
		return err
	}
	ctx, cancel := s.limit(ctx)
	defer cancel()
	body, models, err := s.client.Models(ctx)
	if err != nil {
		c := &call{s: s}
		return &failure{err: err, provider: s.row.Name, attempts: 1, hint: s.listHint(c, ctx, err)}
	}
	to, err := newDelivery(s.std.out, s.o.outputFile, false)
	if err != nil {
		return err
	}
	slices.SortFunc(models, func(a, b providers.Model) int { return strings.Compare(a.ID, b.ID) })
	var b strings.Builder
	switch s.o.output {
	case "json":
		b.WriteString(strings.TrimRight(string(body), "\n") + "\n")
	case "table":
		t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		fmt.Fprintln(t, "MODEL\tCONTEXT\tINPUT/1M\tOUTPUT/1M")
		for _, m := range models {
			fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", m.ID, first(m.ContextLength, "-"), first(m.PriceIn, "-"), first(m.PriceOut, "-"))
		}
		t.Flush()
	default:
		for _, m := range models {
			b.WriteString(m.ID + "\n")
		}
	}
	return to.finish(write(to.out, b.String()))
}

// listHint is the hint of a call, but for what it would say of the address asked.
func (s *session) listHint(c *call, ctx context.Context, err error) string {
	if exitCode(err) == exitNotFound {
		return "the server may have no list of models; is --base-url right?"
	}
	return c.hint(ctx, err)
}

// listProviders does what --providers asks for.
func (s *session) listProviders() error {
	var rows []providers.Provider
	for _, p := range providers.Presets() {
		r, err := s.cfg.provider(p.Name)
		if err != nil {
			return err
		}
		rows = append(rows, r.Provider)
	}
	own := []string{}
	for name := range s.cfg.Providers {
		if _, built := providers.Find(name); !built {
			own = append(own, name)
		}
	}
	slices.Sort(own)
	for _, name := range own {
		r, err := s.cfg.provider(name)
		if err != nil {
			return err
		}
		rows = append(rows, r.Provider)
	}
	var b strings.Builder
	switch s.o.output {
	case "json":
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(rows); err != nil {
			return err
		}
	case "content":
		t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, r := range rows {
			fmt.Fprintf(t, "%s\t%s\t%s\n", r.Name, first(r.BaseURL, "-"), first(keyVariables(r), "-"))
		}
		t.Flush()
	default:
		return usageError{msg: "--providers prints lines or -o json"}
	}
	return write(s.std.out, b.String())
}

// keyVariables are the variables that a row's keys come from, the ways apart by a bar.
func keyVariables(p providers.Provider) string {
	var ways []string
	for _, way := range p.Keys {
		var vars []string
		for _, h := range way.Headers {
			vars = append(vars, h.Var)
		}
		ways = append(ways, strings.Join(vars, "+"))
	}
	return strings.Join(ways, " | ")
}
