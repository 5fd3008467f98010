package plain

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/model"
	"bullyproof/model/setting"
)

// A courier sends "A" and then "B" to the next process as it starts, and sets a timer
// of two ticks and a long one. All that it has heard is on its disk.
type (
	courier struct {
		model.Passive[courierState, letter]
		ring, broadcasts, flips bool
	}
	courierState struct {
		Elected      model.ID
		Heard, Told  uint8
		Booted, Coin uint8
	}
	letter uint8
)

func (c courier) Init(p *courierState, _ *model.Net[letter], why model.Boot) {
	p.Booted = uint8(why) + 1
}

func (c courier) Start(_ *courierState, net *model.Net[letter]) {
	net.SetTimer(0, 2)
	net.SetTimer(1, 4)
	switch {
	case c.broadcasts:
		net.Broadcast(0)
	case c.ring:
		net.Send(model.Next, 0)
	default:
		to := model.Peer(1 + net.Self()%model.ID(net.N()))
		net.Send(to, 0)
		net.Send(to, 1)
	}
}

func (courier) Receive(p *courierState, _ *model.Net[letter], _ model.Port, _ letter) { p.Heard++ }
func (courier) Suspect(p *courierState, _ *model.Net[letter], _ model.ID)             { p.Told++ }

func (c courier) Timeout(p *courierState, net *model.Net[letter], t model.Timer) {
	if t == 0 {
		p.Elected = net.Self()
	}
	if c.flips {
		p.Coin = uint8(net.Choose(2))
	}
}

func (courier) Belief(p *courierState) model.Belief {
	return model.Belief{Elected: p.Elected, Participant: p.Heard == 1}
}

func (courier) Names() model.Names {
	return model.Names{Kinds: []string{"A", "B"}, Timers: []model.TimerName{{Name: "short"}, {Name: "long"}}}
}
func (courier) Stable(p *courierState)                                       { *p = courierState{Heard: p.Heard} }
func (courier) Settle(p *courierState, _, coordinator model.ID, _ model.Set) { p.Elected = coordinator }
func (m letter) Kind() model.Kind                                            { return model.Kind(m) }
func (m letter) String() string                                              { return courier{}.Names().Kinds[m] }

