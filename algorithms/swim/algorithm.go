package swim

import (
	"embed"
	"slices"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model/setting"
)

// Algorithm is SWIM with a leader on top for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "swim",
	Title:  "SWIM, with the oldest member or a Bully on top",
	Source: "A. Das, I. Gupta and A. Motivala, SWIM: Scalable Weakly-consistent Infection-style Process Group Membership Protocol, 2002",
	Doc: "Each member pings another one in each period, and has others ping it if it does not answer. One that does not answer is suspected, and declared faulty if " +
		"it does not say in time that it is alive, in a higher incarnation. The oldest member that is not faulty leads, or the members elect one by the Bully.",
	Assumptions: slices.Concat(
		ledger.Said("section 3.1", ledger.BoundedDelays),
		ledger.Tacit(ledger.NoPauses, ledger.NoNewcomers, ledger.NoReturns, ledger.Connected),
	),
	Variants: ledger.Usually(ledger.Variant{Assumes: assumes, Setting: in("crashes=1")}, []ledger.Variant{
		{
			Name: "suspicion",
			Doc: "Section 4.2 of the paper. News that a member is faulty overrides all other news, and that member drops out. An answer to a ping " +
				"ends a suspicion. On top of it the oldest member leads that is not faulty, as in all but bully.",
			New: of(suspecting),
		},
		{
			Name: "suspicion-short",
			Doc:  "As suspicion, but a member is suspected for one protocol period, in which not all may hear that it lives.",
			New:  of(impatient),
		},
		{
			Name: "suspicion-long",
			Doc:  "As suspicion, but a member is suspected for four protocol periods.",
			New:  of(patient),
		},
		{
			Name: "shuffled",
			Doc:  "As suspicion, but each member is pinged once in each round, in any order (section 4.3).",
			New:  of(shuffled),
		},
		{
			Name: "basic",
			Doc:  "Section 3 of the paper: a member that does not answer is declared faulty at once.",
			New:  of(basic),
		},
		{
			Name: "random",
			Doc:  "As basic, but the member that is pinged is drawn anew in each period (section 3.1).",
			New:  of(random),
		},
		{
			Name: "memberlist", Source: memberlist, Literal: []string{memberlist, metallb, serf, hazelcast},
			Doc:         "As suspicion, but a member that is declared faulty says that it is alive, and is alive again. Members that are faulty are not pinged.",
			Assumptions: weaker, New: of(revives),
		},
		{
			Name: "rejoins", Source: memberlist, Adds: "pings to members that are faulty, in place of Serf's joins",
			Doc:         "As memberlist, but members that are faulty are pinged also, when it is their turn.",
			Assumptions: weaker, Setting: settled("crashes=1 restarts=1"), New: of(&Swim{Rejoins: true, Most: 3}),
		},
		{
			Name: "gossips", Source: memberlist, Adds: "a suspicion at the beginning that is about to expire",
			Doc: "As memberlist, but news is sent four times, and not only with pings and answers: in each tick a member draws another one, a faulty one for two periods also, and " +
				"sends it its news. P1 is about to declare the last member faulty, which lives.",
			Assumptions: weaker, Setting: in(""), New: of(gossiping),
		},
		{
			Name: "gossips-alive", Source: memberlist, Adds: "a suspicion at the beginning that is about to expire, and no gossip to members that are faulty",
			Doc:         "As gossips, but members that are faulty are sent no gossip.",
			Assumptions: weaker, Setting: in(""), New: of(Gossips{Swim: gossiping.Swim, Alive: true}),
		},
		{
			Name: "bully", Source: memberlist, Adds: "a Bully on top, and pings to members that are faulty",
			Doc: "As rejoins, but the Bully elects the highest member. An election begins when the leader is declared faulty, when a member comes back, and when a " +
				"leader sees a higher member again.",
			Assumes: assumes + " For the Bully, reliable delivery.", Setting: settled("crashes=1"), New: of(bully),
		},
	}),
	Mutants:    mutants,
	Properties: []*checker.Property{completeness, inTime, accuracy, eventualAccuracy, unsuspected, ownNumber, sameList, sameAgain, onePerList},
	Asked:      []*checker.Property{checker.Uniqueness, completeness, accuracy, eventualAccuracy, checker.ReElection, checker.StableLeadership, checker.OneLeaderAgain},
	Written:    claimfile.In(files, claimfile.Names{"detected": detected, "refuted": claimfile.Blind(hasRefuted), "cleared": claimfile.Blind(cleared)}),
	Files:      files,
}

//go:embed *.go claims.*
var files embed.FS

// The sources beside the paper, as claims name them.
const (
	memberlist = "hashicorp/memberlist, state.go, config.go and README.md"
	serf       = "hashicorp/serf, issue 285"
	metallb    = "MetalLB documentation, MetalLB in layer 2 mode, and issue 589"
	hazelcast  = "Hazelcast manual, versions 1.9 and 2.0"
)

var (
	suspecting = &Swim{Final: true, Most: 3}
	impatient  = &Swim{Final: true, Periods: 1, Most: 3}
	patient    = &Swim{Final: true, Periods: 4, Most: 3}
	shuffled   = &Swim{Final: true, Shuffled: true, Most: 3}
	basic      = &Swim{Final: true, Basic: true, Most: 3}
	random     = &Swim{Final: true, Basic: true, AtRandom: true, Most: 3}
	revives    = &Swim{Most: 3}
	gossiping  = Gossips{Swim: &Swim{Sends: 4, Most: 3}}
	bully      = &Swim{Elects: true, Rejoins: true, Most: 3}
)

const assumes = "A complete graph, a bound on delays that all members know, and clocks at one rate."

// weaker has members come back.
var weaker = slices.Concat(ledger.Said("section 3.1", ledger.BoundedDelays), ledger.Tacit(ledger.NoPauses, ledger.NoNewcomers, ledger.Connected))

var of = ledger.SystemOf[P, M]

// in returns a setting of three members that start.
func in(words string) setting.Setting { return world("initiators=none " + words) }

// settled returns one of three members that follow a leader.
func settled(words string) setting.Setting { return world("start=settled " + words) }

var world = setting.Must("n=3 detector=off timing=lockstep").MustWith
