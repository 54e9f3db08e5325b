package providers

import (
	"errors"
	"net/http/httptest"
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"
	"github.com/openai/openai-go/v3/shared"
)

// sdk is OpenAI's own client, speaking to the mock over HTTP.
func sdk(t *testing.T) openai.Client {
	t.Helper()
	handler, err := MockHandler(nil)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return openai.NewClient(option.WithBaseURL(server.URL+"/v1/"), option.WithAPIKey("unused"), option.WithMaxRetries(2))
}

func sdkParams(model, text string) openai.ChatCompletionNewParams {
	return openai.ChatCompletionNewParams{
		Model:    model,
		Messages: []openai.ChatCompletionMessageParamUnion{openai.SystemMessage("be brief"), openai.UserMessage(text)},
		Tools: []openai.ChatCompletionToolUnionParam{openai.ChatCompletionFunctionTool(shared.FunctionDefinitionParam{
			Name: "weather",
			Parameters: shared.FunctionParameters{
				"type": "object", "properties": map[string]any{"city": map[string]any{"type": "string"}}, "required": []string{"city"},
			},
		})},
		N: openai.Int(2),
	}
}

func TestMockSpeaksTheDialectOfTheSDK(t *testing.T) {
	const text = "Where is \"Z\u00fcrich\"?"
	tests := []struct{ model, content, finish, tool, arguments string }{
		{"echo", text, "stop", "", ""},
		{"reasoning", text, "stop", "", ""},
		{"flaky-2", text, "stop", "", ""},
		{"tool-call", "", "tool_calls", "weather", `{"city":"Where is \"Z` + "\u00fc" + `rich\"?"}`},
		{"length", "Where is \"", "length", "", ""},
	}
	for _, test := range tests {
		t.Run(test.model, func(t *testing.T) {
			client := sdk(t)
			params := sdkParams(test.model, text)
			whole, err := client.Chat.Completions.New(t.Context(), params)
			if err != nil {
				t.Fatal(err)
			}
			params.StreamOptions = openai.ChatCompletionStreamOptionsParam{IncludeUsage: openai.Bool(true)}
			stream := client.Chat.Completions.NewStreaming(t.Context(), params)
			defer stream.Close()
			var sum openai.ChatCompletionAccumulator
			chunks := 0
			for ; stream.Next(); chunks++ {
				if !sum.AddChunk(stream.Current()) {
					t.Fatalf("chunk %d does not belong to the others: %s", chunks, stream.Current().RawJSON())
				}
			}
			if err := stream.Err(); err != nil {
				t.Fatal(err)
			}
			if chunks < 4 {
				t.Errorf("%d chunks", chunks)
			}
			for name, got := range map[string]*openai.ChatCompletion{"whole": whole, "streamed": &sum.ChatCompletion} {
				if got.ID == "" || got.ID != whole.ID || got.Created == 0 || got.Model != test.model || len(got.Choices) != 2 {
					t.Fatalf("%s: %s", name, got.RawJSON())
				}
				if got.Usage.PromptTokens != 5 || got.Usage.TotalTokens != got.Usage.PromptTokens+got.Usage.CompletionTokens || got.Usage.CompletionTokens == 0 {
					t.Errorf("%s: usage %+v", name, got.Usage)
				}
				for _, choice := range got.Choices {
					if choice.Message.Content != test.content || choice.FinishReason != test.finish {
						t.Errorf("%s: %q, %s", name, choice.Message.Content, choice.FinishReason)
					}
					if test.tool == "" {
						continue
					}
					if len(choice.Message.ToolCalls) != 1 {
						t.Fatalf("%s: %d tool calls", name, len(choice.Message.ToolCalls))
					}
					if call := choice.Message.ToolCalls[0]; call.ID == "" || call.Function.Name != test.tool || call.Function.Arguments != test.arguments {
						t.Errorf("%s: %+v", name, call)
					}
				}
			}
		})
	}
}

func TestMockRefusesInTheDialectOfTheSDK(t *testing.T) {
	tests := []struct {
		model  string
		status int
		code   string
	}{
		{"status-400", 400, "invalid_value"}, {"status-401", 401, "invalid_authentication"}, {"status-422", 422, "model_not_in_plan"}, {"gpt-x", 404, "model_not_found"},
	}
	for _, test := range tests {
		client := sdk(t)
		_, err := client.Chat.Completions.New(t.Context(), sdkParams(test.model, "hi"))
		var refused *openai.Error
		if !errors.As(err, &refused) || refused.StatusCode != test.status || refused.Code != test.code || refused.Message == "" {
			t.Errorf("%s: %v", test.model, err)
		}
	}
}

func TestMockListsModelsToTheSDK(t *testing.T) {
	client := sdk(t)
	page, err := client.Models.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(page.Data) != len(mockExamples) || page.Data[0].ID != mockEcho {
		t.Errorf("got %s", page.RawJSON())
	}
}
