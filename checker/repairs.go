package checker

import (
	"maps"
	"slices"
	"testing"

	"bullyproof/model"
)

// Repairs checks in a go test a protocol with a fault and its repair, in one setting, and
// returns both reports: the first breaks a property, the second does not. Properties of Asking
// are asked as well, and hold of the second. Both are verified as Verify does it, in subtests
// "broken" and "repaired", and their coverage is that of both together: a rule or message of
// the one need not come up in the other.
//
//	checker.Repairs(t, &Lock{}, &Lock{Fences: true}, "n=3 pauses=1", checker.Uniqueness)
func Repairs[P, Q any, M, N model.Message](t testing.TB, broken model.Protocol[P, M], repaired model.Protocol[Q, N], setting string, property *Property, opts ...Option) (before, after *Report) {
	t.Helper()
	opts = append(slices.Clip(opts), Asking(property))
	v := newVerification(t, []string{"broken", "repaired"}, opts)
	w := *v
	w.expected, w.broken = maps.Clone(v.expected), make(map[string]bool)
	v.expected[property.Name] = true
	v.opt.Exhaustive = true // the fault is found soon, and what else runs is seen later
	first, err := newScope(v, broken, setting)
	if err != nil {
		t.Fatalf("checker: broken: %v", err)
	}
	second, err := newScope(&w, repaired, setting)
	if err != nil {
		t.Fatalf("checker: repaired: %v", err)
	}
	first.text, first.number = v.settings[0], 1
	second.text, second.number = v.settings[1], 2
	w.tellStrays(second)
	ran, _ := sub(t, first.text, func(t testing.TB) {
		t.Helper()
		first.t = t
		before = first.verify()
		if f := before.Finding(property.Name); f.Verdict != Violated && f.Verdict != Incomplete {
			t.Errorf("%s: %s was expected to fail, but: %s\nsetting: %s", before.Subject(), property.Name, f.Line(), before.Setting)
		}
	})
	if second.replayKept() {
		t.FailNow()
	}
	both, _ := sub(t, second.text, func(t testing.TB) {
		t.Helper()
		second.t = t
		after = second.verify()
	})
	if !ran || !both {
		t.Skip("-run picks one of the two protocols, and their coverage is that of both")
	}
	if before != nil && after != nil && before.Complete() {
		second.t, second.text = t, setting
		for _, g := range before.Gaps { // of those that the second one does not have
			if g.Kind != "rule" && g.Kind != "message" || second.cameUp[g.Name] || slices.ContainsFunc(after.Gaps, func(h Gap) bool { return h.Name == g.Name }) {
				continue
			}
			second.gap(t, before, g.Name, g.String())
		}
	}
	return before, after
}
