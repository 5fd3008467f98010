package gossip

import (
	"bullyproof/checker"
	"bullyproof/checker/class"
	"bullyproof/explore/liveness"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// The properties of the example, beside the standard ones. Two coordinators at one
// instant are no fault: news takes some rounds.
var (
	eachInTime = checker.EachAlwaysEventually("each-in-time",
		"Every member names the highest that is up again and again, as long as it is up itself.",
		func(v *model.View, id model.ID) bool { return !v.Up.Has(id) || v.Elected(id) == v.Wanted })

	// inTimeByChance is the same of members that choose at random: a choice that is
	// made again and again has each outcome again and again.
	inTimeByChance = eachInTime.Under(fairChoice)
	fairChoice     = checker.WeakFairness.But(liveness.Strong, class.Outcomes("partner"))

	canAgree = checker.CanAlwaysReach("can-agree",
		"From every state there is a way to one in which all name the highest live member.",
		func(v *model.View) bool {
			for id := range v.Up.All() {
				if v.Elected(id) != v.Wanted {
					return false
				}
			}
			return true
		})
)

// Algorithm is the example for a catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "gossip",
	Title:  "Election by gossip",
	Source: "R. van Renesse, Y. Minsky and M. Hayden, A Gossip-Style Failure Detection Service, Middleware 1998",
	Doc: "In every round each member tells one other member which ones it knows to be up. A member that has not been heard of for " +
		"some rounds is taken for crashed, and the highest of the others is the coordinator.",
	Assumptions: ledger.Tacit(ledger.Reliable, ledger.NoCopies, ledger.Connected, ledger.EqualDelays, ledger.NoPauses, ledger.NoNewcomers),
	Variants: []ledger.Variant{
		{
			Name:    "round-robin",
			Doc:     "A member gossips to one after the other, and trusts for as many rounds as there are members.",
			Assumes: "A complete graph, messages that take one tick, clocks that run alike; crashes and restarts.",
			Setting: fiveMembers, New: ledger.SystemOf[P, M](roundRobin),
		},
		{
			Name:    "random",
			Doc:     "A member chooses a recipient in each round.",
			Assumes: "As round-robin.",
			Setting: setting.Must(world + "n=3 crashes=1"), New: ledger.SystemOf[P, M](random),
		},
	},
	Mutants: []ledger.Mutant{{
		Name: "impatient", Of: "round-robin", Caught: checker.StableLeadership.Name, Setting: fiveMembers,
		Doc: "A member trusts for one round too few.",
		New: ledger.SystemOf[P, M](&Gossip{Trust: 4}),
	}},
	Properties: []*checker.Property{eachInTime, canAgree},
	Asked:      []*checker.Property{checker.StableLeadership, checker.ReElection, eachInTime, canAgree},
}

var (
	roundRobin  = &Gossip{Trust: 5}
	random      = &Gossip{Trust: 3, Random: true}
	fiveMembers = setting.Must(world + "n=5 crashes=1 restarts=1")
)

// world is what all settings have: nobody is asked to begin, gossip is the failure
// detector, and every message takes a tick.
const world = "initiators=none detector=off timing=lockstep "
