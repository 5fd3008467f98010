package kabashi

import "bullyproof/model"

// Readings are those of the variants.
var Readings = []model.Protocol[P, M]{
	waits, prose, noMinima, goesOn{prose}, knowing, keeping, procedure, letter{procedure}, repaired, asksFirst,
}
