package command

import (
	"context"
	"io"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/algorithms"
)

// Every command that writes JSON has a schema.
func TestEveryCommandHasASchema(t *testing.T) {
	for _, c := range newApp(Tool{Name: "bullyproof", Algorithms: algorithms.All}, nil, io.Discard, io.Discard).root().Commands() {
		if c.Flags().Lookup("json") != nil || c.Name() == "claims" {
			assert.FileExists(t, filepath.Join("..", "docs", "schema", c.Name()+".schema.json"), "what %s --json writes has no JSON Schema", c.Name())
		}
	}
}

// Help names the schemas.
func TestHelpJSONNamesTheSchemas(t *testing.T) {
	_, text := runApp(context.Background(), &watched{}, "help", "json")
	assert.Contains(t, text, "docs/schema")
}