// rules are those of docs/semantics.md: after some steps, what can happen next, and
// what cannot. A step is the first transition whose action has that text.
var rules = []struct{ name, setting, after, can, cannot string }{
	{"one-step", "n=2 initiators=1", "", "deliver P2 A; deliver P2 B; tick", "timeout P1 short"},
	{"no-change", "n=2 initiators=none", "", "", "tick; deliver P2 A"},

	{"unordered", "n=2 initiators=1", "", "deliver P2 A; deliver P2 B", ""},
	{"fifo", "n=2 initiators=1 channels=fifo", "", "deliver P2 A", "deliver P2 B"},
	{"capacity", "n=2 initiators=1:lazy capacity=1", "", "", "start P1"},

	{"delay", "n=2 initiators=1 timing=sync:2", "tick", "deliver P2 A; tick", ""},
	{"delay-bound", "n=2 initiators=1 timing=sync:2", "tick; tick", "deliver P2 A", "tick"},
	{"timer-exact", "n=2 initiators=1 timing=sync:1", "deliver P2 A; deliver P2 B; tick", "tick", "timeout P1 short"},
	{"timer-waits", "n=2 initiators=1 timing=sync:1", "deliver P2 A; deliver P2 B; tick; tick", "timeout P1 short", "tick"},
	{"mail-before-timers", "n=2 initiators=1 timing=sync:2", "tick; tick", "deliver P2 A", "timeout P1 short"},
	{"lockstep", "n=2 initiators=1 timing=lockstep", "", "tick", "deliver P2 A"},
	{"lockstep-then", "n=2 initiators=1 timing=lockstep", "tick", "deliver P2 A", "tick"},
	{"async", "n=2 initiators=1 timing=async", "", "deliver P2 A; timeout P1 short; timeout P1 long", "tick"},
	{"async-budget", "n=2 initiators=1 timing=async:1", "timeout P1 long", "deliver P2 A", "timeout P1 short"},
	{"patient", "n=2 initiators=1 timing=patient", "", "deliver P2 A", "timeout P1 short"},
	{"patient-any", "n=2 initiators=1 timing=patient", "deliver P2 A; deliver P2 B", "timeout P1 short; timeout P1 long", ""},
	{"last-resort", "n=2 initiators=1 timing=last-resort", "deliver P2 A; deliver P2 B", "timeout P1 short", "timeout P1 long"},
	{"drift-early", "n=2 initiators=1 timing=sync:1 drift=50", "deliver P2 A; deliver P2 B; tick", "timeout P1 short; tick", ""},
	{"drift-late", "n=2 initiators=1 timing=sync:1 drift=50", "deliver P2 A; deliver P2 B; tick; tick; timeout P1 long; tick; tick", "timeout P1 short", "tick"},

	{"crash", "n=2 initiators=1 crashes=1", "crash P1", "deliver P2 A", "timeout P1 short; crash P2"},
	{"crash-timers", "n=2 initiators=1 crashes=1 restarts=1", "deliver P2 A; deliver P2 B; crash P1", "restart P1", "tick"},
	{"crashers", "n=2 crashes=1 crashers=1", "", "crash P1", "crash P2"},
	{"gone", "n=2 initiators=1 crashes=1", "crash P2", "", "deliver P2 A; drop P2 A"},
	{"mail-waits", "n=2 initiators=1 crashes=1 restarts=1", "crash P2; restart P2", "deliver P2 A", ""},
	{"mail-dropped", "n=2 initiators=1 crashes=1 restarts=1", "crash P2", "drop P2 A", "deliver P2 A"},
	{"mail-down", "n=2 initiators=1 crashes=1 restarts=1 mail-down=lost", "crash P2; restart P2", "", "deliver P2 A"},
	{"mail-stays", "n=2 initiators=1 crashes=1 restarts=1", "crash P1; restart P1", "deliver P2 A", ""},
	{"mail-old", "n=2 initiators=1 crashes=1 restarts=1 mail-old=lost", "crash P1; restart P1", "", "deliver P2 A"},
	{"lost-writes", "n=2 initiators=1 crashes=1 restarts=1 lost-writes=1", "deliver P2 A", "crash P2; forget P2", "forget P1"},
	{"lost-writes-found", "n=2 initiators=1 crashes=2 restarts=2 lost-writes=2", "deliver P2 A; forget P2; restart P2", "crash P2", "forget P2"},
	{"lost-writes-kept", "n=2 initiators=1 crashes=2 restarts=2 lost-writes=1", "deliver P2 A; crash P2; restart P2", "crash P2", "forget P2"},
	{"lost-writes-unread", "n=2 initiators=1 crashes=2 restarts=1 lost-writes=1", "deliver P2 A; crash P1; restart P1", "crash P2", "forget P2"},
	{"lost-disks", "n=2 initiators=1 crashes=1 restarts=1 lost-disks=1", "deliver P2 A", "crash P2; wipe P2", "forget P2"},
	{"lost-disks-once", "n=2 initiators=1 crashes=2 restarts=2 lost-disks=1", "deliver P2 A; wipe P2; restart P2", "crash P2", "wipe P2"},
	{"lost-disks-unread", "n=2 initiators=1 crashes=2 restarts=1 lost-disks=1", "deliver P2 A; crash P1; restart P1", "crash P2", "wipe P2"},
	{"mid-send", "n=2 initiators=1:lazy crashes=1 mid-send=yes", "start P1 crash, with out [0]", "deliver P2 A", "deliver P2 B"},
	{"requests", "n=2 start=settled requests=1", "", "request P1 to begin an election; request P2 to begin an election", ""},
	{"requests-once", "n=2 start=settled requests=1", "request P1 to begin an election", "deliver P2 A", "request P2 to begin an election"},
	{"requests-up", "n=2 start=coordinator-down requests=1", "", "request P1 to begin an election", "request P2 to begin an election"},
	{"requests-pause", "n=2 start=settled pauses=1 requests=1", "pause P1", "request P2 to begin an election", "request P1 to begin an election"},
	{"joins", "n=2 joins=1 joiners=2", "", "join P2", "join P1"},
	{"boots", "n=2 start=cold:interleaved initiators=1", "", "boot P1; boot P2", "start P1"},
	{"mail-unbooted", "n=2 start=cold:interleaved initiators=1", "boot P1", "", "deliver P2 A; drop P2 A"},
	{"lazy", "n=2 initiators=all:lazy", "start P1; deliver P2 A", "", "start P2"},

	{"losses", "n=2 initiators=1 losses=1", "lose P2 A", "deliver P2 B", "deliver P2 A; lose P2 B"},
	{"duplications", "n=2 initiators=1 duplications=1", "duplicate P2 A; deliver P2 A", "deliver P2 A", "duplicate P2 B"},

	{"detector", "n=2 start=settled crashes=1", "crash P2", "suspect P1 of P2", "misreport P1 of P2"},
	{"detector-up", "n=2 start=settled crashes=1", "", "", "suspect P1 of P2; misreport P1 of P2"},
	{"detector-off", "n=2 start=settled crashes=1 detector=off", "crash P2", "", "suspect P1 of P2"},
	{"detectors", "n=3 start=settled crashes=1 detectors=1", "crash P3", "suspect P1 of P3", "suspect P2 of P3"},
	{"reports-idle", "n=2 initiators=1 crashes=1 timing=patient", "deliver P2 A; crash P1", "", "suspect P2 of P1"},
	{"suspicions", "n=2 start=settled suspicions=1", "", "misreport P1 of P2", "suspect P1 of P2"},

	{"cut-drops", "n=2 initiators=1 cuts=1 heals=1", "cut", "drop P2 A", "deliver P2 A"},
	{"cut-heals", "n=2 initiators=1 cuts=1 heals=1", "cut; heal", "deliver P2 A", "drop P2 A"},
	{"cut-once", "n=2 initiators=1 cuts=2 heals=1", "cut", "heal", "cut"},
	{"cut-for-good", "n=2 initiators=1 cuts=1", "cut", "", "drop P2 A; deliver P2 A; heal"},
	{"cut-reach", "n=2 start=settled cuts=1 heals=1", "cut", "suspect P1 of P2", ""},
	{"cut-perfect", "n=2 start=settled cuts=1 heals=1 detector=perfect", "cut", "", "suspect P1 of P2"},

	{"pause", "n=2 initiators=1 pauses=1 pausers=2", "pause P2", "resume P2", "deliver P2 A; drop P2 A"},
	{"pause-time", "n=2 initiators=1 pauses=1 pausers=2 timing=sync:1", "pause P2; tick; tick", "timeout P1 short", ""},
	{"pause-timers", "n=2 initiators=1 pauses=1 pausers=1 timing=sync:1", "deliver P2 A; deliver P2 B; pause P1; tick; tick; tick; tick; resume P1", "timeout P1 short; timeout P1 long", "tick"},
	{"pause-detector", "n=2 start=settled pauses=1 pausers=2", "pause P2", "suspect P1 of P2", ""},
	{"pause-perfect", "n=2 start=settled pauses=1 pausers=2 detector=perfect", "pause P2", "", "suspect P1 of P2"},

	{"ring", "n=3 topology=ring arrangement=1-2-3 initiators=1", "", "deliver P2 A", "deliver P3 A"},
	{"ring-broken", "n=3 topology=ring arrangement=1-2-3 initiators=1:lazy crashes=1", "crash P2; start P1", "", "deliver P3 A; drop P2 A"},
	{"ring-repaired", "n=3 topology=ring:repaired arrangement=1-2-3 initiators=1:lazy crashes=1", "crash P2; start P1", "deliver P3 A", ""},
}

