package ledger

import (
	"slices"

	"bullyproof/model"
	"bullyproof/setting"
)

// EvidenceList is several pieces of evidence of one kind: what is said of it is
// said of each.
type EvidenceList []Evidence

// KeepsIn is evidence that each of some properties holds in each of some
// settings.
func KeepsIn(settings []string, properties ...string) EvidenceList {
	list := make(EvidenceList, 0, len(settings)*len(properties))
	for _, p := range properties {
		for _, s := range settings {
			list = append(list, Keeps(p, s))
		}
	}
	return list
}

// Of returns the evidence about another variant.
func (l EvidenceList) Of(variant string) EvidenceList {
	return l.each(func(e Evidence) Evidence { return e.Of(variant) })
}

// InDeep returns the evidence as such that is left to the deep scopes.
func (l EvidenceList) InDeep() EvidenceList { return l.each(Evidence.InDeep) }

// Beside returns the evidence as such that decides nothing, and says why.
func (l EvidenceList) Beside(why string) EvidenceList {
	return l.each(func(e Evidence) Evidence { return e.Beside(why) })
}

func (l EvidenceList) each(change func(Evidence) Evidence) EvidenceList {
	out := make(EvidenceList, len(l))
	for i, e := range l {
		out[i] = change(e)
	}
	return out
}

// ReadAs returns claims of which all evidence that names no variant is about one.
func ReadAs(variant string, claims []Claim) []Claim {
	out := slices.Clone(claims)
	for i := range out {
		out[i].Evidence = slices.Clone(out[i].Evidence)
		for k := range out[i].Evidence {
			if e := &out[i].Evidence[k]; e.Variant == "" {
				e.Variant = variant
			}
		}
	}
	return out
}

// JudgedIn returns claims with the evidence about a variant in front, where they
// have any: they are judged in it.
func JudgedIn(variant string, claims []Claim) []Claim {
	out := slices.Clone(claims)
	for i := range out {
		out[i].Evidence = slices.Clone(out[i].Evidence)
		slices.SortStableFunc(out[i].Evidence, func(a, b Evidence) int {
			return rank(a.Variant == variant) - rank(b.Variant == variant)
		})
	}
	return out
}

// rank is 0 for what comes first, and 1 for the rest.
func rank(first bool) int {
	if first {
		return 0
	}
	return 1
}

// BothDelays returns settings under the two bounds on delays with which a claim
// about a synchronous system is judged: one tick, and two.
func BothDelays(settings ...string) []string {
	list := make([]string, 0, 2*len(settings))
	for _, s := range settings {
		list = append(list, s+" timing=sync:1", s+" timing=sync:2")
	}
	return list
}

// SystemOf returns the function that makes the system of p in a setting, as
// Variant.New and Mutant.New are.
func SystemOf[P any, M model.Message](p model.Protocol[P, M]) func(setting.Setting) (*model.System, error) {
	return func(s setting.Setting) (*model.System, error) { return model.New(p, s) }
}
