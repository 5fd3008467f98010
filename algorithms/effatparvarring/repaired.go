package effatparvarring

import (
	"slices"

	"bullyproof/model"
)

// repaired has ids that were lost sent again, and those of nodes that have crashed taken
// out. A message that has gone N steps has been everywhere, and its node is not there
// any more. And a participant waits N steps at most for an id to come to the greatest
// node, N until that has come round, and N for the coordinate message: a node that has
// not been told by then knows that one of them is lost, and sends its own id again.
type repaired struct{ *Protocol }

// The rules of the repair.
var (
	astray = stops + 1
	again  = astray + 1
)

// patience bounds the time that a participant waits.
const patience model.Timer = 0

// Names has the rules and the timer of the repair.
func (repaired) Names() model.Names {
	return model.Names{
		Kinds:  kinds,
		Timers: []model.TimerName{{Name: "patience"}},
		Rules: append(slices.Clone(names.Rules),
			"a message has gone N steps, and is not one's own: its node has crashed, take it out",
			"nobody has declared itself in time: send one's ID again",
		),
	}
}

// Format returns m with the step that it is on.
func (repaired) Format(m M) string { return m.text(int(m.Steps) + 1) }

// Start is as in Protocol, and begins the wait.
func (r repaired) Start(p *P, net *model.Net[M]) {
	was := p.Participant
	r.Protocol.Start(p, net)
	wait(p, net, was)
}

// Suspect is as in Protocol, and begins the wait.
func (r repaired) Suspect(p *P, net *model.Net[M], who model.ID) {
	was := p.Participant
	r.Protocol.Suspect(p, net, who)
	wait(p, net, was)
}

// Receive is as in Protocol, except for a message that has gone N steps.
func (r repaired) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Steps++; m.Steps == uint8(net.N()) && m.ID != net.Self() {
		net.Rule(astray)
		return
	}
	was := p.Participant
	r.Protocol.Receive(p, net, from, m)
	wait(p, net, was)
}

// wait begins the wait of a participant, and ends it.
func wait(p *P, net *model.Net[M], was bool) {
	switch {
	case p.Participant && !was:
		net.SetTimer(patience, 3*net.N()*net.Bound())
	case !p.Participant:
		net.StopTimer(patience)
	}
}

// Timeout sends the id again.
func (r repaired) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	net.Rule(again)
	r.put(p, net, M{ID: net.Self()})
	wait(p, net, false)
}
