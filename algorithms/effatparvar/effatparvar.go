// Package effatparvar is the modified Bully algorithm of Effatparvar and
// others, which is to tolerate the loss of messages.
//
// Source: M. R. Effatparvar, N. Yazdani, M. Effatparvar, A. Dadlani,
// A. Khonsari, "Improved Algorithms for Leader Election in Distributed
// Systems", 2nd International Conference on Computer Engineering and
// Technology (ICCET), 2010, section 2, figure 1, section 5.1 and Table 2.
//
// Assumes: every process knows the ids of all others and can send to each; the
// leader crashes; messages may be lost (figure 1; the faults of Table 2 are
// messages that were sent and not received). That a process can tell that
// nobody responds takes a known bound on delays.
//
// Guarantees: the paper asks safety (a single node enters the elected state)
// and liveness (every node ends elected or not elected) of every election
// algorithm (section 1), and wants its own to survive the loss of the message
// that carries the highest id. It has both as long as nothing is lost. One lost
// message is enough to break safety: where two nodes notice the crash, two are
// selected. Where it was the only response, nobody verifies, and a lesser node
// leads, unless a node that announces itself verifies too (silences.go).
//
// Deviations: what the paper leaves open. A node that learns of a leader is in
// no election of its own any more. While it waits for responses it goes on
// naming the old leader. The paper calls the message that tells of the selected
// id once "a new message" and once an introduction; here "selected" is the
// first announcement, which makes the one that it names verify, and
// "coordinator" the final one, which does not. Nothing is said of nodes that
// come up later, so that they do nothing. The selected id goes to all, as the text
// and equation 2 have it; other readings are in readings.go, the repairs in
// repaired.go.
//
// Complexity: by the paper 2(n-i)+(n-2) messages where node i notices, and as
// much once more with i', the node chosen first, for i. A wait takes 2D ticks,
// the round trip.
package effatparvar

import "bullyproof/model"

// P is the state of a node.
type P struct {
	Elected model.ID // the leader
	Best    model.ID // the highest ID among the responses so far
	Mode    Mode
}

// Mode is what a node waits for.
type Mode uint8

const (
	// Idle nodes take part in no election.
	Idle Mode = iota
	// Noticed nodes noticed the crash and wait for responses.
	Noticed
	// Verifying nodes have been selected and wait for responses from nodes with
	// greater IDs.
	Verifying
)

// String returns what the node waits for, in words.
func (m Mode) String() string {
	return [...]string{"idle", "waits for responses", "verifies"}[m]
}

// M is a message: election, OK, selected(ID) or coordinator(ID). A response
// carries the ID of its sender.
type M struct {
	Type model.Kind
	ID   model.ID
}

// The kinds of messages.
const (
	Election    model.Kind = iota // "an election message"
	OK                            // "sends its ID as a response"
	Selected                      // "a new message with the selected ID number"
	Coordinator                   // "a coordinator message"
)

// Wait is the timer that bounds the wait for responses.
const Wait model.Timer = 0

// Protocol is the algorithm.
type Protocol struct {
	model.Passive[P, M] // nothing is said of nodes that come up
}

// Start begins an election, as a node does that notices the crash.
func (e *Protocol) Start(p *P, net *model.Net[M]) {
	if p.Mode == Idle {
		e.ask(p, net, Noticed)
	}
}

// Suspect: "when a node, say N, notices that the leader has crashed, it sends
// an election message to all nodes with higher ID numbers."
func (e *Protocol) Suspect(p *P, net *model.Net[M], who model.ID) {
	if p.Mode == Idle && who == p.Elected {
		net.Rule(notices)
		e.ask(p, net, Noticed)
	}
}

// ask sends election to all nodes with higher IDs and waits for responses.
func (e *Protocol) ask(p *P, net *model.Net[M], mode Mode) {
	p.Mode, p.Best = mode, model.None
	net.SendAll(net.Higher(), M{Type: Election})
	net.SetTimer(Wait, 2*net.Bound())
}

// Receive handles the four kinds of messages.
func (e *Protocol) Receive(p *P, net *model.Net[M], _ model.Port, m M) {
	switch m.Type {
	case Election:
		// "Each node that receives the election message sends its ID as a response
		// to N."
		net.Rule(responds)
		net.Reply(M{OK, net.Self()})
	case OK:
		if p.Mode != Idle {
			p.Best = max(p.Best, m.ID)
		}
	case Selected:
		e.selected(p, net, m.ID)
	case Coordinator:
		// "it introduces the greatest one as the new leader": that one does not
		// verify once more.
		e.learn(p, net, m.ID)
	}
}

// selected: "informing them about the new leader". "The newly elected leader
// then sends an election message to nodes with greater ID numbers to ensure
// that there is exists no node with a greater ID number than itself."
func (e *Protocol) selected(p *P, net *model.Net[M], id model.ID) {
	switch {
	case id != net.Self():
		e.learn(p, net, id)
	case p.Mode != Verifying:
		net.Rule(verifies)
		p.Elected = id
		e.ask(p, net, Verifying)
	}
}

// learn has the node follow a leader of which it learns.
func (e *Protocol) learn(p *P, net *model.Net[M], leader model.ID) {
	net.Rule(informed)
	e.settle(p, net, leader)
}

// settle names a leader and ends what the node waits for.
func (e *Protocol) settle(p *P, net *model.Net[M], leader model.ID) {
	p.Elected, p.Mode, p.Best = leader, Idle, model.None
	net.StopTimer(Wait)
}

// announce names a leader and tells all others.
func (e *Protocol) announce(p *P, net *model.Net[M], leader model.ID) {
	e.settle(p, net, leader)
	net.Broadcast(M{Coordinator, leader})
}

// Timeout ends the wait for responses.
func (e *Protocol) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	switch best, self := p.Best, net.Self(); {
	case p.Mode == Noticed && best == model.None:
		// "If no node responses to N, it will broadcast a coordinator message to
		// all nodes."
		net.Rule(unanswered)
		e.announce(p, net, self)
	case p.Mode == Noticed:
		// "If some nodes respond to N, it will select the node with the highest ID
		// number as coordinator and will send a new message with the selected ID
		// number to all nodes."
		net.Rule(selects)
		e.settle(p, net, best)
		net.Broadcast(M{Selected, best})
	case best != model.None:
		// "If the leader receives a response from nodes with ID numbers greater
		// than its own, it introduces the greatest one as the new leader."
		net.Rule(greater)
		e.announce(p, net, best)
	default:
		// "Otherwise, it remains unchanged."
		net.Rule(remains)
		e.settle(p, net, self)
	}
}

// Settle makes the leader known to the node.
func (e *Protocol) Settle(p *P, _, coordinator model.ID, _ model.Set) { p.Elected = coordinator }

// Belief is the leader and whether the node waits for responses.
func (e *Protocol) Belief(p *P) model.Belief {
	return model.Belief{Elected: p.Elected, Participant: p.Mode != Idle}
}