func TestRules(t *testing.T) {
	for _, r := range rules {
		t.Run(r.name, func(t *testing.T) {
			s := setting.Must(r.setting)
			require.NoError(t, s.Validate())
			p := Of(courier{ring: s.Topology != setting.Complete})
			_, err := Compare(p, s, 100)
			require.NoError(t, err)
			w, err := New(p, s)
			require.NoError(t, err)
			var st *State
			for st = range w.Initial {
				break
			}
			for _, step := range split(r.after) {
				next := w.named(st)[step]
				require.NotNil(t, next, "%q: there is %v", step, w.named(st))
				st = next
			}
			can := w.named(st)
			for _, action := range split(r.can) {
				assert.Contains(t, can, action)
			}
			for _, action := range split(r.cannot) {
				assert.NotContains(t, can, action)
			}
		})
	}
}

// A crash that loses a write leaves on the disk what was there before the last step that
// changed it, one that loses none what is there, and one
// that loses the disk nothing. The process comes back with that.
func TestLostWrite(t *testing.T) {
	w, err := New(Of(courier{}), setting.Must("n=2 initiators=1 crashes=1 restarts=1 lost-writes=1 lost-disks=1"))
	require.NoError(t, err)
	for crash, left := range map[string]uint8{"crash P2": 2, "forget P2": 1, "wipe P2": 0} {
		var st *State
		for st = range w.Initial {
			break
		}
		for _, step := range []string{"deliver P2 A", "deliver P2 B", "tick", crash, "restart P2"} {
			if step == "restart P2" {
				assert.Equal(t, courierState{Heard: left}, w.view(st, false).Stored[1], crash)
			}
			st = w.named(st)[step]
			require.NotNil(t, st, step)
		}
		assert.Equal(t, courierState{Heard: left, Booted: uint8(model.Restart) + 1}, w.view(st, false).States[1], crash)
		assert.Zero(t, st.left["crashes"])
	}
}

// A broadcast is one operation: any part of it may be out as its sender crashes.
func TestBroadcastInParts(t *testing.T) {
	w, err := New(Of(courier{broadcasts: true}), setting.Must("n=3 initiators=1:lazy crashes=1 mid-send=yes"))
	require.NoError(t, err)
	for st := range w.Initial {
		can := w.named(st)
		for _, out := range []string{"[]", "[0]", "[1]"} {
			assert.Contains(t, can, "start P1 crash, with out "+out)
		}
		assert.NotContains(t, can, "start P1 crash, with out [0 1]")
	}
}

// A choice is one action with an outcome each.
func TestChoices(t *testing.T) {
	w, err := New(Of(courier{flips: true}), setting.Must("n=2 initiators=1 timing=async"))
	require.NoError(t, err)
	for st := range w.Initial {
		can := w.named(st)
		assert.Contains(t, can, "timeout P1 short choosing [0]")
		assert.Contains(t, can, "timeout P1 short choosing [1]")
	}
}

func split(list string) []string {
	if list == "" {
		return nil
	}
	return strings.Split(list, "; ")
}

// named returns where the actions of a state lead, by their texts.
func (w *World) named(st *State) map[string]*State {
	all := make(map[string]*State)
	for _, t := range w.Next(st) {
		if name := short(t.action); all[name] == nil {
			all[name] = t.next
		}
	}
	return all
}
