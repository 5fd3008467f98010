package command

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/ledger"
)

// object runs the command, which has to write one JSON object.
func object(t *testing.T, want int, args ...string) map[string]any {
	t.Helper()
	status, out := runApp(context.Background(), &watched{}, args...)
	assert.Equal(t, want, status, args)
	var o map[string]any
	require.NoError(t, json.Unmarshal([]byte(out), &o), "%s: %s", args, out)
	version := 1
	if o["algorithms"] != nil {
		version = ledger.Schema
	}
	assert.EqualValues(t, version, o["schema"], args)
	run, ok := o["run"].(map[string]any)
	if assert.True(t, ok, args) {
		assert.Equal(t, "bullyproof", run["program"])
		assert.NotEmpty(t, run["version"])
		assert.NotEmpty(t, run["go"])
		assert.Len(t, run["arguments"], len(args))
	}
	return o
}

// fields adds the names of all fields of a value, except for those of traces,
// which are as trace files have them.
func fields(value any, to map[string]bool) {
	switch value := value.(type) {
	case map[string]any:
		for name, v := range value {
			to[name] = true
			if name != "trace" {
				fields(v, to)
			}
		}
	case []any:
		for _, v := range value {
			fields(v, to)
		}
	}
}

// help json names every field that there is.
func TestHelpJSONNamesEveryField(t *testing.T) {
	dir := t.TempDir()
	run, err := os.ReadFile(filepath.Join("..", "counterexamples", "bully-duplicate-coordinator.json"))
	require.NoError(t, err)
	older := filepath.Join(dir, "older.json")
	require.NoError(t, os.WriteFile(older, bytes.ReplaceAll(run, []byte("state.Mode"), []byte("state.Phase")), 0o600))
	all := map[string]bool{}
	for _, o := range []map[string]any{
		object(t, statusBad, "check", "bully", "--json", "--save", filepath.Join(dir, "check")),
		object(t, statusIncomplete, "check", "bully", "--json", "--max-states", "3"),
		object(t, statusBad, "check", "bully", "--json", "--max-graph-states", "100", "--property", "e2", "--property", "uniqueness"),
		object(t, statusFine, "messages", "bully", "-n", "3", "--json", "--trace", "both", "--save", filepath.Join(dir, "messages")),
		object(t, statusIncomplete, "messages", "bully", "--json", "--max-states", "3"),
		object(t, statusFine, "claims", "bully", "fceabr", "kabashi", "--recorded", "--format", "json"),
		object(t, statusFine, "replay", "bully-duplicate-coordinator", "bully-retries-for-ever", "--json"),
		object(t, statusUsage, "replay", filepath.Join(dir, "none.json"), "--json"),
		object(t, statusBad, "replay", older, "--json"),
		object(t, statusFine, "replay", older, "--json", "--again"),
		object(t, statusUsage, "check", "buly", "--json"),
		object(t, statusUsage, "check", "bully", "--crahses", "1", "--json"),
		object(t, statusUsage, "claims", "buly", "--format=json"),
		object(t, statusUsage, "messages", "bully", "-n", "17", "--json"),
	} {
		fields(o, all)
	}
	_, text := runApp(context.Background(), &watched{}, "help", "json")
	words := regexp.MustCompile(`[a-z_]+`).FindAllString(text, -1)
	for name := range all {
		assert.True(t, slices.Contains(words, name), "no word on field %q", name)
	}
	assert.Greater(t, len(all), 60)
}

func TestReplayJSON(t *testing.T) {
	type one struct{ Name, Verdict, Why, Algorithm, Variant, Property, Kind string }
	status, out := runApp(context.Background(), &watched{}, "replay", "--json", "bully-duplicate-coordinator", "no/such.json")
	assert.Equal(t, statusUsage, status)
	var r struct {
		Verdict string
		Traces  []one
	}
	require.NoError(t, json.Unmarshal([]byte(out), &r))
	assert.Equal(t, "cannot be read", r.Verdict)
	require.Len(t, r.Traces, 2)
	assert.Equal(t, one{
		Name: "bully-duplicate-coordinator", Verdict: "as recorded",
		Algorithm: "bully", Variant: "coulouris", Property: "uniqueness", Kind: "violation",
	}, r.Traces[0])
	assert.Equal(t, "cannot be read", r.Traces[1].Verdict)
	assert.Contains(t, r.Traces[1].Why, `no file "no/such.json"`)
}

func TestCheckJSONNamesWhatItSaved(t *testing.T) {
	dir := t.TempDir()
	o := object(t, statusBad, "check", "bully", "--property", "uniqueness", "--json", "--save", dir)
	assert.Equal(t, []any{filepath.Join(dir, "bully-coulouris-uniqueness.json")}, o["saved"])
	assert.NotContains(t, o, "save_error")
}

func TestAsksForJSON(t *testing.T) {
	for line, want := range map[string]bool{
		"check bully --json":                true,
		"check bully --json=true":           true,
		"check bully":                       false,
		"check bully -- --json":             false,
		"claims --format json":              true,
		"claims --format=json":              true,
		"claims --format text":              false,
		"trace bully --format json":         false,
		"replay a.json":                     false,
		"check --jsn bully --property json": false,
		"":                                  false,
	} {
		assert.Equal(t, want, asksForJSON(strings.Fields(line)), line)
	}
	assert.True(t, slices.Contains(strings.Fields(helpJSON), "schema"))
}

func TestVersion(t *testing.T) {
	status, out := runApp(context.Background(), &watched{}, "--version")
	assert.Equal(t, statusFine, status)
	assert.Regexp(t, `^bullyproof \S+(, revision [0-9a-f]{12})?( \(modified\))?, go1\.\S+\n$`, out)
}
