package schema

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestSuite runs the official JSON-Schema-Test-Suite, which the library's module carries.
func TestSuite(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "github.com/google/jsonschema-go").Output()
	root := filepath.Join(strings.TrimSpace(string(dir)), "jsonschema", "testdata")
	if _, statErr := os.Stat(root); err != nil || statErr != nil {
		t.Skip("the module cache has no copy of the suite")
	}
	for _, draft := range []struct{ dir, uri string }{
		{"draft2020-12", "https://json-schema.org/draft/2020-12/schema"}, {"draft7", "http://json-schema.org/draft-07/schema#"},
	} {
		files, _ := filepath.Glob(filepath.Join(root, draft.dir, "*.json"))
		if len(files) == 0 {
			t.Errorf("%s: no files", draft.dir)
		}
		for _, file := range files {
			suiteFile(t, file, draft.uri)
		}
	}
}

func suiteFile(t *testing.T, file, uri string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var groups []struct {
		Description string
		Schema      json.RawMessage
		Tests       []struct {
			Description string
			Data        json.RawMessage
			Valid       bool
		}
	}
	if err := json.Unmarshal(data, &groups); err != nil {
		t.Fatal(err)
	}
	for _, g := range groups {
		name := filepath.Base(filepath.Dir(file)) + "/" + filepath.Base(file) + "/" + g.Description
		schema := g.Schema
		if schema[0] == '{' && !strings.Contains(string(schema), "$schema") {
			schema = json.RawMessage(`{"$schema":"` + uri + `",` + strings.TrimSpace(string(schema))[1:])
			schema = json.RawMessage(strings.Replace(string(schema), ",}", "}", 1))
		}
		s, err := Compile("suite", schema)
		if errors.Is(err, ErrUnsupported) && strings.Contains(err.Error(), "a reference to outside of the schema") {
			continue // the suite's remote schemas
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, c := range g.Tests {
			if got := s.Check(c.Data); (len(got) == 0) != c.Valid {
				t.Errorf("%s: %s: want valid %v, got %v", name, c.Description, c.Valid, got)
			}
		}
	}
}
