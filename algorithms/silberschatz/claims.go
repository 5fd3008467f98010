package silberschatz

import (
	"bullyproof/cost"
	"bullyproof/ledger"
	_ "embed"
	"fmt"
	"slices"
)

// record is what the claims came to; the package's test keeps it true.
//
//go:embed claims.json
var record []byte

// failed is a ring of n whose coordinator has failed, in every arrangement; any
// of the others may notice.
func failed(n int, more string) string {
	return fmt.Sprintf("n=%d topology=ring:repaired start=coordinator-down %s", n, more)
}

// twoMore is a ring of five in one arrangement, in which two more processes crash.
var twoMore = failed(5, "timing=sync:1 crashes=2 channels=fifo arrangement=1-2-3-4-5")

// oneRing is a ring of four in one arrangement, in which another process crashes.
var oneRing = failed(4, "timing=sync:1 crashes=1 channels=fifo arrangement=1-2-3-4")

// atOnce is a ring of n that are all up, in every arrangement, where m of them
// notice at the same time that there is no coordinator.
func atOnce(n, m int, timing string) string {
	who := ""
	for i := range m {
		who += fmt.Sprintf(",%d", i+1)
	}
	return fmt.Sprintf("n=%d topology=ring initiators=%s timing=%s", n, who[1:], timing)
}

// inOneOrder is what there is to say of channels where processes fail.
const inOneOrder = "Channels keep the order of messages here: otherwise those that nobody takes out of the ring have states without end."

const (
	sectionII = "section II"
	fceabrT1  = "Table 1, Ring"
)

// claims are what the sources say of the algorithm.
var claims = slices.Concat(elections, failures, counts, figuresOfSources)

var election = cost.Measure{Kind: "Election"}

