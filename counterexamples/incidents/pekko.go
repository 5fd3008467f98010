package incidents

import "bullyproof/ledger"

// ofPekko are incidents of cluster singletons of Akka, of which Pekko is a fork.
var ofPekko = []Incident{
	{
		Name: "akka-16535", System: "Akka", Report: "github.com/akka/akka-core/issues/16535",
		Products: []string{"Akka"}, Damage: ledger.TwoLeaders, Year: 2014,
		Broke: "a switch failed, and each part of the cluster had its singleton",
		Text: "Members that are unreachable are removed after a while. So each part of a divided cluster removes the other part, and the oldest " +
			"member of each runs the singleton.",
		Fix:       "a split brain resolver, by which one part stays (in Akka from 2.6.6 on)",
		Origin:    ledger.MergedFix,
		Algorithm: "pekko", Faulty: "auto-down", Property: "uniqueness", Fixed: "keep-majority",
		Setting: "n=3 initiators=none detector=off timing=lockstep cuts=1",
	},
	{
		Name: "akkanet-3690", System: "Akka.NET", Report: "github.com/akkadotnet/akka.net/pull/3690",
		Products: []string{"Akka"}, Damage: ledger.NoLeader, Year: 2018,
		Broke: "the last member shut down when the other one crashed",
		Text: "The oldest member shuts down if it is alone, so that the others go on (down-if-alone). Of two members the other one crashes. Then the " +
			"oldest is alone, and nobody goes on.",
		Fix:       "the oldest member shuts down only if there are two others or more (so in 19322ee, whose resolver is another one; #3690 itself is open)",
		Origin:    ledger.MergedFix,
		Algorithm: "pekko", Faulty: "alone-of-two", Property: "singleton-again", Fixed: "keep-oldest",
		Setting: "n=2 initiators=none detector=off timing=lockstep crashes=1 crashers=2",
	},
}
