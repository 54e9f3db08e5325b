package providers

const exascalePage = "Exascale's API reference, chat, "

// exascaleRules is what Exascale's page says of each parameter. The page gives ranges, not what becomes of values outside.
var exascaleRules = []Rule{
	{
		Param: "model", If: "has no slash", Level: "W",
		Message: "ids have an owner and a slash here, such as MiniMaxAI/MiniMax-M2.7", Do: "take a model_name from the list of models",
		Source: exascalePage + "model",
	},
	{
		Param: "model", If: "is a database id", Level: "W",
		Message: "looks like the id of a list's entry, not like its model_name", Do: "take a model_name from the list of models",
		Source: exascalePage + "model",
	},
	{
		Param: "stream", Absent: true, Level: "W",
		Message: "is required", Do: "send true or false", Source: exascalePage + "stream",
	},
	{
		Param: "stream", Type: "boolean", Level: "W",
		Message: "is neither true nor false", Do: "send true or false", Source: exascalePage + "stream",
	},
	{
		Param: "messages", Absent: true, Level: "E",
		Message: "there are no messages to answer", Do: "give a prompt", Source: exascalePage + "messages",
	},
	{
		Param: "messages", If: "is empty", Level: "E",
		Message: "there are no messages to answer", Do: "give a prompt", Source: exascalePage + "messages",
	},
	{
		Param: "messages", If: "has a message without content", Level: "W",
		Message: "each message must have role and content", Do: "give it content", Source: exascalePage + "messages",
	},
	{
		Param: "messages", If: "has media", Level: "W",
		Message: "images and sound are not documented: they may be ignored or refused", Do: "send text", Source: exascalePage + "messages",
	},
	{
		Param: "temperature", Min: "0", Max: "2", Level: "E",
		Message: "is out of the range 0 to 2", Do: "use a value from 0 to 2", Advise: "temperature", Source: exascalePage + "temperature",
	},
	{
		Param: "top_p", Min: "0", Max: "1", Level: "E",
		Message: "is out of the range 0 to 1", Do: "use a value from 0 to 1", Advise: "top_p", Source: exascalePage + "top_p",
	},
	{
		Param: "top_k", Min: "-1", Max: "200", Level: "E",
		Message: "is out of the range -1 to 200", Do: "use a value from 1 to 200, or leave it out", Advise: "top_k", Source: exascalePage + "top_k",
	},
	{
		Param: "top_k", Below: "1", Level: "I",
		Message: "0 and -1 probably switch it off", Source: "inferred from " + exascalePage + "top_k",
	},
	{
		Param: "presence_penalty", Min: "-2", Max: "2", Level: "E",
		Message: "is out of the range -2 to 2", Do: "use a value from -2 to 2", Source: exascalePage + "presence_penalty",
	},
	{
		Param: "repetition_penalty", Min: "0.01", Max: "2", Level: "E",
		Message: "is out of the range 0.01 to 2", Do: "use a value from 0.01 to 2; 1 is none", Source: exascalePage + "repetition_penalty",
	},
	{
		Param: "repetition_penalty", Below: "1", Level: "I",
		Message: "below 1 it encourages repetition", Source: exascalePage + "repetition_penalty",
	},
	{
		Param: "max_tokens", Min: "1", Level: "E",
		Message: "is less than 1", Do: "use 1 or more, or leave it out", Source: exascalePage + "max_tokens",
	},
	{
		Param: "max_completion_tokens", Level: "W",
		Message: "is not documented by Exascale: it may be ignored or refused", Do: "use max_tokens", Source: exascalePage + "body parameters",
	},
	{
		Param: "stream_options", Without: []string{"stream=true"}, Level: "W",
		Message: "is for streams only, and not documented by Exascale", Do: "leave it out", Source: exascalePage + "body parameters",
	},
	{
		Param: "stream_options", With: []string{"stream=true"}, Level: "W",
		Message: "is not documented by Exascale: it may be ignored or refused; usage comes without it", Do: "leave it out",
		Source: exascalePage + "streaming responses",
	},
	{
		Param: "frequency_penalty", Also: []string{
			"stop", "seed", "n", "tools", "tool_choice", "parallel_tool_calls", "response_format", "logprobs", "top_logprobs", "logit_bias",
			"reasoning_effort", "chat_template_kwargs", "do_sample", "user", "metadata", "store", "service_tier", "min_p", "verbosity",
			"prediction", "modalities",
		}, Level: "W",
		Message: "is not documented by Exascale: it may be ignored or refused", Do: "leave it out", Source: exascalePage + "body parameters",
	},
}
