package web

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/counterexamples"
	"bullyproof/trace"
)

// Of what is opened the newest are kept: not too many, and not too large.
func TestOpenedRunsAreForgotten(t *testing.T) {
	add := func(r *recordings, i, story int) {
		tr, err := counterexamples.Open(duplicate)
		require.NoError(t, err)
		tr.Title, tr.Story = fmt.Sprint("run ", i), strings.Repeat("x", story)
		name, err := r.add("opened", tr)
		require.NoError(t, err)
		again, err := r.add("opened", tr)
		require.NoError(t, err)
		assert.Equal(t, name, again, "the same run is kept once")
		_, err = r.find(name)
		assert.NoError(t, err)
	}
	many := newRecordings(nil)
	for i := range maxOpened + 3 {
		add(many, i, 0)
	}
	assert.Len(t, many.opened, maxOpened)
	assert.Equal(t, fmt.Sprint("run ", maxOpened+2), many.opened[0].Trace.Title)

	large := newRecordings(nil)
	for i := range 4 {
		add(large, i, trace.MaxText-1)
	}
	require.Len(t, large.opened, 4)
	large.opened[0].size = maxOpenedBytes + 1
	large.forget()
	require.Len(t, large.opened, 1, "the last one is kept, however large")
	assert.Equal(t, "run 3", large.opened[0].Trace.Title)
}
