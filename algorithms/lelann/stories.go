package lelann

import "bullyproof/ledger"

// stories are the recorded counterexamples.
var stories = []ledger.Story{
	{
		Name: "lelann-overtaken-token", Variant: "tel", Property: "uniqueness",
		Setting: "n=2 topology=ring timing=patient",
		Title:   "two leaders because a token is overtaken",
		Text: "2 has sent its own token and passes on the token of 1 behind it. The channel is not FIFO, and the token of 1 comes home " +
			"first. 1 has only itself on its list and becomes leader. Then 2 has its token back and becomes leader too. Nothing " +
			"failed. The textbook asks for FIFO channels, and this is why.",
	},
	{
		Name: "lelann-too-late", Variant: "starts-late", Property: "uniqueness",
		Setting: "n=2 topology=ring initiators=any:lazy channels=fifo timing=patient",
		Title:   "two leaders because one process begins too late",
		Text: "2 passes on the token of 1, and only then begins an election of its own. 1 has its token back before the token of 2 " +
			"comes by, so its list lacks 2. Both become leader. A process that has passed a token on must not begin any more.",
	},
	{
		Name: "lelann-never-told", Variant: "tel", Property: "agreement",
		Setting: "n=2 topology=ring initiators=one channels=fifo timing=patient",
		Title:   "one leader, and no other process is told",
		Text: "1 begins, its token comes home, and 1 is the leader. 2 has passed the token on and knows of no leader. The election is " +
			"over, so 2 never learns of one.",
	},
}
