package checker_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

// parley is a protocol of two processes made to run without end in ways that
// are known: 1 begins, and what it sends is up to the fields.
type parley struct {
	model.Passive[parleyer, word]
	rally  bool // PING, which is always sent back
	busy   bool // whoever has had a PING an odd number of times is in an election
	news   bool // NEWS: whoever gets it names the sender
	timer  bool // 1 has a timer, and names itself when it expires
	vow    bool // 1 is in an election until the NEWS are answered
	quitsy bool // the NEWS are not answered
	thanks bool // whoever hears that somebody is down sends it THANKS, and no more
}

type parleyer struct {
	Elected model.ID
	Busy    bool
}

type word uint8

const (
	ping word = iota
	tell
	thanks
)

func (q *parley) Start(p *parleyer, net *model.Net[word]) {
	if q.rally {
		net.Send(2, ping)
	}
	if q.news {
		net.Send(2, tell)
	}
	if q.timer {
		net.SetTimer(0, 2)
	}
	p.Busy = q.vow
}

func (q *parley) Receive(p *parleyer, net *model.Net[word], from model.Port, m word) {
	switch m {
	case ping:
		net.Reply(ping)
		p.Busy = p.Busy != q.busy
	case tell:
		p.Elected = from.ID()
		if q.vow && !q.quitsy {
			net.Reply(thanks)
		}
	case thanks:
		p.Busy, p.Elected = false, net.Self()
	}
}

func (q *parley) Suspect(p *parleyer, net *model.Net[word], who model.ID) {
	if q.thanks {
		net.Send(model.Peer(who), thanks)
		return
	}
	p.Elected = net.Self()
}

func (q *parley) Timeout(p *parleyer, net *model.Net[word], _ model.Timer) { p.Elected = net.Self() }

func (q *parley) Watches(p *parleyer, _ model.ID) model.Set {
	if p.Elected != model.None {
		return 0
	}
	return model.SetOf(3)
}

func (q *parley) Belief(p *parleyer) model.Belief {
	return model.Belief{Elected: p.Elected, Participant: p.Busy}
}

func (q *parley) Names() model.Names {
	return model.Names{Kinds: []string{"PING", "NEWS", "THANKS"}, Timers: []model.TimerName{{Name: "patience"}}}
}

func (m word) Kind() model.Kind { return model.Kind(m) }

func (m word) String() string { return (*parley)(nil).Names().Kinds[m] }

// system returns a parley that 1 begins, in a setting in the form of a text.
func (q *parley) system(t *testing.T, text string) *model.System {
	t.Helper()
	s, err := setting.Parse(text)
	require.NoError(t, err)
	sys, err := model.New(q, s)
	require.NoError(t, err)
	return sys
}

func named(id, who model.ID) func(v *model.View) bool {
	return func(v *model.View) bool { return v.Elected(id) == who }
}

func idle(id model.ID) func(v *model.View) bool {
	return func(v *model.View) bool { return !v.Participants.Has(id) }
}

func inElection(id model.ID) func(v *model.View) bool {
	return func(v *model.View) bool { return v.Participants.Has(id) }
}

