package paxoslease

import "bullyproof/model"

var kinds = []string{"PrepareRequest", "PrepareResponse", "ProposeRequest", "ProposeResponse", "Release"}

// Names gives the words of the paper.
func (l *Lease) Names() model.Names {
	return model.Names{
		Kinds: kinds,
		Timers: []model.TimerName{
			{Name: "again", Periodic: true}, {Name: "give up"}, {Name: "lease", Periodic: true}, {Name: "extended lease", Periodic: true},
			{Name: "work", Periodic: true}, {Name: "expiry", Periodic: true}, {Name: "rejoin"},
		},
		Rules: []string{
			"step 1: prepare requests",
			"step 2: promise, with the accepted proposal",
			"step 2: the ballot number is lower than one promised: discard",
			"step 3: a majority is open: propose requests",
			"step 4: accept the proposal",
			"step 4: the ballot number is lower than one promised: discard",
			"step 5: a majority has accepted: I have the lease",
			"the proposer's timer expires: I do not have the lease",
			"the acceptor's timer expires: empty",
			"no majority: sleep for a while",
			"restart: wait before rejoining",
			"extend the lease",
			"release the lease",
			"a release of the accepted proposal: empty",
		},
	}
}