var elections = []ledger.Claim{
	{
		Name: "elects-active", Source: fceabr, Place: sectionII,
		Text: "The informer collects \"all active processes numbers\", and elects: when the election is over all that are up name the " +
			"highest of them.",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Keeps("agreement", failed(4, "timing=patient")), ledger.Keeps("extreme", failed(4, "timing=patient")),
			ledger.Keeps("agreement", failed(4, "timing=sync:1")), ledger.Keeps("extreme", failed(4, "timing=sync:1")),
			ledger.Keeps("agreement", failed(3, "timing=sync:2")), ledger.Keeps("extreme", failed(3, "timing=sync:2")),
			ledger.Keeps("agreement", failed(5, "timing=patient channels=fifo detectors=1,2")),
			ledger.Keeps("extreme", failed(5, "timing=patient channels=fifo detectors=1,2")),
			ledger.Keeps("agreement", failed(4, "timing=patient channels=fifo")).Of("book"),
			ledger.Keeps("extreme", failed(4, "timing=patient channels=fifo")).Of("book"),
			ledger.Keeps("agreement", failed(3, "timing=sync:1")).Of("repaired"),
		},
		Note: "Here only the coordinator fails.",
	},
	{
		Name: "book-order", Source: "A. Silberschatz, P. Galvin, Operating System Concepts", Place: "Election algorithms, rule 2c",
		Text: "When elect(i) is back, \"the active list for Pi now contains the numbers of all the active processes in the system\".",
		Kind: ledger.SafetyClaim, Outcome: ledger.RefutedBeyond,
		Exceeds: "channels that do not keep the order of messages: rule 2a lets elect(i) follow the sender's own message",
		Evidence: []ledger.Evidence{
			ledger.Keeps("uniqueness", "n=2 topology=ring initiators=one timing=sync:1").Of("book"),
			ledger.Keeps("uniqueness", "n=2 topology=ring initiators=one timing=patient").Of("book"),
			ledger.Keeps("uniqueness", failed(4, "timing=sync:1 channels=fifo")).Of("book").Beside("channels that keep the order"),
			ledger.Keeps("uniqueness", failed(4, "timing=patient")).Of("packet"),
		},
		Note: "This needs FIFO channels, which the rules do not ask for. By rule 2a elect(i) follows the sender's own elect message; " +
			"if it overtakes that message, its owner misses the sender's number. A packet that collects numbers needs no such order.",
		Story: "silberschatz-overtaken-number",
		Repair: "packet: one message collects the numbers, and it is back only when it has been everywhere. (The rules of the book " +
			"are right as they are where channels are FIFO.)",
		Needs: []string{"rule 1", "rule 2a", "rule 2c", "message elect"},
	},
	{
		Name: "one-elected", Source: effatparvar, Place: "section 1",
		Text: "The safety condition: \"only a single node can enter the elected state\".",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Keeps("uniqueness", failed(4, "timing=patient")), ledger.Keeps("uniqueness", failed(4, "timing=sync:1")),
			ledger.Keeps("uniqueness", failed(3, "timing=sync:2")),
			ledger.Keeps("uniqueness", failed(4, "timing=patient crashes=1 channels=fifo")),
			ledger.Keeps("uniqueness", failed(4, "timing=sync:1 crashes=1 channels=fifo")),
			ledger.Keeps("uniqueness", failed(4, "timing=sync:1 crashes=2 channels=fifo")).InDeep(),
			ledger.Keeps("uniqueness", failed(4, "timing=sync:1 crashes=2 channels=fifo")).Of("book"),
			ledger.Keeps("uniqueness", twoMore).Of("book"),
			ledger.Keeps("uniqueness", oneRing).Of("repaired"),
			ledger.Keeps("uniqueness", failed(4, "timing=sync:1 crashes=1 channels=fifo")).Of("repaired").InDeep(),
		},
		Note: "Another process may fail as well, the winner too, and two may notice, one before and one after it: a list that lacks somebody " +
			"lacks a process that has failed, and one that has it elects nobody who is up beside the right one. By the book's rules it is " +
			"not true where two more fail: a number is lost with a process that it is about to reach, and is missed by those behind it " +
			"(silberschatz-lost-number). " + inOneOrder,
	},
	{
		Name: "remains-elected", Source: effatparvar, Place: "section 1",
		Text: "\"Such states are partitioned into elected states and non-elected states. When a node enters either state, it always remain in " +
			"that state.\"",
		Kind: ledger.SafetyClaim, Outcome: ledger.RefutedBeyond,
		Exceeds: "a crash in the election that follows the coordinator's",
		Evidence: []ledger.Evidence{
			ledger.Keeps("once-elected", failed(4, "timing=sync:1 crashes=1 channels=fifo")),
			ledger.Keeps("once-elected", failed(4, "timing=sync:2 crashes=1 channels=fifo")).Within(200_000),
			ledger.Keeps("once-elected", failed(4, "timing=patient")).Beside("where only the coordinator fails"),
			ledger.Keeps("once-elected", failed(4, "timing=sync:1")).Beside("where only the coordinator fails"),
			ledger.Keeps("once-elected", failed(4, "timing=sync:1 crashes=1 channels=fifo")).Of("book"),
			ledger.Keeps("once-elected", oneRing).Of("repaired"),
			ledger.Keeps("once-elected", failed(3, "timing=sync:2 crashes=1")).Of("repaired"),
			ledger.Keeps("once-elected", failed(4, "timing=sync:1 crashes=1 channels=fifo")).Of("repaired").InDeep(),
		},
		Note: "It is true where nobody but the coordinator fails. Where two notice, and one more process fails when the one packet has passed " +
			"it and the other has not, the two elect different coordinators, of whom the one is down, and its announcement deposes the " +
			"other. " + inOneOrder,
		Story: "silberschatz-deposed",
		Repair: "repaired: an elected process takes out an announcement of any other process. That other process has failed: " +
			"otherwise it would be on the list by which the receiver was elected.",
		Needs: []string{"crash", "suspect", "message Election", "message Coordinator", "two participants at once"},
	},
	{
		Name: "acknowledged", Source: effatparvar, Place: "section 1",
		Text: "\"Once a decision is made, a node is elected as the leader and all the other nodes will acknowledge the role of that node as " +
			"the leader.\"",
		Kind: ledger.SafetyClaim, Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Keeps("agreement", failed(4, "timing=patient crashes=1 channels=fifo")),
			ledger.Keeps("live-coordinator", failed(4, "timing=patient crashes=1 channels=fifo")),
			ledger.Keeps("agreement", failed(4, "timing=sync:1 crashes=1 channels=fifo")),
			ledger.Keeps("agreement", failed(3, "timing=sync:2 crashes=1 channels=fifo")),
		},
		Note: "It is true of every election that is over. With a failure in the midst of it an election may never be: see liveness and " +
			"terminated. " + inOneOrder,
		Needs: []string{"crash", "two participants at once", "message Election", "message Coordinator"},
	},
	{
		Name: "new-election", Source: fceabr, Place: sectionII,
		Text: "\"Ring algorithm launches new election after failing the last coordinator\", and it comes to an end.",
		Kind: ledger.LivenessClaim, Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Keeps("re-election", failed(4, "timing=patient")), ledger.Keeps("e2", failed(4, "timing=patient")),
			ledger.Keeps("termination", failed(4, "timing=patient")),
			ledger.Keeps("re-election", failed(4, "timing=sync:1")), ledger.Keeps("re-election", failed(3, "timing=sync:2")),
			ledger.Keeps("re-election", failed(4, "timing=patient channels=fifo")).Of("book"),
			ledger.Keeps("re-election", oneRing).Of("repaired"),
			ledger.Keeps("re-election", failed(4, "timing=sync:1 crashes=1 channels=fifo")).Of("repaired").InDeep(),
		},
	},
}

