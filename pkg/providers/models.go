package providers

import (
	"bytes"
	"errors"
	"net/url"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/llmcall/llmcall/pkg/object"
)

// ModelList says how a provider's list of models is read. The zero value reads OpenAI's envelope {"data": [{"id": …}]}, a bare
// array, and Ollama's {"models": [{"name": …}]}. Paths are dotted, from an entry of the list.
type ModelList struct {
	// ID is the member of an entry that a request's model is; empty: id, else name.
	ID string `json:"id,omitempty"`
	// Context is the path of the context length; empty: where servers are known to put it.
	Context string `json:"context,omitempty"`
	// PriceIn and PriceOut are the paths of the prices of tokens read and written: a number, a number as text, or an object of
	// these by currency; empty: pricing.prompt and pricing.completion. They are per token, with PricePerMillion per million.
	PriceIn         string `json:"price_in,omitempty"`
	PriceOut        string `json:"price_out,omitempty"`
	PricePerMillion bool   `json:"price_per_million,omitempty"`
	// Total is the member of the envelope that counts the entries of all pages, which are asked for by limit and offset; empty: the
	// list is one page. PageSize is the limit.
	Total    string `json:"total,omitempty"`
	PageSize int    `json:"page_size,omitempty"`
}

// Model is an entry of a list of models. What the list does not say is empty.
type Model struct {
	ID            string
	ContextLength string // tokens, in the list's digits
	// PriceIn and PriceOut are per million tokens, exact, followed by the currency where the list names it: "0.3 USD".
	PriceIn, PriceOut string
}

// ModelPage is one page of a list. Entries counts all of them, those without an id too; Total is 0 where the page does not say.
type ModelPage struct {
	Models  []Model
	Entries int
	Total   int
}

var errNoList = errors.New("no list of models in the reply")

// ParseModels reads one page of p's list of models. Entries without an id that can stand on a line are left out. An error is an
// *object.SyntaxError, or says that there is no list.
func ParseModels(p *Provider, page []byte) (ModelPage, error) {
	if err := object.Valid(page); err != nil {
		return ModelPage{}, err
	}
	from, to, ok := modelArray(page)
	if !ok {
		return ModelPage{}, errNoList
	}
	var parsed ModelPage
	if p.Models.Total != "" {
		if raw, ok := object.GetPath(page, p.Models.Total); ok {
			parsed.Total, _ = strconv.Atoi(string(raw))
		}
	}
	c := object.NewCursor(page[from:to])
	for c.Begin('['); c.Next(); {
		parsed.Entries++
		if m, ok := p.Models.read(c.Value()); ok {
			parsed.Models = append(parsed.Models, m)
		}
	}
	return parsed, nil
}

// modelArray gives where the array of entries of a page is.
func modelArray(page []byte) (from, to int, ok bool) {
	if text := bytes.TrimLeft(page, " \t\r\n"); len(text) > 0 && text[0] == '[' {
		return len(page) - len(text), bytes.LastIndexByte(page, ']') + 1, true
	}
	for _, name := range []string{"data", "models"} {
		if list := gjson.GetBytes(page, name); list.IsArray() {
			return list.Index, list.Index + len(list.Raw), true
		}
	}
	return 0, 0, false
}

// ModelsQuery gives the query of the page that begins at offset; nil where the list is not paged.
func (p *Provider) ModelsQuery(offset int) url.Values {
	if p.Models.Total == "" {
		return nil
	}
	q := url.Values{"offset": {strconv.Itoa(offset)}}
	if p.Models.PageSize > 0 {
		q.Set("limit", strconv.Itoa(p.Models.PageSize))
	}
	return q
}

// NextPage gives the offset of the page after one that began at offset; more is false when that was the last, or empty.
func (p *Provider) NextPage(offset int, page ModelPage) (next int, more bool) {
	next = offset + page.Entries
	return next, p.Models.Total != "" && page.Entries > 0 && next < page.Total
}

// MergePages gives the first page with the entries of the others after its own; all bytes are as they were received. The pages
// are such as ParseModels accepts; one that is not adds nothing.
func MergePages(pages [][]byte) []byte {
	if len(pages) == 0 {
		return nil
	}
	first := pages[0]
	from, to, ok := modelArray(first)
	if !ok || len(pages) == 1 {
		return first
	}
	end := to - 1 // the closing bracket
	merged := append([]byte(nil), bytes.TrimRight(first[:end], " \t\r\n")...)
	empty := len(merged) == from+1
	for _, page := range pages[1:] {
		from, to, ok := modelArray(page)
		if !ok {
			continue
		}
		entries := bytes.TrimSpace(page[from+1 : to-1])
		if len(entries) == 0 {
			continue
		}
		if !empty {
			merged = append(merged, ',')
		}
		merged, empty = append(merged, entries...), false
	}
	return append(merged, first[end:]...)
}

// read gives what an entry says, which is an object or a bare id.
func (l *ModelList) read(entry []byte) (m Model, ok bool) {
	if entry[0] == '"' {
		m.ID = text(entry)
		return m, isLine(m.ID)
	}
	if entry[0] != '{' {
		return m, false
	}
	m.ID = l.id(entry)
	for _, path := range l.contextPaths() {
		if raw, ok := object.GetPath(entry, path); ok && isNumber(raw) {
			m.ContextLength = string(raw)
			break
		}
	}
	m.PriceIn = l.price(entry, l.PriceIn, "pricing.prompt")
	m.PriceOut = l.price(entry, l.PriceOut, "pricing.completion")
	return m, isLine(m.ID)
}

func (l *ModelList) id(entry []byte) string {
	names := []string{"id", "name"}
	if l.ID != "" {
		names = []string{l.ID}
	}
	for _, name := range names {
		if raw, ok := object.GetPath(entry, name); ok && raw[0] == '"' {
			return text(raw)
		}
	}
	return ""
}

// contextPaths are OpenRouter's, Infercom's and Exascale's; Groq's; vLLM's; Mistral's; llama.cpp's.
func (l *ModelList) contextPaths() []string {
	if l.Context != "" {
		return []string{l.Context}
	}
	return []string{"context_length", "context_window", "max_model_len", "max_context_length", "meta.n_ctx_train"}
}

// price gives a price per million tokens, "" where there is none. A negative one stands for a price that varies.
func (l *ModelList) price(entry []byte, path, otherwise string) string {
	if path == "" {
		path = otherwise
	}
	raw, ok := object.GetPath(entry, path)
	if !ok {
		return ""
	}
	if raw[0] != '{' {
		return l.perMillion(raw)
	}
	var prices []string
	c := object.NewCursor(raw)
	for c.Begin('{'); c.Next(); {
		currency := strings.ToUpper(string(c.Key()))
		if amount := l.perMillion(c.Value()); amount != "" && isLine(currency) {
			prices = append(prices, amount+" "+currency)
		}
	}
	return strings.Join(prices, ", ")
}

func (l *ModelList) perMillion(raw []byte) string {
	if raw[0] == '"' {
		raw = []byte(text(raw))
	}
	d, ok := parseDecimal(raw)
	if !ok || d.negative {
		return ""
	}
	if !l.PricePerMillion {
		d = d.shift(6)
	}
	return d.String()
}

// text gives the text of a JSON string.
func text(raw []byte) string { return string(object.AppendUnquoted(nil, raw)) }

func isNumber(raw []byte) bool { return raw[0] == '-' || raw[0]-'0' <= 9 }

// isLine says whether s can stand on a line of its own: not empty, no control characters.
func isLine(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}
