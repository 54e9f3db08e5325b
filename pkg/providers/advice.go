package providers

import "encoding/json"

// Advice is what a model's publisher recommends for sampling.
type Advice struct {
	// Models are ids; one that ends in * stands for all that begin so. Case and an owner's name before a slash do not count.
	Models []string `json:"models"`
	// Params are members of a request, in the order in which they are filled in.
	Params []RecommendedParam `json:"params"`
	Source string             `json:"source,omitempty"`
}

// RecommendedParam is a member of a request and the JSON that is recommended for it.
type RecommendedParam struct {
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`
}

// publishersAdvice goes by the model, wherever it is served.
var publishersAdvice = []Advice{
	{
		Models: []string{"MiniMax-M2*"}, Source: "MiniMax's model cards of M2 and M2.5",
		Params: []RecommendedParam{{"temperature", json.RawMessage("1.0")}, {"top_p", json.RawMessage("0.95")}, {"top_k", json.RawMessage("40")}},
	},
	{
		Models: []string{"gpt-oss-120b*", "gpt-oss:120b*"}, Source: "OpenAI's page on gpt-oss",
		Params: []RecommendedParam{{"temperature", json.RawMessage("1.0")}, {"top_p", json.RawMessage("1.0")}},
	},
	{
		Models: []string{"DeepSeek-V3.1*", "DeepSeek-V3.2*"}, Source: "DeepSeek's generation configs of V3.1 and V3.2-Exp",
		Params: []RecommendedParam{{"temperature", json.RawMessage("0.6")}, {"top_p", json.RawMessage("0.95")}},
	},
	{
		Models: []string{"Meta-Llama-3.3-70B*", "Llama-3.3-70B*"}, Source: "Meta's generation config of Llama 3.3",
		Params: []RecommendedParam{{"temperature", json.RawMessage("0.6")}, {"top_p", json.RawMessage("0.9")}},
	},
	{
		Models: []string{"gemma-4-31B*"}, Source: "Google's advice on Gemma 3",
		Params: []RecommendedParam{{"temperature", json.RawMessage("1.0")}, {"top_p", json.RawMessage("0.95")}, {"top_k", json.RawMessage("64")}},
	},
}

// Recommended gives the advice for a model; nil if none is known. Of several the last counts, so that a user's own goes before
// what is built in.
func (p *Provider) Recommended(model string) []RecommendedParam {
	for i := len(p.Advice) - 1; i >= 0; i-- {
		if a := &p.Advice[i]; matches(a.Models, model) {
			return a.Params
		}
	}
	return nil
}
