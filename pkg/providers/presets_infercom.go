package providers

// The pages that rules cite.
const (
	infercomPage  = "Infercom's API reference, chat completions, "
	sambaNovaPage = "SambaNova Cloud's API description, "
)

// The models by what the rules tell apart. Reasoning models are those that reason unasked; gemma-4-31B-it does so when thinking
// is enabled.
var (
	infercomModels       = []string{"MiniMax-M2.7", "gpt-oss-120b", "gemma-4-31B-it", "DeepSeek-V3.1", "DeepSeek-V3.2", "Meta-Llama-3.3-70B-Instruct"}
	infercomTextModels   = []string{"MiniMax-M2.7", "gpt-oss-120b", "DeepSeek-V3.1", "DeepSeek-V3.2", "Meta-Llama-3.3-70B-Instruct"}
	infercomReasoning    = []string{"MiniMax-M2.7", "gpt-oss-120b", "DeepSeek-V3.1", "DeepSeek-V3.2"}
	infercomAnyReasoning = []string{"MiniMax-M2.7", "gpt-oss-120b", "DeepSeek-V3.1", "DeepSeek-V3.2", "gemma-4-31B-it"}
	infercomUnasked      = []string{"MiniMax-M2.7", "DeepSeek-V3.1", "DeepSeek-V3.2"}
	infercomNoThinking   = []string{"gpt-oss-120b", "Meta-Llama-3.3-70B-Instruct"}
	infercomNoPenalty    = []string{"DeepSeek-V3.1", "DeepSeek-V3.2", "Meta-Llama-3.3-70B-Instruct"}
	infercomBiasFails    = []string{"MiniMax-M2.7", "DeepSeek-V3.1", "DeepSeek-V3.2", "Meta-Llama-3.3-70B-Instruct"}
	infercomGPTOSS       = []string{"gpt-oss-120b"}
	infercomGemma        = []string{"gemma-4-31B-it"}

	infercomThinking = []string{"chat_template_kwargs.enable_thinking=true"}
	infercomEffort   = []string{"low", "medium", "high"}
)

