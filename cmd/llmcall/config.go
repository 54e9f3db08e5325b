package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/llmcall/llmcall/pkg/object"
	"github.com/llmcall/llmcall/pkg/providers"
)

// config is the user's config file.
type config struct {
	Provider  string                     `json:"provider"`
	BaseURL   string                     `json:"base_url"`
	Model     string                     `json:"model"`
	Lint      string                     `json:"lint"`
	Providers map[string]json.RawMessage `json:"providers"`
	Profiles  map[string]json.RawMessage `json:"profiles"`

	path string // "" if there is none
}

// row is a provider as a config file states it: all that a built-in row can say, and a key.
type row struct {
	providers.Provider
	APIKey        string `json:"api_key,omitempty"`
	APIKeyCommand string `json:"api_key_command,omitempty"`
}

// loadConfig reads the config file: the one named by --config or LLMCALL_CONFIG, which must be there, else the user's own
// if there is one. An empty file is no config.
func loadConfig(o *options, getenv func(string) string, say *reporter) (config, error) {
	path, named := o.config, true
	if path == "" {
		path = getenv("LLMCALL_CONFIG")
	}
	if path == "" {
		if path, named = defaultConfigPath(getenv), false; path == "" {
			return config{}, nil
		}
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && !named {
		return config{}, nil
	}
	if err != nil {
		return config{}, usageError{msg: "config " + fileError(path, err)}
	}
	if data, err = object.Text(data); err != nil {
		return config{}, usageError{msg: "config " + path + ": " + err.Error()}
	}
	if strings.TrimSpace(string(data)) == "" {
		return config{}, nil
	}
	c := config{path: path}
	if err := object.Valid(data); err != nil {
		return c, usageError{msg: "config " + path + ": " + err.Error()}
	}
	if err := json.Unmarshal(data, &c); err != nil {
		return c, usageError{msg: "config " + path + ": " + plainJSONError(err)}
	}
	if c.Lint != "" && !slices.Contains(findFlag(flagTable, "lint").values, c.Lint) {
		return c, usageError{msg: fmt.Sprintf("config %s: lint: unknown value %q; want %s", path, c.Lint, orList(findFlag(flagTable, "lint").values))}
	}
	var unknown []string
	all := gjson.ParseBytes(data)
	unknown = unknownMembers(unknown, "", all, reflect.TypeFor[config]())
	all.Get("providers").ForEach(func(name, value gjson.Result) bool {
		unknown = unknownMembers(unknown, "providers."+name.String()+".", value, reflect.TypeFor[row]())
		return true
	})
	for _, name := range unknown {
		say.warn(fmt.Sprintf("config %s: unknown member %s", path, name))
	}
	if st, err := os.Stat(path); err == nil && st.Mode().Perm()&0o077 != 0 && strings.Contains(string(data), `"api_key"`) {
		say.warn(fmt.Sprintf("config %s holds a key and others can read it; type: chmod 600 %s", path, path))
	}
	return c, nil
}

// defaultConfigPath is the same on every Unix: $XDG_CONFIG_HOME or ~/.config.
func defaultConfigPath(getenv func(string) string) string {
	dir := getenv("XDG_CONFIG_HOME")
	if dir == "" {
		home := getenv("HOME")
		if home == "" {
			return ""
		}
		dir = filepath.Join(home, ".config")
	}
	return filepath.Join(dir, "llmcall", "config.json")
}

// unknownMembers appends the paths of the members of v that t has no field for.
func unknownMembers(found []string, at string, v gjson.Result, t reflect.Type) []string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t.Kind() == reflect.Slice && v.IsArray():
		for i, e := range v.Array() {
			found = unknownMembers(found, fmt.Sprintf("%s%d.", at, i), e, t.Elem())
		}
	case t.Kind() == reflect.Struct && v.IsObject():
		v.ForEach(func(name, value gjson.Result) bool {
			if f, ok := fieldFor(t, name.String()); ok {
				found = unknownMembers(found, at+name.String()+".", value, f)
			} else {
				found = append(found, at+name.String())
			}
			return true
		})
	}
	return found
}

// fieldFor finds the type of the field that a member of that name is read into.
func fieldFor(t reflect.Type, name string) (reflect.Type, bool) {
	for _, f := range reflect.VisibleFields(t) {
		tag, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if tag == name && tag != "" {
			return f.Type, true
		}
	}
	return nil, false
}

// provider gives the row of that name: a built-in one with what the config file adds, or one of the config file alone.
func (c *config) provider(name string) (row, error) {
	built, known := providers.Find(name)
	added, own := c.Providers[name]
	if !known && !own {
		return row{}, usageError{msg: fmt.Sprintf("unknown provider %q", name), hint: "llmcall --providers lists them; for any other OpenAI-compatible server give --base-url"}
	}
	r := row{Provider: providers.Provider{Name: name}}
	if known {
		r.Provider = *built
	}
	if !own {
		return r, nil
	}
	// Lists begin empty, for decoding would write into those of the table that all runs share.
	keys, rules, advice := r.Keys, r.Rules, r.Advice
	r.Keys, r.Rules, r.Advice = nil, nil, nil
	if err := json.Unmarshal(added, &r); err != nil {
		return row{}, usageError{msg: fmt.Sprintf("config %s: providers.%s: %s", c.path, name, plainJSONError(err))}
	}
	r.Name = name
	if r.Keys == nil {
		r.Keys = keys
	}
	r.Rules, r.Advice = append(slices.Clone(rules), r.Rules...), append(slices.Clone(advice), r.Advice...)
	if err := r.Check(); err != nil {
		return row{}, usageError{msg: fmt.Sprintf("config %s: providers.%s: %v", c.path, name, err)}
	}
	if r.BaseURL == "" && name != providers.Custom {
		return row{}, usageError{msg: fmt.Sprintf("config %s: providers.%s: base_url is missing", c.path, name)}
	}
	return r, nil
}

// knows tells whether a provider of that name is built in or stated in the config file.
func (c *config) knows(name string) bool {
	_, built := providers.Find(name)
	_, own := c.Providers[name]
	return built || own
}

// profile gives the request body of that name.
func (c *config) profile(name string) (source, error) {
	if body, ok := c.Profiles[name]; ok {
		return source{"profile " + name, body}, nil
	}
	if c.path == "" {
		return source{}, usageError{msg: fmt.Sprintf("profile %q: there is no config file", name), hint: "profiles stand in the config file as {\"profiles\": {\"NAME\": {…}}}"}
	}
	names := make([]string, 0, len(c.Profiles))
	for n := range c.Profiles {
		names = append(names, n)
	}
	slices.Sort(names)
	return source{}, usageError{msg: fmt.Sprintf("profile %q is not in %s", name, c.path), hint: "profiles there: " + strings.Join(names, ", ")}
}

// plainJSONError says in a user's words which member has the wrong type.
func plainJSONError(err error) string {
	var t *json.UnmarshalTypeError
	if errors.As(err, &t) {
		return fmt.Sprintf("%s: a %s does not belong here", t.Field, t.Value)
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}