// The verdicts under no, weak and strong fairness are those that follow from
// the rules of the parley; a lasso has as many steps before and in its cycle as
// it takes.
func TestLivenessByHand(t *testing.T) {
	const doc = "As its name says."
	learns := checker.Eventually("learns", doc, named(2, 1))
	tests := []struct {
		name    string
		q       parley
		setting string
		p       *checker.Property
		// H: holds. V: violated, with the length of the run and the number of the
		// step that begins the cycle (0: the run is over).
		unfair, weak, strong string
	}{
		{"a message is passed over for ever", parley{rally: true, news: true}, "n=2 initiators=1 timing=patient", learns,
			"V 2 1", "H", "H"},
		{"a link in order is not", parley{rally: true, news: true}, "n=2 initiators=1 timing=patient channels=fifo", learns,
			"H", "H", "H"},
		{"nothing to learn", parley{rally: true}, "n=2 initiators=1 timing=patient", learns,
			"V 2 1", "V 2 1", "V 2 1"},
		{"nothing happens at all", parley{}, "n=2 initiators=1 timing=patient", learns,
			"V 0 0", "V 0 0", "V 0 0"},
		{"whoever may start does, and without more it is over", parley{}, "n=2 initiators=1:lazy timing=patient", learns,
			"V 1 0", "V 1 0", "V 1 0"},
		{"a timer of last resort is never the last resort", parley{rally: true, timer: true}, "n=2 initiators=1 timing=last-resort",
			checker.Eventually("expires", doc, named(1, 1)),
			"V 2 1", "V 2 1", "V 2 1"},
		{"nobody is owed an expiry that comes too early", parley{rally: true, timer: true}, "n=2 initiators=1 timing=async:1",
			checker.Eventually("expires", doc, named(1, 1)),
			"V 2 1", "V 2 1", "V 2 1"},
		{"under synchrony time passes, even if no message takes any", parley{rally: true, timer: true}, "n=2 initiators=1 timing=sync:1",
			checker.Eventually("expires", doc, named(1, 1)),
			"H", "H", "H"},
		{"a report that is possible now and then", parley{rally: true, busy: true},
			"n=3 initiators=1 timing=patient crashes=1 detectors=2",
			checker.LeadsTo("notices", doc, func(v *model.View) bool { return !v.Up.Has(3) }, named(2, 2)),
			"V 5 2", "V 5 2", "H"},
		{"for ever in flux: from some time on", parley{rally: true, busy: true}, "n=2 initiators=1 timing=patient",
			checker.EventuallyAlways("calm", doc, idle(2)),
			"V 4 1", "V 4 1", "V 4 1"},
		{"for ever in flux: again and again", parley{rally: true, busy: true}, "n=2 initiators=1 timing=patient",
			checker.AlwaysEventually("calm-again", doc, idle(2)),
			"H", "H", "H"},
		{"for ever in flux: each leads to the other", parley{rally: true, busy: true}, "n=2 initiators=1 timing=patient",
			checker.LeadsTo("calms-down", doc, inElection(2), idle(2)),
			"H", "H", "H"},
		{"for ever in flux: what begins does not end as it should", parley{rally: true, busy: true}, "n=2 initiators=1 timing=patient",
			checker.LeadsTo("calms-with", doc, inElection(2), named(2, 1)),
			"V 5 2", "V 5 2", "V 5 2"},
		{"termination is about messages", parley{rally: true}, "n=2 initiators=1 timing=patient", checker.Termination,
			"V 2 1", "V 2 1", "V 2 1"},
		{"a process that waits for ever for nothing sends nothing", parley{news: true, vow: true, quitsy: true},
			"n=2 initiators=1 timing=patient", checker.Termination,
			"H", "H", "H"},
		{"nor does one that may only crash as it sends to somebody who is down", parley{thanks: true},
			"n=3 initiators=1 timing=patient crashes=2 mid-send=yes", checker.Termination,
			"H", "H", "H"},
		{"and is not done", parley{news: true, vow: true, quitsy: true}, "n=2 initiators=1 timing=patient", checker.E2,
			"V 1 0", "V 1 0", "V 1 0"},
		{"nor is it with a budget of faults unspent", parley{news: true, vow: true, quitsy: true},
			"n=2 initiators=1 timing=patient crashes=2 restarts=2", checker.E2,
			"V 1 0", "V 1 0", "V 1 0"},
		{"an answer ends it", parley{news: true, vow: true}, "n=2 initiators=1 timing=patient", checker.E2,
			"H", "H", "H"},
		{"unless the one who answers crashes", parley{news: true, vow: true}, "n=2 initiators=1 timing=patient crashes=1", checker.E2,
			"V 1 0", "V 1 0", "V 1 0"},
		{"of each process: 1 and not 2", parley{news: true, vow: true}, "n=2 initiators=1 timing=patient",
			checker.EachEventually("each-leads", doc, func(v *model.View, id model.ID) bool { return v.Leaders.Has(id) }),
			"V 2 0", "V 2 0", "V 2 0"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			sys := tt.q.system(t, tt.setting)
			want := []string{tt.unfair, tt.weak, tt.strong}
			for i, f := range []checker.Fairness{checker.NoFairness, checker.WeakFairness, checker.StrongFairness} {
				assert.Equal(t, want[i], answer(t, sys, built(&tt.q), tt.p.Under(f)), f)
			}
		})
	}
}

// answer returns the verdict on a property for short: "H", "?" or "V" with the
// length of the run and the step that begins its cycle. The run is replayed, the
// verdict the same for any number of workers.
func answer(t *testing.T, sys *model.System, build builder, p *checker.Property) string {
	t.Helper()
	var found []string
	var traces [][]byte
	for _, workers := range []int{1, 2, 8} {
		r := check(t, sys, checker.Options{Properties: []*checker.Property{p}, Workers: workers})
		f := r.Finding(p.Name)
		require.NotNil(t, f)
		text := map[checker.Verdict]string{checker.Holds: "H", checker.Incomplete: "?", checker.Violated: "V"}[f.Verdict]
		var data []byte
		if f.Trace != nil {
			text += fmt.Sprintf(" %d %d", len(f.Trace.Steps), f.Trace.Lasso)
			data = replayed(t, build, f)
		}
		found, traces = append(found, text), append(traces, data)
	}
	for i := range found {
		assert.Equal(t, found[0], found[i])
		assert.Equal(t, string(traces[0]), string(traces[i]))
	}
	return found[0]
}

// A builder makes the system of a protocol in a setting.
type builder func(s setting.Setting) (*model.System, error)

func built[P any, M model.Message](p model.Protocol[P, M]) builder {
	return func(s setting.Setting) (*model.System, error) { return model.New(p, s) }
}

// replayed has package trace execute a finding's trace again, from a file, which
// it returns.
func replayed(t *testing.T, build builder, f *checker.Finding) []byte {
	t.Helper()
	data, err := f.Trace.Encode()
	require.NoError(t, err)
	read, err := trace.Decode(data)
	require.NoError(t, err)
	assert.Equal(t, f.Trace.Lasso, read.Lasso)
	_, err = trace.Replay(read, func(_, _, _ string, s setting.Setting) (*model.System, model.Watch, error) {
		sys, err := build(s)
		return sys, f.Property.Watch(), err
	})
	assert.NoError(t, err)
	return data
}
