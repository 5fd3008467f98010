package mongodb

import (
	"bullyproof/checker"
	"bullyproof/model"
)

// The promises of the manual and the README: a write that a majority has acknowledged is
// kept, a member votes once in a term, and a primary that can be heard goes on.
var (
	majorityKept = checker.AlwaysStep("majority-kept",
		"No member rolls back an entry that a majority has acknowledged.",
		kept,
	).Given("an entry that a majority has acknowledged", someAcknowledged).Remembering(acknowledgements)

	keptInTime = checker.AlwaysStep("majority-kept-with-true-clocks",
		"While each entry has a later time than all before, no member rolls back an entry that a majority has acknowledged.",
		func(e *model.Event) bool { return acknowledgements.Of(e.From).Skewed || kept(e) },
	).Given("an entry that a majority has acknowledged", someAcknowledged).Remembering(acknowledgements)

	oneCompletes = checker.AlwaysStep("one-completes",
		"Of two primaries the one that was elected first completes no write with a majority.",
		func(e *model.Event) bool {
			return !e.Ran(acknowledged) || electedAfter(e.To, e.Process).Empty()
		},
	).GivenStep("two primaries", func(e *model.Event) bool { return e.From.Leaders.Len() > 1 })

	laterHasIt = checker.AlwaysStep("later-has-what-completes",
		"A primary completes no write with a majority that a primary elected later does not have.",
		func(e *model.Event) bool {
			if !e.Ran(acknowledged) {
				return true
			}
			oplog := model.State[P](e.To, e.Process).Oplog
			for other := range electedAfter(e.To, e.Process).All() {
				if theirs := model.State[P](e.To, other).Oplog; theirs.Index(last(&oplog)) < 0 {
					return false
				}
			}
			return true
		},
	).GivenStep("two primaries", func(e *model.Event) bool { return e.From.Leaders.Len() > 1 })

	freshWinner = checker.AlwaysStep("as-fresh-as-a-majority",
		"A member that is elected is as up to date as a majority.",
		func(e *model.Event) bool {
			if !e.Ran(wins) {
				return true
			}
			var s model.Set
			mine := model.State[P](e.From, e.Process).Oplog
			for id := model.ID(1); id <= e.From.N; id++ {
				if oplog := model.Stored[P](e.From, id).Oplog; !last(&mine).before(last(&oplog)) {
					s = s.With(id)
				}
			}
			return majority(e.From, s)
		},
	).GivenStep("a vote", func(e *model.Event) bool { return e.Ran(grants) || e.Ran(votesYea) })

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
		"While a majority is up and connected, there is always, sooner or later, a primary that reaches a majority.",
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

	writesAgain = checker.AlwaysEventually("writes-again",
		"While a majority is up and connected, there is always, sooner or later, a primary that accepts writes and reaches a majority.",
		func(v *model.View) bool {
			for id := range v.Leaders.All() {
				if accepts(v, id) && majority(v, reached(v, id)) {
					return true
				}
			}
			return !majority(v, v.Up) || severed(v)
		},
	).Explained(func(*model.View) string {
		return "from some time on no primary that reaches a majority accepts writes, and a majority is up and connected"
	})

	writerStays = checker.AlwaysStep("writer-stays",
		"No catch-up takeover begins a term when the primary accepts writes.",
		func(e *model.Event) bool {
			primary, ok := takesOverFrom(e)
			return !ok || !accepts(e.From, primary)
		},
	).Remembering(takeovers).GivenStep("a catch-up takeover", func(e *model.Event) bool { return e.Ran(takesOverCatchUp) })

	primarySaysYes = checker.AlwaysStep("primary-says-yes",
		"A catch-up takeover begins a term only after the primary has said yes.",
		func(e *model.Event) bool {
			primary, ok := takesOverFrom(e)
			return !ok || e.Port == model.Peer(primary) || model.State[P](e.From, e.Process).Votes.Has(primary)
		},
	).Remembering(takeovers).GivenStep("a catch-up takeover", func(e *model.Event) bool { return e.Ran(takesOverCatchUp) })

	lateFails = checker.AlwaysStep("late-takeover-fails",
		"A catch-up takeover that begins when the primary accepts writes fails in its dry run.",
		func(e *model.Event) bool {
			_, ok := takesOverFrom(e)
			return !ok || !takeovers.Of(e.From).Late.Has(e.Process)
		},
	).Remembering(takeovers).GivenStep("a catch-up takeover when the primary accepts writes", func(e *model.Event) bool {
		return e.Ran(takesOverCatchUp) && accepts(e.From, model.State[P](e.From, e.Process).Primary)
	})

	highestLeads = checker.AlwaysEventually("highest-priority-leads",
		"Again and again the live member with the highest priority is primary, while a majority is up and connected.",
		func(v *model.View) bool {
			return v.Leaders.Has(v.Up.Max()) || !majority(v, v.Up) || severed(v)
		},
	).Explained(func(*model.View) string {
		return "from some time on the live member with the highest priority is not primary"
	})

	primaryStays = checker.AlwaysStep("primary-stays",
		"No primary that reaches a majority steps down.",
		func(e *model.Event) bool {
			return e.Process == model.None || !(e.From.Leaders & e.To.Up &^ e.To.Leaders).Has(e.Process) || !majority(e.From, reached(e.From, e.Process))
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
func reached(v *model.View, id model.ID) model.Set { return v.Reached(id, v.Up&^v.Paused) }

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
		oplog := model.Kept[P](e.To, e.Process).Oplog
		at := last(&oplog)
		if at.By != model.None {
			k.Skewed = k.Skewed || at.Stamp <= k.Clock
			k.Clock = max(k.Clock, at.Stamp)
		}
	}
	if !e.Ran(acknowledged) {
		return
	}
	oplog := model.Kept[P](e.To, e.Process).Oplog
	for i, entry := range k.Entries {
		if entry == (OpTime{}) || entry == last(&oplog) {
			k.Entries[i] = last(&oplog)
			return
		}
	}
})

