package command

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/explore/cluster"
)

// A worker takes a subject by its names, and says what is wrong with another.
func TestWorkerKnowsSubjects(t *testing.T) {
	subject := func(algorithm, variant, setting, search string) string {
		data, err := json.Marshal(EngineSubject{algorithm, variant, setting, json.RawMessage(search)})
		require.NoError(t, err)
		return string(data)
	}
	const small = "n=2 start=settled crashes=1"
	for description, want := range map[string]string{
		subject("bully", "coulouris", small, `{"states":["uniqueness"]}`): "",
		subject("buly", "coulouris", small, `{"states":["uniqueness"]}`):  `unknown algorithm "buly"`,
		subject("bully", "mine", small, `{"states":["uniqueness"]}`):      `unknown variant of bully "mine"`,
		subject("bully", "coulouris", "n=x", `{"states":["uniqueness"]}`): "n=x",
		subject("bully", "coulouris", small, `{"states":["unique"]}`):     `"unique"`,
		subject("bully", "coulouris", small, `[]`):                        "the description of a search makes no sense",
		"{": "the subject makes no sense",
	} {
		var in, out, said bytes.Buffer
		require.NoError(t, cluster.WriteFrame(&in, cluster.FrameSubject, []byte(description)))
		require.Equal(t, statusFine, ours.Run(t.Context(), []string{"worker"}, &in, &out, &said), said.String())
		kind, data, err := cluster.ReadFrame(&out)
		require.NoError(t, err)
		if want == "" {
			assert.Equal(t, byte(cluster.FrameReady), kind, string(data))
			continue
		}
		assert.Equal(t, byte(cluster.FrameError), kind)
		assert.Contains(t, string(data), want)
	}
}