// infercomRules is what Infercom's page says of each parameter and, where the page is silent, what is known of SambaNova's
// software that it runs on.
var infercomRules = []Rule{
	{
		Param: "model", Models: []string{"MiniMax-M2.5"}, Level: "W",
		Message: "is removed: a request for it gets HTTP 410, for good", Do: "use MiniMax-M2.7",
		Source: infercomPage + "410",
	},
	{
		Param: "model", If: "has a slash", Level: "W",
		Message: "ids have no owner and slash here", Do: "give what stands after the slash, or an id from the list of models",
		Source: infercomPage + "model",
	},
	{
		Param: "messages", Absent: true, Level: "E",
		Message: "a request without messages is rejected with HTTP 400", Do: "give a prompt",
		Source: "Infercom's n8n node",
	},
	{
		Param: "messages", If: "is empty", Level: "E",
		Message: "an empty list is rejected with HTTP 400", Do: "give a prompt",
		Source: "Infercom's n8n node",
	},
	{
		Param: "messages", If: "has an image by address", Level: "E",
		Message: "an image by address is not fetched, only base64 data is taken", Do: "attach the image's file",
		Source: infercomPage + "image_url",
	},
	{
		Param: "messages", If: "has an image that is no data", Level: "E",
		Message: "an image that is not base64 data of a known format is rejected with HTTP 400, for good", Do: "attach a PNG, JPEG, GIF or WebP file",
		Source: infercomPage + "image_url and 400",
	},
	{
		Param: "messages", If: "has an image", Models: infercomTextModels, Level: "W",
		Message: "this model is not known to see images", Do: "use gemma-4-31B-it",
		Source: "inferred from " + infercomPage + "image_url",
	},
	{
		Param: "messages", If: "has audio_content", Models: infercomModels, Level: "W",
		Message: "this model is not known to hear", Do: "use a model that takes audio",
		Source: "inferred from " + infercomPage + "audio_content",
	},
	{
		Param: "messages", If: "has input_audio, a file or a video", Level: "W",
		Message: "parts of type input_audio, file and video_url are not documented", Do: "send sound as audio_content, images as image_url",
		Source: infercomPage + "messages",
	},
	{
		Param: "messages", If: "has reasoning_details", Level: "I",
		Message: "reasoning_details is not used", Do: "send reasoning",
		Source: infercomPage + "reasoning",
	},

	{
		Param: "temperature", Min: "0", Max: "2", Level: "E",
		Message: "is out of the range 0 to 2", Do: "use a value from 0 to 2", Advise: "temperature",
		Source: infercomPage + "temperature",
	},
	{
		Param: "temperature", Absent: true, Models: infercomReasoning, Level: "W",
		Message: "is not set, so that decoding is greedy: reasoning may repeat itself without end, and top_k is ignored",
		Do:      "set it", Advise: "temperature", Source: infercomPage + "temperature",
	},
	{
		Param: "temperature", Absent: true, Models: infercomGemma, With: infercomThinking, Level: "W",
		Message: "is not set, so that decoding is greedy: thinking may repeat itself without end, and top_k is ignored",
		Do:      "set it", Advise: "temperature", Source: infercomPage + "temperature",
	},
	{
		Param: "temperature", Absent: true, Models: infercomGemma, Without: infercomThinking, Level: "W",
		Message: "is not set, so that decoding is greedy and top_k is ignored", Do: "set it", Advise: "temperature",
		Source: infercomPage + "temperature",
	},
	{
		Param: "temperature", Absent: true, Except: infercomAnyReasoning, Level: "W",
		Message: "is not set, so that most models decode greedily and ignore top_k", Do: "set it", Advise: "temperature",
		Source: infercomPage + "temperature",
	},
	{
		Param: "temperature", Below: "0.001", Models: infercomReasoning, Level: "W",
		Message: "below 0.001 decoding is greedy: reasoning may repeat itself without end, and top_k is ignored",
		Do:      "raise it", Advise: "temperature", Source: infercomPage + "temperature and top_k",
	},
	{
		Param: "temperature", Below: "0.001", Models: infercomGemma, With: infercomThinking, Level: "W",
		Message: "below 0.001 decoding is greedy: thinking may repeat itself without end, and top_k is ignored",
		Do:      "raise it", Advise: "temperature", Source: infercomPage + "temperature and top_k",
	},

	{
		Param: "top_k", Min: "1", Level: "E",
		Message: "the least is 1: 0 and -1 are rejected with HTTP 400, they do not switch it off", Do: "leave it out for no limit",
		Source: infercomPage + "top_k",
	},
	{
		Param: "top_k", If: "decoding is greedy", Level: "W",
		Message: "is ignored: with a temperature below 0.001 or none only the likeliest token is taken",
		Do:      "set temperature too", Advise: "temperature", Source: infercomPage + "top_k",
	},
	{
		Param: "top_k", Above: "100", Level: "I",
		Message: "SambaNova's description goes to 100; Infercom sets no upper bound", Source: sambaNovaPage + "top_k; " + infercomPage + "top_k",
	},
	{
		Param: "top_p", Min: "0", Max: "1", Level: "W",
		Message: "is a probability, of 0 to 1; more or less may be rejected", Do: "use a value from 0 to 1", Advise: "top_p",
		Source: "inferred from " + infercomPage + "top_p",
	},
	{
		Param: "top_p", With: []string{"temperature"}, Level: "I",
		Message: "Infercom's advice is to change only one of temperature, top_p and top_k", Source: infercomPage + "top_p",
	},
	{
		Param: "top_p", With: []string{"top_k"}, Without: []string{"temperature"}, Level: "I",
		Message: "Infercom's advice is to change only one of temperature, top_p and top_k", Source: infercomPage + "top_p",
	},
	{
		Param: "top_k", With: []string{"temperature"}, Without: []string{"top_p"}, Level: "I",
		Message: "Infercom's advice is to change only one of temperature, top_p and top_k", Source: infercomPage + "top_k",
	},
	{
		Param: "do_sample", NoneOf: []string{"false"}, If: "sampling is asked for", Level: "W",
		Message: "false makes decoding deterministic, against temperature or top_k", Do: "leave it out, or leave them out",
		Source: "inferred from " + infercomPage + "do_sample",
	},

	{
		Param: "repetition_penalty", Min: "1", Max: "2", Level: "E",
		Message: "is out of the range 1 to 2: rejected with HTTP 400", Do: "use a value from 1, which is none, to 1.2",
		Source: infercomPage + "repetition_penalty",
	},
	{
		Param: "repetition_penalty", Models: infercomNoPenalty, Level: "W",
		Message: "is ignored by this model", Do: "leave it out", Source: infercomPage + "repetition_penalty",
	},
	{
		Param: "repetition_penalty", From: "1.8", Except: infercomNoPenalty, Level: "W",
		Message: "with 1.8 no content comes back at all, but tokens are paid for", Do: "keep it at 1.2 or less",
		Source: infercomPage + "repetition_penalty",
	},
	{
		Param: "repetition_penalty", Above: "1.2", Below: "1.8", Except: infercomNoPenalty, Level: "W",
		Message: "above 1.2 reasoning grows long: tokens are paid for and max_tokens may cut the answer", Do: "keep it at 1.2 or less",
		Source: infercomPage + "repetition_penalty",
	},
	{
		Param: "repetition_penalty", Above: "1", If: "token limit is small", Except: infercomNoPenalty, Level: "I",
		Message: "lengthens reasoning, by 2.3 times at 1.3 on gpt-oss-120b: this max_tokens may cut the answer", Do: "raise max_tokens",
		Source: infercomPage + "repetition_penalty",
	},
	{
		Param: "presence_penalty", Min: "-2", Max: "2", Level: "E",
		Message: "is out of the range -2 to 2, and would be ignored within it", Do: "use repetition_penalty",
		Source: infercomPage + "presence_penalty and frequency_penalty",
	},
	{
		Param: "presence_penalty", Level: "W",
		Message: "is ignored by every model", Do: "use repetition_penalty", Source: infercomPage + "presence_penalty",
	},
	{
		Param: "frequency_penalty", Level: "W",
		Message: "is ignored by every model", Do: "use repetition_penalty", Source: infercomPage + "frequency_penalty",
	},

	{
		Param: "reasoning_effort", NoneOf: []string{"none", "off"}, Models: infercomGPTOSS, Level: "E",
		Message: "reasoning cannot be switched off: rejected with HTTP 400", Do: "use low",
		Source: infercomPage + "reasoning_effort",
	},
	{
		Param: "reasoning_effort", OneOf: infercomEffort, Models: infercomGPTOSS, Level: "W",
		Message: "is none of low, medium and high; others may be rejected", Do: "use low, medium or high",
		Source: "inferred from " + infercomPage + "reasoning_effort",
	},
	{
		Param: "reasoning_effort", NoneOf: infercomEffort, Except: infercomGPTOSS, Level: "W",
		Message: "is ignored by this model", Do: "leave it out", Source: infercomPage + "reasoning_effort",
	},
	{
		Param: "reasoning_effort", OneOf: infercomEffort, Except: infercomGPTOSS, Level: "W",
		Message: "is ignored by this model, and is none of low, medium and high: it may be rejected", Do: "leave it out",
		Source: infercomPage + "reasoning_effort",
	},
	{
		Param: "chat_template_kwargs", Type: "object", Level: "W",
		Message: "is no object", Do: "give an object such as {\"enable_thinking\": true}", Source: infercomPage + "chat_template_kwargs",
	},
	{
		Param: "chat_template_kwargs.enable_thinking", Type: "boolean", Level: "W",
		Message: "is neither true nor false", Do: "use true or false", Source: infercomPage + "enable_thinking",
	},
	{
		Param: "chat_template_kwargs.enable_thinking", Models: infercomUnasked, Level: "I",
		Message: "is not needed: this model reasons by itself", Source: infercomPage + "enable_thinking",
	},
	{
		Param: "chat_template_kwargs.enable_thinking", Models: infercomNoThinking, Level: "I",
		Message: "has no effect on this model", Source: "inferred from " + infercomPage + "enable_thinking",
	},
	{
		Param: "chat_template_kwargs.enable_thinking", Except: infercomModels, Level: "I",
		Message: "is documented for gemma-4-31B-it only", Source: infercomPage + "enable_thinking",
	},

	{
		Param: "max_tokens", Also: []string{"max_completion_tokens"}, Min: "1", Level: "W",
		Message: "is less than 1: it may be rejected", Do: "use 1 or more, or leave it out",
		Source: "inferred from " + infercomPage + "max_tokens",
	},
	{
		Param: "max_completion_tokens", If: "differs from max_tokens", Level: "W",
		Message: "differs from max_tokens, which is the same limit: the request may be rejected", Do: "give one of them",
		Source: "inferred from " + infercomPage + "max_tokens and max_completion_tokens",
	},
	{
		Param: "max_tokens", Also: []string{"max_completion_tokens"}, From: "1", Below: "512", Models: infercomReasoning, Level: "W",
		Message: "reasoning counts as well: fewer than 512 tokens may be used up before the answer", Do: "raise it",
		Source: infercomPage + "reasoning_tokens",
	},
	{
		Param: "max_tokens", Also: []string{"max_completion_tokens"}, From: "1", Below: "512", Models: infercomGemma, With: infercomThinking, Level: "W",
		Message: "thinking counts as well: fewer than 512 tokens may be used up before the answer", Do: "raise it",
		Source: infercomPage + "reasoning_tokens",
	},
	{
		Param: "stop", MaxItems: 4, Level: "W",
		Message: "has more than the 4 strings that SambaNova allows", Do: "give at most 4", Source: "SambaNova's documentation, stop",
	},
	{
		Param: "stream_options", Without: []string{"stream=true"}, Level: "W",
		Message: "is for streams only", Do: "stream, or leave it out", Source: infercomPage + "stream_options",
	},
	{
		Param: "n", Min: "1", Level: "E",
		Message: "is less than 1", Do: "use 1 or more", Source: sambaNovaPage + "n",
	},
	{
		Param: "n", Above: "8", Level: "W",
		Message: "is more than the 8 that SambaNova allows: it may be rejected", Do: "use up to 8, or ask several times", Source: sambaNovaPage + "n",
	},
	{
		Param: "n", Above: "1", Without: []string{"max_tokens", "max_completion_tokens"}, Level: "W",
		Message: "each completion is paid for, and no limit is set", Do: "set max_tokens", Source: infercomPage + "n",
	},
	{
		Param: "seed", Models: []string{"MiniMax-M2.7"}, Level: "I",
		Message: "the model runs in two deployments: one seed gives one of two texts", Source: infercomPage + "seed",
	},
	{
		Param: "seed", Models: infercomGemma, Level: "W",
		Message: "has no effect on this model", Do: "leave it out", Source: infercomPage + "seed",
	},
	{
		Param: "seed", Except: []string{"MiniMax-M2.7", "gemma-4-31B-it"}, Level: "I",
		Message: "the same text is not guaranteed from one release of the platform to the next", Source: infercomPage + "seed",
	},

	{
		Param: "response_format.type", NoneOf: []string{"text"}, Level: "W",
		Message: "text is the default, and sending it is reported to do harm", Do: "leave it out", Source: "reports on SambaNova Cloud, response_format",
	},
	{
		Param: "response_format.type", NoneOf: []string{"json_object"}, If: "no message says json", Level: "W",
		Message: "no message asks for JSON, without which the model may fail to give it", Do: "ask for JSON in the prompt",
		Source: "SambaNova's documentation, JSON mode",
	},
	{
		Param: "response_format", With: []string{"response_format.type=json_schema"}, If: "json_schema lacks name or schema", Level: "W",
		Message: "a json_schema has a name and a schema", Do: "give both", Source: infercomPage + "response_format",
	},
	{
		Param: "tools", If: "has a bad tool name", Level: "E",
		Message: "a function needs a name of A-Z, a-z, 0-9, _ and -", Do: "rename it", Source: infercomPage + "tools",
	},
	{
		Param: "tools", MaxItems: 128, Level: "E",
		Message: "has more than 128 tools", Do: "send only those that are needed", Source: sambaNovaPage + "tools",
	},
	{
		Param: "tools", If: "has a tool that is no function", Level: "W",
		Message: "only tools of type function are supported", Do: "set type to function", Source: infercomPage + "tools",
	},
	{
		Param: "tools", If: "has a tool without description", Level: "I",
		Message: "the model chooses a function by its description, which one lacks", Do: "describe it", Source: infercomPage + "tools",
	},
	{
		Param: "tools", Models: infercomGPTOSS, Without: []string{"reasoning_effort=high"}, Level: "I",
		Message: "this model calls functions better when it reasons more", Do: "set reasoning_effort to high",
		Source: "SambaNova's advice on gpt-oss and tools",
	},
	{
		Param: "tool_choice", Without: []string{"tools"}, Level: "W",
		Message: "there are no tools to choose from", Do: "give tools too", Source: "inferred from " + infercomPage + "tool_choice",
	},
	{
		Param: "tool_choice", OneOf: []string{"none", "auto", "required"}, Level: "W",
		Message: "is none of none, auto and required", Do: "use one of them, or an object that names a function",
		Source: "inferred from " + infercomPage + "tool_choice",
	},
	{
		Param: "tool_choice.function.name", If: "names a tool that is not there", Level: "W",
		Message: "is the name of none of the tools", Do: "name one of them", Source: "inferred from " + infercomPage + "tool_choice",
	},
	{
		Param: "tool_choice.function.name", Level: "I",
		Message: "when the model makes no valid call of it the reply is HTTP 400 with the model's text", Source: infercomPage + "tool_choice and 400",
	},
	{
		Param: "parallel_tool_calls", Level: "I",
		Message: "is documented, but reported not to work with every model", Source: "reports on SambaNova Cloud, parallel_tool_calls",
	},

	{
		Param: "top_logprobs", Min: "0", Max: "20", Level: "E",
		Message: "is out of the range 0 to 20", Do: "use a value from 0 to 20", Source: infercomPage + "top_logprobs",
	},
	{
		Param: "top_logprobs", Without: []string{"logprobs=true"}, Level: "E",
		Message: "needs logprobs to be true", Do: "set logprobs too", Source: infercomPage + "top_logprobs",
	},
	{
		Param: "logit_bias", Models: infercomBiasFails, Level: "E",
		Message: "some or all requests with it fail on this model, with HTTP 500", Do: "leave it out, or use gpt-oss-120b",
		Source: infercomPage + "logit_bias",
	},
	{
		Param: "logit_bias", If: "has a key that is no token id", Level: "E",
		Message: "its names are ids of tokens: whole numbers", Do: "look the ids up in the model's tokenizer", Source: infercomPage + "logit_bias",
	},
	{
		Param: "logit_bias", If: "has a bias beyond 100", Level: "E",
		Message: "a bias is out of the range -100 to 100", Do: "use values from -100 to 100", Source: infercomPage + "logit_bias",
	},
	{
		Param: "logit_bias", Models: infercomGemma, Level: "W",
		Message: "is ignored by this model", Do: "leave it out", Source: infercomPage + "logit_bias",
	},
	{
		Param: "logit_bias", Except: infercomModels, Level: "W",
		Message: "is supported by gpt-oss-120b only", Do: "leave it out", Source: infercomPage + "logit_bias",
	},
	{
		Param: "logit_bias", Models: infercomGPTOSS, Level: "I",
		Message: "the ids are those of this model's own tokenizer", Source: infercomPage + "logit_bias",
	},
	{
		Param: "user", Also: []string{"metadata", "store", "service_tier", "min_p", "verbosity", "prediction", "modalities"}, Level: "W",
		Message: "is not in Infercom's API reference: it may be ignored or rejected", Do: "leave it out", Source: infercomPage + "request body",
	},
}
