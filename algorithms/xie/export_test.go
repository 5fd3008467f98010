package xie

import "bullyproof/model"

// Readings are those of the variants, in their order.
var Readings = []model.Protocol[P, M]{newOneByOne(), &Protocol{}, repaired{newOneByOne()}}
