package ledger

import (
	"slices"

	"bullyproof/model"
	"bullyproof/model/setting"
)

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

// SystemOf returns the function that makes the system of p in a setting, as
// Variant.New and Mutant.New are.
func SystemOf[P any, M model.Message](p model.Protocol[P, M]) func(setting.Setting) (*model.System, error) {
	return func(s setting.Setting) (*model.System, error) { return model.New(p, s) }
}
