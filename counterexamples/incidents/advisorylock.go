package incidents

import "bullyproof/ledger"

// ofAdvisoryLock are incidents of programs that elect by a lock of a database session.
var ofAdvisoryLock = []Incident{
	{
		Name: "wolverine-2602", System: "Wolverine", Report: "github.com/JasperFx/wolverine/issues/2602",
		Products: []string{"Wolverine", "PostgreSQL"}, Damage: ledger.TwoLeaders, Year: 2026,
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
		Products: []string{"GreptimeDB"}, Damage: ledger.NoLeader, Year: 2026,
		Broke: "nobody led any more",
		Text: "A node asks for the lock, and the database is slow. The node gives the statement up, and its connection goes back to the pool. The database then grants the lock to " +
			"that session, which is open and which nobody asks. All others are refused.",
		Fix:       "the connection of a statement that was given up is closed, which ends the session",
		Origin:    ledger.ProposedFix,
		Algorithm: "advisorylock", Faulty: "pools", Property: "leads-again", Fixed: "pings",
		Setting: "n=3 initiators=none channels=fifo mail-down=lost mail-old=lost capacity=2 timing=lockstep pauses=1 pausers=3",
	},
	{
		Name: "heym-436", System: "Heym", Report: "github.com/heymrun/heym/pull/436",
		Products: []string{"Heym"}, Damage: ledger.NoLeader, Year: 2026,
		Broke: "a node that was up could not lead again",
		Text: "An exception ends a statement, and the connection goes back to the pool with the lock. The next statement goes on another connection of the pool. The database " +
			"refuses it, since the first session has the lock. So the node locks itself out. (Here a statement is not answered in time.)",
		Fix:       "pg_advisory_unlock before the connection goes back to the pool (#436). If the connection was cut, the statement is lost also, and the lock stays: see unlocks-release",
		Origin:    ledger.MergedFix,
		Algorithm: "advisorylock", Faulty: "pools", Property: "leads-again", Fixed: "unlocks",
		Setting: "n=2 initiators=none channels=fifo mail-down=lost mail-old=lost capacity=2 timing=lockstep pauses=1 pausers=2",
	},
	{
		Name: "prom-analytics-proxy-585", System: "prom-analytics-proxy", Report: "github.com/nicolastakashi/prom-analytics-proxy/issues/585",
		Products: []string{"prom-analytics-proxy"}, Damage: ledger.NoLeader, Year: 2026,
		Broke: "nobody led any more",
		Text: "A leader ends its work and closes its connection. The library puts the connection back into its pool instead, where it stays open, and its session has the " +
			"lock. All others are refused.",
		Fix:       "the leader unlocks with pg_advisory_unlock first (#587)",
		Origin:    ledger.MergedFix,
		Algorithm: "advisorylock", Faulty: "keeps", Property: "leads-again", Fixed: "unlocks",
		Setting: "n=3 initiators=none channels=fifo mail-down=lost mail-old=lost timing=lockstep requests=1",
	},
	{
		Name: "prom-analytics-proxy-586", System: "prom-analytics-proxy", Report: "github.com/nicolastakashi/prom-analytics-proxy/issues/586",
		Products: []string{"prom-analytics-proxy"}, Damage: ledger.LeftOut, Year: 2026,
		Broke: "a program that was up did not ask for the lock any more, and did not say so",
		Text: "A program does not reach the database for a moment, just when it asks for the lock. The function returns, and nobody calls it again. (Here the database restarts. The " +
			"report also names a pool that has no connection left.)",
		Fix:       "after an error the program tries again (#587)",
		Origin:    ledger.MergedFix,
		Algorithm: "advisorylock", Faulty: "quits", Property: "leads-again", Fixed: "pings",
		Setting: "n=2 initiators=none channels=fifo mail-down=lost mail-old=lost timing=lockstep crashes=1 crashers=2 restarts=1",
	},
	{
		Name: "wolverine-2691", System: "Wolverine", Report: "github.com/JasperFx/wolverine/pull/2691",
		Products: []string{"Wolverine"}, Damage: ledger.NoLeader, Year: 2026,
		Broke: "nobody led any more after the leader had stopped, and no error was logged",
		Text: "The leader asks for the lock at each heartbeat, which is how other stores renew a lease. Here the lock stacks: a session that takes it twice has to unlock it twice. " +
			"The leader stops and unlocks it once. Its connection stays open, so the lock stays.",
		Fix:       "a node that has the lock does not ask for it again (#2691)",
		Origin:    ledger.MergedFix,
		Algorithm: "advisorylock", Faulty: "stacks", Property: "leads-again", Fixed: "unlocks",
		Setting: "n=3 initiators=none channels=fifo mail-down=lost mail-old=lost timing=lockstep requests=1",
	},
	{
		Name: "wolverine-4275", System: "Wolverine with Oracle", Report: "github.com/JasperFx/wolverine/issues/4275, and 4271",
		Products: []string{"Wolverine"}, Damage: ledger.LeaderChanges, Year: 2026,
		Broke: "the leader stepped down at each check of its health, also where it was the only node",
		Text: "The leader asks for the lock at each heartbeat, on a new connection. Its own first connection has the lock, so the answer is no. The leader takes that for the loss of " +
			"the lock, steps down, and is elected again. (In Oracle the lock is one of a row. Here it is that of a session.)",
		Fix:       "a node that has the lock asks the connection that has it (#4290)",
		Origin:    ledger.MergedFix,
		Algorithm: "advisorylock", Faulty: "renews-anew", Property: "leads-on", Fixed: "pings",
		Setting: "n=2 initiators=none channels=fifo mail-down=lost mail-old=lost timing=lockstep",
	},
	{
		Name: "skypilot-10360", System: "SkyPilot", Report: "github.com/skypilot-org/skypilot/pull/10360",
		Products: []string{"SkyPilot"}, Damage: ledger.NoLeader, Year: 2026,
		Broke: "the node that had the lock was told that it does not lead, and nobody else could",
		Text: "Each bid for the lock opens a new session. The leader bids again, and its own first session has the lock, so it is refused. It takes itself for a follower, and keeps the " +
			"first session, which is healthy. (A test of the program showed it before anything used it.)",
		Fix:       "a bid asks the session that has the lock first (as #10360 proposes)",
		Origin:    ledger.ProposedFix,
		Algorithm: "advisorylock", Faulty: "refuses-itself", Property: "leads-again", Fixed: "pings",
		Setting: "n=2 initiators=none channels=fifo mail-down=lost mail-old=lost timing=lockstep",
	},
	{
		Name: "leoflow-1199", System: "Leoflow", Report: "github.com/neochaotic/leoflow/issues/1199",
		Products: []string{"Leoflow"}, Damage: ledger.LeaderChanges, Year: 2026,
		Broke: "the scheduler stepped down once an hour, with nobody else there",
		Text: "The leader asks a pool for the connection that has the lock. The pool replaces a connection that is an hour old, and with the session the lock is gone. The leader finds " +
			"that, steps down, and is elected again.",
		Fix:       "the connection is not replaced for its age (#1205)",
		Origin:    ledger.MergedFix,
		Algorithm: "advisorylock", Faulty: "recycles", Property: "leads-on", Fixed: "pings",
		Setting: "n=2 initiators=none channels=fifo mail-down=lost mail-old=lost timing=lockstep",
	},
	{
		Name: "open-ace-2862", System: "Open ACE", Report: "github.com/open-ace/open-ace/pull/2862",
		Products: []string{"Open ACE", "PostgreSQL"}, Damage: ledger.TwoLeaders, Year: 2026,
		Broke: "two nodes could have the lock at once",
		Text: "The lock is one of a transaction, pg_try_advisory_xact_lock. The program ends the transaction as soon as it has the answer, and the lock is free again before the program " +
			"has begun its work.",
		Fix:       "the lock is one of a session, as issue 2333 has it among other ways (#2862 deprecates the lock of a transaction, and refers to another guard)",
		Origin:    ledger.AdvisedFix,
		Algorithm: "advisorylock", Faulty: "transaction", Property: "uniqueness", Fixed: "pings",
		Setting: "n=3 initiators=none channels=fifo mail-down=lost mail-old=lost timing=lockstep",
	},
}
