package incidents

import (
	"bullyproof/ledger"
	"bullyproof/trace"
)

// ofVault are incidents of HashiCorp Vault with DynamoDB, whose active node has an item of a table.
var ofVault = []Incident{
	{
		Name: "vault-2141", System: "Vault", Report: "github.com/hashicorp/vault/pull/2141",
		Products: []string{"Vault"}, Damage: ledger.NoLeader,
		Broke: "no node became active after a crash",
		Text: "The item that names the active node has no time to live. The active node crashes, and does not delete its item. Nobody else can write one " +
			"until somebody deletes it by hand. (The pull request adds the time to live, and says that it \"relies on the system time of the Vault nodes\": " +
			"with a clock that is nine seconds ahead two nodes are active, as the claim clock-skew shows.)",
		Fix:       "an item expires after fifteen seconds (#2141)",
		Origin:    ledger.MergedFix,
		Algorithm: "vault", Faulty: "endless", Property: "one-leader-again", Fixed: "shipped",
		Setting: "n=3 crashes=1 crashers=1,2 " + connections,
	},
	{
		Name: "vault-5828", System: "Vault", Report: "github.com/hashicorp/vault/issues/5828",
		Products: []string{"Vault"}, Damage: ledger.NoLeader, Year: 2018,
		Broke: "after a request to step down no node became active",
		Text: "The active node is asked to step down, and deletes its item. Its renewals go on until watch finds another identity in the item. The next one " +
			"comes before that and writes the item again, with the old identity. So watch finds what it expects, and a standby renews a lock " +
			"that it does not know. Its own attempts have a new identity, and fail as those of the other node do.",
		Fix:       "a renewal does not write an item where there is none (#6512)",
		Origin:    ledger.MergedFix,
		Algorithm: "vault", Faulty: "recreates", Property: "one-leader-again", Fixed: "shipped",
		Setting: "n=3 " + connections,
	},
	{
		Name: "vault-6636", System: "Vault", Report: "github.com/hashicorp/vault/issues/6636",
		Products: []string{"Vault"}, Damage: ledger.LeaderChanges, Year: 2019,
		Broke: "the active node changed without end",
		Text: "Two renewals of the active node fail, its item expires, and another node writes it. When the first one learns that, it stops, and deletes the " +
			"item, which is the other one's. Then somebody writes the next item, the second one learns that its own is gone, and deletes that. So each that " +
			"stops has the next one stop. (The report has three nodes; two are enough.)",
		Fix:       "a node deletes the item only if it has the node's identity (#6637)",
		Origin:    ledger.MergedFix,
		Algorithm: "vault", Faulty: "deletes-any", Property: "keeps-one", Fixed: "unasked",
		Setting: "n=3 losses=2 " + connections,
		Chapters: []trace.Chapter{
			{First: 0, Title: "P1 becomes active", Text: "P1 writes its item into the table of P3. P2 tries and is refused."},
			{First: 25, Title: "Two renewals are lost", Text: "The network loses two renewals of P1, and its item expires."},
			{First: 75, Title: "P2 becomes active", Text: "P2 writes its item. Two nodes are active."},
			{First: 79, Title: "P1 deletes the item of P2", Text: "P1 learns that its own item is gone. It stops and deletes the item that is there. Then it writes the next one."},
			{First: 92, Title: "P2 deletes the item of P1", Text: "P2 learns the same, stops, and deletes the item of P1."},
			{First: 96, Title: "Without end", Text: "Each that stops deletes the item of the other, and the active node changes again and again."},
		},
	},
}
