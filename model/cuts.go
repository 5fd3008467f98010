package model

import "bullyproof/setting"

// link returns the link between two positions of a complete graph, as the
// setting cuts it.
func (e *expander) link(a, b uint8) setting.CutLink {
	return setting.CutLink{From: e.ids[a], To: e.ids[b], Both: e.setting.CutBy == setting.CutLinks}
}

// Where links are cut one by one a state holds, for each position, the set of
// those that its messages do not reach.

// severed reports whether a cut of an encoded state keeps messages of one
// position from another.
func (l *layout) severed(state []byte, from, to int) bool {
	if l.linksOff >= 0 {
		return state[l.linksOff+from*l.setBytes+to>>3]>>(to&7)&1 != 0
	}
	return crossesCut(l.positions(state, l.sideOff), from, to)
}

// crossesCut reports whether a message between two positions crosses a cut.
func crossesCut(side Set, a, b int) bool { return (side>>a^side>>b)&1 != 0 }

// anyCut reports whether a cut is in force in an encoded state.
func (l *layout) anyCut(state []byte) bool {
	if l.cutsOff < 0 {
		return false
	}
	for _, b := range state[l.cutsOff : l.cutsOff+l.cutsSize] {
		if b != 0 {
			return true
		}
	}
	return false
}

// mayHeal reports whether a cut of an encoded state can be mended.
func (e *expander) mayHeal(state []byte) bool {
	return e.setting.HealsOwed || e.left(state, budgetHeals) > 0
}

// cuts has the network divide, or a link cut.
func (e *expander) cuts() {
	if e.left(e.state, budgetCuts) == 0 {
		return
	}
	if e.linksOff < 0 {
		if e.step.listing && !e.cutting {
			e.divide(act{kind: CutsOff, budget: budgetCuts}) // stands for all of them
			return
		}
		for side := Set(2); !e.cutting && side < 1<<e.n; side += 2 {
			e.divide(act{kind: CutsOff, budget: budgetCuts, side: side})
		}
		return
	}
	e.eachLink(false, act{kind: CutsOff, budget: budgetCuts})
}

// heals has the network be whole again, or a link.
func (e *expander) heals() {
	if !e.cutting || !e.mayHeal(e.state) {
		return
	}
	a := act{kind: Heals, budget: budgetHeals}
	if e.setting.HealsOwed {
		a.budget = -1
	}
	if e.linksOff < 0 {
		e.divide(a)
		return
	}
	e.eachLink(true, a)
}

// eachLink has an action happen to each link that is severed, or that is not.
func (e *expander) eachLink(severed bool, a act) {
	for from := range e.n {
		for to := range e.n {
			if from == to || from > to && e.setting.CutBy == setting.CutLinks || e.severed(e.state, from, to) != severed {
				continue
			}
			a.link = [2]uint8{uint8(from), uint8(to)}
			e.divide(a)
		}
	}
}

// divide puts a cut in force, or ends one.
func (e *expander) divide(a act) {
	a.pos, a.msg = -1, -1
	if e.aside(&a) {
		return
	}
	e.begin(a)
	b := e.out.Begin()
	base := len(b)
	b = append(b, e.state[:e.msgOff]...)
	next := b[base:]
	if a.budget >= 0 {
		next[e.budget[a.budget]]--
	}
	if e.linksOff < 0 {
		e.putPositions(next, e.sideOff, a.side)
	} else {
		e.flip(next, a.link[0], a.link[1])
		if e.setting.CutBy == setting.CutLinks {
			e.flip(next, a.link[1], a.link[0])
		}
	}
	e.accept(append(b, e.filter(next, -1, -1)...), base)
}

// flip cuts the way from one position to another, or mends it.
func (l *layout) flip(state []byte, from, to uint8) {
	state[l.linksOff+int(from)*l.setBytes+int(to>>3)] ^= 1 << (to & 7)
}

// links lists the links that are cut in the state under expansion.
func (e *expander) links() []setting.CutLink {
	var list []setting.CutLink
	for a := range e.n {
		for b := range e.n {
			if e.linksOff >= 0 && e.severed(e.state, a, b) && (a < b || e.setting.CutBy == setting.CutOneWay) {
				list = append(list, e.link(uint8(a), uint8(b)))
			}
		}
	}
	return list
}
