package garciamolina

import (
	"strconv"
	"strings"

	"bullyproof/model"
)

// M is a message: a call, or the answer to one.
type M struct {
	Type   model.Kind
	Life   uint8 // of the caller: an answer belongs to a call
	Task   uint8 // Ready: the task
	Normal bool  // the answer to AreYouNormal
}

// The calls, and behind each its answer.
const (
	AreYouUp model.Kind = iota
	IAmUp
	Halt
	Halted
	NewCoordinator
	Informed
	Ready
	IsReady
	AreYouNormal
	Answer
)

// The timers.
const (
	T        model.Timer = iota // ONTIMEOUT(T): bounds a call
	LongTime                    // nothing heard for long: Timeout(i)
	Period                      // when the operating system runs Check(i)
)

// The rules.
var (
	rules model.Rules

	recovers  = rules.Add("Recovery: nobody has halted me, begin an election")
	timesOut  = rules.Add("Timeout: is the coordinator up?")
	finds     = rules.Add("Timeout: the coordinator is up after all")
	step1     = rules.Add("Election 1: is a higher node up?")
	gives     = rules.Add("Election 1: one is, leave it to that")
	step2     = rules.Add("Election 2: no higher node is up, halt the lower ones")
	step3     = rules.Add("Election 3: the election point, inform those that are up")
	step4     = rules.Add("Election 4: hand out the task")
	won       = rules.Add("Election: done, Normal")
	again     = rules.Add("Election 3 and 4: no answer, begin again")
	checks    = rules.Add("Check: is everybody Normal?")
	notNormal = rules.Add("Check: somebody is not, begin an election")
	halts     = rules.Add("Halt: Election, halted by the caller, stop")
	informed  = rules.Add("NewCoordinator, from who halted me last: Reorganization")
	ignores   = rules.Add("NewCoordinator or Ready, from somebody else or too late: ignore")
	readies   = rules.Add("Ready, from the coordinator: Normal")
)

var names = model.Names{
	Kinds: []string{
		AreYouUp: "AreYouUp", IAmUp: "up", Halt: "Halt", Halted: "halted", NewCoordinator: "NewCoordinator", Informed: "informed",
		Ready: "Ready", IsReady: "ready", AreYouNormal: "AreYouNormal", Answer: "yes or no",
	},
	Timers: []model.TimerName{T: {Name: "T"}, LongTime: {Name: "long time"}, Period: {Name: "period", Periodic: true}},
	Rules:  rules,
}

// Stable keeps the numbers of the last task and of the recovery.
func (g *Protocol) Stable(p *P) { *p = P{Task: p.Task, Life: p.Life} }

// Settle makes the node Normal under a coordinator.
func (g *Protocol) Settle(p *P, self, coordinator model.ID, live model.Set) {
	p.S, p.C, p.H = Normal, coordinator, coordinator
	if self == coordinator {
		p.Up = live.Without(self)
	}
}

// Wake has the coordinator run Check from time to time.
func (g *Protocol) Wake(p *P, net *model.Net[M]) { g.rest(p, net) }

// Belief: the coordinator is c, in Reorganization and Normal. A node is in an
// election unless it is Normal and at nothing but Check.
func (g *Protocol) Belief(p *P) model.Belief {
	b := model.Belief{Participant: p.S != Normal || p.At != Nowhere && p.At != CheckingUp}
	if p.S != Election {
		b.Elected = p.C
	}
	return b
}

// Names returns the vocabulary of the paper.
func (g *Protocol) Names() model.Names { return names }

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as "Halt" or "Ready(1)", with a stroke for each time that the
// caller has recovered.
func (m M) String() string {
	text := names.Kinds[m.Type]
	switch {
	case m.Type == Ready:
		text += "(" + strconv.Itoa(int(m.Task)) + ")"
	case m.Type == Answer && m.Normal:
		text = "yes"
	case m.Type == Answer:
		text = "no"
	}
	return text + strings.Repeat("'", int(m.Life))
}
