package main

import (
	"encoding/json"
	"flag"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker/linear"
	"bullyproof/command"
	"bullyproof/counterexamples"
	"bullyproof/internal/test/garbage"
	"bullyproof/internal/test/schematest"
	"bullyproof/internal/test/thorough"
	"bullyproof/ledger/compare"
	"bullyproof/model/process"
)

// schemas compiles the schemas of docs/schema.
func schemas(t *testing.T, strict bool) map[string]*jsonschema.Schema {
	t.Helper()
	return schematest.Schemas(t, filepath.Join("..", "..", "docs", "schema"), strict)
}

var deep = flag.Bool("deep", false, "also hold the claims of the whole catalogue against their schema")

// Searches are most of what these tests do.
var _ = garbage.Seldom()

// jsonCases are command lines whose output is JSON, by what it is, with the exit
// status. They show every form that the output takes.
var jsonCases = []struct {
	schema string
	status int
	args   string
}{
	{"check", 1, "check bully --save DIR/check"},
	{"check", 0, "check lelann"},
	{"check", 1, "check bully --order dfs --property uniqueness"},
	{"check", 3, "check bully --max-states 3"},
	{"check", 3, "check bully --max-states 3 --order dfs"},
	{"check", 3, "check bully --max-depth 2"},
	{"check", 3, "check bully --max-bytes 1"},
	{"check", 3, "check bully -n 4 --property validity --max-time 1ns"},
	{"check", 3, "check bully -n 2 --restarts 0 --crashes 0 --detector off --property e2"},
	{"check", 1, "check bully --exact --max-graph-states 100 --property e2 --property uniqueness"},
	{"check", 1, "check bully --property e1 --property e2-strong --property e2-unfair"},
	{"check", 1, "check bully --crashes 0 --restarts 0 --cuts 1 --heals 1 --losses 1 --duplications 1 --max-states 5000 --property uniqueness"},
	{"check", 1, "check bully --always leaders<=1 --count leaders --count map(live,.follows) --count processes[P1.follows].id --runs 3"},
	{"sweep", 1, "check bully --property uniqueness --sweep n=2..3 --sweep crashes=0..1"},
	{"sweep", 1, "check bully --property uniqueness --sweep restarts=0..1"},
	{"hunt", 1, "check bully --hunt --steps 5k --save DIR/hunt"},
	{"hunt", 3, "check lelann --hunt --steps 10k --seed 7"},
	{"hunt", 3, "check lelann --hunt --max-time 1ns"},
	{"error", 2, "check bully --hunt --exact"},
	{"error", 2, "check bully --steps 10k"},
	{"messages", 0, "messages bully -n 3 --trace both --save DIR/messages"},
	{"messages", 0, "messages bully -n 3 --detect 1"},
	{"messages", 0, "messages changroberts -n 3 --initiators one"},
	{"messages", 3, "messages bully --max-states 3"},
	{"compare", 1, "compare bully fceabr -n 2..3 --max-states 300"},
	{"simulate", 1, "simulate bully/hasty --walks 500 --save DIR/simulate"},
	{"simulate", 0, "simulate changroberts -n 4 --walks 5 --capacity 1"},
	{"simulate", 3, "simulate bully --max-time 1ns"},
	{"claims", 0, "claims surrogatering"},
	{"claims", 0, "claims bully fceabr kabashi --recorded"},
	{"claims", 0, "claims --recorded"}, // in the deep test: it takes as long as all others
	{"claims", 0, "claims surrogatering --larger 50 -q"},
	{"histories", 1, "histories kabashi --crashes 1 --restarts 1 --spec register --fence writes"},
	{"histories", 0, "histories kabashi -n 2"},
	{"histories", 3, "histories kabashi --spec lock --walks 10"},
	{"histories", 3, "histories kabashi -n 2 --spec lock --fence writes --tokens epoch"},
	{"histories", 1, "histories --read HISTORY"},
	{"compare", 0, "compare lelann changroberts --faults none -n 2"},
	{"compare", 3, "compare bully kabashi --faults restarts=1 -n 3 --max-states 300 --output DIR/compare"},
	{"replay", 0, "replay bully-duplicate-coordinator bully-retries-for-ever"},
	{"replay", 2, "replay DIR/none.json"},
	{"validate", 0, "validate bully ../../docs/cluster.ndjson"},
	{"validate", 1, "validate kabashi ../../docs/cluster.ndjson DIR/torn.ndjson"},
	{"validate", 3, "validate bully ../../docs/cluster.ndjson --hidden receive --max-bytes 1"},
	{"prove", 3, "prove lelann --solver none"},
	{"chance", 0, "chance itairodeh --within 10steps --walks 20"},
	{"chance", 0, "chance itairodeh/one-identity"},
	{"chance", 3, "chance itairodeh --max-states 20"},
	{"prove", 1, "prove lelann/notes-nothing --solver none"},
	{"error", 2, "check buly"},
	{"error", 2, "check bully --crahses 1"},
	{"error", 2, "claims buly"},
	{"error", 2, "messages bully -n 17"},
	{"error", 2, "compare bully bully"},
	{"error", 2, "nonsense"},
}

