package main

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/llmcall/llmcall/pkg/providers"
)

func TestUnknownMembers(t *testing.T) {
	for _, tt := range []struct {
		name, config string
		of           reflect.Type
		want         []string
	}{
		{"none", `{"provider":"x","base_url":"u","model":"m","lint":"off","providers":{},"profiles":{}}`, reflect.TypeFor[config](), nil},
		{"at the top", `{"provider":"x","modle":"m","path":"p"}`, reflect.TypeFor[config](), []string{"modle", "path"}},
		{"profiles say what they like", `{"profiles":{"p":{"any":1}}}`, reflect.TypeFor[config](), nil},
		{"case counts", `{"Provider":"x"}`, reflect.TypeFor[config](), []string{"Provider"}},
		{"in a row", `{"base_url":"u","url":"u"}`, reflect.TypeFor[row](), []string{"url"}},
		{"a row's own members", `{"api_key":"k","api_key_command":"c","keys":[{"headers":[{"name":"n","prefix":"p","var":"v"}],"hint":"h"}]}`, reflect.TypeFor[row](), nil},
		{"deep in a row", `{"keys":[{"headers":[{"name":"n"},{"nmae":"n"}]}],"rules":[{"param":"p","levle":"E"}]}`, reflect.TypeFor[row](), []string{"keys.0.headers.1.nmae", "rules.0.levle"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := unknownMembers(nil, "", gjson.Parse(tt.config), tt.of); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestPlainJSONError(t *testing.T) {
	var c config
	err := json.Unmarshal([]byte(`{"model":7}`), &c)
	if got, want := plainJSONError(err), "model: a number does not belong here"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestDefaultConfigPath(t *testing.T) {
	for _, tt := range []struct {
		name, xdg, home, want string
	}{
		{"XDG", "/x", "/home/u", "/x/llmcall/config.json"},
		{"home", "", "/home/u", "/home/u/.config/llmcall/config.json"},
		{"neither", "", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			vars := map[string]string{"XDG_CONFIG_HOME": tt.xdg, "HOME": tt.home}
			if got := defaultConfigPath(func(name string) string { return vars[name] }); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// TestOwnKeysReplaceTheBuiltInOnes gives a built-in row other keys: nothing of the row's own may be left in them, and the
// table that all runs share must stay as it was.
func TestOwnKeysReplaceTheBuiltInOnes(t *testing.T) {
	before, _ := providers.Find(providers.Default)
	want := before.Keys[0].Headers[0]
	c := config{path: "c.json", Providers: map[string]json.RawMessage{
		providers.Default: json.RawMessage(`{"keys":[{"headers":[{"name":"X-Own","var":"OWN_KEY"}]}]}`),
	}}
	r, err := c.provider(providers.Default)
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Keys[0]; got.Hint != "" || got.Headers[0] != (providers.KeyHeader{Name: "X-Own", Var: "OWN_KEY"}) {
		t.Errorf("the row's keys are %+v", got)
	}
	if after, _ := providers.Find(providers.Default); after.Keys[0].Headers[0] != want {
		t.Errorf("the table's keys became %+v", after.Keys[0])
	}
}
