package murshedallen

import "bullyproof/model"

// Readings are those of the variants.
var Readings = []model.Protocol[P, M]{
	waits, rules, goesOn{rules}, knowing, answersLeader, rearranging, tieBreaker, keepsHigher{rules}, repaired,
}
