package model

import "math/bits"

// Coverage counts what has run in a search: how often each thing happened in a
// transition of a distinct state, or on the way to an initial state.
type Coverage struct {
	// Rules, Sent and Received count the rules of the source that ran and the
	// messages that were sent and received, by the protocol's Names.
	Rules, Sent, Received []Count
	// Actions counts the transitions by the kind of their action.
	Actions []Count
}

// A Count says how often something happened, or may still happen.
type Count struct {
	Name  string
	Times int64
}

// coverage is the count of one worker.
type coverage struct {
	rules    [64]int64
	sent     [64]int64
	received [64]int64
	actions  [actionKinds]int64
	beyond   []string // reasons of the bound, the least ones
	memo     *memo    // of the worker, which counts what happens again; or nil
}

// count notes so many transitions.
func (c *coverage) count(kind ActionKind, rules uint64, times int64) {
	c.actions[kind] += times
	for ; rules != 0; rules &= rules - 1 {
		c.rules[bits.TrailingZeros64(rules)] += times
	}
}

// add adds the counts of another worker.
func (c *coverage) add(d *coverage) {
	if d.memo != nil {
		d.memo.tally(c)
	}
	for i := range c.rules {
		c.rules[i] += d.rules[i]
		c.sent[i] += d.sent[i]
		c.received[i] += d.received[i]
	}
	for i := range c.actions {
		c.actions[i] += d.actions[i]
	}
	for _, why := range d.beyond {
		c.tooFar(why)
	}
}

// named puts names to the counts.
func (c *coverage) named(names Names) Coverage {
	var out Coverage
	list := func(names []string, counts []int64) (list []Count) {
		for i, name := range names {
			list = append(list, Count{name, counts[i]})
		}
		return list
	}
	out.Rules = list(names.Rules, c.rules[:])
	out.Sent = list(names.Kinds, c.sent[:])
	out.Received = list(names.Kinds, c.received[:])
	out.Actions = list(actionNames[:], c.actions[:])
	return out
}
