package model

import (
	"errors"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/internal/test/anysetting"
	"bullyproof/model/internal/layout"
	"bullyproof/model/setting"
)

// TestNodeDoesWhatTheWorldDoes walks through random systems, and has a node do
// what each transition on the way does.
func TestNodeDoesWhatTheWorldDoes(t *testing.T) {
	compared := 0
	rapid.Check(t, func(t *rapid.T) {
		s := anysetting.Draw(t, 3)
		y := &toyStable[uint8]{drawToy[uint8](t, s)}
		sys, err := New(y, s)
		if err != nil {
			t.Skip("no system")
		}
		w := sys.impl
		var state []byte
		for first := range sys.Initial {
			state = slices.Clone(first)
			break
		}
		for range 12 {
			if state == nil { // the handlers of the start overflow a channel
				break
			}
			var next [][]byte
			for _, tr := range sys.Transitions(state) {
				if tr.Misuse == "" {
					next = append(next, tr.Next)
					compared += compareNode(t, w, state, tr)
				}
			}
			if len(next) == 0 {
				break
			}
			state = rapid.SampledFrom(next).Draw(t, "next")
		}
	})
	require.Greater(t, compared, 5, "of few systems in a short test")
}

// compareNode has a node do what a transition does, and compares the outcomes.
// It returns 0 where no handler runs or the process crashes in it, else 1.
func compareNode(t *rapid.T, w *world, state []byte, tr Transition) int {
	a := tr.Action
	if a.Crash || !slices.Contains([]ActionKind{Starts, Delivers, Expires, Suspects, Misreports, Restarts, Joins, Requests}, a.Kind) {
		return 0
	}
	before, after := w.newExpander(nil), w.newExpander(nil)
	before.decode(state)
	after.decode(tr.Next)
	pos := before.now.at[a.Process-1]
	d, err := NewNode(w.protocol.Protocol().(Protocol[toyState, toyMessage[uint8]]), w.setting, a.Process)
	require.NoError(t, err)
	var set []Timer
	for timer := range w.names.Timers {
		if before.TimersOf(state, pos)[timer*w.TimerLen] != 0 {
			set = append(set, Timer(timer))
		}
	}
	d.Be(*(*toyState)(before.now.procs.at(pos)), set...)
	if before.now.up>>pos&1 == 0 {
		d.Crash()
		w.planP.Get(unsafe.Pointer(&d.State), w.Proc(state, pos)[w.POff:]) // what is stored
	}
	d.Left = func(t Timer) int { return int(before.TimersOf(state, pos)[int(t)*w.TimerLen]) - 1 }
	choices := a.Choices
	d.Choose = func(int) int {
		c := choices[0]
		choices = choices[1:]
		return c
	}
	require.NoError(t, doAction(d, before, a))
	require.Empty(t, choices)
	require.Equal(t, *(*toyState)(after.now.procs.at(pos)), d.State)
	var sent []string
	for _, m := range d.Sends {
		sent = append(sent, m.String())
	}
	require.Len(t, tr.Sent, len(sent))
	for i, s := range tr.Sent {
		require.Equal(t, s.Text, sent[i])
	}
	for timer := range w.names.Timers {
		require.Equal(t, after.TimersOf(tr.Next, pos)[timer*w.TimerLen] != 0, d.Ticks(Timer(timer)) != 0)
	}
	return 1
}

// doAction has a node do an action.
func doAction(d *Node[toyState, toyMessage[uint8]], e *expander, a Action) error {
	switch a.Kind {
	case Starts:
		return d.Start()
	case Delivers:
		for i := range len(e.now.area) / e.Width {
			rec := e.now.record(i)
			if m := *(*toyMessage[uint8])(e.act.message(rec)); int(rec[0]) == e.now.at[a.Process-1] && Port(rec[1]) == a.Port && m.String() == a.Message {
				return d.Receive(a.Port, m)
			}
		}
	case Expires:
		for timer, name := range e.names.Timers {
			if name.Name == a.Timer {
				return d.Expire(Timer(timer))
			}
		}
	case Suspects, Misreports:
		return d.Suspect(a.Who)
	case Requests:
		return d.Request(Request(slices.Index(e.names.Asked(), a.Request)))
	case Restarts:
		return d.Init(Restart)
	case Joins:
		return d.Init(Join)
	}
	return errors.New("no such action")
}

// The budgets of a state are those of the setting, in its order.
func TestBudgetsAreThoseOfASetting(t *testing.T) {
	var keys []string
	for _, b := range setting.Budgets() {
		keys = append(keys, b.Key)
	}
	require.Len(t, keys, layout.Budgets)
	for i, key := range map[int]string{
		layout.BudgetCrashes: "crashes", layout.BudgetRestarts: "restarts", layout.BudgetJoins: "joins", layout.BudgetLosses: "losses", layout.BudgetDuplications: "duplications",
		layout.BudgetCuts: "cuts", layout.BudgetHeals: "heals", layout.BudgetPremature: "premature", layout.BudgetSuspicions: "suspicions", layout.BudgetPauses: "pauses", layout.BudgetLostWrites: "lost-writes", layout.BudgetLostDisks: "lost-disks", layout.BudgetClockSteps: "clock-steps", layout.BudgetRequests: "requests",
	} {
		require.Equal(t, key, keys[i])
	}
}
