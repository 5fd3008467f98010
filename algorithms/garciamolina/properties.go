package garciamolina

import (
	"fmt"

	"bullyproof/checker"
	"bullyproof/model"
)

// The paper's two assertions.
var properties = []*checker.Property{
	checker.Always("assertion-1",
		"At every instant, two nodes that are in states Reorganization or Normal have the same coordinator, and two that are Normal have the same task.",
		func(v *model.View) bool { return contradiction(v) == "" },
	).Explained(contradiction),

	checker.EventuallyAlways("assertion-2",
		"From some time on there is a coordinator, Normal, and all that are up are Normal under it (or nobody is up).",
		func(v *model.View) bool {
			for id := range v.Up.All() {
				p := model.State[P](v, id)
				if p.S != Normal || p.C != model.State[P](v, v.Up.Min()).C || !v.Up.Has(p.C) {
					return false
				}
			}
			return true
		},
	).Explained(func(v *model.View) string {
		text := ""
		for id := range v.Up.All() {
			if p := model.State[P](v, id); p.S != Normal || !v.Up.Has(p.C) {
				text += fmt.Sprintf("; %s is in state %s, coordinator %s", id.Name(), p.S, p.C.Name())
			}
		}
		return "there is not one group" + text
	}),
}

// contradiction says which two nodes contradict each other, if any do.
func contradiction(v *model.View) string {
	for i := range v.Up.All() {
		p := model.State[P](v, i)
		for j := range (v.Up &^ model.Upto(i)).All() {
			q := model.State[P](v, j)
			switch {
			case p.S == Election || q.S == Election:
			case p.C != q.C:
				return fmt.Sprintf("%s is in state %s with coordinator %s, and %s in state %s with coordinator %s", i.Name(), p.S, p.C.Name(), j.Name(), q.S, q.C.Name())
			case p.S == Normal && q.S == Normal && p.D != q.D:
				return fmt.Sprintf("%s and %s are both Normal under %s, and do different tasks", i.Name(), j.Name(), p.C.Name())
			}
		}
	}
	return ""
}

// String returns the name of the state.
func (s State) String() string { return [...]string{"Election", "Reorganization", "Normal"}[s] }
