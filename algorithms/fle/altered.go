package fle

import (
	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// atOnce is the election with a fault: whoever has been elected leads, without recovery.
type atOnce struct{ *FLE }

func (a atOnce) Belief(p *P) model.Belief {
	if p.Role == Leading {
		return model.Belief{Elected: p.Vote.Leader, Epoch: uint64(p.Round)}
	}
	return a.FLE.Belief(p)
}

// mutants are the faults of Faults, and those of our own. Package incidents tells of the
// second to the fourth.
var mutants = []ledger.Mutant{
	{
		Name: "by-id", Of: "zookeeper", Caught: highest.Name, Setting: setting.Must(connections + "n=3 initiators=none timing=lockstep crashes=1 mid-send=yes"),
		Doc: "The highest id wins whatever its log, and a leader takes followers whose logs are longer.",
		New: of(&FLE{Rounds: 6, Faulty: Faults{ByID: true, Ahead: true}}),
	},
	{
		Name: "exact", Of: "zookeeper", Caught: checker.E2.Name, Setting: joining, New: of(&FLE{Rounds: 4, Faulty: Faults{Exact: true}}),
		Doc: "A server joins only if a majority has votes that are equal in all, and not in the leader and the epoch alone.",
	},
	{
		Name: "stale", Of: "zookeeper", Caught: checker.E2.Name, Setting: joining, New: of(&FLE{Rounds: 4, Faulty: Faults{Stale: true}}),
		Doc: "The vote of a server keeps the epoch in which it was elected.",
	},
	{
		Name: "waits", Of: "hasty", Caught: availability.Name, Setting: impatient,
		Doc: "A leader goes on waiting where one who voted for it looks for a leader again.",
		New: of(&FLE{Rounds: 5, Hasty: true, Unlimited: true, Faulty: Faults{Waits: true}}),
	},
	{
		Name: "at-once", Of: "hasty", Caught: checker.OneLeaderPerEpoch.Name, Setting: impatient, New: of(atOnce{hasty}),
		Doc: "Whoever has been elected leads, and does not wait for a majority to accept a new epoch. The round stands for the epoch.",
	},
}
