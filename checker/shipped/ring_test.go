package shipped_test

import (
	"fmt"

	"bullyproof/algorithms/changroberts"
	"bullyproof/checker/shipped"
	"bullyproof/model"
)

// ring is Chang and Roberts's election as somebody writes it who thinks of no model: with
// pointers, maps and a queue of what is to be sent.
type ring struct {
	id      int
	engaged bool
	leader  *int
	stats   map[string]int `shipped:"-"`
	out     []*frame
}

// frame is a message of a ring.
type frame struct {
	Elected bool
	ID      int
}

func (r *ring) begin() {
	if !r.engaged {
		r.engaged = true
		r.out = append(r.out, &frame{ID: r.id})
	}
}

func (r *ring) handle(f *frame) {
	r.stats[fmt.Sprint(f.Elected)]++
	switch {
	case f.Elected:
		r.engaged, r.leader = false, &f.ID
		if f.ID != r.id {
			r.out = append(r.out, f)
		}
	case f.ID > r.id:
		r.engaged = true
		r.out = append(r.out, f)
	case f.ID < r.id && !r.engaged:
		r.engaged = true
		r.out = append(r.out, &frame{ID: r.id})
	case f.ID == r.id:
		r.leader, r.engaged = &r.id, false
		r.out = append(r.out, &frame{true, r.id})
	}
}

// ringMachine drives a ring.
type ringMachine struct {
	shipped.Passive[*ring, *frame]
}

func (ringMachine) Init(r **ring, net *shipped.Net[*frame], _ model.Boot) {
	*r = &ring{id: int(net.Self()), stats: make(map[string]int)}
}

func (m ringMachine) Start(r **ring, net *shipped.Net[*frame]) {
	(*r).begin()
	m.send(*r, net)
}

func (m ringMachine) Receive(r **ring, net *shipped.Net[*frame], _ model.Port, f *frame) {
	(*r).handle(f)
	m.send(*r, net)
}

func (ringMachine) send(r *ring, net *shipped.Net[*frame]) {
	for _, f := range r.out {
		net.Send(model.Next, f)
	}
	r.out = nil
}

func (ringMachine) Belief(r **ring) model.Belief {
	b := model.Belief{Participant: (*r).engaged}
	if l := (*r).leader; l != nil {
		b.Elected = model.ID(*l)
	}
	return b
}

func (ringMachine) Names() model.Names {
	return model.Names{Kinds: (&changroberts.Protocol{}).Names().Kinds}
}

func (ringMachine) Kind(f *frame) model.Kind {
	if f.Elected {
		return changroberts.Elected
	}
	return changroberts.Election
}

func (m ringMachine) Text(f *frame) string {
	return fmt.Sprintf("%s(%d)", m.Names().Kinds[m.Kind(f)], f.ID)
}