var failures = []ledger.Claim{
	{
		Name: "liveness", Source: effatparvar, Place: "section 1",
		Text: "The liveness condition: \"every node will eventually enter an elected state or a non-elected state\".",
		Kind: ledger.LivenessClaim, Outcome: ledger.RefutedBeyond,
		Exceeds: "a crash in the election that follows the coordinator's",
		Evidence: []ledger.Evidence{
			ledger.Keeps("e2", failed(3, "timing=sync:1 crashes=1 channels=fifo")),
			ledger.Keeps("e2", failed(3, "timing=sync:2 crashes=1 channels=fifo")),
			ledger.Keeps("e2", failed(4, "timing=patient crashes=1 channels=fifo")),
			ledger.Keeps("e2", failed(3, "timing=patient channels=fifo crashes=1")).Of("book"),
			ledger.Keeps("e2", failed(3, "timing=sync:1 crashes=1")).Of("repaired"),
			ledger.Keeps("e2", failed(3, "timing=sync:2 crashes=1")).Of("repaired"),
			ledger.Keeps("e2", oneRing).Of("repaired"),
			ledger.Keeps("e2", failed(4, "timing=sync:1 crashes=1 channels=fifo")).Of("repaired").InDeep(),
			ledger.Keeps("e2", failed(4, "timing=sync:1 crashes=2 channels=fifo mid-send=yes")).Of("repaired").InDeep(),
		},
		Note: "One more failure is enough: a packet is lost with the process that it is about to reach, and its informer waits for it for " +
			"ever. " + inOneOrder,
		Story: "silberschatz-lost-packet",
		Repair: "repaired: a packet takes at most N message times to come home, and a packet that is not back by then is made again. " +
			"This needs a known bound on delays, which the sources do not mention.",
		Needs: []string{"crash", "suspect", "message Election", "message Coordinator", "two participants at once"},
	},
	{
		Name: "terminated", Source: effatparvar, Place: "section 1",
		Text: "\"Once the leader is elected, the nodes reach a certain state known as terminated state.\"",
		Kind: ledger.LivenessClaim, Outcome: ledger.RefutedBeyond,
		Exceeds: "a crash in the election that follows the coordinator's",
		Evidence: []ledger.Evidence{
			ledger.Keeps("termination", failed(3, "timing=sync:1 crashes=1 channels=fifo")),
			ledger.Keeps("termination", failed(3, "timing=sync:2 crashes=1 channels=fifo")),
			ledger.Keeps("termination", failed(4, "timing=patient crashes=1 channels=fifo")),
			ledger.Keeps("termination", failed(3, "timing=patient channels=fifo crashes=1")).Of("book"),
			ledger.Keeps("termination", failed(3, "timing=sync:1 crashes=1")).Of("repaired"),
			ledger.Keeps("termination", failed(3, "timing=sync:2 crashes=1")).Of("repaired"),
			ledger.Keeps("termination", oneRing).Of("repaired"),
			ledger.Keeps("termination", failed(4, "timing=sync:1 crashes=1 channels=fifo")).Of("repaired").InDeep(),
			ledger.Keeps("stable-leadership", oneRing).Of("repaired"),
			ledger.Keeps("stable-leadership", failed(4, "timing=sync:1 crashes=1 channels=fifo")).Of("repaired").InDeep(),
		},
		Note: "A packet is taken out of the ring by the process that made it. Where that has failed it goes round for ever, and one that " +
			"announces a coordinator deposes all that come after. " + inOneOrder,
		Story: "silberschatz-orphan-packet",
		Repair: "repaired: packets carry the numbers of the processes that have passed them on, and a process that finds its own " +
			"number in one takes it out. An Election packet carries such a list anyway.",
		Needs: []string{"crash", "suspect", "message Election", "message Coordinator", "two participants at once"},
	},
}

