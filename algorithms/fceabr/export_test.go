package fceabr

import "bullyproof/model"

// Readings are those of the variants, in their order.
var Readings = []model.Protocol[P, M]{
	read(one()), &Protocol{}, read(oneAnnouncement{&Protocol{}}), read(informerCounts{one()}), read(ownSurrogate{one()}),
	read(makerLeftOut{one()}), read(coordinatorCounts{one()}), read(remembers{one()}), read(watchesSurrogate{one()}),
	read(repaired{informerCounts{one()}}),
}