// run runs a command in this process.
func run(t *testing.T, tool command.Tool, args ...string) (status int, out string) {
	t.Helper()
	var b strings.Builder
	status = tool.Run(t.Context(), args, strings.NewReader(""), &b, io.Discard)
	return status, b.String()
}

// leaveToLong leaves out of a short run, that of the race detector, what has no
// goroutines but those of searches, which other tests have.
func leaveToLong(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("many searches")
	}
}

// staleHistory is one that is not linearizable: a read returns what was overwritten
// before it began.
const staleHistory = `{"spec": "register", "initial": 7, "operations": [
	{"client": 1, "op": "write", "value": 3, "call": 10, "return": 25},
	{"client": 2, "op": "read", "value": 7, "call": 30, "return": 40, "via": 2},
	{"client": 2, "op": "write", "value": 4, "call": 50}]}`

// The JSON of the command is as the schemas say. They leave out no field, and
// refuse anything with a field of the first rank less.
func TestJSONIsAsTheSchemasHaveIt(t *testing.T) {
	thorough.Only(t)
	leaveToLong(t)
	published, strict := schemas(t, false), schemas(t, true)
	dir, seen := t.TempDir(), map[string]bool{"run": true, "trace": true, "history": true, "event": true, "checkpoint": true, "site": true}
	history := filepath.Join(dir, "history.json")
	require.NoError(t, os.WriteFile(history, []byte(staleHistory), 0o666))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "torn.ndjson"), []byte(`{"event":"heal"}`+"\n"+`{"ev`), 0o666))
	for _, c := range jsonCases {
		if c.args == "claims --recorded" && !*deep {
			continue
		}
		args := strings.Fields(strings.NewReplacer("DIR", dir, "HISTORY", history).Replace(c.args))
		flag := []string{"--json"}
		if args[0] == "claims" {
			flag = []string{"--format", "json"}
		}
		status, out := run(t, ours, append(args, flag...)...)
		assert.Equal(t, c.status, status, c.args)
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(out))
		require.NoError(t, err, c.args)
		assert.NoError(t, strict[c.schema].Validate(value), c.args)
		assert.NoError(t, published[c.schema].Validate(value), c.args)
		if !seen[c.schema] {
			schematest.Lacking(t, published[c.schema], value.(map[string]any), c.args)
		}
		seen[c.schema] = true
	}
	assert.ElementsMatch(t, slices.Collect(maps.Keys(published)), slices.Collect(maps.Keys(seen)))
}

