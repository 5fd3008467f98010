package algorithms

import (
	"bullyproof/algorithms/raft"
	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model/setting"
)

// The settings of the lectures on programs.
var (
	oldTerms = setting.Must("n=3 initiators=none timing=async:2 detector=off")
	oneLink  = setting.Must("n=3 start=settled cuts=1 cut-by=link timing=lockstep detector=off")
	leases   = setting.Must("n=3 initiators=none channels=fifo mail-down=lost mail-old=lost timing=sync:1 detector=off")
	pauses   = setting.Must("n=3 initiators=none channels=fifo mail-down=lost mail-old=lost timing=sync:1 pauses=1 pausers=1,2 detector=off")
)

// ofPrograms are lectures on incidents of programs that people ran.
var ofPrograms = []ledger.Lecture{
	{
		Lesson: ledger.Lesson{
			Title: "A server that goes back to an old term",
			Text: "Raft elects by votes: a server gives one vote in each term, and whoever has the votes of a majority leads in that term. " +
				"In NebulaGraph a server kept two terms, that of its leader and that of its last vote. P2 votes for P1 in term 2. Then a heartbeat of " +
				"P3, the leader of term 1, arrives. P2 follows it and goes back to term 1. When it begins term 2 itself, it votes a second time.",
		},
		Incident: "nebula-2405",
		Idea:     "A term only grows. Whoever has voted in one never listens to an older one.",
		Predictions: []ledger.Prediction{
			{
				Ask: "P2 has voted for P1 in term 2. Now a heartbeat of P3 arrives, the leader of term 1. What will P2 do?", From: 5, To: 6,
				Choices: []ledger.Choice{
					{
						Says: "P2 refuses it, since term 1 is over.", Is: `P2.Term == 2 and any(messages, .from == 2 and .kind == "Refusal")`,
						Why: "So says figure 2 of the paper: a receiver replies false if the term of the sender is smaller than its own.",
					},
					{
						Says: "P2 follows P3, and is in term 1 again.", Is: "P2.Term == 1",
						Why: "It compares the heartbeat with the term of its leader. Its vote is in another variable.",
					},
					{
						Says: "P2 follows P3 and stays in term 2.", Is: "P2.Term == 2 and P2.follows == 3",
						Why: "A leader leads in its own term. Nobody has elected P3 in term 2.",
					},
				},
			},
			{
				Ask: "P2 asks for votes in term 2, and P3 has given its vote. Two votes are on the way: to P1 and to P2. Who leads two steps on?", From: 8, To: 10,
				Choices: []ledger.Choice{
					{
						Says: "P1 alone.", Is: "P1.leads and not P2.leads",
						Why: "In another run something else happens before the vote for P2 arrives. Then P1 leads alone, for a moment.",
					},
					{
						Says: "P2 alone.", Is: "P2.leads and not P1.leads",
						Why: "As with P1: in another run P2 is the first one.",
					},
					{
						Says: "P1 and P2, in the same term.", Is: "P1.leads and P2.leads and P1.epoch == P2.epoch",
						Why: "P1 has the votes of P1 and P2, and P2 those of P2 and P3. Any two majorities share a server, and here that server has voted twice.",
					},
				},
			},
		},
		Tasks: []ledger.Task{
			{
				Ask:     "How many votes has each server given in term 1 and in term 2 after step 5?",
				Answer:  "In term 1: P3 for itself and P1 for P3. In term 2: P1 for itself and P2 for P1. Nobody has voted twice in a term.",
				Step:    5,
				Mistake: "\"P1 has voted twice.\" It has, but in two terms.",
			},
			{
				Ask:     "Why may P3 send a heartbeat although P1 has begun term 2?",
				Answer:  "P3 has the votes of P1 and of itself in term 1, and has not learned of term 2. In asynchronous networks an old leader can always be there.",
				Step:    6,
				Mistake: "\"P3 should know.\" It learns a term from messages alone, and the request for its vote is still in flight.",
			},
			{
				Ask:     "Which server is in both majorities of term 2, and what did it forget?",
				Answer:  "P2. It is in {P1, P2} and in {P2, P3}. It forgot the vote for P1 when it went back to term 1.",
				Step:    10,
				Mistake: "\"P3, which voted for P2.\" P3 has voted once in term 2.",
			},
		},
		Hunt: ledger.Hunt{
			Text: "The explorer has faults that somebody might make in this version. Begin with the one of the run, and look at `one-leader-per-epoch`. Some of them keep it here, though they " +
				"are faults. Which ones, and what would this world need for them to show?",
			Variant: "any-delays", Switch: ledger.SwitchFault, Given: "goes-back", Setting: oldTerms,
			Kept: []ledger.Kept{{Property: "one-leader-per-epoch", By: []string{"", "forgets-vote", "forgets-all"}}},
		},
		Exercise: ledger.Exercise{
			Text:   "Have a server keep its promise: give `yours` a `Receive` of its own, which looks at heartbeats of old terms before `goesBack` does.",
			Embeds: "goesBack", Broken: "goesBack{anyDelays}", From: "goes-back", Solution: "any-delays",
			Setting: oldTerms, Asks: []*checker.Property{checker.OneLeaderPerEpoch}, Code: solved("raft/repair_term_test.go"),
		},
		Minutes: ledger.Minutes{Predict: 10, Watch: 5, Questions: 12, Hunt: 12, Repair: 15},
	},
	{
		Lesson: ledger.Lesson{
			Title: "One cut link, elections without end",
			Text: "A switch failed at a large provider, and cut some links. Servers of etcd that heard no heartbeat began new terms, and deposed a " +
				"leader that a majority could hear. Here one link is down, between the leader P3 and P1. P2 hears both. P1 begins term 2, P2 votes for it and leaves P3. " +
				"Then P3 is the one that hears nothing.",
		},
		Incident: "etcd-2020-disturbed",
		Idea:     "Ask before you disturb: a server that hears nobody may be the only one.",
		Predictions: []ledger.Prediction{
			{
				Ask: "The link between P1 and P3 is cut. P2 hears the leader P3. P1 hears nothing, and its election timeout is over. What will P1 do?", From: 10, To: 11,
				Choices: []ledger.Choice{
					{
						Says: "P1 begins term 2 and asks for votes.", Is: `P1.Term == 2 and any(messages, .from == 1 and .kind == "RequestVote")`,
						Why: "Figure 2 of the paper: if the election timeout is over, become a candidate. It does not ask whether the others miss a leader.",
					},
					{
						Says: "P1 asks P2 whether P2 hears a leader.", Is: `P1.Term == 1 and any(messages, .from == 1)`,
						Why: "That is a pre-vote, an extension of the dissertation. This version has none.",
					},
					{
						Says: "P1 waits for the link.", Is: "P1.Term == 1 and not any(messages, .from == 1) and P1.timers[\"election timeout\"] > 0",
						Why: "P1 does not know of the link. It sees silence, and silence looks like a crash of the leader.",
					},
				},
			},
			{
				Ask: "The request for a vote in term 2 reaches P2, which has just heard its leader P3. What will P2 do?", From: 12, To: 13,
				Choices: []ledger.Choice{
					{
						Says: "P2 ignores it, since its leader lives.", Is: "P2.follows == 3 and not any(messages, .from == 1 and .to == 2)",
						Why: "That is the rule of section 4.2.3 of the dissertation, which some programs have. Figure 2 does not.",
					},
					{
						Says: "P2 takes term 2, and refuses its vote.", Is: "P2.Term == 2 and P2.VotedFor == 0",
						Why: "Then P3 would be deposed as well, and nobody elected. P2 has no reason to refuse: it has not voted in term 2.",
					},
					{
						Says: "P2 takes term 2, leaves P3, and votes for P1.", Is: "P2.Term == 2 and P2.VotedFor == 1 and P2.follows == 0",
						Why: "A higher term makes every server a follower, and the vote of term 2 is free.",
					},
				},
			},
		},
		Tasks: []ledger.Task{
			{
				Ask:     "Which servers does the leader P3 reach after step 5? Is that a majority?",
				Answer:  "P2, and itself: two of three. It can go on working.",
				Step:    5,
				Mistake: "\"It lost its majority.\" One of three servers is missing, and two are left.",
			},
			{
				Ask:     "What would have happened if the timeout of P1 had been much longer?",
				Answer:  "The same, later. The link stays down, and no length of a timeout tells a dead leader from a dead link.",
				Step:    11,
				Mistake: "\"Nothing.\" A longer timeout makes elections rarer, in healthy times also.",
			},
			{
				Ask:     "P1 leads next. Who hears nothing then, and what will that server do?",
				Answer:  "P3: its link to P1 is down. P3 begins term 3 when its timeout is over, and P2 votes for it. So it goes on.",
				Step:    13,
				Mistake: "\"P3 stays a leader.\" It is one in term 1 until it hears of term 2 from P2.",
			},
		},
		Hunt: ledger.Hunt{
			Text:   "The explorer has several versions of Raft. Begin with `figure-2`, and look at `undisturbed`: which versions keep it? What do all of these add? And why does `rollout`, which has pre-votes, not keep it?",
			Switch: ledger.SwitchVersion, Given: "figure-2", Setting: oneLink,
			Kept: []ledger.Kept{{Property: "undisturbed", By: []string{"prevote", "sticky", "prevote-checkquorum", "all", "rearms", "ra", "lagging"}}},
		},
		Exercise: ledger.Exercise{
			Text: "Protect the leader without a new message: which requests for votes can a server ignore that has heard a leader lately? (`p.Leader` is the server that sent the last " +
				"heartbeat of the term. The exercise ends after three terms.)",
			Embeds: "*Raft", Broken: "&Raft{Heartbeats: true, Terms: 3}", From: "figure-2", Solution: "sticky",
			Setting: oneLink, Asks: undisturbed(), Code: solved("raft/repair_sticky_test.go"),
		},
		Minutes: ledger.Minutes{Predict: 10, Watch: 5, Questions: 12, Hunt: 10, Repair: 20},
	},
	{
		Lesson: ledger.Lesson{
			Title: "Two clocks for one lease",
			Text: "Clients of Kubernetes elect by a lease: the leader renews a record in time, and whoever sees it unchanged for the LeaseDuration takes it. P2 holds the " +
				"lease and renews in its own rhythm. P1 is configured with a shorter LeaseDuration, as during an upgrade, and goes by its own. P1 takes " +
				"the lease while P2 still leads.",
		},
		Incident: "kubernetes-47671",
		Idea:     "A lease is a promise about time. Holder and rivals must count the same time, and whoever is written to must refuse the older holder.",
		Predictions: []ledger.Prediction{
			{
				Ask: "P2 holds the lease and leads. P1 has asked for the record, and the answer arrives: P2, number 1, changed since. What will P1 do?", From: 8, To: 9,
				Choices: []ledger.Choice{
					{
						Says: "P1 tries to take the lease.", Is: `any(messages, .from == 1 and .kind == "Update")`,
						Why: "A record that has just changed is held by the one whose name is in it.",
					},
					{
						Says: "P1 asks P2 how long its lease lasts.", Is: "any(messages, .from == 1 and .to == 2)",
						Why: "Clients never write to each other. The record is all that they share.",
					},
					{
						Says: "P1 follows P2, and counts the time from now on.", Is: "P1.follows == 2 and P1.timers.LeaseDuration > 0",
						Why: "It takes the lease once the record has not changed for a LeaseDuration, by its own clock. Which LeaseDuration is that?",
					},
				},
			},
			{
				Ask: "P1 last saw the record change in step 9, and its own LeaseDuration is over. P2 leads, and will renew within its longer one. What does P1 do?", From: 24, To: 25,
				Choices: []ledger.Choice{
					{
						Says: "P1 takes the lease to be free.", Is: "P1.follows == 0",
						Why: "P1 goes by its own duration. The record of P2 has a longer one, which P1 does not look at.",
					},
					{
						Says: "P1 leads at once.", Is: "P1.leads",
						Why: "It has to write its name into the record first.",
					},
					{
						Says: "P1 keeps following P2, whose lease is not over.", Is: "P1.follows == 2 and P1.timers.LeaseDuration > 0",
						Why: "So it would be by the duration in the record. That is the fix, in version 1.27.",
					},
				},
			},
			{
				Ask: "The update of P1 reaches the API server. P2 leads and has not renewed yet. Will the server take it?", From: 27, To: 28,
				Choices: []ledger.Choice{
					{
						Says: "Yes: the record names P1 now.", Is: "P3.Holder == 1",
						Why: "The server compares versions of the record. P1 has seen the latest one. The server keeps no time.",
					},
					{
						Says: "No: P2 holds the lease.", Is: "P3.Holder == 2 and any(messages, .from == 3 and .to == 1)",
						Why: "The server does not know what a lease is. To it that is a record like any other.",
					},
				},
			},
			{
				Ask: "The answer reaches P1. Who leads?", From: 28, To: 29,
				Choices: []ledger.Choice{
					{
						Says: "P1 and P2.", Is: "leaders == 2",
						Why: "P1 has the lease. P2 learns of it only when it renews.",
					},
					{
						Says: "P1 alone: P2 hears that its lease is gone.", Is: "P1.leads and not P2.leads",
						Why: "Nobody tells P2. A lease is lost in silence.",
					},
				},
			},
		},
		Tasks: []ledger.Task{
			{
				Ask:     "What does the API server do, and what does it not do?",
				Answer:  "It stores a record, and takes an update if the client has seen the record as it is. It measures no time and elects nobody.",
				Step:    5,
				Mistake: "\"It checks that the lease is over.\" Clients do, each by its own clock.",
			},
			{
				Ask:     "P1 reads the record several times between step 9 and step 25. Why does that not help?",
				Answer:  "The record has not changed, so P1 learns nothing new. It counts the time since the last change that it saw.",
				Step:    25,
				Mistake: "\"Reading renews the lease.\" Only an update of the holder does.",
			},
			{
				Ask:     "The record counts its holders. Which numbers do P1 and P2 have at the end, and who could use them?",
				Answer:  "P2 has 1 and P1 has 2. A store that both write to could refuse 1 after it has seen 2. Such a number is a fencing token.",
				Step:    29,
				Mistake: "\"P2 could.\" P2 does not know of number 2.",
			},
		},
		Hunt: ledger.Hunt{
			Text: "Now no client is configured wrongly, but one may pause: its process stands still while its lease runs out. Look at `uniqueness` and at `one-leader-per-epoch` (the epoch is the number of the holder). " +
				"Does any version keep the first? Which keep the second? What follows for the store that a leader writes to?",
			Switch: ledger.SwitchVersion, Given: "defaults", Setting: pauses,
			Kept: []ledger.Kept{
				{Property: "uniqueness"},
				{Property: "one-leader-per-epoch", By: []string{"defaults", "half", "get-first", "two-durations", "releases", "stops-first", "no-timeout"}},
			},
		},
		Exercise: ledger.Exercise{
			Text:   "Have a client go by the duration in the record. `ownDuration` calls `Receive` of a lease in which all durations are those of this client: call another one.",
			Embeds: "ownDuration", Broken: "ownDuration{&Lease{Times: slow, First: quick, GetFirst: true, Terms: 2}}", From: "own-duration", Solution: "two-durations",
			Setting: leases, Asks: []*checker.Property{checker.Uniqueness}, Code: solved("k8slease/repair_test.go"),
		},
		Minutes: ledger.Minutes{Predict: 10, Watch: 6, Questions: 12, Hunt: 12, Repair: 10},
	},
}

// undisturbed is what the lecture on pre-votes asks of Raft.
func undisturbed() []*checker.Property {
	p, err := raft.Algorithm.Property("undisturbed")
	if err != nil {
		panic(err) // it is one of the algorithm's
	}
	return []*checker.Property{p}
}
