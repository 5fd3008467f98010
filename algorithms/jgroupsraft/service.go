package jgroupsraft

import "bullyproof/model"

// change is what the service does in a tick: nothing, or it makes another view. Of a whole group it cuts a
// member off, and it brings that back as the coordinator or as the last one.
func (e *Election) change(p *P, net *model.Net[M]) {
	e.make(p, net)
	if p.Changes < e.Views {
		net.SetTimer(change, 1)
	}
}

func (e *Election) make(p *P, net *model.Net[M]) {
	if p.Apart == model.None {
		if who := net.Choose(net.N()); who > 0 {
			net.Rule(parts)
			p.Apart, p.Changes = model.ID(who), p.Changes+1
			p.View = p.View.without(p.Apart)
			net.SendAll(p.View.Members(), M{Type: NewView, View: p.View})
			net.SendTo(p.Apart, M{Type: NewView, View: View{p.Apart}})
		}
		return
	}
	const later, first = 0, 1
	switch net.Choose(3) {
	case later:
		return
	case first:
		p.View = View{p.Apart, p.View[0], p.View[1]}
	default:
		p.View[p.View.Members().Len()] = p.Apart
	}
	net.Rule(merges)
	p.Apart, p.Changes = model.None, p.Changes+1
	net.SendAll(p.View.Members(), M{Type: NewView, View: p.View})
}

// without returns the view without a member.
func (v View) without(who model.ID) (out View) {
	n := 0
	for _, id := range v {
		if id != who {
			out[n] = id
			n++
		}
	}
	return out
}
