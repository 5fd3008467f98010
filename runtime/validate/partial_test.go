package validate_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/internal/test/upstart"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/runtime/eventlog"
	"bullyproof/runtime/validate"
	"bullyproof/trace"
)

// hears are the kinds of actions that lines of other programs do not tell.
var hears = []model.ActionKind{model.Starts, model.Delivers, model.Expires, model.Suspects, model.Misreports}

const quiet = "n=3 timing=async start=cold:interleaved initiators=1,2:lazy crashes=1 restarts=1"

// told is what a program logs that tells of beliefs alone: boots, crashes, and that a
// process leads or does so no more. Clocks are off by up to a second.
func told(run *trace.Run, rnd *rand.Rand) (list []eventlog.Event) {
	var off [4]time.Duration
	for id := range off {
		off[id] = time.Duration(rnd.IntN(1000)) * time.Millisecond
	}
	var leads [4]bool
	for i, tr := range run.Steps {
		id := tr.Action.Process
		if id == model.None {
			continue
		}
		at := midnight.Add(time.Duration(i)*time.Second + off[id])
		e := eventlog.Event{Process: id, Time: at}
		switch tr.Action.Kind {
		case model.Boots:
			e.Kind, e.Why = eventlog.Boot, model.Cold
		case model.Restarts:
			e.Kind, e.Why = eventlog.Boot, model.Restart
		case model.Crashes:
			e.Kind = eventlog.Crash
		default:
			e.Kind = eventlog.Observe
		}
		now := run.Snapshots[i+1].Processes[id-1].Belief.Elected == id
		if e.Kind != eventlog.Observe {
			list = append(list, e)
		}
		if e.Kind == eventlog.Crash {
			leads[id] = false
			continue
		}
		if now != leads[id] || e.Kind == eventlog.Boot {
			who := eventlog.NotMe
			if now {
				who = id
			}
			list = append(list, eventlog.Event{Process: id, Kind: eventlog.Observe, Time: at, Belief: &eventlog.Belief{Elected: &who}})
		}
		leads[id] = now
	}
	return list
}

// validatePartial validates what a program told, with the clocks and without.
func validatePartial(t require.TestingT, p *upstart.Protocol, list []eventlog.Event, words string, ordered bool) *validate.Result {
	l := validate.NewLog()
	l.Partial = true
	file := l.Open("log")
	for i, e := range list {
		e.Line = i + 1
		require.NoError(t, l.Add(file, e))
	}
	s, err := l.Setting(setting.Must("n=2"), words)
	require.NoError(t, err)
	sys, err := model.New(p, s)
	require.NoError(t, err)
	r, err := validate.Run(ctx, sys, l, validate.Options{
		Hidden: hears, Silent: true, Complete: eventlog.Parts{Leader: true}, Ordered: ordered, Slack: time.Second, MaxBytes: 64 << 20,
	})
	require.NoError(t, err)
	return r
}

// A program that does as its model is never refused, however little its lines tell, and
// the run that shows them replays.
func TestPartialLogIsAccepted(t *testing.T) {
	protocol := &upstart.Protocol{Patient: true}
	sys, err := model.NewFrom(protocol, quiet)
	require.NoError(t, err)
	accepted, led := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		rnd := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		list := told(walk(t, sys, 20, rnd), rnd)
		r := validatePartial(t, protocol, list, "n=3", rapid.Bool().Draw(t, "ordered"))
		require.NotEqual(t, validate.Refused, r.Verdict, "%v", r.Refusals)
		if r.Verdict != validate.Accepted {
			return
		}
		accepted++
		if slices.ContainsFunc(list, func(e eventlog.Event) bool { return e.Belief != nil && *e.Belief.Elected == e.Process }) {
			led++
		}
		tr, _, err := r.Trace(0, trace.Header{Algorithm: "upstart"})
		require.NoError(t, err)
		_, err = trace.ReplayIn(tr, r.System, model.Watch{})
		require.NoError(t, err)
	})
	assert.Positive(t, accepted)
	assert.Positive(t, led)
}

// Nobody leads who was never asked, and the lines say that nothing was left out: a leader
// that comes from nowhere is refused, and so is one that is told before what it follows.
func TestPartialLogIsRefused(t *testing.T) {
	leads := func(second int, id model.ID) eventlog.Event { return seen(second, id, id, 0) }
	aside := func(second int, id model.ID) eventlog.Event { return seen(second, id, eventlog.NotMe, 0) }
	cold := func(second int, id model.ID) eventlog.Event {
		e := boots(second, id)
		e.Why = model.Cold
		return e
	}
	for _, c := range []struct {
		name    string
		list    []eventlog.Event
		ordered bool
		want    validate.Verdict
	}{
		{"it leads", []eventlog.Event{cold(0, 1), aside(0, 1), leads(9, 1)}, true, validate.Accepted},
		{"it leads no more, by the claim of P2", []eventlog.Event{cold(0, 1), cold(0, 2), leads(9, 1), leads(19, 2), aside(29, 1)}, true, validate.Accepted},
		{"by whose, if nobody claims", []eventlog.Event{cold(0, 1), cold(0, 2), aside(0, 1), aside(0, 2), leads(9, 1), aside(19, 1), leads(29, 2)}, true, validate.Refused},
		{"clocks decide nothing", []eventlog.Event{cold(0, 1), cold(0, 2), aside(0, 1), aside(0, 2), leads(9, 1), aside(19, 1), leads(29, 2)}, false, validate.Accepted},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := validatePartial(t, &upstart.Protocol{}, c.list, "n=2", c.ordered)
			assert.Equal(t, c.want, r.Verdict, "%v", r.Refusals)
		})
	}
}

// Epochs count from what a log begins with.
func TestCountFrom(t *testing.T) {
	l := validate.NewLog()
	file := l.Open("log")
	b := boots(0, 1)
	b.Why = model.Cold
	require.NoError(t, l.Add(file, b))
	require.NoError(t, l.Add(file, seen(1, 1, 1, 57)))
	l.CountFrom(56)
	s, err := l.Setting(setting.Must("n=2"), "")
	require.NoError(t, err)
	sys, err := model.New(&upstart.Protocol{}, s)
	require.NoError(t, err)
	r, err := validate.Run(ctx, sys, l, validate.Options{})
	require.NoError(t, err)
	require.NotEmpty(t, r.Refusals)
	assert.NotContains(t, r.Refusals[0].Why, "57")
}
