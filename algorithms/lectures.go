package algorithms

import (
	"slices"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model/setting"
)

// Lectures are runs for a class, each with one idea: first those of papers, which take nothing but
// the algorithm, and then those of programs, which have terms, timeouts and leases.
var Lectures = slices.Concat(ofPapers, ofPrograms)

// besides returns the standard properties of a setting without some.
func besides(s setting.Setting, spared ...*checker.Property) []*checker.Property {
	return slices.DeleteFunc(checker.InSetting(checker.Standard(), s), func(p *checker.Property) bool { return slices.Contains(spared, p) })
}

// The settings of exercises that spare a property.
var (
	comesBack = setting.Must("n=2 start=settled timing=sync:1 crashes=1 restarts=1")
	joins     = setting.Must("n=4 start=coordinator-down timing=sync:1 joins=1")
)

// ofPapers are lectures on algorithms of papers.
var ofPapers = []ledger.Lecture{
	{
		Lesson: ledger.Lesson{
			Claim: "bully/e2",
			Title: "A wait without end",
			Text: "The coordinator P3 crashes. P1 notices it and asks P2, and P2 answers: it takes over. So P1 waits until P2 " +
				"announces a coordinator. Then P2 crashes too. On the lecture slides nothing ends that wait. P1 stays in its election, " +
				"and there is no coordinator.",
		},
		Idea: "If you wait for a message, know what you do when its sender crashes.",
		Predictions: []ledger.Prediction{
			{
				Ask: "P2 has sent its answer to P1, and asks P3 in vain. The answer reaches P1. Will P1 wait, lead, or follow?", From: 3, To: 4,
				Choices: []ledger.Choice{
					{
						Says: "P1 waits until somebody announces a coordinator.", Is: "P1.Mode == 2",
						Why: "An answer says that a higher process takes over. P1 has nothing to do but wait.",
					},
					{
						Says: "P1 announces itself.", Is: "P1.leads",
						Why: "A process does so if no answer comes within T. P1 has one.",
					},
					{
						Says: "P1 names P2 its coordinator.", Is: "P1.follows == 2",
						Why: "An answer promises an election. It does not say who wins: there may be higher processes.",
					},
				},
			},
			{
				Ask: "P1 waits for an announcement. One more crash may happen. Which step comes next?", From: 4, To: 5,
				Choices: []ledger.Choice{
					{
						Says: "P2 crashes.", Is: "not P2.up",
						Why: "P2 alone could have announced itself. Nobody else knows that P1 waits.",
					},
					{
						Says: "P1 crashes.", Is: "not P1.up",
						Why: "Then P2 announces itself when its timer T is over, and all is well. That is another run.",
					},
					{
						Says: "P3 comes back.", Is: "P3.up",
						Why: "This world has no restarts: look at its setting.",
					},
				},
			},
		},
		Tasks: []ledger.Task{
			{
				Ask:     "When does P1 begin to wait for an announcement, and who could make one?",
				Answer:  "P1 receives the answer of P2. From then on it waits for a coordinator message, and only P2 could send one: P3 is down.",
				Step:    4,
				Mistake: "\"P3 could announce itself.\" It is down, and in this world nobody comes back.",
			},
			{
				Ask:     "What would have made P2 announce itself?",
				Answer:  "Its timer T. P2 has asked P3, which is down, and would have announced itself if no answer had come within T. It crashes before.",
				Step:    5,
				Mistake: "\"The answer of P3.\" An answer would have kept P2 from announcing itself.",
			},
			{
				Ask:     "What can still happen to P1 in the last state?",
				Answer:  "Nothing. No message is in flight, and P1 has no timer. P1 names no coordinator, so it cannot notice that one has failed.",
				Step:    5,
				Mistake: "\"P1 notices that P2 has crashed.\" A process looks out for the failure of its coordinator, and P2 has never been one.",
			},
		},
		Hunt: ledger.Hunt{
			Text: "The question `answered` asks how a process goes on that has an answer. The slides leave it open, and here it waits without end. " +
				"Switch it: which answers keep `e2`?",
			Variant: "coulouris", Switch: "answered", Given: "waits-on",
			Setting: setting.Must("n=3 start=settled timing=sync:1 crashes=2"),
			Kept:    []ledger.Kept{{Property: "e2", By: []string{"waits", "waits-t", "waits-more"}}},
		},
		Exercise: ledger.Exercise{
			Text: "Give P1 a way out: a process that has been answered waits for an announcement no longer than some time, and then " +
				"begins its election again. The protocol names a timer for this, `TPrime`. How long does it have to be?",
			Embeds: "*Protocol", Broken: "CoulourisNoRetry", From: "coulouris-noretry", Solution: "coulouris",
			Setting: setting.Must("n=3 start=settled timing=sync:1 crashes=2"),
			Code:    solved("bully/repair_wait_test.go"),
		},
		Minutes: ledger.Minutes{Predict: 8, Watch: 4, Questions: 10, Hunt: 10, Repair: 25},
	},
	{
		Lesson: ledger.Lesson{
			Claim: "bully/highest-selected",
			Title: "Two announcements that cross",
			Text: "The coordinator P2 crashes and comes back while P1 is deciding. Each announces itself to the other. The two messages " +
				"cross on their way, and each process follows the sender of the one that it receives. Each now follows the other, and " +
				"neither leads.",
		},
		Idea: "The last message to arrive need not be the newest.",
		Predictions: []ledger.Prediction{
			{
				Ask: "P2 is back and has announced itself. Its message is on the way. P1 still waits for an answer from P2. What will P1 do?", From: 6, To: 7,
				Choices: []ledger.Choice{
					{
						Says: "P1 announces itself.", Is: "P1.leads",
						Why: "P1 asked P2 while P2 was down, and T is over. P1 cannot know that P2 is back.",
					},
					{
						Says: "P1 receives the announcement first, and follows P2.", Is: "P1.follows == 2",
						Why: "The message may take until the end of this tick. If it is faster, all is well.",
					},
					{
						Says: "P1 asks P2 once more.", Is: `any(messages, .from == 1 and .kind == "Election")`,
						Why: "A process that got no answer in time takes office. It asks nobody twice.",
					},
				},
			},
			{
				Ask: "Both lead, and an announcement of each is on its way to the other. Whom does each follow two steps on?", From: 7, To: 9,
				Choices: []ledger.Choice{
					{
						Says: "Each follows the other.", Is: "P1.follows == 2 and P2.follows == 1",
						Why: "Rule 5 has each follow the sender, whoever it is. The messages cross.",
					},
					{
						Says: "Both follow P2, the higher one.", Is: "P1.follows == 2 and P2.leads and len(messages) == 0",
						Why: "P2 would have to know better than a lower process. Rule 5 compares no ids.",
					},
					{
						Says: "Both lead on.", Is: "leaders == 2",
						Why: "Each message makes its receiver follow.",
					},
				},
			},
		},
		Tasks: []ledger.Task{
			{
				Ask:     "P2 has been up since step 6. Why does P1 announce itself even so?",
				Answer:  "P1 asked P2 while P2 was down, and that message was lost. No answer came within T, and P2's announcement is still on its way.",
				Step:    7,
				Mistake: "\"P1 made a mistake.\" It did what its rules say, with what it knew.",
			},
			{
				Ask:     "How many processes lead after step 7, and which messages are in flight?",
				Answer:  "Both lead. Each has a Victory message of its own on its way to the other.",
				Step:    7,
				Mistake: "\"P1 leads alone, P2 only came back.\" A process that comes back with the highest id announces itself at once.",
			},
			{
				Ask:     "Why does neither process begin an election after step 9?",
				Answer:  "A process begins one if its coordinator fails, or if it comes back from a crash. Each names a process that is up, and no timer is set.",
				Step:    9,
				Mistake: "\"They notice that nobody leads.\" Nobody looks for that. A process looks out for the failure of the one it names.",
			},
		},
		Hunt: ledger.Hunt{
			Text: "The explorer has the algorithm as several books and articles tell it. Begin with `wikipedia-again`, and look at `agreement`: which " +
				"versions keep it in this world? What do those do that receive the announcement of a lower process?",
			Switch: ledger.SwitchVersion, Given: "wikipedia-again", Setting: comesBack,
			Kept: []ledger.Kept{{Property: "agreement", By: []string{"coulouris", "coulouris-knows", "coulouris-noretry", "repaired", "wikipedia-refuses", "tanenbaum-lower"}}},
		},
		Exercise: ledger.Exercise{
			Text: "By rule 5 a process follows whoever announces itself. Change what a process does that receives a coordinator message from " +
				"a lower process. For a moment there may be two coordinators. In the end both processes have to agree on P2.",
			Embeds: "Again", Broken: "Again{Wikipedia}", From: "wikipedia-again", Solution: "repaired",
			Asks:    besides(comesBack, checker.Uniqueness),
			Setting: comesBack,
			Code:    solved("bully/repair_cross_test.go"),
		},
		Minutes: ledger.Minutes{Predict: 8, Watch: 4, Questions: 10, Hunt: 10, Repair: 20},
	},
	{
		Lesson: ledger.Lesson{
			Claim: "kabashi/one-in-the-end",
			Title: "An old message undoes a newer one",
			Text: "In this algorithm the lowest id wins. P4 asks who is up, only P3 answers, and P4 announces P3. Before that message " +
				"arrives, P1 joins and announces itself. P3 hears of P1 first, and then the older message tells P3 that it is the " +
				"coordinator itself. The paper does not say what P3 does then. If P3 says nothing, P1 and P3 both lead, and no message " +
				"ever corrects that.",
		},
		Idea: "Messages that are not in order need an age, or a rule that does without it.",
		Predictions: []ledger.Prediction{
			{
				Ask: "P1 has joined and announced itself. P4 had announced P3 before. Both messages are on their way to P3. Which one arrives first in this run?", From: 9, To: 10,
				Choices: []ledger.Choice{
					{
						Says: "That of P1: P3 follows P1.", Is: "P3.follows == 1",
						Why: "It was sent later and arrives earlier. Channels here keep no order, and no two senders share one.",
					},
					{
						Says: "That of P4: P3 takes itself for the coordinator.", Is: "P3.leads",
						Why: "That is another run. Then the message of P1 puts it right.",
					},
				},
			},
			{
				Ask: "Now the older message tells P3 that P3 is the coordinator. What will P3 do?", From: 10, To: 11,
				Choices: []ledger.Choice{
					{
						Says: "P3 takes office and says nothing.", Is: "P3.leads and not any(messages, .from == 3)",
						Why: "Rule 6 has a process announce itself if the id in the message is higher than its own. This one is its own.",
					},
					{
						Says: "P3 takes office and announces it.", Is: "P3.leads and any(messages, .from == 3)",
						Why: "If it did, P1 would hear of a higher id and announce itself once more (rule 6).",
					},
					{
						Says: "P3 ignores it and follows P1, the lower one.", Is: "P3.follows == 1 and not any(messages, .from == 4)",
						Why: "P3 would have to compare the message with the coordinator it knows. Rule 6 compares it with P3's own id.",
					},
				},
			},
		},
		Tasks: []ledger.Task{
			{
				Ask:     "Two messages to P1 are lost, in steps 2 and 8. Why?",
				Answer:  "P1 is not there yet. It joins in step 9.",
				Step:    9,
				Mistake: "\"The network loses messages.\" This one loses none: the receiver is not there.",
			},
			{
				Ask:     "Who tells P3 that it is the coordinator, and when was that message sent?",
				Answer:  "P4, in step 7: before P1 joined. It arrives after P1's announcement of step 9.",
				Step:    11,
				Mistake: "\"P1 tells it.\" P1 tells P3 that P1 leads, one step before.",
			},
			{
				Ask: "By rule 6 a process that receives COORDINATOR with a higher id than its own announces itself. Why does rule 6 not help?",
				Answer: "The id in the message is P3's own, so it is not higher. P3 takes office and announces nothing, and P1 never " +
					"learns of it.",
				Step:    11,
				Mistake: "\"P1 corrects it.\" P1 never learns that P3 leads.",
			},
		},
		Hunt: ledger.Hunt{
			Text: "The explorer has several versions of this algorithm. Begin with `waits`, and look at `settled-uniqueness` and at `agreement`: which versions keep the first, and " +
				"which keep both?",
			Switch: ledger.SwitchVersion, Given: "waits", Setting: joins,
			Kept: []ledger.Kept{
				{Property: "settled-uniqueness", By: []string{"keeps-smaller", "pseudocode-letter", "repaired"}},
				{Property: "agreement", By: []string{"keeps-smaller", "repaired"}},
			},
		},
		Exercise: ledger.Exercise{
			Text: "Begin with the reading `prose`, in which a process that joins does not wait without end. Change what a process does " +
				"that receives COORDINATOR with a higher id than that of its coordinator. For a moment there may be two coordinators, " +
				"but not for good.",
			Embeds: "Limited", Broken: "prose", From: "prose", Solution: "keeps-smaller",
			Asks:    besides(joins, checker.Uniqueness),
			Setting: joins,
			Code:    solved("kabashi/repair_test.go"),
		},
		Minutes: ledger.Minutes{Predict: 8, Watch: 5, Questions: 12, Hunt: 10, Repair: 20},
	},
	{
		Lesson: ledger.Lesson{
			Claim: "effatparvar/safety-loss",
			Title: "One lost message, two leaders",
			Text: "P1 and P2 both notice the crash of P3. The message from P1 to P2 is lost, so P1 hears of no node above itself. P2 has none " +
				"above itself that is up. Both become leader. The algorithm has a mechanism against lost messages, and here it never starts.",
		},
		Idea: "Silence has two causes: the other process is down, or a message was lost.",
		Predictions: []ledger.Prediction{
			{
				Ask: "P1 and P2 have noticed the crash of P3. The message from P1 to P2 is lost, and both wait. Who leads three steps on?", From: 5, To: 8,
				Choices: []ledger.Choice{
					{
						Says: "P1 and P2 both lead.", Is: "leaders == 2",
						Why: "Neither has a response, and whoever has none announces itself.",
					},
					{
						Says: "P2 alone, the highest that is up.", Is: "P2.leads and not P1.leads",
						Why: "P2 announces itself. In another run P1 hears of that in time. Here its own wait is over first.",
					},
					{
						Says: "P1 alone.", Is: "P1.leads and not P2.leads",
						Why: "P2 waits as long as P1 does. In another run the announcement of P1 reaches it first.",
					},
					{
						Says: "Nobody: P1 asks once more.", Is: `any(messages, .from == 1 and .kind == "election")`,
						Why: "This algorithm asks once. That is the mistake.",
					},
				},
			},
		},
		Tasks: []ledger.Task{
			{
				Ask:     "Which message is lost, and what would P2 have done with it?",
				Answer:  "The election message from P1 to P2. P2 would have responded, and P1 would have selected P2.",
				Step:    5,
				Mistake: "\"P2 would become leader.\" P2 would respond first. P1 then selects it.",
			},
			{
				Ask:     "Can P1 tell this run from one in which P2 has crashed?",
				Answer:  "No. It has asked P2, and no response came within its wait: that is all P1 sees in both.",
				Step:    6,
				Mistake: "\"Yes, P1 sees that the message is lost.\" Nobody tells a sender so.",
			},
			{
				Ask: "In this algorithm a selected node verifies that no node is above it. Why does no node verify here?",
				Answer: "A node is selected if it has responded. P1 got no response, so it selects nobody and announces itself at once; and so " +
					"does P2.",
				Step:    8,
				Mistake: "\"Verification was lost, too.\" It never began: it is for nodes that were selected.",
			},
		},
		Hunt: ledger.Hunt{
			Text: "The explorer has several versions of this algorithm, and its open questions. Begin with the version `to-all`. Try the question `unanswered` first: does it help if a node " +
				"without a response verifies? Then look through the versions: which keep `uniqueness`?",
			Switch: ledger.SwitchVersion, Given: "to-all", Setting: setting.Must("n=3 start=settled timing=sync:1 losses=1 crashes=1"),
			Kept: []ledger.Kept{{Property: "uniqueness", By: []string{"repaired", "repaired-objects"}}},
		},
		Exercise: ledger.Exercise{
			Text: "Have every node verify before it leads, also one that got no response. The network loses one message at most. " +
				"Does one more question suffice?",
			Embeds: "*Protocol", Broken: "toAll", From: "to-all", Solution: "repaired",
			Setting: setting.Must("n=3 start=settled timing=sync:1 losses=1 crashes=1"),
			Code:    solved("effatparvar/repair_test.go"),
		},
		Minutes: ledger.Minutes{Predict: 6, Watch: 4, Questions: 10, Hunt: 12, Repair: 30},
	},
	{
		Lesson: ledger.Lesson{
			Claim: "changroberts/e2",
			Title: "A participant left behind",
			Text: "In a ring each process passes on ids that are greater than its own, so only the greatest comes home. P4 is elected, and " +
				"its announcement overtakes an old election message. The old message makes P1 a participant once more. Nobody ever tells " +
				"P1 that this election is over.",
		},
		Idea: "A proof that follows a message round the ring needs channels that keep the order of messages.",
		Predictions: []ledger.Prediction{
			{
				Ask: "P1 knows that P4 leads. Now the old message election(2) reaches P1. What will P1 do?", From: 8, To: 9,
				Choices: []ledger.Choice{
					{
						Says: "P1 passes it on and is in an election again.", Is: "P1.Participant",
						Why: "2 is greater than 1. The rule compares ids, and asks nothing else.",
					},
					{
						Says: "P1 drops it, since P4 leads.", Is: "not P1.Participant and len(messages) == 1",
						Why: "The rule has no case for an election that is over.",
					},
					{
						Says: "P1 puts its own id in its place.", Is: `any(messages, .from == 1 and .kind == "election" and .ID == 1)`,
						Why: "A process does so if the id that arrives is smaller than its own.",
					},
				},
			},
			{
				Ask: "P1 has sent election(2) on to P3, which is still in the election of P4. What becomes of that message?", From: 9, To: 10,
				Choices: []ledger.Choice{
					{
						Says: "P3 takes it out of the ring.", Is: `not any(messages, .kind == "election")`,
						Why: "2 is smaller than 3, and P3 is in an election: its own id, or a greater one, is on its way.",
					},
					{
						Says: "P3 passes it on to P4.", Is: `any(messages, .from == 3 and .kind == "election")`,
						Why: "Only greater ids are passed on.",
					},
					{
						Says: "P3 learns first that P4 leads.", Is: "P3.follows == 4",
						Why: "That is another run. P3 then puts its own id in place of 2, and a new election begins.",
					},
				},
			},
		},
		Tasks: []ledger.Task{
			{
				Ask:     "Which message is in flight from step 1 on, and when does it arrive?",
				Answer:  "election(2), from P2 to P1. It arrives after two messages that P2 has sent later.",
				Step:    9,
				Mistake: "\"The message of P4.\" Messages of P4 came later, and overtook it.",
			},
			{
				Ask:     "Why does P1 take part once more?",
				Answer:  "It learned in step 8 that P4 leads, and has been a non-participant since. The id 2 is greater than its own, so P1 passes it on and takes part.",
				Step:    9,
				Mistake: "\"P1 forgot who leads.\" It still knows P4, and has marked itself as a participant besides.",
			},
			{
				Ask:     "What becomes of election(2), and what does P1 wait for after that?",
				Answer:  "P3 takes it out of the ring, since 2 is smaller than 3. P1 waits for an elected message. The only one there is has passed P1 already.",
				Step:    10,
				Mistake: "\"P1 waits for election(2) to come home.\" That message belongs to P2.",
			},
		},
		Hunt: ledger.Hunt{
			Text:   "The explorer has several versions of this algorithm. Begin with `coulouris`, and look at `e2`. Does it help if a process is in one election only (`once`)? Which version keeps it?",
			Switch: ledger.SwitchVersion, Given: "coulouris", Setting: setting.Must("n=4 topology=ring initiators=all:lazy timing=patient"),
			Kept: []ledger.Kept{{Property: "e2", By: []string{"repaired"}}},
		},
		Exercise: ledger.Exercise{
			Text: "Have P1 know an election that is over. Channels stay as they are, without order. (A process that knows a " +
				"coordinator could stop all smaller ids from then on. Try it: what does the test say?)",
			Embeds: "*Protocol", Broken: "&Protocol{}", From: "coulouris", Solution: "repaired",
			Setting: setting.Must("n=4 topology=ring initiators=all:lazy timing=patient"),
			Code:    solved("changroberts/repair_test.go"),
		},
		Minutes: ledger.Minutes{Predict: 8, Watch: 5, Questions: 10, Hunt: 8, Repair: 30},
	},
}
