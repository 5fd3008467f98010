package effatparvar

import "bullyproof/model"

// Readings are those of the variants.
var Readings = []model.Protocol[P, M]{toAll, toOne{toAll}, unverified{toAll}, repair, repairedObjects}
