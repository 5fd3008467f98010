package reduce

// A Flaw is a condition of the reductions that is not kept: tests see that they
// catch the lack of it.
type Flaw uint64

const (
	FlawCommute   Flaw = 1 << iota // all events commute
	FlawVisible                    // nothing is visible
	FlawPassed                     // on a ring without timers nothing is visible
	FlawClosure                    // what is sent on the way is not followed
	FlawFaults                     // faults that are left do not matter
	FlawEnabled                    // what does not commute need not be enabled
	FlawElsewhere                  // nobody sends anything
	FlawPast                       // what is delivered early may always wait
	FlawLater                      // what is dead now stays dead
	FlawEcho                       // what a dead message sends does not matter
	FlawSurplus                    // every copy of a message is dead
	FlawReports                    // nobody hears of a crash
	FlawTalk                       // what is sent before a crash does not matter
	FlawBlocked                    // what is due to a process does not matter to its crash
	FlawWitness                    // values within a tick do not matter
	FlawPrefix                     // a process does nothing in a tick before it crashes
	FlawHeard                      // nobody reports a process in a tick before it restarts
	FlawKept                       // no message is dropped in a tick before its receiver restarts
	FlawUnsent                     // states are alike whatever they send
	FlawOnTheWay                   // states with the same outcomes are alike whatever is read on the way
	FlawIdle                       // nothing has to be under way to a process whose crash waits
	FlawCycle                      // cycles do not matter
	FlawRanks                      // it does not matter in which order timers are set
	FlawPending                    // who has yet to begin is not rotated or permuted
	FlawMail                       // messages are not rotated or permuted
	FlawNames                      // whom processes and messages name is not permuted
	FlawDivided                    // who is cut off from whom is not permuted
	FlawDisks                      // whom disks named before the last write is not permuted
	FlawNamed                      // processes change places of which the setting says different things
	FlawLoss                       // the loss of a message does not depend on its delivery
	FlawBack                       // nobody restarts before something is delivered
	FlawAgain                      // nobody crashes who may restart
	FlawDropped                    // time waits for what is due to a process that is down
	FlawTwice                      // a report may be put off behind a report of the same process
	FlawChoice                     // runs are restored whatever was chosen
	FlawAlone                      // others act in a tick before a process crashes, if a state on the way is kept
	FlawOrder                      // runs are restored whatever the order of what is sent on a FIFO channel
	FlawWaits                      // what sets a timer may wait for the tick
	FlawExpiry                     // no timer expires while a message is under way
	FlawSpent                      // messages are dropped although losses are left
	FlawPeriodic                   // whoever waits for a periodic timer owes something
	FlawBeat                       // crashes wait for the tick whatever periodic timers do
	FlawSevered                    // a cut that is in force does not matter
	FlawEnds                       // states at the ends of ticks have the values of those that stand for them

	Forgetful // no flaw: nothing is remembered of closures and of dead messages
)
