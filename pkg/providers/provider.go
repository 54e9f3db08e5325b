// Package providers holds what is known of each provider as rows of data, and the one client that speaks to all of them.
package providers

// Provider is a row of the table: all that differs from one provider to another. A user's config file may add rows or
// members to rows, so that each member has a JSON form.
type Provider struct {
	// Name is what -p takes; Title is how the provider calls itself.
	Name  string `json:"name"`
	Title string `json:"title,omitempty"`
	// BaseURL is what /chat/completions and /models are appended to.
	BaseURL string `json:"base_url"`
	// Keys are the ways to authenticate, tried in order; the first whose variables are all set is used.
	Keys []Key `json:"keys,omitempty"`
	// KeyOptional says that a request without a key is no error.
	KeyOptional bool `json:"key_optional,omitempty"`
	// ModelOptional says that a request may leave the model out; DefaultModel is sent where none is named.
	ModelOptional bool   `json:"model_optional,omitempty"`
	DefaultModel  string `json:"default_model,omitempty"`
	// StreamUsage says that a stream reports usage only when stream_options.include_usage asks for it.
	StreamUsage bool `json:"stream_usage,omitempty"`
	// QuotaIsRateLimit says that a 429 of code insufficient_quota passes by waiting.
	QuotaIsRateLimit bool `json:"quota_is_rate_limit,omitempty"`
	// DayLimitText stands in the message of a 429 when the day's limit is used up, where no header tells; empty: none does.
	DayLimitText string `json:"day_limit_text,omitempty"`
	// NoDone and NoFinishReason say that the server never sends [DONE], or never a finish reason.
	NoDone         bool `json:"no_done,omitempty"`
	NoFinishReason bool `json:"no_finish_reason,omitempty"`
	// ImagePart and AudioPart name the shapes of media parts: "image_url"; "input_audio" or "audio_content". Empty: image_url, input_audio.
	ImagePart string `json:"image_part,omitempty"`
	AudioPart string `json:"audio_part,omitempty"`
	// ReasoningInput is the member of an assistant message in which the server takes its reasoning back; empty: it does not.
	ReasoningInput string `json:"reasoning_input,omitempty"`
	// Models says how the list of models is read.
	Models ModelList `json:"models,omitzero"`
	// Rules are the parameter rules; Advice the publishers' sampling advice.
	Rules  []Rule   `json:"rules,omitempty"`
	Advice []Advice `json:"advice,omitempty"`
}

// Key is one way to authenticate: the headers it takes and the variables their values come from.
type Key struct {
	Headers []KeyHeader `json:"headers"`
	// Hint is what to do after a 401 with this way.
	Hint string `json:"hint,omitempty"`
}

// KeyHeader is a credential header: Prefix and the value of the variable Var.
type KeyHeader struct {
	Name   string `json:"name"`
	Prefix string `json:"prefix,omitempty"`
	Var    string `json:"var"`
}
