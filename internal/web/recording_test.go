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

// The strip has the steps of a recorded run that lie ahead, each of which leads there. A
// reader who leaves the run has only those of the own run.
func TestStripHasTheFuture(t *testing.T) {
	s := newServer(t)
	start := recordedAt(t, duplicate)
	_, text := get(t, s, start)
	assert.Equal(t, 7, strings.Count(text, `class="ahead`))
	has(t, text, `name="go" value="7" title="`)
	has(t, text, "Nothing has happened yet. Choose what happens first, or press <kbd>n</kbd> for the next step of the recorded run.")
	text, _ = followed(t, s, with(start, "go", "5"))
	has(t, text, "Step 5 of 7 of a recorded run")
	assert.Equal(t, 2, strings.Count(text, `class="ahead`))
	hasNot(t, text, "Nothing has happened yet")
	text, _ = followed(t, s, with(start, "go", "7"))
	has(t, text, "The end of the recorded run")
	assert.Zero(t, strings.Count(text, `class="ahead`))
	r, text := get(t, s, with(start, "go", "8"))
	assert.Equal(t, 400, r.StatusCode)
	has(t, text, "want a number from 0 to 7, the steps of the path and of the recording")

	text, left := followed(t, s, with(start, "do", "c1"))
	assert.Zero(t, strings.Count(text, `class="ahead`))
	r, _ = get(t, s, with(left, "go", "2"))
	assert.Equal(t, 400, r.StatusCode)
}
