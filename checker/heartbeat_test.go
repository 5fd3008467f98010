package checker_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/internal/test/upstart"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace/render"
)

// A beacon is a protocol whose highest process leads and always says so.
type beacon struct {
	model.Passive[beam, ray]

	// pretender: P2 leads as well, in the epoch that it is told.
	pretender uint64
	// dark: nobody leads, and all beat.
	dark bool
	// periodic: the timer is called periodic.
	periodic bool
}

type beam struct {
	Elected model.ID
	Epoch   uint8
}

type ray struct{ Epoch uint8 }

func (ray) Kind() model.Kind { return 0 }
func (ray) String() string   { return "HERE" }

func (b *beacon) Start(p *beam, net *model.Net[ray]) { b.Timeout(p, net, 0) }

func (b *beacon) Timeout(p *beam, net *model.Net[ray], _ model.Timer) {
	switch self := net.Self(); {
	case b.dark:
	case int(self) == net.N():
		p.Elected, p.Epoch = self, 7
		net.Broadcast(ray{7})
	case b.pretender > 0 && self == 2:
		p.Elected, p.Epoch = self, uint8(b.pretender)
	}
	net.SetTimer(0, 2)
}

func (b *beacon) Receive(p *beam, net *model.Net[ray], from model.Port, m ray) {
	if p.Elected != net.Self() {
		p.Elected, p.Epoch = from.ID(), m.Epoch
	}
}

func (b *beacon) Belief(p *beam) model.Belief {
	return model.Belief{Elected: p.Elected, Participant: p.Elected == model.None, Epoch: uint64(p.Epoch)}
}

func (b *beacon) Names() model.Names {
	return model.Names{Kinds: []string{"HERE"}, Timers: []model.TimerName{{Name: "beat", Periodic: b.periodic}}}
}

func verdicts(r *checker.Report) map[string]checker.Verdict {
	all := make(map[string]checker.Verdict)
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Verdict != checker.Holds {
			all[f.Property.Name] = f.Verdict
		}
	}
	return all
}

// The suite that fits holds where it should, and finds what is wrong; the one
// that does not is vacuous, either way.
func TestHeartbeat(t *testing.T) {
	const vacuous, violated = checker.Vacuous, checker.Violated
	in, err := setting.Parse("n=3 initiators=all:lazy")
	require.NoError(t, err)
	for _, c := range []struct {
		about string
		of    *beacon
		suite []*checker.Property
		want  map[string]checker.Verdict // of what does not hold
	}{
		{"its suite", &beacon{}, checker.Heartbeat(), map[string]checker.Verdict{"re-election": vacuous}},
		{"the standard one", &beacon{}, checker.InSetting(checker.Standard(), in), map[string]checker.Verdict{
			"settled-uniqueness": vacuous, "agreement": vacuous, "live-coordinator": vacuous, "extreme": vacuous, "termination": violated,
		}},
		{"an old leader", &beacon{pretender: 6}, checker.Heartbeat(), map[string]checker.Verdict{
			"re-election": vacuous, "stable-leadership": violated,
		}},
		{"two leaders of an epoch", &beacon{pretender: 7}, checker.Heartbeat(), map[string]checker.Verdict{
			"one-leader-per-epoch": violated, "re-election": vacuous, "stable-leadership": violated,
		}},
		{"nobody leads", &beacon{dark: true}, checker.Heartbeat(), map[string]checker.Verdict{
			"one-leader-per-epoch": vacuous, "validity": vacuous, "e2": violated, "re-election": vacuous, "stable-leadership": violated, "leader-again": violated,
		}},
	} {
		t.Run(c.about, func(t *testing.T) {
			sys, err := model.New(c.of, in)
			require.NoError(t, err)
			r := check(t, sys, checker.Options{Properties: c.suite})
			assert.Equal(t, c.want, verdicts(r))
			if f := r.Finding("one-leader-per-epoch"); f != nil && f.Verdict == violated {
				assert.Equal(t, "P2 and P3 both believe themselves coordinator in epoch 7", f.Explanation)
			}
		})
	}
	r := check(t, upstart.System(&upstart.Protocol{}, upstart.Settled(3)), checker.Options{Properties: checker.Heartbeat()})
	assert.Equal(t, vacuous, r.Finding("one-leader-per-epoch").Verdict)
	for _, p := range checker.Heartbeat() {
		found, err := checker.Lookup(p.Name)
		require.NoError(t, err)
		assert.Same(t, p, found)
	}
}

// A waiter sets a timer that is called periodic, and leads when it expires.
type waiter struct{ beacon }

func (w *waiter) Init(_ *beam, net *model.Net[ray], _ model.Boot) { net.SetTimer(0, 2) }

// A process that is in an election only after the timer has no more than the timer.
func (*waiter) Belief(p *beam) model.Belief { return model.Belief{Elected: p.Elected} }

// Where only periodic timers are left, a violation in a settled state says so, in the
// report and in the diagram, and the report says how little is asked of such states.
func TestPeriodicTimersAreLeft(t *testing.T) {
	of := &waiter{beacon{periodic: true}}
	in, err := setting.Parse("n=3 initiators=none")
	require.NoError(t, err)
	sys, err := model.New(of, in)
	require.NoError(t, err)
	r := check(t, sys, checker.Options{Properties: checker.Standard()})
	f := r.Finding("agreement")
	require.Equal(t, checker.Violated, f.Verdict)
	assert.Equal(t, `P1, P2 and P3 name nobody; only the periodic timer "beat" is left`, f.Explanation)
	l, err := f.Layout()
	require.NoError(t, err)
	assert.Equal(t, `agreement breaks at the start: once settled (only the periodic timer "beat" is left), P1, P2 and P3 know no coordinator`, l.Verdict)

	const note = `The timer "beat" is periodic: a state is settled as soon as nothing else is left`
	text := func(of *waiter, asked ...*checker.Property) string {
		sys, err := model.New(of, in)
		require.NoError(t, err)
		var b strings.Builder
		require.NoError(t, check(t, sys, checker.Options{Properties: asked}).WriteText(&b, render.TextOptions{Width: 500}))
		return b.String()
	}
	assert.Contains(t, text(of, checker.Standard()...), note+", and settled-uniqueness, agreement, live-coordinator and extreme ask of these pauses alone.")
	assert.Contains(t, text(of, checker.Agreement), "agreement asks of these pauses alone")
	assert.NotContains(t, text(of, checker.Heartbeat()...), note, "nothing is asked of settled states")
	assert.NotContains(t, text(&waiter{}, checker.Standard()...), note, "the timer is owed")
}
