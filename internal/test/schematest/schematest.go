// Package schematest reads the schemas of what the command writes as JSON, for tests.
package schematest

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Schemas compiles the schemas in a directory, docs/schema, by their names. Strict ones allow
// no field that they do not name; those that we publish do, since fields may be
// added.
func Schemas(t *testing.T, dir string, strict bool) map[string]*jsonschema.Schema {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.schema.json"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	c := jsonschema.NewCompiler()
	var names []string
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(data)))
		require.NoError(t, err, file)
		assert.Equal(t, "https://json-schema.org/draft/2020-12/schema", doc.(map[string]any)["$schema"], file)
		if strict {
			seal(doc)
		}
		name := filepath.Base(file)
		require.NoError(t, c.AddResource("file:///schema/"+name, doc))
		names = append(names, name)
	}
	all := make(map[string]*jsonschema.Schema)
	for _, name := range names {
		s, err := c.Compile("file:///schema/" + name)
		require.NoError(t, err)
		all[strings.TrimSuffix(name, ".schema.json")] = s
	}
	return all
}

// seal forbids further fields wherever a schema names all fields of an object, and
// not just some on a condition.
func seal(value any) {
	switch value := value.(type) {
	case map[string]any:
		if value["type"] == "object" && value["properties"] != nil && value["additionalProperties"] == nil {
			value["additionalProperties"] = false
		}
		for _, v := range value {
			seal(v)
		}
	case []any:
		for _, v := range value {
			seal(v)
		}
	}
}

// Lacking takes each field of an object out that its schema demands, and sees
// whether the schema finds out.
func Lacking(t *testing.T, s *jsonschema.Schema, object map[string]any, about string) {
	t.Helper()
	require.NotEmpty(t, s.Required)
	for _, name := range s.Required {
		rest := maps.Clone(object)
		delete(rest, name)
		assert.Error(t, s.Validate(rest), "%s without %s", about, name)
		rest[name] = nil
		assert.Error(t, s.Validate(rest), "%s with %s null", about, name)
	}
}
