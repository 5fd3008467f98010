package typed

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/explore"
)

// A ladder counts to 9 by one or two; with a fault its Step is not its Next.
type ladder struct{ fault string }

func (ladder) Initial(yield func(int8) bool) { yield(0) }

func (ladder) Next(s int8, yield func(string, int8) bool) {
	if s < 9 && yield("one", s+1) && s < 8 {
		yield("two", s+2)
	}
}

func (l ladder) Step(s *int8, yield func()) {
	was := *s
	steps := []int8{1, 2}
	switch {
	case l.fault == "order":
		steps = []int8{2, 1}
	case l.fault == "fewer" && was == 4:
		steps = []int8{1}
	case l.fault == "more" && was == 4:
		steps = []int8{1, 2, 3}
	}
	for _, step := range steps {
		if *s = was + step; *s <= 9 {
			yield()
		}
	}
	if l.fault != "left" {
		*s = was
	}
}

func TestStepIsComparedWithNext(t *testing.T) {
	ninth := Sometimes("nine", func(s int8) bool { return s == 9 })
	r, err := Check(context.Background(), ladder{}, explore.Options{}, ninth)
	require.NoError(t, err)
	require.Equal(t, Found, r.Answers[0].Verdict)
	steps := r.Answers[0].Behavior.Steps
	require.Len(t, steps, 6)
	for i := range steps[1:] {
		up := map[string]int8{"one": 1, "two": 2}[steps[i+1].Action]
		assert.Equal(t, steps[i].State+up, steps[i+1].State)
	}

	for _, fault := range []string{"order", "fewer", "more", "left"} {
		t.Run(fault, func(t *testing.T) {
			_, err := Check(context.Background(), ladder{fault}, explore.Options{}, ninth)
			assert.ErrorContains(t, err, "Step and Next of typed.ladder differ")

			// A formula about actions has no use for Step.
			_, err = Check(context.Background(), ladder{fault}, explore.Options{}, ninth,
				AlwaysStep("up", func(_ int8, _ string, _ int8) bool { return true }))
			assert.NoError(t, err)
		})
	}
}
