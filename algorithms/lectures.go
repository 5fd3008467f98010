package algorithms

import (
	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model/setting"
)

// Lectures are five runs for a class, each with one idea.
var Lectures = []ledger.Lecture{
	{
		Lesson: ledger.Lesson{
			Claim: "bully/e2",
			Title: "A wait without end",
			Text: "The coordinator P3 crashes. P1 notices it and asks P2, and P2 answers: it takes over. So P1 waits until P2 " +
				"announces a coordinator. Then P2 crashes too. On the lecture slides nothing ends that wait. P1 stays in its election, " +
				"and there is no coordinator.",
		},
		Idea: "If you wait for a message, know what you do when its sender crashes.",
		Tasks: []ledger.Task{
			{
				Ask:    "When does P1 begin to wait for an announcement, and who could make one?",
				Answer: "P1 receives the answer of P2. From then on it waits for a coordinator message, and only P2 could send one: P3 is down.",
				Step:   4,
			},
			{
				Ask:    "What would have made P2 announce itself?",
				Answer: "Its timer T. P2 has asked P3, which is down, and would have announced itself if no answer had come within T. It crashes before.",
				Step:   5,
			},
			{
				Ask:    "What can still happen to P1 in the last state?",
				Answer: "Nothing. No message is in flight, and P1 has no timer. P1 names no coordinator, so it cannot notice that one has failed.",
				Step:   5,
			},
		},
		Exercise: ledger.Exercise{
			Text: "Give P1 a way out: a process that has been answered waits for an announcement no longer than some time, and then " +
				"begins its election again. The protocol names a timer for this, `TPrime`. How long does it have to be?",
			Embeds: "*Protocol", Broken: "CoulourisNoRetry", From: "coulouris-noretry", Solution: "coulouris", Solved: "Coulouris",
			Setting: setting.Must("n=3 start=settled timing=sync:1 crashes=2"),
		},
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
		Tasks: []ledger.Task{
			{
				Ask:    "P2 has been up since step 6. Why does P1 announce itself even so?",
				Answer: "P1 asked P2 while P2 was down, and that message was lost. No answer came within T, and P2's announcement is still on its way.",
				Step:   7,
			},
			{
				Ask:    "How many processes lead after step 7, and which messages are in flight?",
				Answer: "Both lead. Each has a Victory message of its own on its way to the other.",
				Step:   7,
			},
			{
				Ask:    "Why does neither process begin an election after step 9?",
				Answer: "A process begins one if its coordinator fails, or if it comes back from a crash. Each names a process that is up, and no timer is set.",
				Step:   9,
			},
		},
		Exercise: ledger.Exercise{
			Text: "By rule 5 a process follows whoever announces itself. Change what a process does that receives a coordinator message from " +
				"a lower process. For a moment there may be two coordinators. In the end both processes have to agree on P2.",
			Embeds: "Again", Broken: "Again{Wikipedia}", From: "wikipedia-again", Solution: "repaired", Solved: "Repaired{Coulouris}",
			Spared:  []*checker.Property{checker.Uniqueness},
			Setting: setting.Must("n=2 start=settled timing=sync:1 crashes=1 restarts=1"),
		},
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
		Tasks: []ledger.Task{
			{
				Ask:    "Two messages to P1 are lost, in steps 2 and 8. Why?",
				Answer: "P1 is not there yet. It joins in step 9.",
				Step:   9,
			},
			{
				Ask:    "Who tells P3 that it is the coordinator, and when was that message sent?",
				Answer: "P4, in step 7: before P1 joined. It arrives after P1's announcement of step 9.",
				Step:   11,
			},
			{
				Ask: "By rule 6 a process that receives COORDINATOR with a higher id than its own announces itself. Why does rule 6 not help?",
				Answer: "The id in the message is P3's own, so it is not higher. P3 takes office and announces nothing, and P1 never " +
					"learns of it.",
				Step: 11,
			},
		},
		Exercise: ledger.Exercise{
			Text: "Begin with the reading `prose`, in which a process that joins does not wait without end. Change what a process does " +
				"that receives COORDINATOR with a higher id than that of its coordinator. For a moment there may be two coordinators, " +
				"but not for good.",
			Embeds: "Limited", Broken: "prose", From: "prose", Solution: "keeps-smaller", Solved: "keeping",
			Spared:  []*checker.Property{checker.Uniqueness},
			Setting: setting.Must("n=4 start=coordinator-down timing=sync:1 joins=1"),
		},
	},
	{
		Lesson: ledger.Lesson{
			Claim: "effatparvar/safety-loss",
			Title: "One lost message, two leaders",
			Text: "P1 and P2 both notice the crash of P3. The message from P1 to P2 is lost, so P1 hears of no node above itself. P2 has none " +
				"above itself that is up. Both become leader. The algorithm has a mechanism against lost messages, and here it never starts.",
		},
		Idea: "Silence has two causes: the other process is down, or a message was lost.",
		Tasks: []ledger.Task{
			{
				Ask:    "Which message is lost, and what would P2 have done with it?",
				Answer: "The election message from P1 to P2. P2 would have responded, and P1 would have selected P2.",
				Step:   5,
			},
			{
				Ask:    "Can P1 tell this run from one in which P2 has crashed?",
				Answer: "No. It has asked P2, and no response came within its wait: that is all P1 sees in both.",
				Step:   6,
			},
			{
				Ask: "In this algorithm a selected node verifies that no node is above it. Why does no node verify here?",
				Answer: "A node is selected if it has responded. P1 got no response, so it selects nobody and announces itself at once; and so " +
					"does P2.",
				Step: 8,
			},
		},
		Exercise: ledger.Exercise{
			Text: "Have every node verify before it leads, also one that got no response. The network loses one message at most. " +
				"Does one more question suffice?",
			Embeds: "*Protocol", Broken: "toAll", From: "to-all", Solution: "repaired", Solved: "repair",
			Setting: setting.Must("n=3 start=settled timing=sync:1 losses=1 crashes=1"),
		},
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
		Tasks: []ledger.Task{
			{
				Ask:    "Which message is in flight from step 1 on, and when does it arrive?",
				Answer: "election(2), from P2 to P1. It arrives after two messages that P2 has sent later.",
				Step:   9,
			},
			{
				Ask:    "Why does P1 take part once more?",
				Answer: "It learned in step 8 that P4 leads, and has been a non-participant since. The id 2 is greater than its own, so P1 passes it on and takes part.",
				Step:   9,
			},
			{
				Ask:    "What becomes of election(2), and what does P1 wait for after that?",
				Answer: "P3 takes it out of the ring, since 2 is smaller than 3. P1 waits for an elected message. The only one there is has passed P1 already.",
				Step:   10,
			},
		},
		Exercise: ledger.Exercise{
			Text: "Have P1 know an election that is over. Channels stay as they are, without order. (A process that knows a " +
				"coordinator could stop all smaller ids from then on. Try it: what does the test say?)",
			Embeds: "*Protocol", Broken: "&Protocol{}", From: "coulouris", Solution: "repaired", Solved: "Numbered{&Protocol{}}",
			Setting: setting.Must("n=4 topology=ring initiators=all:lazy timing=patient"),
		},
	},
}