// sweep asks for a cost for each number of processes that are up, and of those
// that notice at once.
func sweep(most int, q func(n, m int) ledger.Evidence) (list []ledger.Evidence) {
	for n := 2; n <= most; n++ {
		for m := 1; m <= n; m++ {
			list = append(list, q(n, m))
		}
	}
	return list
}

var both = []string{"message Election", "message Coordinator"}

var counts = []ledger.Claim{
	{
		Name: "table-1-one", Source: fceabr, Place: fceabrT1 + ", one process notices",
		Text: "2N messages.",
		Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Evidence: func() (list []ledger.Evidence) {
			for n := 2; n <= 6; n++ {
				list = append(list, ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, 2*n, atOnce(n, 1, "patient")),
					ledger.Takes(cost.BestCase, cost.Measure{}, ledger.Exactly, 2*n, atOnce(n, 1, "patient")))
			}
			for n := 3; n <= 6; n++ {
				list = append(list, ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, 2*up(n),
					failed(n, "timing=patient detectors=1")))
			}
			return append(list, ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, 2*3, atOnce(3, 1, "patient channels=fifo")).Of("book"))
		}(),
		Note: "N is the number of processes that are up. By the rules of the book it is N², whichever process notices: each sends its " +
			"own number round. That agrees with the table's last row alone.",
		Needs: both,
	},
	{
		Name: "twice", Source: fceabr, Place: sectionII + "; " + fceabrT1 + ", two processes notice",
		Text: "\"If two processes realize coordinator failure at the same time, the numbers of packets will be twice more\": 4N messages.",
		Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Evidence: []ledger.Evidence{
			ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, 4*2, atOnce(2, 2, "patient")),
			ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, 4*3, atOnce(3, 2, "patient")),
			ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, 4*4, atOnce(4, 2, "patient")),
			ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, 4*5, atOnce(5, 2, "patient")),
			ledger.Takes(cost.BestCase, cost.Measure{}, ledger.Exactly, 4*5, atOnce(5, 2, "patient")),
		},
		Needs: both,
	},
	{
		Name: "same-speed", Source: fceabr, Place: sectionII,
		Text: "Where two notice at the same time \"the speed of election won't change\".",
		Kind: ledger.TimeClaim, Outcome: ledger.Confirmed,
		Evidence: func() (list []ledger.Evidence) {
			for n := 2; n <= 5; n++ {
				for m := 1; m <= 2; m++ {
					list = append(list, ledger.Takes(cost.WorstCase, cost.Measure{Unit: cost.Ticks}, ledger.Exactly, 2*n,
						atOnce(n, m, "lockstep")))
				}
			}
			return append(list, ledger.Takes(cost.WorstCase, cost.Measure{Unit: cost.Ticks}, ledger.Exactly, 2*3,
				failed(4, "timing=lockstep detectors=1,2")).Beside("where the second may notice later"))
		}(),
		Note:  "It takes 2N message times, N for each packet. A process that notices later begins another election of 2N.",
		Needs: both,
	},
	{
		Name: "table-1-all", Source: fceabr, Place: fceabrT1 + ", N processes notice",
		Text: "N² messages.",
		Kind: ledger.CountClaim, Outcome: ledger.Refuted,
		Finding: "fceabr/table1-ring-ten",
		Evidence: func() (list []ledger.Evidence) {
			for n := 2; n <= 4; n++ {
				list = append(list, ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, n*n, atOnce(n, n, "patient")))
			}
			for n := 2; n <= 4; n++ {
				list = append(list, ledger.Takes(cost.WorstCase, election, ledger.Exactly, n*n, atOnce(n, n, "patient")).
					Beside("without the announcements"))
			}
			for n := 2; n <= 5; n++ {
				list = append(list, ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, n*n,
					atOnce(n, n, "patient channels=fifo")).Of("book"))
			}
			return list
		}(),
		Note: "By the rule of the rows for one and two processes, 2N for each that notices, it is 2N². N² leaves out the " +
			"announcements. Or it is the count of the book's rules, which announce nothing; then the other rows are wrong.",
		Needs: both,
	},
	{
		Name: "equation-3", Source: effatparvar, Place: "section 5.2, equation 3",
		Text: "\"The total number of messages passed\" is T = m·n, where m of n nodes notice at the same time.",
		Kind: ledger.CountClaim, Outcome: ledger.Refuted,
		Evidence: slices.Concat(
			sweep(4, func(n, m int) ledger.Evidence {
				return ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, m*n, atOnce(n, m, "patient"))
			}),
			sweep(4, func(n, m int) ledger.Evidence {
				return ledger.Takes(cost.WorstCase, election, ledger.Exactly, m*n, atOnce(n, m, "patient")).Beside("without the announcements")
			}),
			sweep(4, func(n, m int) ledger.Evidence {
				return ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, m*n, atOnce(n, m, "patient channels=fifo")).Of("book")
			}),
		),
		Note: "This is exactly the number of election messages. Each informer announces the result as well, so it is 2·m·n in all. By " +
			"the book's rules it is n², however many notice.",
		Needs: both,
	},
	{
		Name: "least", Source: effatparvar, Place: "Table 1, Ring, Min. Messages",
		Text: "n messages.",
		Kind: ledger.CountClaim, Outcome: ledger.Refuted,
		Finding: "equation-3",
		Evidence: func() (list []ledger.Evidence) {
			for n := 3; n <= 5; n++ {
				list = append(list, ledger.Takes(cost.BestCase, cost.Measure{}, ledger.Exactly, up(n), failed(n, "timing=patient channels=fifo")),
					ledger.Takes(cost.BestCase, election, ledger.Exactly, up(n), failed(n, "timing=patient channels=fifo")).
						Beside("without the announcements"))
			}
			return append(list, ledger.Takes(cost.BestCase, cost.Measure{}, ledger.Exactly, up(4),
				failed(4, "timing=patient channels=fifo")).Of("book"))
		}(),
		Note:  "There are n election messages, and n more to tell the others. By the book's rules it is n².",
		Needs: both,
	},
	{
		Name: "most", Source: effatparvar, Place: "Table 1, Ring, Max. Messages",
		Text: "n² messages.",
		Kind: ledger.CountClaim, Outcome: ledger.Refuted,
		Finding: "equation-3",
		Evidence: func() (list []ledger.Evidence) {
			for n := 3; n <= 5; n++ {
				list = append(list, ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, up(n)*up(n), failed(n, "timing=patient channels=fifo")),
					ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, up(n)*up(n), failed(n, "timing=patient channels=fifo")).Of("book"))
			}
			return append(list, ledger.Takes(cost.WorstCase, election, ledger.Exactly, 9, failed(4, "timing=patient channels=fifo")).
				Beside("without the announcements"))
		}(),
		Note:  "There are n² election messages, and as many to tell the others. By the book's rules n² is right, always.",
		Needs: both,
	},
	{
		Name: "worst-order", Source: fceabr, Place: sectionII,
		Text: "\"The algorithm in the worst case is from O(n²).\"",
		Kind: ledger.CountClaim, Outcome: ledger.Confirmed,
		Evidence: func() (list []ledger.Evidence) {
			for n := 3; n <= 5; n++ {
				list = append(list, ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.AtMost, 2*up(n)*up(n), failed(n, "timing=patient channels=fifo")))
			}
			return list
		}(),
		Note:  "It is 2n² at most, and this is reached where all notice.",
		Needs: both,
	},
	{
		Name: "average-order", Source: fceabr, Place: sectionII,
		Text: "\"On average and best case is of O(n log n).\"",
		Kind: ledger.CountClaim, Outcome: ledger.Undecided,
		Evidence: []ledger.Evidence{
			ledger.Takes(cost.BestCase, cost.Measure{}, ledger.Exactly, 2*3, failed(4, "timing=patient")).Beside("at best, n = 3"),
			ledger.Takes(cost.BestCase, cost.Measure{}, ledger.Exactly, 2*4, failed(5, "timing=patient channels=fifo detectors=1,2")).
				Beside("at best, n = 4"),
		},
		Note: "The source does not say what the average is taken over. At best it takes 2n, which is linear, so n log n is an upper " +
			"bound and no more. If 1 to n processes notice with equal chance, it is n(n+1) on average, which is quadratic; n log n " +
			"would need some log n that notice. The figure may have been meant for the algorithm of Chang and Roberts, where it is " +
			"right.",
	},
}

