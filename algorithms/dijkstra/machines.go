package dijkstra

import "bullyproof/model"

// KState is the solution with K states, where K is N.
type KState struct {
	More  int // has K be so many more
	Fault Fault
}

// States is K.
func (k KState) States(_ Place, n int) int { return n + k.More }

// Reads has each machine look to the left.
func (KState) Reads(Place) (left, right bool) { return true, false }

// Rules are those of the bottom machine and of the others.
func (KState) Rules() []string { return []string{"L = S: S := S+1", "L ≠ S: S := L"} }

// Moves: the bottom machine moves if it equals its neighbour, and the others if they differ.
func (k KState) Moves(at Place, p *P, n int) []Move {
	bottom := at == Bottom && k.Fault != NoBottom || k.Fault == AllBottom
	switch step := uint8(1); {
	case !bottom && p.L != p.S:
		return []Move{{p.L, 1}}
	case bottom && (p.L == p.S || k.Fault == Blind):
		if k.Fault == AddsTwo {
			step = 2
		}
		return []Move{{(p.S + step) % uint8(k.States(at, n)), 0}}
	}
	return nil
}

// FourState is the solution with four states: x, and whether the machine is up. The bottom machine is always
// up, and the top machine never.
type FourState struct{ Fault Fault }

const up = 2

// States is two at the ends.
func (FourState) States(at Place, _ int) int {
	if at == Normal {
		return 4
	}
	return 2
}

// Reads has the ends look to one side.
func (FourState) Reads(at Place) (left, right bool) { return at != Bottom, at != Top }

// Rules are those of the bottom machine, of the top machine, and of the others.
func (FourState) Rules() []string {
	return []string{
		"xS = xR and not upR: xS := not xS", "xS ≠ xL: xS := not xS",
		"xS ≠ xL: xS := not xS; upS := true", "xS = xR and upS and not upR: upS := false",
	}
}

// Moves: a normal machine goes up when x has come from the left, and down when it has reached the right.
func (f FourState) Moves(at Place, p *P, _ int) (list []Move) {
	x, l, r := p.S&1, p.L&1, p.R&1
	down := p.R&up == 0 || f.Fault == IgnoresUp
	switch {
	case at == Bottom && x == r && down:
		return []Move{{x ^ 1, 0}}
	case at == Top && x != l:
		return []Move{{x ^ 1, 1}}
	case at != Normal:
		return nil
	}
	if x != l {
		list = append(list, Move{x ^ 1 | up, 2})
	}
	if x == r && p.S&up != 0 && down {
		list = append(list, Move{x, 3})
	}
	return list
}

// ThreeState is the solution with three states. The top machine reads the bottom machine also.
type ThreeState struct{ Fault Fault }

// States is three.
func (ThreeState) States(Place, int) int { return 3 }

// Reads has all but the bottom machine look to both sides.
func (ThreeState) Reads(at Place) (left, right bool) { return at != Bottom, true }

// Rules are those of the bottom machine, of the top machine, and of the others.
func (ThreeState) Rules() []string {
	return []string{"S+1 = R: S := S-1", "L = R and L+1 ≠ S: S := L+1", "S+1 = L: S := L", "S+1 = R: S := R"}
}

// Moves: sums are modulo 3.
func (t ThreeState) Moves(at Place, p *P, _ int) (list []Move) {
	next := (p.S + 1) % 3
	switch {
	case at == Bottom && next == p.R && t.Fault == Forward:
		return []Move{{next, 0}}
	case at == Bottom && next == p.R:
		return []Move{{(p.S + 2) % 3, 0}}
	case at == Top && (p.L == p.R || t.Fault == IgnoresBottom) && p.S != (p.L+1)%3:
		return []Move{{(p.L + 1) % 3, 1}}
	case at != Normal:
		return nil
	}
	for rule, neighbour := range []uint8{p.L, p.R} {
		if next == neighbour {
			list = append(list, Move{next, 2 + model.Rule(rule)})
		}
	}
	return list
}

// Fault is what a mutant does.
type Fault uint8

// The faults.
const (
	None Fault = iota
	NoBottom
	AllBottom
	Blind
	AddsTwo
	IgnoresUp
	Forward
	IgnoresBottom
)
