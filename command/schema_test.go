package command

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/explore"
)

// Every command that writes JSON has a schema.
func TestEveryCommandHasASchema(t *testing.T) {
	for _, c := range newApp(Tool{Name: "bullyproof", Algorithms: algorithms.All}, nil, io.Discard, io.Discard).root().Commands() {
		if c.Flags().Lookup("json") != nil || c.Name() == "claims" {
			assert.FileExists(t, filepath.Join("..", "docs", "schema", c.Name()+".schema.json"), "what %s --json writes has no JSON Schema", c.Name())
		}
	}
}

// The schema of check knows each reason for which a search ends.
func TestSchemaHasEveryReason(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "schema", "check.schema.json"))
	require.NoError(t, err)
	for r := explore.Complete; !strings.HasPrefix(r.String(), "Reason("); r++ {
		if r != explore.Sampled { // which checks do not do
			assert.Contains(t, string(text), fmt.Sprintf("%q", r.String()))
		}
	}
}

// Help names the schemas.
func TestHelpJSONNamesTheSchemas(t *testing.T) {
	_, text := runApp(context.Background(), &watched{}, "help", "json")
	assert.Contains(t, text, "docs/schema")
}
