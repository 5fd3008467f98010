package trace_test

import (
	"bullyproof/internal/test/heraldtest"
	"bullyproof/model"
	"bullyproof/trace"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The layout of every run accounts for each message, and no two actions have
// one text.
func TestLayoutOfRandomRuns(t *testing.T) {
	for _, setting := range heraldtest.Settings {
		t.Run(setting, func(t *testing.T) {
			sys := heraldtest.System(t, setting)
			for seed := range uint64(30) {
				r := heraldtest.Walk(sys, seed, 60)
				l := heraldtest.Lay(t, r, trace.Header{})
				heraldtest.Accounts(t, l, r)
				texts := map[string]bool{}
				for _, tr := range r.Enabled() {
					text := trace.ActionText(tr.Action)
					require.False(t, texts[text], "two actions are %q", text)
					texts[text] = true
				}
			}
		})
	}
}

func TestLayRefuses(t *testing.T) {
	tr, r := heraldtest.Find(t, heraldtest.Race, "uniqueness")
	r.Snapshots[3].InFlight = append(r.Snapshots[3].InFlight, model.Envelope{From: 1, To: 2, Port: 1, Text: "GHOST"})
	_, err := trace.Lay(tr, r)
	assert.EqualError(t, err, "trace: step 3: P1->P2 GHOST is in flight, but nobody sent it")
	r.Snapshots[3].InFlight = nil
	r.Steps[1].Sent = append(r.Steps[1].Sent, r.Steps[1].Sent[0])
	_, err = trace.Lay(tr, r)
	assert.ErrorContains(t, err, "trace: step 2: \"ELECTION\" from P2 to P3 is no longer in flight, and nothing happened to it")
	r.Steps[1].Sent = nil
	r.Snapshots[2].InFlight = nil
	_, err = trace.Lay(tr, r)
	assert.ErrorContains(t, err, "trace: step 3: P2->P3 ELECTION is dropped (due in 1): no such message is in flight")
	tr.Steps = tr.Steps[:1]
	_, err = trace.Lay(tr, r)
	assert.ErrorContains(t, err, "the run has 7 steps and the trace 1")
}
