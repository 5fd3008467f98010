package effatparvarring

import "bullyproof/model"

// Readings are those of the variants.
var Readings = []model.Protocol[P, M]{
	&Protocol{}, literal{&Protocol{}}, byInformer{&Protocol{}}, senderOnly{byInformer{&Protocol{}}}, repaired{&Protocol{}},
}
