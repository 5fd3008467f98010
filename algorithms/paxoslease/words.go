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
		Rules: rules,
	}
}
