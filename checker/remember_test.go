package checker_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/internal/test/upstart"
	"bullyproof/model"
)

// led counts who has ever led.
var led = model.NewMonitor("led", model.Set(0), func(s *model.Set, e *model.Event) { *s |= e.To.Leaders })

// oneEver holds where no two processes ever lead, at once or one after another.
func oneEver() *checker.Property {
	return checker.Always("one-ever", "No two processes ever lead.",
		func(v *model.View) bool { return led.Of(v).Len() < 2 })
}

func TestPropertiesBringTheirMonitors(t *testing.T) {
	sys := upstart.System(&upstart.Protocol{}, upstart.Settled(3))
	r, err := checker.Check(context.Background(), sys, checker.Options{Properties: []*checker.Property{oneEver().Remembering(led)}})
	require.NoError(t, err)
	f := r.Findings[0]
	require.Equal(t, checker.Violated, f.Verdict, f.Line())
	assert.NotNil(t, f.Trace)

	// Replayed in the system as it is, the run breaks nothing that can be asked;
	// in the one that remembers it breaks the property at its end.
	with, err := checker.Remembered(sys, f.Property)
	require.NoError(t, err)
	again, err := checker.Remembered(with, f.Property, oneEver().Remembering(led))
	require.NoError(t, err)
	for a := range with.Initial {
		for b := range again.Initial {
			assert.Equal(t, a, b)
		}
	}
}

func TestPropertyThatForgotItsMonitor(t *testing.T) {
	sys := upstart.System(&upstart.Protocol{}, upstart.Settled(3))
	for _, p := range []*checker.Property{
		oneEver(),
		checker.AlwaysStep("one-ever-step", "No two processes ever lead.", func(e *model.Event) bool { return led.Of(e.From).Len() < 2 }),
		checker.Eventually("once", "Somebody leads, once.", func(v *model.View) bool { return led.Of(v) != 0 }),
	} {
		_, err := checker.Check(context.Background(), sys, checker.Options{Properties: []*checker.Property{p}})
		require.ErrorIs(t, err, model.ErrNoMonitor, p.Name)
		assert.ErrorContains(t, err, `a property asks what it does not name by Remembering: monitor "led"`)
	}
	_, err := checker.Check(context.Background(), sys, checker.Options{Properties: []*checker.Property{
		oneEver().Remembering(model.NewMonitor("names", []string(nil), nil))}})
	assert.ErrorContains(t, err, `monitor "names": `)
	_, err = checker.Check(context.Background(), sys, checker.Options{Properties: []*checker.Property{oneEver().Remembering(nil)}})
	assert.ErrorContains(t, err, `property "one-ever": monitor 1 of its Remembering is nil`)
}

// A counterexample to a property that remembers is replayed with its monitor.
func TestVerifyReplaysWithMonitors(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, want := range []string{"one-ever", "still so: replayed from"} {
		s := verify(&standIn{}, bad(), only(oneEver().Remembering(led)))
		require.True(t, s.failed)
		assert.Contains(t, s.said(), want)
	}
}
