package invitation

import (
	"fmt"
	"strings"

	"bullyproof/checker"
	"bullyproof/model"
)

// The paper's two assertions.
var properties = []*checker.Property{
	checker.Always("assertion-3",
		"At every instant, two nodes of one group that are in states Reorganization or Normal have the same coordinator, and two that are Normal have the same task.",
		func(v *model.View) bool { return contradiction(v) == "" },
	).Explained(contradiction),

	checker.EventuallyAlways("assertion-4",
		"From some time on the nodes that are up and can communicate (all of them, or each side of a cut that does not heal) are one group, and all Normal.",
		func(v *model.View) bool { return oneGroup(v, v.Up&v.Side) && oneGroup(v, v.Up&^v.Side) },
	).Explained(groups),
}

// contradiction says which two nodes of one group contradict each other, if any
// do.
func contradiction(v *model.View) string {
	for i := range v.Up.All() {
		p := model.State[P](v, i)
		for j := range (v.Up &^ model.Upto(i)).All() {
			q := model.State[P](v, j)
			switch {
			case p.G != q.G || p.S == Election || q.S == Election:
			case p.C != q.C:
				return fmt.Sprintf("%s and %s are both in group %s, with the coordinators %s and %s", i.Name(), j.Name(), p.G, p.C.Name(), q.C.Name())
			case p.S == Normal && q.S == Normal && p.D != q.D:
				return fmt.Sprintf("%s and %s are both Normal in group %s, and do different tasks", i.Name(), j.Name(), p.G)
			}
		}
	}
	return ""
}

// oneGroup reports whether nodes are one group, all Normal.
func oneGroup(v *model.View, who model.Set) bool {
	if who.Empty() {
		return true
	}
	first := model.State[P](v, who.Min())
	for id := range who.All() {
		if p := model.State[P](v, id); p.S != Normal || p.G != first.G || !who.Has(p.C) {
			return false
		}
	}
	return true
}

// groups says who is in which group.
func groups(v *model.View) string {
	var parts []string
	for id := range v.Up.All() {
		p := model.State[P](v, id)
		parts = append(parts, fmt.Sprintf("%s is in group %s, %s", id.Name(), p.G, p.S))
	}
	return strings.Join(parts, "; ")
}