// Every trace on file is as its schema says, and so is what a search saves.
func TestTracesAreAsTheirSchemaHasIt(t *testing.T) {
	s := schemas(t, false)["trace"]
	names := counterexamples.Names()
	require.NotEmpty(t, names)
	for _, name := range names {
		tr, err := counterexamples.Open(name)
		require.NoError(t, err)
		data, err := tr.Encode()
		require.NoError(t, err)
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(data)))
		require.NoError(t, err)
		assert.NoError(t, s.Validate(value), name)
	}
	for _, bad := range []string{
		`{"action": "tick", "process": 1}`, `{"action": "crash"}`, `{"action": "vanish", "process": 1}`, `{"action": "crash", "process": 0}`,
		`{"action": "timeout", "process": 1}`, `{"action": "suspect", "process": 1}`, `{"action": "crash", "process": 1, "why": "no field"}`,
	} {
		var step any
		require.NoError(t, json.Unmarshal([]byte(bad), &step))
		trace := map[string]any{
			"schema": 1, "algorithm": "bully", "variant": "", "property": "", "kind": "run", "title": "", "story": "",
			"setting": "n=3", "origin": "n=3", "steps": []any{},
		}
		require.NoError(t, s.Validate(trace))
		trace["steps"] = []any{step}
		assert.Error(t, s.Validate(trace), bad)
	}
}

// So is what a search leaves that ends at a limit, and goes on another time.
func TestCheckpointsAreAsTheirSchemaHasIt(t *testing.T) {
	dir := t.TempDir()
	status, _ := run(t, ours, "check", "bully", "--property", "uniqueness", "--exhaustive", "--max-states", "100", "--disk", dir)
	require.Equal(t, 3, status)
	data, err := os.ReadFile(filepath.Join(dir, "checkpoint.json"))
	require.NoError(t, err)
	list, err := jsonschema.UnmarshalJSON(strings.NewReader(string(data)))
	require.NoError(t, err)
	assert.NoError(t, schemas(t, true)["checkpoint"].Validate(list))
}

// So is a history that the command reads.
func TestHistoriesAreAsTheirSchemaHasIt(t *testing.T) {
	leaveToLong(t)
	s := schemas(t, false)["history"]
	for text, ok := range map[string]bool{
		staleHistory: true,
		`{"spec": "lock", "operations": [{"op": "acquire", "token": 1, "ok": true, "call": 0, "return": 1}, {"op": "release", "call": 2}]}`: true,
		`{"spec": "queue", "operations": []}`:                                 false,
		`{"spec": "leader", "operations": [{"op": "ask"}]}`:                   false,
		`{"spec": "leader", "operations": [{"op": "vote", "call": 1}]}`:       false,
		`{"spec": "leader", "operations": [{"op": "ask", "call": 1, "a":1}]}`: false,
	} {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
		require.NoError(t, err)
		_, err = linear.ReadHistory(strings.NewReader(text))
		assert.Equal(t, ok, err == nil, text)
		assert.Equal(t, ok, s.Validate(value) == nil, text)
	}
}

// So is what compare --output writes, and a difference, which few comparisons
// have.
func TestComparisonsAreAsTheirSchemaHasIt(t *testing.T) {
	leaveToLong(t)
	s := schemas(t, true)["compare"]
	dir := t.TempDir()
	status, _ := run(t, ours, "compare", "lelann", "changroberts", "--faults", "none", "-n", "2", "--output", dir)
	require.Zero(t, status)
	data, err := os.ReadFile(filepath.Join(dir, "compare.json"))
	require.NoError(t, err)
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(data)))
	require.NoError(t, err)
	assert.NoError(t, s.Validate(value))

	data, err = json.Marshal(&compare.Comparison{Differences: []compare.Difference{{A: "a", B: "b", N: 3, RankA: 1, RankB: 2, AlsoA: process.SetOf(1, 3)}}})
	require.NoError(t, err)
	difference, err := jsonschema.UnmarshalJSON(strings.NewReader(string(data)))
	require.NoError(t, err)
	value.(map[string]any)["differences"] = difference.(map[string]any)["differences"]
	assert.NoError(t, s.Validate(value))
	assert.Contains(t, string(data), `"also_a":[1,3],"also_b":[]`)
}
