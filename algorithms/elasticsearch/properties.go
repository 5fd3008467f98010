package elasticsearch

import (
	"bullyproof/checker"
	"bullyproof/model"
)

// The properties. Two masters at one instant are no fault: it takes a master some time to learn that it
// is one no more.
var (
	noSplitBrain = checker.EventuallyAlways("no-split-brain",
		"From some time on there is at most one master.",
		func(v *model.View) bool { return v.Leaders.Len() <= 1 })

	hasMaster = checker.EventuallyAlways("has-master",
		"From some time on there is a master.",
		func(v *model.View) bool { return !v.Leaders.Empty() })

	committedKept = checker.AlwaysStep("committed-kept",
		"A node that is elected in a later term has accepted the state that was committed last, or a newer one.",
		func(e *model.Event) bool {
			last := commits.Of(e.From)
			return !e.Ran(wonElection) || model.Kept[P](e.To, e.Process).Term < last.Term || !last.newer(model.State[P](e.From, e.Process).State)
		},
	).GivenStep("an election after a state was committed", func(e *model.Event) bool {
		return e.Ran(wonElection) && commits.Of(e.From).Version > 0
	}).Remembering(commits)

	inOrder = checker.AlwaysStep("committed-in-order",
		"Of two committed states the one of the later term has the higher version, and a term has one state of a version.",
		func(e *model.Event) bool {
			if !e.Ran(committed) {
				return true
			}
			last, now := commits.Of(e.From), model.Kept[P](e.To, e.Process).State
			return now.newer(last) == (now.Version > last.Version) && (now == State{} || !now.is(last))
		},
	).GivenStep("a commit after another one", func(e *model.Event) bool {
		return e.Ran(committed) && commits.Of(e.From).Version > 0
	}).Remembering(commits)

	joinsOnce = checker.AlwaysStep("joins-once",
		"A node joins one node at most in a term, itself or another one.",
		func(e *model.Event) bool {
			p, last := after(e), joins.Of(e.From)
			return p == nil || p.Term != last.Term.At(e.Process) || p.Joined == last.Whom.At(e.Process)
		},
	).GivenStep("a join", func(e *model.Event) bool { return after(e) != nil }).Remembering(joins)

	oneChange = checker.AlwaysStep("one-change",
		"While the configuration that a node has accepted is not committed, it is elected with that configuration, and publishes no other one.",
		func(e *model.Event) bool {
			if !e.Ran(wonElection) {
				return true
			}
			was := model.State[P](e.From, e.Process).State
			return was.Accepted == was.Committed || model.Kept[P](e.To, e.Process).State.Accepted == was.Accepted
		},
	).GivenStep("an election with a configuration that is not committed", func(e *model.Event) bool {
		if !e.Ran(wonElection) {
			return false
		}
		was := model.State[P](e.From, e.Process).State
		return was.Accepted != was.Committed
	})

	joinsQuorum = checker.Always("joins-quorum",
		"A master that changes the configuration has the joins of a quorum of the new one.",
		func(v *model.View) bool {
			for id := range v.Leaders.All() {
				if p := model.State[P](v, id); p.State.Accepted != p.State.Committed && p.State.Term == p.Term && !isQuorum(p.State.Accepted, p.Joins) {
					return false
				}
			}
			return true
		},
	).Given("a master that changes the configuration", func(v *model.View) bool {
		for id := range v.Leaders.All() {
			if s := model.State[P](v, id).State; s.Accepted != s.Committed {
				return true
			}
		}
		return false
	})

	oneCluster = checker.Always("one-cluster",
		"No two live nodes are of different clusters.",
		func(v *model.View) bool {
			first := model.None
			for id := range v.Up.All() {
				switch s := model.State[P](v, id).State; {
				case !s.Formed:
				case first == model.None:
					first = s.Cluster
				case first != s.Cluster:
					return false
				}
			}
			return true
		},
	).Given("a live node of a cluster", func(v *model.View) bool {
		for id := range v.Up.All() {
			if model.State[P](v, id).State.Formed {
				return true
			}
		}
		return false
	})

	oddSize = checker.Always("odd-size",
		"The voting configuration of a master has an odd number of nodes.",
		func(v *model.View) bool {
			for id := range v.Leaders.All() {
				if model.State[P](v, id).State.Accepted.Len()%2 == 0 {
					return false
				}
			}
			return true
		},
	).Given("a master", func(v *model.View) bool { return !v.Leaders.Empty() })

	votersUp = checker.EventuallyAlways("voters-up",
		"From some time on each node of a master's committed voting configuration is up.",
		func(v *model.View) bool {
			for id := range v.Leaders.All() {
				if voters := model.State[P](v, id).State.Committed; voters&v.Up != voters {
					return false
				}
			}
			return true
		},
	).Given("a master", func(v *model.View) bool { return !v.Leaders.Empty() })

	threeVote = checker.EventuallyAlways("three-vote",
		"From some time on a master's committed voting configuration has three nodes at least.",
		func(v *model.View) bool {
			for id := range v.Leaders.All() {
				if model.State[P](v, id).State.Committed.Len() < 3 {
					return false
				}
			}
			return true
		},
	).Given("a master", func(v *model.View) bool { return !v.Leaders.Empty() })
)

// commits remembers the number of the newest state that was committed.
var commits = model.NewMonitor("commits", State{}, func(last *State, e *model.Event) {
	if !e.Ran(committed) {
		return
	}
	if now := model.Kept[P](e.To, e.Process).State; now.newer(*last) {
		*last = now.number()
	}
})

// joined is whom each node joined, and in which term.
type joined struct {
	Term model.ByID[uint8]
	Whom model.ByID[model.ID]
}

var joins = model.NewMonitor("joins", joined{}, func(j *joined, e *model.Event) {
	if p := after(e); p != nil {
		j.Term.Set(e.Process, p.Term)
		j.Whom.Set(e.Process, p.Joined)
	}
})

// after is the state after a step of a node that has joined one in its term, nil if there is none.
func after(e *model.Event) *P {
	if e.Process == model.None || !e.To.Up.Has(e.Process) {
		return nil
	}
	if p := model.State[P](e.To, e.Process); p.Joined != model.None {
		return p
	}
	return nil
}
