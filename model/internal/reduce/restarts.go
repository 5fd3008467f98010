package reduce

import "bullyproof/model/setting"

// Restarts that are left, under synchronous timing.
//
// Where restarts are left, with crashes or without, a set C of processes gives a
// persistent set as it does where crashes are left (crashes.go): all that is
// enabled at them, their crashes, restarts and drops included. A process that may restart
// acts like one that is up: in a closure it comes up, whoever may crash goes down, and
// what is delivered to one that is down does nothing. It is enough to take all actions
// at C where
//
//   - one of them is an anchor, and it changes nothing that is read in the present state
//     (a due message to a process that is down is none: it may be lost at the last
//     restart, and then time passes);
//   - nothing new can come to C before C acts: no message in the closure of the others,
//     and no report of somebody outside C who is up and may crash.
//
// Take a run, and the first action of C in it. Nothing new came to C before, so it is
// enabled at once; a report of somebody who is down was possible from the beginning. It
// can be moved to the front:
//
//   - Its message to a process that crashes or restarts before it in the run waits there
//     in either order, since mail is kept while a restart is left. Where the last restart
//     is over, mail to those who are down is lost, and what they have kept is forgotten,
//     in either order: at the crash, at the sending, or at the restart.
//   - The budgets allow for all faults of the run in any order in which each process
//     crashes and restarts by turns, and those of one process stay in order.
//
// If the run has no action of C, the anchor is enabled at its end, so it can go first, and
// there is an anchor less: what a restart sends or sets is due only after the next tick.
//
// Dead messages are also dropped: in a window, processes also crash and come up. Both
// states have the same faults left, and lose mail at the same restart.
//
// If mail that comes while its receiver is down is lost, or mail from before a restart,
// the order counts, and nothing is reduced. Nothing is postponed beyond a tick.

// reducesRestarts reports whether states in which restarts are left are reduced.
func (x *Reducer) reducesRestarts() bool {
	s := &x.Setting
	return s.Timing.Kind == setting.Synchronous && !s.MailDownLost && !s.MailOldLost
}

// rises marks the actions of a persistent set in a state in which restarts are left. It
// reports false where there is none but the set of all.
func (f *finder) rises(acts []Act, keep []bool) bool {
	if f.kinds&PersistentSets == 0 {
		return false
	}
	anchors, ticks := f.start.anchors(acts)
	f.best = f.best[:0]
	for _, i := range anchors {
		f.allAt(acts, i, ticks)
		f.better(acts)
	}
	return f.keepBest(keep)
}
