package reduce

import "bullyproof/model/internal/layout"

// Losses that are left.
//
// Where messages may yet be lost and no other fault can happen, persistent sets are
// taken with the losses of their messages: a set of events of one process with those of
// the messages that it delivers, a set of processes with those of all messages to
// them. Copies of a message count as one, so all of them are in the set or none is.
//
// Take a run from the state, and the first action of the set in it. The actions before
// it neither deliver nor lose the messages of the set. So if it is a delivery, it goes
// to the front as it does without losses: a loss elsewhere changes no process. If it is
// a loss, its message is in flight from the beginning, and the budget allows for it,
// since it allows for all losses of the run; its message being gone is noticed by
// nobody but its receiver, who does nothing that depends on it before. (Of two copies
// under synchronous timing, the one with less time left is delivered or lost first, and
// the state that is left simulates the other, as without losses.) If the run has no
// action of the set, the anchor, which is a delivery or an expiry, goes first, and the
// budget is left for the losses of the run. Losses change nothing that is read, and are
// on no cycle of states: each takes from the budget.
//
// Dead messages are not dropped while losses are left: a run could spend its budget on
// them, so that states would differ in what is left of it. Copies with more time left
// are not left out, and nothing is postponed.

// losing reports whether losses are left in the state that has been decoded, no other
// fault can happen, and nobody can come up.
func (x *Reducer) losing() bool {
	return x.up|x.down == 1<<x.N-1 && x.BudgetsLeft(x.state) == 1<<layout.BudgetLosses && x.r.Flaws&FlawFaults == 0
}
