package command

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/model"
)

func TestReductionsFlag(t *testing.T) {
	f := checkCommand{app: new(app)}
	cmd := f.command()
	assert.Equal(t, "large", cmd.Flag("reduce").DefValue)
	for text, want := range map[string]reductions{
		"large": {checker.ReduceAuto, checker.DefaultReduceBeyond},
		"auto":  {checker.ReduceAuto, 0},
		"none":  {},
		"dead":  {model.DeadMessages, 0},
	} {
		require.NoError(t, f.reduce.Set(text))
		assert.Equal(t, want, f.reduce)
		assert.Equal(t, text, f.reduce.String())
	}
	assert.Error(t, f.reduce.Set("larger"))
}
