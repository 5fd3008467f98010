package lelann

import "bullyproof/ledger"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "lelann-overtaken-token", Variant: "tel", Property: "uniqueness",
		Setting: "n=2 topology=ring timing=patient",
		Title:   "two leaders, since a token is overtaken",
		Text: "2 has sent its own token and passes on that of 1, behind it. The channel does not keep that order: the token of 1 is home " +
			"first, and 1, on whose list is nobody but itself, becomes leader. Then 2 has its token back and becomes leader, too. Nothing " +
			"failed. The textbook asks for FIFO channels, and this is why.",
	},
	{
		Name: "lelann-too-late", Variant: "starts-late", Property: "uniqueness",
		Setting: anySome(2),
		Title:   "two leaders, since one begins too late",
		Text: "2 passes on the token of 1, and begins an election of its own only then. 1 has its token back before that of 2 comes by: its " +
			"list lacks 2. So both become leader. Who has passed a token on must not begin any more.",
	},
	{
		Name: "lelann-never-told", Variant: "tel", Property: "agreement",
		Setting: "n=2 topology=ring initiators=one channels=fifo timing=patient",
		Title:   "one leader, and nobody is told",
		Text: "1 begins, its token comes home, and it is the leader. 2 has passed the token on: it has seen all that there is to see, and " +
			"knows of no leader. It learns of none, for the election is over.",
	},
}
