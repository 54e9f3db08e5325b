package providers

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/llmcall/llmcall/pkg/object"
)

func TestParseModels(t *testing.T) {
	for _, test := range []struct {
		name, provider, page string
		want                 string
		entries, total       int
	}{
		{
			"Infercom", "infercom",
			`{"object":"list","data":[{"id":"gpt-oss-120b","object":"model","context_length":131072,"pricing":{"prompt":0.00000022,"completion":"5.9E-7","duration_per_hour":0}},{"id":"x"}]}`,
			`[{gpt-oss-120b 131072 0.22 0.59} {x   }]`, 2, 0,
		},
		{
			"Exascale", "exascale",
			`{"status":true,"message":"success","total":7,"data":[{"id":"665f0c0123456789abcdef01","model_name":"MiniMaxAI/MiniMax-M2.7","context_length":196608,"input_tokens_price":{"usd":0.30},"output_tokens_price":{"usd":1.2,"eur":"1.1"}}]}`,
			`[{MiniMaxAI/MiniMax-M2.7 196608 0.3 USD 1.2 USD, 1.1 EUR}]`, 1, 7,
		},
		{"Exascale without a name", "exascale", `{"status":true,"total":1,"data":[{"id":"665f0c0123456789abcdef01"}]}`, `[]`, 1, 1},
		{"an odd total", "exascale", `{"total":"many","data":[]}`, `[]`, 0, 0},
		{"Groq", "groq", `{"data":[{"id":"openai/gpt-oss-120b","context_window":131072}]}`, `[{openai/gpt-oss-120b 131072  }]`, 1, 0},
		{"Together", "together", `[{"id":"a/b","context_length":8192,"pricing":{"hourly":0,"input":0.88,"output":0.88}}]`, `[{a/b 8192 0.88 0.88}]`, 1, 0},
		{"OpenRouter", "openrouter", `{"data":[{"id":"openrouter/auto","context_length":2000000,"pricing":{"prompt":"-1","completion":"-1"}}]}`, `[{openrouter/auto 2000000  }]`, 1, 0},
		{"vLLM", "vllm", `{"object":"list","data":[{"id":"m","max_model_len":4096}]}`, `[{m 4096  }]`, 1, 0},
		{"llama.cpp", "llamacpp", `{"models":[{"name":"not this"}],"data":[{"id":"m.gguf","meta":{"n_ctx_train":32768}}]}`, `[{m.gguf 32768  }]`, 1, 0},
		{"any server", "custom", `{"data":[{"id":"a","max_model_len":1},{"id":"b","context_window":2},{"id":"c","context_length":"3"}]}`, `[{a 1  } {b 2  } {c   }]`, 3, 0},
		{"Ollama's own", "ollama", `{"models":[{"name":"llama3:8b","model":"llama3:8b"}]}`, `[{llama3:8b   }]`, 1, 0},
		{"bare ids", "custom", ` ["a","b"] `, `[{a   } {b   }]`, 2, 0},
		{"empty", "custom", `{"data":[]}`, `[]`, 0, 0},
		{"entries of no use", "custom", `{"data":[1,null,{},{"id":7},{"id":""},{"id":"a\nb"},[],{"id":"é\u00e9"}]}`, `[{éé   }]`, 8, 0},
		{"digits", "custom", `{"data":[{"id":"a","context_length":131072.0,"pricing":{"prompt":1e999999999,"completion":{}}}]}`, `[{a 131072.0 0.1e1000000006 }]`, 1, 0},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, _ := Find(test.provider)
			page, err := ParseModels(p, []byte(test.page))
			if got := fmt.Sprint(page.Models); err != nil || got != test.want || page.Entries != test.entries || page.Total != test.total {
				t.Errorf("%s, %d entries of %d, %v\nwant %s, %d of %d", got, page.Entries, page.Total, err, test.want, test.entries, test.total)
			}
		})
	}
}

func TestParseModelsErrors(t *testing.T) {
	p, _ := Find("infercom")
	for _, page := range []string{`{}`, `{"data":null}`, `{"data":{}}`, `null`, `"a"`, `{"status":false,"message":"No auth token"}`, `{"data":"[]"}`} {
		if _, err := ParseModels(p, []byte(page)); err == nil || err.Error() != "no list of models in the reply" {
			t.Errorf("%s: %v", page, err)
		}
	}
	for _, page := range []string{``, `{"data":[`, `<html>`, `[] []`} {
		var syntax *object.SyntaxError
		if _, err := ParseModels(p, []byte(page)); !errors.As(err, &syntax) {
			t.Errorf("%q: %v", page, err)
		}
	}
}

