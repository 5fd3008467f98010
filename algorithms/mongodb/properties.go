package mongodb

import (
	"bullyproof/checker"
	"bullyproof/model"
)

// What the manual and the README promise: a write that a majority has acknowledged is kept, a
// member votes once in a term, and a primary that can be heard goes on.
var (
	majorityKept = checker.Always("majority-kept",
		"A majority has each entry that a majority has acknowledged.",
		kept,
	).Given("an entry that a majority has acknowledged", someAcknowledged).Remembering(acknowledgements).
		Explained(func(*model.View) string { return "an entry that a majority has acknowledged is lost" })

	keptInTime = checker.Always("majority-kept-with-true-clocks",
		"While each entry has a later time than all before, a majority has each entry that a majority has acknowledged.",
		func(v *model.View) bool { return acknowledgements.Of(v).Skewed || kept(v) },
	).Given("an entry that a majority has acknowledged", someAcknowledged).Remembering(acknowledgements)

	voteStored = checker.Always("vote-stored",
		"A live member has stored every vote that it has in flight, or one of a later term.",
		func(v *model.View) bool {
			for link, m := range model.Mail[M](v) {
				stored := model.Stored[P](v, link.From).LastVote
				if granted(m) && v.Up.Has(link.From) && stored.Term <= m.Term && stored != (Vote{m.Term, link.To}) {
					return false
				}
			}
			return true
		},
	).Given("a vote in flight", func(v *model.View) bool {
		for _, m := range model.Mail[M](v) {
			if granted(m) {
				return true
			}
		}
		return false
	})

	primaryAgain = checker.AlwaysEventually("primary-again",
		"While a majority is up and connected, again and again a primary reaches a majority.",
		func(v *model.View) bool {
			for id := range v.Leaders.All() {
				if majority(v, reached(v, id)) {
					return true
				}
			}
			return !majority(v, v.Up) || severed(v)
		},
	).Explained(func(*model.View) string {
		return "from some time on no primary reaches a majority, and one is up and connected"
	})

	highestLeads = checker.AlwaysEventually("highest-priority-leads",
		"Again and again the live member with the highest priority is primary, while a majority is up and connected.",
		func(v *model.View) bool {
			return v.Leaders.Has(v.Up.Max()) || !majority(v, v.Up) || severed(v)
		},
	).Explained(func(*model.View) string {
		return "from some time on the live member with the highest priority is not primary"
	})

	undisturbed = checker.AlwaysStep("primary-undisturbed",
		"No member leaves a primary with which it exchanges messages and that reaches a majority.",
		func(e *model.Event) bool {
			if e.Process == model.None || e.Kind == model.Crashes {
				return true
			}
			primary := e.From.Elected(e.Process)
			if primary == model.None || primary == e.To.Elected(e.Process) || !e.From.Leaders.Has(primary) {
				return true
			}
			reaches := reached(e.From, primary)
			return !reaches.Has(e.Process) || !majority(e.From, reaches)
		},
	).GivenStep("a primary", func(e *model.Event) bool { return !e.From.Leaders.Empty() })

	winsTerms = checker.AlwaysStep("no-term-alone",
		"No member begins a term that reaches no majority at that time.",
		func(e *model.Event) bool {
			return !e.Ran(realElection) || majority(e.From, reached(e.From, e.Process))
		},
	).GivenStep("an election timeout", func(e *model.Event) bool { return e.Kind == model.Expires && e.Timer == election })

	stepsDown = checker.AlwaysEventually("steps-down",
		"Again and again each primary reaches a majority.",
		func(v *model.View) bool {
			for id := range v.Leaders.All() {
				if !majority(v, reached(v, id)) {
					return false
				}
			}
			return true
		},
	).Explained(func(*model.View) string { return "from some time on some primary reaches no majority" })

	laterStays = checker.AlwaysStep("later-elected-stays",
		"Of two primaries, the one that was elected later does not step down when it sees the other.",
		func(e *model.Event) bool {
			if e.Process == model.None || !(e.From.Leaders &^ e.To.Leaders).Has(e.Process) || !(e.Ran(electedEarlier) || e.Ran(askedToStepDown)) {
				return true
			}
			mine := model.State[P](e.From, e.Process).ElectedAt
			for other := range e.From.Leaders.Without(e.Process).All() {
				if model.State[P](e.From, other).ElectedAt < mine {
					return false
				}
			}
			return true
		},
	).GivenStep("two primaries", func(e *model.Event) bool { return e.From.Leaders.Len() > 1 })

	oldEntriesKept = checker.AlwaysStep("nothing-rolled-back",
		"No member rolls back an entry.",
		func(e *model.Event) bool { return !e.Ran(rollsBack) },
	).GivenStep("a primary", func(e *model.Event) bool { return !e.From.Leaders.Empty() })
)

// granted reports whether a message is a vote of a real election.
func granted(m M) bool { return m.Type == VoteResponse && m.Granted && !m.Dry }

// reached are the members that are up and exchange messages with one, with itself.
func reached(v *model.View, id model.ID) (s model.Set) {
	for other := range (v.Up &^ v.Paused).All() {
		if !v.Severed(id, other) && !v.Severed(other, id) {
			s = s.With(other)
		}
	}
	return s
}

func majority(v *model.View, s model.Set) bool { return s.Len() > int(v.N)/2 }

// severed reports whether there is a cut, or a link that is down.
func severed(v *model.View) bool {
	for one := range v.Up.All() {
		for other := range v.Up.All() {
			if v.Severed(one, other) {
				return true
			}
		}
	}
	return false
}

// known is what acknowledgements remembers: entries that a majority has acknowledged, the
// highest clock of an entry, and whether one had a clock that was not higher than all before.
type known struct {
	Entries [4]OpTime
	Clock   uint8
	Skewed  bool
}

var acknowledgements = model.NewMonitor("acknowledged", known{}, func(k *known, e *model.Event) {
	if e.Ran(appends) {
		oplog := model.State[P](e.To, e.Process).Oplog
		at := last(&oplog)
		if at.By != model.None {
			k.Skewed = k.Skewed || at.Stamp <= k.Clock
			k.Clock = max(k.Clock, at.Stamp)
		}
	}
	if !e.Ran(acknowledged) {
		return
	}
	oplog := model.State[P](e.To, e.Process).Oplog
	for i, entry := range k.Entries {
		if entry == (OpTime{}) || entry == last(&oplog) {
			k.Entries[i] = last(&oplog)
			return
		}
	}
})

func someAcknowledged(v *model.View) bool { return acknowledgements.Of(v).Entries[0] != (OpTime{}) }

// kept reports whether a majority has each entry that a majority has acknowledged.
func kept(v *model.View) bool {
	for _, entry := range acknowledgements.Of(v).Entries {
		if entry == (OpTime{}) {
			continue
		}
		var s model.Set
		for id := model.ID(1); id <= v.N; id++ {
			if oplog := model.Stored[P](v, id).Oplog; has(&oplog, entry) {
				s = s.With(id)
			}
		}
		if !majority(v, s) {
			return false
		}
	}
	return true
}
