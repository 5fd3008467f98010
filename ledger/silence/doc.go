// Package silence decides a row of the ledger in all readings of its source at once.
//
// A source is silent about an event if none of its sentences says what a process does then.
// The events at a process are sorted into cells ([Cell]); a [Silence] covers those about which
// one question is asked, and names its answers. The code of the protocol is one
// answer, the first. A [Reading] has an answer to each silence.
//
//	told := silence.Silence{
//		Name:    "told-itself",
//		Cells:   []string{"COORDINATOR: id=self"},
//		Answers: []string{"leads", "announces", "nothing"},
//	}
//	does := silence.Does[P, M]{"told-itself/announces": announce}
//	src, err := silence.New(protocol, silence.Sorter[P]{}, does, told)
//	tree, err := src.Decide(ctx, row, silence.Options{})
//
// One tree decides a row. At each of its nodes some silences have their answers, and two
// searches speak for all readings below. In the strict one a silence without an answer leads
// nowhere: if it finds a violation, the property is violated in every reading. In the free
// one such a silence is answered anew each time, in any way: if the property holds there, it
// holds in every reading. Where neither speaks, the tree branches on a silence that the run
// of the free search meets.
package silence
