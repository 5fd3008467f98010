// Package dijkstra has the self-stabilising rings of Dijkstra: whatever the states of the machines are, after
// finitely many moves one machine has the privilege, and it goes round. A machine with a privilege
// leads.
//
// Source: E. W. Dijkstra, "Self-stabilizing Systems in Spite of Distributed Control", Communications of
// the ACM 17(11), 1974, with the manuscripts EWD 392 (four states) and EWD 396 (three states), and "A
// Belated Proof of Self-stabilization", Distributed Computing 1, 1986. The rules are told in our words.
//
// Assumes: a ring (K states, three states) or an array (four states); a machine reads the states of its
// neighbours; a central daemon selects who moves next ("its replacement by a distributed daemon falls outside
// the scope of this article").
//
// Guarantees: safety, a legitimate state remains one, and in each state there is a privilege; liveness, from
// each state a legitimate one is reached, whomever the daemon selects, and then each machine has the privilege
// again and again.
//
// Deviations: there is no shared memory here. A machine sends its state to those that read it, at first and
// after each move, and they keep a copy. Where timing is patient, messages arrive before the next move,
// and a copy is as good as a look: that is the central daemon. Variant messages is for slow messages. There
// copies and mail are arbitrary at first, and a machine sends its state again and again.
//
// Complexity: O(N²) moves until the state is legitimate.
package dijkstra

import (
	"fmt"

	"bullyproof/model"
	"bullyproof/model/setting"
)

// P is the state of a machine, and what it knows of its neighbours.
type P struct {
	S, L, R    uint8 // its own state, and copies of those to the left and to the right
	HasL, HasR bool  // a copy is there
	Privileges uint8 // how many it has
}

// M is the state of its sender.
type M struct{ S uint8 }

// A Place is where a machine stands.
type Place uint8

// The places: P1 is the bottom machine, and PN the top machine.
const (
	Bottom Place = iota
	Normal
	Top
)

// A Machine is a solution of Dijkstra.
type Machine interface {
	// States is how many states a machine has among n.
	States(at Place, n int) int
	// Reads says whether it reads the state to its left, and the one to its right.
	Reads(at Place) (left, right bool)
	// Moves returns those of its privileges, one for each.
	Moves(at Place, p *P, n int) []Move
	// Rules are the rules of its moves, as the source has them.
	Rules() []string
}

// A Move leads to a state by a rule of the machine.
type Move struct {
	To   uint8
	Rule model.Rule
}

// Ring is a ring of machines.
type Ring struct {
	model.Passive[P, M]
	Machine

	// Messages has copies and mail be arbitrary at first, and machines send their states again and again.
	Messages bool
	// Once has them not do so.
	Once bool
	// Hasty has them do so in each tick, and not once in the time that a message takes at most.
	Hasty bool
}

// Fits refuses so few machines that none has a state (two-fewer).
func (r *Ring) Fits(s setting.Setting) error {
	return s.AtLeast(s.N+1-r.States(Normal, s.N), "where a machine has a state")
}

// turn is when a machine moves.
const turn model.Timer = 0

const (
	reads model.Rule = iota
	repeats
	moves // the first of a machine's rules
)

// Names gives the words of the source.
func (r *Ring) Names() model.Names {
	rules := append([]string{"a neighbour's state arrives", "no privilege: send the state again"}, r.Rules()...)
	return model.Names{Kinds: []string{"state"}, Timers: []model.TimerName{{Name: "turn"}}, Rules: rules}
}

// place returns where process id stands among n.
func place(id model.ID, n int) Place {
	switch id {
	case 1:
		return Bottom
	case model.ID(n):
		return Top
	}
	return Normal
}

func here(net *model.Net[M]) Place { return place(net.Self(), net.N()) }

// Init puts a machine into any state.
func (r *Ring) Init(p *P, net *model.Net[M], why model.Boot) {
	p.S = r.any(net, here(net))
	if !r.Messages {
		r.tell(p, net)
		return
	}
	p.L, p.HasL = r.any(net, Normal), true
	if stale := net.Choose(r.States(Normal, net.N()) + 1); stale > 0 && why == model.Cold {
		net.Send(model.Next, M{uint8(stale - 1)})
	}
	r.look(p, net)
}

func (r *Ring) any(net *model.Net[M], at Place) uint8 {
	return uint8(net.Choose(r.States(at, net.N())))
}

// tell sends the state to those that read it.
func (r *Ring) tell(p *P, net *model.Net[M]) {
	n, self := net.N(), int(net.Self())
	if left, _ := r.Reads(place(model.ID(self%n+1), n)); left {
		net.Send(model.Next, M{p.S})
	}
	if _, right := r.Reads(place(model.ID((self+n-2)%n+1), n)); right {
		net.Send(model.Prev, M{p.S})
	}
}

// look has the machine know whether it has a privilege.
func (r *Ring) look(p *P, net *model.Net[M]) {
	at := here(net)
	left, right := r.Reads(at)
	p.Privileges = 0
	if (p.HasL || !left) && (p.HasR || !right) {
		p.Privileges = uint8(len(r.Moves(at, p, net.N())))
	}
	switch {
	case p.Privileges == 0 && (!r.Messages || r.Once):
		net.StopTimer(turn)
	case net.IsSet(turn):
	case r.Hasty:
		net.SetTimer(turn, 1)
	default:
		net.SetTimer(turn, net.Bound())
	}
}

// Receive reads the state of a neighbour.
func (r *Ring) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	net.Rule(reads)
	if from == model.Prev {
		p.L, p.HasL = m.S, true
	} else {
		p.R, p.HasR = m.S, true
	}
	r.look(p, net)
}

// Timeout is the turn of the machine. With more privileges than one, any is selected.
func (r *Ring) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	if list := r.Moves(here(net), p, net.N()); p.Privileges > 0 {
		move := list[0]
		if len(list) > 1 {
			move = list[net.Choose(len(list))]
		}
		net.Rule(moves + move.Rule)
		p.S = move.To
	} else {
		net.Rule(repeats)
	}
	r.tell(p, net)
	r.look(p, net)
}

// Belief: who has a privilege leads.
func (*Ring) Belief(p *P) model.Belief {
	if p.Privileges > 0 {
		return model.Belief{Elected: model.Me}
	}
	return model.Belief{}
}

// Kind returns the kind of the message.
func (M) Kind() model.Kind { return 0 }

// String returns m as "state(2)".
func (m M) String() string { return fmt.Sprintf("state(%d)", m.S) }
