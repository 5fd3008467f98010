package counterexamples_test

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/test/thorough"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// A lasso's states in the Informal Trace Format do repeat: the last is, except
// for the action that led to it, the one before the loop.
func TestExportedLoopsClose(t *testing.T) {
	thorough.Only(t)
	loops := 0
	for _, name := range onDisk(t, ".json") {
		t.Run(name, func(t *testing.T) {
			l := layout(t, name)
			var b bytes.Buffer
			require.NoError(t, render.ITF(&b, l))
			var itf struct {
				Loop   int              `json:"loop"`
				States []map[string]any `json:"states"`
			}
			require.NoError(t, json.Unmarshal(b.Bytes(), &itf))
			assert.Equal(t, l.Lasso, itf.Loop)
			if itf.Loop == 0 {
				return
			}
			loops++
			first, last := itf.States[itf.Loop-1], itf.States[len(itf.States)-1]
			for _, state := range []map[string]any{first, last} {
				delete(state, "action")
				delete(state, "#meta")
			}
			assert.Equal(t, first, last)
		})
	}
	assert.Positive(t, loops)
}

// The JSON export is the file, and is read as the same trace.
func TestExportedTracesAreRead(t *testing.T) {
	for _, name := range onDisk(t, ".json") {
		tr, err := trace.Load(name + ".json")
		require.NoError(t, err)
		data, err := tr.Encode()
		require.NoError(t, err)
		again, err := trace.Decode(data)
		require.NoError(t, err)
		assert.Equal(t, tr, again, name)
	}
}

func export(t *testing.T, l *trace.Layout, write func(io.Writer, *trace.Layout) error) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, write(&b, l))
	return b.String()
}