// TestPages goes through a list of three pages as the client does.
func TestPages(t *testing.T) {
	p, _ := Find("exascale")
	pages := [][]byte{
		[]byte("{\"status\": true,\n \"total\": 5, \"data\": [ {\"model_name\":\"a/1\",\"x\":0.10}, {\"model_name\":\"a/2\"} ], \"message\":\"<&>\"}\n"),
		[]byte(`{"status":true,"total":5,"data":[{"model_name":"a/3"},{"id":"no name"}]}`),
		[]byte(`{"status":true,"total":5,"data":[{"model_name":"a/5"}]}`),
	}
	var ids []string
	offset, n := 0, 0
	for more := true; more; n++ {
		if q := p.ModelsQuery(offset).Encode(); q != fmt.Sprintf("limit=100&offset=%d", offset) {
			t.Errorf("query %q", q)
		}
		page, err := ParseModels(p, pages[n])
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range page.Models {
			ids = append(ids, m.ID)
		}
		offset, more = p.NextPage(offset, page)
	}
	if n != 3 || !slices.Equal(ids, []string{"a/1", "a/2", "a/3", "a/5"}) {
		t.Errorf("%d pages, %v", n, ids)
	}
	want := "{\"status\": true,\n \"total\": 5, \"data\": [ {\"model_name\":\"a/1\",\"x\":0.10}, {\"model_name\":\"a/2\"},{\"model_name\":\"a/3\"},{\"id\":\"no name\"},{\"model_name\":\"a/5\"}], \"message\":\"<&>\"}\n"
	if got := string(MergePages(pages)); got != want {
		t.Errorf("merged %s\nwant   %s", got, want)
	}
}

func TestNextPageEnds(t *testing.T) {
	exascale, _ := Find("exascale")
	infercom, _ := Find("infercom")
	for _, test := range []struct {
		name   string
		p      *Provider
		offset int
		page   ModelPage
		more   bool
	}{
		{"more", exascale, 0, ModelPage{Entries: 2, Total: 3}, true},
		{"all", exascale, 2, ModelPage{Entries: 1, Total: 3}, false},
		{"empty page", exascale, 2, ModelPage{Total: 3}, false},
		{"no total", exascale, 0, ModelPage{Entries: 2}, false},
		{"not paged", infercom, 0, ModelPage{Entries: 2, Total: 3}, false},
	} {
		if _, more := test.p.NextPage(test.offset, test.page); more != test.more {
			t.Errorf("%s: %v", test.name, more)
		}
	}
	if q := infercom.ModelsQuery(0); q != nil {
		t.Errorf("query %v of a list that is not paged", q)
	}
}

func TestMergePages(t *testing.T) {
	for _, test := range []struct {
		name  string
		pages []string
		want  string
	}{
		{"none", nil, ""},
		{"one stays as it is", []string{` {"data" : [ ] } `}, ` {"data" : [ ] } `},
		{"first is empty", []string{`{"x":[],"data":[ ]}`, `{"data":[1]}`, `{"data":[2]}`}, `{"x":[],"data":[1,2]}`},
		{"last is empty", []string{`{"data":[1]}`, `{"data":[]}`}, `{"data":[1]}`},
		{"bare arrays", []string{" [1]\n", "[ 2 ]"}, " [1,2]\n"},
		{"one that is no list", []string{`{"data":[1]}`, `{"error":1}`, `{"data":[2]}`}, `{"data":[1,2]}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			var pages [][]byte
			for _, p := range test.pages {
				pages = append(pages, []byte(p))
			}
			if got := string(MergePages(pages)); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
			for i, p := range test.pages {
				if string(pages[i]) != p {
					t.Errorf("page %d was changed to %q", i, pages[i])
				}
			}
		})
	}
}

// FuzzParseModels: no page makes the reader panic, ids fit on lines, and two pages merged have the entries of both.
func FuzzParseModels(f *testing.F) {
	for _, page := range []string{
		`{"object":"list","data":[{"id":"a","pricing":{"prompt":"2e-7"}}]}`, `{"status":true,"total":2,"data":[{"model_name":"a/b","input_tokens_price":{"usd":1}}]}`,
		`["a"]`, `{"models":[{"name":"a"}]}`, `[]`, ` [ ] `, `{"data":[],"data":[1]}`, `{"d\u0061ta":[{"id":"a"}]}`,
	} {
		f.Add([]byte(page), []byte(`{"data":[{"id":"z"}]}`))
	}
	f.Fuzz(func(t *testing.T, one, two []byte) {
		for _, name := range []string{"infercom", "exascale"} {
			p, _ := Find(name)
			a, err1 := ParseModels(p, one)
			b, err2 := ParseModels(p, two)
			for _, m := range a.Models {
				for _, s := range []string{m.ID, m.ContextLength + "0", m.PriceIn + "0", m.PriceOut + "0"} {
					if !isLine(s) {
						t.Fatalf("model %+v of %q", m, one)
					}
				}
			}
			if len(a.Models) > a.Entries || err1 == nil && !json.Valid(one) {
				t.Fatalf("%d models of %d entries of %q", len(a.Models), a.Entries, one)
			}
			if err1 != nil || err2 != nil {
				continue
			}
			both, err := ParseModels(p, MergePages([][]byte{one, two}))
			if err != nil || both.Entries != a.Entries+b.Entries || len(both.Models) != len(a.Models)+len(b.Models) {
				t.Fatalf("%q and %q: %d and %d entries make %d, %v", one, two, a.Entries, b.Entries, both.Entries, err)
			}
		}
	})
}
