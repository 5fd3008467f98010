// Package lelann is LeLann's election on a ring, the ancestor of the others.
//
// Source: G. LeLann, "Distributed systems: towards a formal approach",
// Information Processing 77, IFIP, 1977, as G. Tel tells it, "Introduction to
// Distributed Algorithms", 2nd edition, Cambridge University Press, 2000, section
// 7.2.1. This description is in our own words.
//
// Assumes: a unidirectional ring, asynchronous, no failures; channels keep the
// order of messages; unique ids. Any process may be an initiator, but must begin
// before the token of another one reaches it, or never.
//
// Guarantees: safety, one of the initiators becomes leader and every initiator
// knows which; liveness, each has its token back, under fairness to every
// message. Those that are no initiators pass tokens on and learn nothing.
//
// Deviations: the initiator with the greatest id is elected, as in the algorithms
// that descend from this one; Tel has the smallest. A process whose token is back
// goes on passing tokens on: where channels keep the order of messages there are
// none any more.
//
// Complexity: kN tokens with k initiators, N² with N, whatever the arrangement;
// 2N-1 units of time.
package lelann

import "bullyproof/model"

// P is the state of process p.
type P struct {
	Initiator bool      // has sent its token
	Reached   bool      // a token reached it before it began
	List      model.Set // the initiators whose tokens have come by, its own id included
	Elected   model.ID  // ⊥ until its own token is back
}

// M is a message: the token of an initiator, or, in a repair, the announcement of
// the leader.
type M struct {
	Type model.Kind
	ID   model.ID
	List model.Set // of a token that collects: the initiators that it has come to
}

// The kinds of messages.
const (
	Token model.Kind = iota // carries the id of an initiator round the ring
)

var (
	rules model.Rules

	begins = rules.Add("an initiator sends its token")
	notes  = rules.Add("an initiator notes the token of another one, and passes it on")
	passes = rules.Add("a process that has not begun passes a token on")
	home   = rules.Add("one's own token is back: the greatest id of the list is elected")
)

var names = model.Names{
	Kinds: []string{"token"},
	Rules: rules,
}

// Protocol is the algorithm as in the textbook. Another reading is in readings.go, the
// repairs are in repaired.go.
type Protocol struct {
	model.Passive[P, M] // no failures, no timeouts
}

// Start: an initiator sends a token with its id, unless one has reached it
// before.
func (l *Protocol) Start(p *P, net *model.Net[M]) {
	if !p.Initiator && !p.Reached {
		l.begin(p, net)
	}
}

func (l *Protocol) begin(p *P, net *model.Net[M]) {
	net.Rule(begins)
	p.Initiator = true
	p.List = model.SetOf(net.Self())
	net.Send(model.Next, M{Type: Token, ID: net.Self()})
}

// Receive handles the arrival of a token.
func (l *Protocol) Receive(p *P, net *model.Net[M], _ model.Port, m M) {
	self := net.Self()
	switch {
	case m.ID != self && p.Initiator:
		net.Rule(notes)
		p.List = p.List.With(m.ID)
		net.Send(model.Next, m)

	case m.ID != self:
		net.Rule(passes)
		net.Send(model.Next, m)
		p.Reached = true

	default:
		// The tokens of all initiators have come by: the list is complete.
		net.Rule(home)
		p.Elected = p.List.Max()
	}
}

// Belief is whom the process takes for the leader, and whether its own token is
// still on its way.
func (l *Protocol) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Elected, Participant: p.Initiator && p.Elected == model.None}
}

// Names returns the vocabulary.
func (l *Protocol) Names() model.Names { return names }

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String returns the message as "token(3)" or "leader(3)", with the initiators
// that it has collected.
func (m M) String() string { return m.text(m.List != 0) }

func (m M) text(collected bool) string {
	text := namesAnnounced.Kinds[m.Type] + "(" + m.ID.String()
	if collected {
		text += ": " + m.List.String()
	}
	return text + ")"
}