// taking is what takeovers remembers: the members whose last dry run is a catch-up takeover, and
// those of them that began it when the primary accepted writes.
type taking struct{ Over, Late model.Set }

var takeovers = model.NewMonitor("catch-up takeovers", taking{}, func(t *taking, e *model.Event) {
	if !e.Ran(dryRun) {
		return
	}
	t.Over, t.Late = t.Over.Without(e.Process), t.Late.Without(e.Process)
	if !e.Ran(takesOverCatchUp) {
		return
	}
	t.Over = t.Over.With(e.Process)
	if accepts(e.From, model.State[P](e.From, e.Process).Primary) {
		t.Late = t.Late.With(e.Process)
	}
})

// takesOverFrom returns the primary from which a step takes over, if it begins the term of a
// catch-up takeover.
func takesOverFrom(e *model.Event) (model.ID, bool) {
	if !e.Ran(realElection) || !takeovers.Of(e.From).Over.Has(e.Process) {
		return model.None, false
	}
	return model.State[P](e.From, e.Process).Primary, true
}

// accepts reports whether a member is a live primary that accepts writes.
func accepts(v *model.View, id model.ID) bool {
	return v.Leaders.Has(id) && !model.State[P](v, id).Catching
}

func someAcknowledged(v *model.View) bool { return acknowledgements.Of(v).Entries[0] != (OpTime{}) }

// kept reports whether a step rolls back no entry that a majority has acknowledged.
func kept(e *model.Event) bool {
	if e.Process == model.None || !e.Ran(rollsBack) {
		return true
	}
	before, after := model.State[P](e.From, e.Process).Oplog, model.State[P](e.To, e.Process).Oplog
	for _, entry := range acknowledgements.Of(e.From).Entries {
		if entry != (OpTime{}) && before.Index(entry) >= 0 && after.Index(entry) < 0 {
			return false
		}
	}
	return true
}

// electedAfter are the live primaries that were elected after one.
func electedAfter(v *model.View, id model.ID) (s model.Set) {
	mine := model.State[P](v, id)
	for other := range v.Leaders.Without(id).All() {
		if p := model.State[P](v, other); p.Term > mine.Term || p.ElectedAt > mine.ElectedAt {
			s = s.With(other)
		}
	}
	return s
}
