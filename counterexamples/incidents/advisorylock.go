package incidents

import "bullyproof/ledger"

// ofAdvisoryLock are incidents of programs that elect by a lock of a database session.
var ofAdvisoryLock = []Incident{
	{
		Name: "wolverine-2602", System: "Wolverine", Report: "github.com/JasperFx/wolverine/issues/2602",
		Broke: "two nodes led, and both started the same agents",
		Text: "The leader has an advisory lock of its database session, and a flag that says so. The session ends on the server's side, by a failover, say. The lock is free, " +
			"and another node takes it. The flag of the first one stays.",
		Fix:       "a node that asks whether it leads sends a statement on the connection that has the lock (#2607)",
		Origin:    ledger.MergedFix,
		Algorithm: "advisorylock", Faulty: "trusts", Property: "one-in-the-end", Fixed: "pings",
		Setting: "n=3 initiators=none channels=fifo mail-down=lost mail-old=lost timing=lockstep crashes=1 crashers=3 restarts=1",
	},
	{
		Name: "greptimedb-7670", System: "GreptimeDB", Report: "github.com/GreptimeTeam/greptimedb/issues/7670",
		Broke: "nobody led any more",
		Text: "A node asks for the lock, and the database is slow. The node gives the statement up, and its connection goes back to the pool. The database then grants the lock to " +
			"that session, which is open and which nobody asks. All others are refused.",
		Fix:       "the connection of a statement that was given up is closed, which ends the session",
		Origin:    ledger.ProposedFix,
		Algorithm: "advisorylock", Faulty: "pools", Property: "leads-again", Fixed: "pings",
		Setting: "n=3 initiators=none channels=fifo mail-down=lost mail-old=lost capacity=2 timing=lockstep pauses=1 pausers=3",
	},
}
