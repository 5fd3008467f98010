package invitation

import (
	"fmt"

	"bullyproof/model"
)

// M is a message: a call, or the answer to one, which repeats the group of the
// call.
type M struct {
	Type model.Kind
	C    model.ID // Invitation: the coordinator who invites
	G    Group    // the group that it is about
	Task uint8    // Ready: the task
	Yes  bool     // the answer to AreYouCoordinator and AreYouThere
}

// The calls, and behind each its answer; Invitation has none.
const (
	AreYouCoordinator model.Kind = iota
	IsCoordinator
	AreYouThere
	IsThere
	Accept
	Accepted
	Ready
	IsReady
	Invitation
)

// The timers.
const (
	T        model.Timer = iota // ONTIMEOUT(T): bounds a call
	Pause                       // before a Merge, by priority
	Gather                      // the wait for acceptances
	Period                      // when the operating system runs Check(i)
	LongTime                    // nothing heard from the coordinator: Timeout(i)
)

// The rules.
var (
	rules model.Rules

	recovers    = rules.Add("Recovery: a group of its own")
	checks      = rules.Add("Check: who else is coordinator?")
	finds       = rules.Add("Check: another coordinator")
	nobody      = rules.Add("Check: no other coordinator")
	pauses      = rules.Add("Check: wait, the longer the lower the priority")
	merges      = rules.Add("Merge: a new group, invite coordinators and members")
	accepted    = rules.Add("Accept: one more member")
	reorganizes = rules.Add("Merge: Reorganization, hand out the task")
	merged      = rules.Add("Merge: done, Normal")
	follows     = rules.Add("Invitation: leave for that group, accept")
	declines    = rules.Add("Invitation: not Normal, ignore")
	waits       = rules.Add("Invitation: accepted, Reorganization")
	readies     = rules.Add("Ready: Normal")
	tooLate     = rules.Add("Accept or Ready, for another group or too late: do nothing")
	asks        = rules.Add("Timeout: is the coordinator there?")
	notThere    = rules.Add("Timeout: no, Recovery")
	unanswered  = rules.Add("Timeout, Accept or Ready: no answer, Recovery")
)

var names = model.Names{
	Kinds: []string{
		AreYouCoordinator: "AreYouCoordinator", IsCoordinator: "coordinator: yes or no", AreYouThere: "AreYouThere",
		IsThere: "there: yes or no", Accept: "Accept", Accepted: "accepted", Ready: "Ready", IsReady: "ready", Invitation: "Invitation",
	},
	Timers: []model.TimerName{
		T: {Name: "T"}, Pause: {Name: "pause"}, Gather: {Name: "reasonable time"}, Period: {Name: "period", Periodic: true},
		LongTime: {Name: "long time", Periodic: true},
	},
	Rules: rules,
}

// Stable keeps what is in safe storage.
func (v *Protocol) Stable(p *P) {
	*p = P{Counter: p.Counter, Task: p.Task}
	if v.Volatile {
		p.Counter = 0
	}
}

// Settle makes the node a member of one group of all.
func (v *Protocol) Settle(p *P, self, coordinator model.ID, live model.Set) {
	*p = P{S: Normal, C: coordinator, G: Group{coordinator, 1}, D: 1, Counter: 1, Task: 1}
	if self == coordinator {
		p.Up = live.Without(self)
	}
}

// Wake sets the timers of Check and Timeout.
func (v *Protocol) Wake(p *P, net *model.Net[M]) { v.rest(p, net) }

// Belief: the coordinator is c, in Reorganization and Normal. A node that is not
// Normal is in an election.
func (v *Protocol) Belief(p *P) model.Belief {
	b := model.Belief{Participant: p.S != Normal}
	if p.S != Election {
		b.Elected = p.C
	}
	return b
}

// Names returns the vocabulary of the paper.
func (v *Protocol) Names() model.Names { return names }

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as "Invitation(3, 3:1)" or "yes coordinator(1:1)".
func (m M) String() string {
	answer := map[bool]string{false: "no", true: "yes"}[m.Yes]
	switch m.Type {
	case Invitation:
		return fmt.Sprintf("Invitation(%v, %v)", m.C, m.G)
	case Ready:
		return fmt.Sprintf("Ready(%v, %d)", m.G, m.Task)
	case IsCoordinator:
		return fmt.Sprintf("coordinator: %s(%v)", answer, m.G)
	case IsThere:
		return fmt.Sprintf("there: %s(%v)", answer, m.G)
	}
	return fmt.Sprintf("%s(%v)", names.Kinds[m.Type], m.G)
}

// String returns the group as "3:1".
func (g Group) String() string { return fmt.Sprintf("%v:%d", g.Owner, g.Count) }

// String returns the name of the state.
func (s State) String() string { return [...]string{"Election", "Reorganization", "Normal"}[s] }
