package advisorylock

import (
	"bullyproof/checker"
	"bullyproof/ledger"
)

// incidents are what programs got wrong (altered.go).
var incidents = []ledger.Mutant{
	{
		Name: "transaction", Of: "pings", Caught: checker.Uniqueness.Name, Setting: in(""), New: of(transaction{pings}),
		Doc: "The lock is one of a transaction (pg_try_advisory_xact_lock), which is over with its statement (open-ace #2862).",
	},
	{
		Name: "refuses-itself", Of: "pings", Caught: leadsAgain.Name, Setting: in("n=2"), New: of(rebids{pings}),
		Doc: "A client asks for the lock again on another connection, and takes the refusal for the answer that it does not lead (skypilot #10360).",
	},
	{
		Name: "renews-anew", Of: "pings", Caught: leadsOn.Name, Setting: in("n=2"), New: of(stepsDown{rebids{pings}}),
		Doc: "A client asks for the lock again on another connection, and steps down when it is refused (wolverine #4275).",
	},
	{
		Name: "recycles", Of: "pings", Caught: leadsOn.Name, Setting: in("n=2"), New: of(recycles{pings}),
		Doc: "A pool replaces a connection that has been open for a time, and with it that which has the lock (leoflow #1199).",
	},
	{
		Name: "quits", Of: "pings", Caught: leadsAgain.Name, Setting: in("n=2 crashes=1 crashers=2 restarts=1"), New: of(quits{pings}),
		Doc: "A client that did not reach the database tries no more (prom-analytics-proxy #586).",
	},
	{
		Name: "keeps", Of: "unlocks", Caught: leadsAgain.Name, Setting: in("requests=1"), New: of(keeps{unlocks}),
		Doc: "A client that stops puts its connection back into its pool without unlocking (prom-analytics-proxy #585).",
	},
	{
		Name: "stacks", Of: "unlocks", Caught: leadsAgain.Name, Setting: in("requests=1"), New: of(stacks{unlocks}),
		Doc: "A client that has the lock takes it again at each poll, and unlocks once (wolverine #2691).",
	},
}
