package lease

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/explore"
	"bullyproof/explore/liveness"
	"bullyproof/explore/typed"
)

var (
	oneLeader = typed.Always("one leader", State.OneLeader)
	handOver  = typed.Sometimes("the second leads after the first", func(s State) bool {
		return s.Clients[1].Leads && s.Clients[0].News
	})

	// A leader stops by its clock alone.
	byClock = typed.AlwaysStep("a leader stops by its clock", func(from State, a Action, to State) bool {
		for i := range from.Clients {
			if from.Clients[i].Leads && !to.Clients[i].Leads && !strings.HasPrefix(a.Name, "tick") {
				return false
			}
		}
		return true
	})
	goesOn = typed.NoDeadlock[State]("it goes on", nil)
)

func TestLock(t *testing.T) {
	for name, l := range map[string]Lock{
		"as it should be":            {LeaseDuration: 3, RenewDeadline: 2},
		"no margin for the clocks":   {LeaseDuration: 3, RenewDeadline: 3},
		"a margin for a slow clock":  {LeaseDuration: 4, RenewDeadline: 2, Stalls: 1},
		"a margin for a slower one":  {LeaseDuration: 4, RenewDeadline: 2, Stalls: 2},
		"the store answers promptly": {LeaseDuration: 3, RenewDeadline: 2, FromAnswer: true, Prompt: true},
	} {
		t.Run(name, func(t *testing.T) {
			typed.Verify(t, l, explore.Options{}, oneLeader, handOver, byClock, goesOn)
		})
	}
}

// A client whose answer is late leads beside the next one, if it counts from the
// answer.
func TestLateAnswer(t *testing.T) {
	l := Lock{LeaseDuration: 3, RenewDeadline: 2, FromAnswer: true}
	c := typed.Verify(t, l, explore.Options{Workers: 1}, oneLeader.Expect(typed.Violated))
	assert.Equal(t, lateAnswer, c.Answer(oneLeader.Name).Behavior.String())
}

const lateAnswer = `  0. {Holder:0 Clients:[{Leads:false Left:0 Age:0 News:false Phase:idle Since:0 OK:false} {Leads:false Left:0 Age:0 News:false Phase:idle Since:0 OK:false}] Stalls:0}
  1. look(2)    Clients[1].Phase: idle → asked
  2. update(2)  Holder: 0 → 2, Clients[0].News: false → true, Clients[1].Phase: asked → answered, Clients[1].OK: false → true
  3. look(1)    Clients[0].News: true → false
  4. tick       Clients[0].Age: 0 → 1, Clients[1].Age: 0 → 1, Clients[1].Since: 0 → 1
  5. tick       Clients[0].Age: 1 → 2, Clients[1].Age: 1 → 2, Clients[1].Since: 1 → 2
  6. answer(2)  Clients[1].Leads: false → true, Clients[1].Left: 0 → 2, Clients[1].Age: 2 → 0, Clients[1].Phase: answered → idle, Clients[1].Since: 2 → 0, Clients[1].OK: true → false
  7. tick       Clients[0].Age: 2 → 3, Clients[1].Left: 2 → 1, Clients[1].Age: 0 → 1
  8. look(1)    Clients[0].Phase: idle → asked
  9. update(1)  Holder: 2 → 1, Clients[0].Phase: asked → answered, Clients[0].OK: false → true, Clients[1].News: false → true
 10. answer(1)  Clients[0].Leads: false → true, Clients[0].Left: 0 → 2, Clients[0].Age: 3 → 0, Clients[0].Phase: answered → idle, Clients[0].OK: true → false
`

// A clock that misses more ticks than there is margin breaks it.
func TestSlowClock(t *testing.T) {
	l := Lock{LeaseDuration: 4, RenewDeadline: 2, Stalls: 3}
	c := typed.Verify(t, l, explore.Options{}, oneLeader.Expect(typed.Violated))
	assert.Equal(t, 11, c.Answer(oneLeader.Name).Behavior.Len())
}

// fair assumes that no client and no clock stops for good.
func fair() []typed.Formula[State] {
	list := []typed.Formula[State]{typed.Fair(liveness.Weak, "ticks", func(_ State, a Action, _ State) bool { return a.Client == 0 })}
	for i := range Clients {
		list = append(list, typed.Fair(liveness.Weak, "steps of a client", func(_ State, a Action, _ State) bool {
			return a.Client == i+1
		}))
	}
	return list
}

// Somebody leads again and again, if answers are prompt; if all of them are late
// nobody does.
func TestSomebodyLeads(t *testing.T) {
	led := typed.AlwaysEventually("somebody leads again and again", State.Led)
	taken := typed.LeadsTo("whoever has the record leads, or has lost it",
		func(s State) bool { return s.Holder == 1 },
		func(s State) bool { return s.Holder != 1 || s.Clients[0].Leads })
	typed.Verify(t, Lock{LeaseDuration: 3, RenewDeadline: 2, Prompt: true}, explore.Options{}, append(fair(), led, taken)...)

	c := typed.Verify(t, Lock{LeaseDuration: 3, RenewDeadline: 2}, explore.Options{}, append(fair(), led.Expect(typed.Violated))...)
	b := c.Answer(led.Name).Behavior
	require.Less(t, b.Loop, len(b.Steps)-1, "it goes round")
	for _, step := range b.Steps[b.Loop:] {
		assert.False(t, step.State.Led())
	}
}