// ring is what an election by packets costs where one process of a network
// notices, of which n were up before the coordinator failed.
func ring(n int) int { return 2 * (n - 1) }

var figuresOfSources = []ledger.Claim{
	{
		Name: "table-1-ten", Source: fceabr, Place: fceabrT1 + ", ten processes notice",
		Text: "10N messages.",
		Kind: ledger.FigureClaim, Outcome: ledger.Wrong,
		Finding: "fceabr/table1-ring-ten",
		Evidence: []ledger.Evidence{
			ledger.Adds("messages where one notices, in N", 2, 2*1), ledger.Adds("where two notice, in N", 4, 2*2),
			ledger.Adds("where ten notice, in N", 10, 2*10),
		},
		Note: "By the rule of the table's first two rows, 2N for each that notices, it is 20N.",
	},
	{
		Name: "table-2-ring", Source: fceabr, Place: "Table 2, column Ring",
		Text: "50, 186, 1290 and 5890 messages where the coordinator of 50, 187, 1290 and 5890 processes fails.",
		Kind: ledger.FigureClaim, Outcome: ledger.Wrong,
		Finding: "fceabr/table2-50",
		Evidence: []ledger.Evidence{
			ledger.Adds("50 processes", 50, ring(50)), ledger.Adds("187 processes", 186, ring(187)),
			ledger.Adds("1290 processes", 1290, ring(1290)), ledger.Adds("5890 processes", 5890, ring(5890)),
		},
		Note: "By Table 1 the ring takes 2N with the N that are left: 98, 372, 2578 and 11778. Those numbers stand in the column " +
			"Modified Ring: the headings of the two columns are exchanged. The text beside the table agrees: the paper's own " +
			"algorithm takes half of what the ring takes.",
	},
	{
		Name: "table-1-formula", Source: effatparvar, Place: "Table 1, Ring, last column",
		Text: "The worst case n² is Σ (n-i) for i = 1 to n.",
		Kind: ledger.FigureClaim, Outcome: ledger.Wrong,
		Evidence: []ledger.Evidence{
			ledger.Adds("Table 1 at n = 10", 10*10, sum(1, 10, func(i int) int { return 10 - i })),
			ledger.Adds("equation 3 at m = n = 10", 10*10, sum(1, 10, func(i int) int { return 10 - i })),
			ledger.Adds("½(n-i)(n-i+1) at n = 10, i = 10", sum(1, 10, func(i int) int { return 10 - i }), lastTerm(10, 10)),
		},
		Note: "The sum is n(n-1)/2, which is half of the row's maximum and of the value of equation 3. The expression that it is said " +
			"to equal, ½(n-i)(n-i+1), still contains the index of summation. The sum belongs to the modified ring: see " +
			"effatparvarring.",
	},
}

// lastTerm is what the row says that its sum is equal to.
func lastTerm(n, i int) int { return (n - i) * (n - i + 1) / 2 }

// sum adds f(i) for i from lo to hi.
func sum(lo, hi int, f func(i int) int) (s int) {
	for i := lo; i <= hi; i++ {
		s += f(i)
	}
	return s
}
