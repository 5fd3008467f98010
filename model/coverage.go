package model

import (
	"bullyproof/model/internal/ran"
)

// Coverage counts what has run in a search: how often each thing happened in a
// transition of a distinct state, or on the way to an initial state.
type Coverage struct {
	// Rules, Sent and Received count the rules of the source that ran and the
	// messages that were sent and received, by the protocol's Names.
	Rules, Sent, Received []Count
	// Actions counts the transitions by the kind of their action.
	Actions []Count
	// Remark is what the protocol says of how it ran (Remarked), "" of most.
	Remark string
}

// A Count says how often something happened, or may still happen.
type Count struct {
	Name  string
	Times int64
}

// named puts names to counts.
func named(c *ran.Counts, names Names) Coverage {
	var out Coverage
	list := func(names []string, counts []int64) (list []Count) {
		for i, name := range names {
			list = append(list, Count{name, counts[i]})
		}
		return list
	}
	out.Rules = list(names.Rules, c.Rules[:])
	out.Sent = list(names.Kinds, c.Sent[:])
	out.Received = list(names.Kinds, c.Received[:])
	out.Actions = list(kindNames(), c.Actions[:])
	return out
}

func kindNames() []string {
	names := make([]string, len(kinds))
	for i := range kinds {
		names[i] = kinds[i].name
	}
	return names
}

// coverage is the count of one worker.
type coverage struct {
	ran.Counts
	memo *memo // of the worker, which counts what happens again; or nil
}

// ran returns what has run so far. The caller holds the lock.
func (w *Watched) ran() (sum ran.Counts) {
	for _, c := range w.covers {
		if c.memo != nil {
			c.memo.tally(&sum)
		}
		sum.Add(&c.Counts)
	}
	return sum
}

// Keep returns what has run so far, for a checkpoint (explore.Keeper).
func (w *Watched) Keep() ([]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	sum := w.ran()
	return sum.Keep(actionKinds)
}

// Recall adds what Keep returned in an earlier search, of which what ran before
// the initial states is part (explore.Keeper).
func (w *Watched) Recall(kept []byte) error {
	c := new(coverage)
	if err := c.Recall(kept, actionKinds); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.started, w.covers = true, append(w.covers, c)
	return nil
}

// boundReason is the number under which a bound cuts a search; those before it
// are for links that are full, by kind of message.
func (w *world) boundReason() int { return len(w.names.Kinds) }

// beyond reports whether the handler that has just run leaves its process beyond
// the bound; the search then notes that it leaves out the outcome.
func (e *expander) beyond() bool {
	why := e.whyBeyond()
	if e.wrap.rec != nil && (why != "" || e.unbounded) {
		e.wrap.rec.beyond = why
	}
	if why == "" || e.unbounded {
		return false
	}
	e.cover.TooFar(why)
	e.leaveOut(e.boundReason())
	e.keepOwed()
	return true
}

// whyBeyond returns why the process that has just run is beyond the bound, if it
// is.
func (e *expander) whyBeyond() string {
	if !e.has.Bounder {
		return ""
	}
	return e.protocol.Beyond(e.act.cur)
}

// CutReason says what Successors.Cut with a number means for a search: what
// System.CutReason says, and of a bound, how states went beyond it.
func (w *Watched) CutReason(reason int) string {
	text := w.System.CutReason(reason)
	if reason != len(w.names.Kinds) {
		return text
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	sum := w.ran()
	return text + sum.Reasons()
}
