// Package checker asks questions of a system made by package model, and
// answers them by exploring every state.
//
//	sys, err := model.New(&upstart.Protocol{}, setting.Must("n=3 start=settled crashes=1"))
//	report, err := checker.Check(context.Background(), sys, checker.Options{Algorithm: "upstart"})
//	fmt.Println(report.Headline())
//	for _, f := range report.Findings {
//		fmt.Printf("%s: %s\n", f.Property.Name, f.Line())
//	}
//
// This prints "VIOLATED in this setting: upstart, 4 of 10 properties", and "uniqueness: violated in 3
// steps: P1 and P2 both believe themselves coordinator". In a test one line does the same:
//
//	checker.Verify(t, &upstart.Protocol{}, "n=3 start=settled crashes=1")
//
// A question is a Property. Some are about states and steps: an invariant, or a
// witness ("a run in which X happens"). Others are about runs as a whole: that p
// is true eventually, from some time on, again and again, or whenever q was, under
// an assumed Fairness; and that p can always be reached.
//
// Two suites are made already. Standard is for elections that end: messages and
// timers cease, and the state is settled. Heartbeat is for those that never do,
// since a leader goes on proving that it lives. The wrong one is vacuous: what it
// asks about never comes up, and that is the verdict, not "holds".
//
// Check decides any number of them in one search, and gives each
// that is violated a trace of its own: a minimal one, or a lasso, the way to steps
// that are repeated without end. An answer is never "holds" where the search did not
// see everything: it is then Incomplete, and says why.
//
// Verify does the same in a go test, of a protocol in a setting given as text. It
// prints the trace where a property is violated, keeps it as a test case, and
// fails as well where something is undecided or never came up. TestProtocol and
// TestSystem check the code of a protocol itself: that its handlers are
// deterministic and share nothing.
//
// Package cost computes the cost of an election; package ledger judges the
// claims of sources.
package checker
