package eventlog_test

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/runtime/eventlog"
)

func schema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile("../../docs/schema/event.schema.json")
	require.NoError(t, err)
	return s
}

func validate(t require.TestingT, s *jsonschema.Schema, line string) error {
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
	require.NoError(t, err, line)
	return s.Validate(value)
}

// The lines of the documentation are as the schema has them.
func TestSchemaKnowsTheDocumentation(t *testing.T) {
	s := schema(t)
	text, err := os.ReadFile("../../docs/event-log.md")
	require.NoError(t, err)
	lines := 0
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, `{"`) {
			lines++
			assert.NoError(t, validate(t, s, line), line)
		}
	}
	assert.Greater(t, lines, 10)
}

// values are values of the fields, right ones and wrong ones.
var values = map[string][]string{
	"event": {`"boot"`, `"start"`, `"receive"`, `"send"`, `"expire"`, `"suspect"`, `"observe"`, `"crash"`, `"pause"`, `"resume"`, `"cut"`, `"heal"`, `"reboot"`, `1`},
	"why":   {`"cold"`, `"join"`, `"restart"`, `"warm"`, `null`}, "process": {`1`, `64`, `0`, `65`, `-1`, `"1"`, `null`},
	"from": {`2`, `"next"`, `"prev"`, `"up"`, `65`}, "to": {`2`, `"next"`, `0`, `"prev"`, `[]`},
	"message": {`"ELECTION"`, `""`, `3`}, "id": {`"2.7"`, `""`, `null`}, "timer": {`"T"`, `""`, `1`}, "who": {`3`, `0`, `65`, `"3"`},
	"link": {`"1-2"`, `"2->1"`, `"1>2"`, `"1"`, `2`}, "side": {`[1]`, `[4, 5]`, `[]`, `[1, 1]`, `[65]`, `1`},
	"choices": {`[]`, `[0, 255]`, `[256]`, `[-1]`, `[null]`, `1`}, "rules": {`[]`, `["a", "a"]`, `[1]`, `"a"`},
	"belief": {`{}`, `{"elected": "me"}`, `{"elected": 0, "participant": true, "epoch": 7}`, `{"elected": 65}`, `{"term": 1}`, `{"epoch": -1}`, `null`},
	"state":  {`{}`, `{"a": "b"}`, `{"a": 1}`, `[]`}, "seq": {`1`, `0`, `"1"`}, "clock": {`9`, `0`},
	"time": {`"2026-01-31T23:59:59.123456Z"`, `1`}, "note": {`""`, `"x"`, `1`}, "sequence": {`1`},
}

// The schema takes what Decode takes, and refuses what it refuses.
func TestSchemaIsWhatIsRead(t *testing.T) {
	s := schema(t)
	names := slices.Sorted(maps.Keys(values))
	rapid.Check(t, func(t *rapid.T) {
		fields := map[string]json.RawMessage{"event": json.RawMessage(rapid.SampledFrom(values["event"]).Draw(t, "event"))}
		if rapid.IntRange(0, 5).Draw(t, "somewhere") > 0 {
			fields["process"] = json.RawMessage(`2`)
		}
		for _, name := range rapid.SliceOfNDistinct(rapid.SampledFrom(names), 0, 4, rapid.ID).Draw(t, "fields") {
			// Mostly right: the first value is.
			n := rapid.SampledFrom([]int{0, 0, 0, 1, len(values[name])}).Draw(t, "which")
			if n == len(values[name]) {
				n = rapid.IntRange(0, n-1).Draw(t, "value")
			}
			fields[name] = json.RawMessage(values[name][min(n, len(values[name])-1)])
		}
		line, err := json.Marshal(fields)
		require.NoError(t, err)
		_, read := eventlog.Decode(line)
		known := validate(t, s, string(line))
		assert.Equal(t, read == nil, known == nil, "%s: read: %v; schema: %v", line, read, known)
	})
}

// Encode writes as the schema says.
func TestSchemaKnowsWhatIsWritten(t *testing.T) {
	s := schema(t)
	for kind, rest := range map[string]string{
		"boot": `"why": "cold"`, "start": `"note": "x"`, "receive": `"from": "next", "message": "m", "belief": {"elected": "me", "epoch": 0}`,
		"send": `"to": 3, "message": "m", "id": "7"`, "expire": `"timer": "T", "rules": [], "choices": [1]`, "suspect": `"who": 1`,
		"observe": `"state": {"a": "b"}, "seq": 4, "clock": 5, "time": "2026-01-31T23:59:59.5+01:00"`, "crash": `"note": "y"`,
	} {
		e, err := eventlog.Decode([]byte(`{"process": 2, "event": "` + kind + `", ` + rest + `}`))
		require.NoError(t, err, kind)
		line, err := e.Encode()
		require.NoError(t, err)
		assert.NoError(t, validate(t, s, string(line)), "%s", line)
	}
}
