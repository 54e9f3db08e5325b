package providers

// bearer is the way to authenticate of most servers: a key in one variable.
func bearer(variable string) []Key {
	return []Key{{Headers: []KeyHeader{{Name: "Authorization", Prefix: "Bearer ", Var: variable}}}}
}

// secondsOfADay is how the SambaNova stack names the window of a day's tokens in the text of a 429 (providers.md A3).
const secondsOfADay = "86400"

// Default is the row that is used when none is named, Custom the one for a base URL without a provider.
const (
	Default = "infercom"
	Custom  = "custom"
)

// presets is the table of providers. What stands here is taken from the providers' own documentation.
var presets = []Provider{
	{
		Name: "infercom", Title: "Infercom", BaseURL: "https://api.infercom.ai/v1",
		Keys:        []Key{{Headers: []KeyHeader{{"Authorization", "Bearer ", "INFERCOM_API_KEY"}}, Hint: "keys are made at cloud.infercom.ai"}},
		StreamUsage: true, QuotaIsRateLimit: true, DayLimitText: secondsOfADay, AudioPart: "audio_content", ReasoningInput: "reasoning",
		Rules: infercomRules, Advice: publishersAdvice,
	},
	{
		Name: "exascale", Title: "Exascale Labs", BaseURL: "https://gpu-api.exascalelabs.ai/api/v1",
		Keys: []Key{
			{Headers: []KeyHeader{{"Authorization", "Bearer ", "EXASCALE_API_TOKEN"}}, Hint: "the API token may be revoked or its credit used up"},
			{
				Headers: []KeyHeader{{"Authorization", "Bearer ", "EXASCALE_ACCESS_TOKEN"}, {"refresh-token", "", "EXASCALE_REFRESH_TOKEN"}},
				Hint:    "the session may be over: log in again, or use an API token in EXASCALE_API_TOKEN",
			},
		},
		Models: ModelList{
			ID: "model_name", Context: "context_length", PriceIn: "input_tokens_price", PriceOut: "output_tokens_price", PricePerMillion: true,
			Total: "total", PageSize: 100,
		},
		Rules: exascaleRules, Advice: publishersAdvice,
	},
	{
		Name: "custom", Title: "any OpenAI-compatible server", Keys: bearer("LLMCALL_API_KEY"), KeyOptional: true, ModelOptional: true,
		Advice: publishersAdvice,
	},
	{Name: "mock", Title: "the mock inside llmcall", BaseURL: "mock://localhost/v1", KeyOptional: true, DefaultModel: "echo"},
	{Name: "openai", Title: "OpenAI", BaseURL: "https://api.openai.com/v1", Keys: bearer("OPENAI_API_KEY"), StreamUsage: true},
	{
		Name: "sambanova", Title: "SambaNova Cloud", BaseURL: "https://api.sambanova.ai/v1", Keys: bearer("SAMBANOVA_API_KEY"),
		StreamUsage: true, QuotaIsRateLimit: true, DayLimitText: secondsOfADay, AudioPart: "audio_content", Advice: publishersAdvice,
	},
	{
		// Usage comes with every stream here, asked for or not.
		Name: "openrouter", Title: "OpenRouter", BaseURL: "https://openrouter.ai/api/v1", Keys: bearer("OPENROUTER_API_KEY"),
		ReasoningInput: "reasoning", Advice: publishersAdvice,
	},
	{
		Name: "groq", Title: "Groq", BaseURL: "https://api.groq.com/openai/v1", Keys: bearer("GROQ_API_KEY"),
		StreamUsage: true, Models: ModelList{Context: "context_window"}, Advice: publishersAdvice,
	},
	{
		Name: "together", Title: "Together AI", BaseURL: "https://api.together.xyz/v1", Keys: bearer("TOGETHER_API_KEY"),
		StreamUsage: true, Models: ModelList{PriceIn: "pricing.input", PriceOut: "pricing.output", PricePerMillion: true},
		Advice: publishersAdvice,
	},
	{
		Name: "ollama", Title: "Ollama", BaseURL: "http://localhost:11434/v1", Keys: bearer("OLLAMA_API_KEY"), KeyOptional: true,
		StreamUsage: true, Advice: publishersAdvice,
	},
	{
		Name: "llamacpp", Title: "llama.cpp's server", BaseURL: "http://localhost:8080/v1", Keys: bearer("LLAMA_API_KEY"), KeyOptional: true,
		StreamUsage: true, Models: ModelList{Context: "meta.n_ctx_train"}, Advice: publishersAdvice,
	},
	{
		Name: "vllm", Title: "vLLM", BaseURL: "http://localhost:8000/v1", Keys: bearer("VLLM_API_KEY"), KeyOptional: true,
		StreamUsage: true, Models: ModelList{Context: "max_model_len"}, Advice: publishersAdvice,
	},
	{
		Name: "lmstudio", Title: "LM Studio", BaseURL: "http://localhost:1234/v1", Keys: bearer("LM_API_TOKEN"), KeyOptional: true,
		StreamUsage: true, Advice: publishersAdvice,
	},
}

// Presets gives the built-in rows in the order in which they are listed. They are shared: copy a row before changing it.
func Presets() []Provider { return presets }

// Find gives the built-in row of that name.
func Find(name string) (*Provider, bool) {
	for i := range presets {
		if presets[i].Name == name {
			return &presets[i], true
		}
	}
	return nil, false
}
