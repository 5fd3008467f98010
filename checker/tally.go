package checker

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"bullyproof/internal/prose"
	"bullyproof/internal/quantity"
	"bullyproof/model"
)

// A Tally counts the states of a search by the value that something has in them (Options.Tallies).
type Tally struct {
	// Name says what has the values: an expression, for example.
	Name string
	// Of returns the value in a state: an int, a float64, a bool or a string; an error where
	// there is none. It is called from several goroutines, as properties are.
	Of func(v *model.View) (value any, err error)
}

// A Tallied is what a Tally found.
type Tallied struct {
	// Name is that of the Tally, and States the number of states in which there was a value.
	Name   string
	States uint64
	// Values are those that there were, numbers in their order and before texts. They are
	// nil if there are more than MostTallied; the range is known nevertheless.
	Values []TalliedValue
	// Least and Greatest are the range of the values that are numbers; nil if none is.
	Least, Greatest *float64
	// None is the number of states without a value, and Why the reason: of several the first
	// in the order of texts.
	None uint64
	Why  string
}

// A TalliedValue is a value and in how many states it was seen.
type TalliedValue struct {
	Value  any
	States uint64
}

// MostTallied is how many different values a Tally tells apart.
const MostTallied = 1 << 14

// tallies has the options visit every state where something is counted.
func (o *Options) tallies() {
	if len(o.Tallies) > 0 {
		o.Exhaustive, o.Reduce = true, 0
	}
}

// tallying counts for the tallies of one search.
type tallying struct{ list []*tallyCount }

type tallyCount struct {
	*Tally
	states  atomic.Uint64
	values  sync.Map // of *atomic.Uint64, by the value
	kinds   atomic.Int64
	mu      sync.Mutex // held for what follows
	numbers []float64  // the least and the greatest, if any
	none    uint64
	why     string
}

func newTallying(tallies []*Tally) *tallying {
	if len(tallies) == 0 {
		return nil
	}
	t := &tallying{}
	for _, one := range tallies {
		t.list = append(t.list, &tallyCount{Tally: one})
	}
	return t
}

// look counts a state. It may be called by several goroutines.
func (t *tallying) look(v *model.View) {
	if t == nil {
		return
	}
	for _, c := range t.list {
		c.look(v)
	}
}

func (c *tallyCount) look(v *model.View) {
	value, err := c.Of(v)
	if err != nil {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.none++
		if text := err.Error(); c.why == "" || text < c.why {
			c.why = text
		}
		return
	}
	c.states.Add(1)
	n, known := c.values.Load(value)
	if !known {
		c.widen(value)
		if c.kinds.Load() > MostTallied {
			return
		}
		if n, known = c.values.LoadOrStore(value, new(atomic.Uint64)); !known {
			c.kinds.Add(1)
		}
	}
	n.(*atomic.Uint64).Add(1)
}

// widen has the range take in a value.
func (c *tallyCount) widen(value any) {
	n, ok := numeric(value)
	if !ok {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.numbers) == 0 {
		c.numbers = []float64{n, n}
	}
	c.numbers[0], c.numbers[1] = min(c.numbers[0], n), max(c.numbers[1], n)
}

func numeric(value any) (float64, bool) {
	switch n := value.(type) {
	case int:
		return float64(n), true
	case float64:
		return n, true
	}
	return 0, false
}

// tallied returns what was counted when the search is over.
func (t *tallying) tallied() (all []Tallied) {
	if t == nil {
		return nil
	}
	for _, c := range t.list {
		one := Tallied{Name: c.Name, States: c.states.Load(), None: c.none, Why: c.why}
		if len(c.numbers) > 0 {
			one.Least, one.Greatest = &c.numbers[0], &c.numbers[1]
		}
		if c.kinds.Load() <= MostTallied {
			one.Values = []TalliedValue{}
			c.values.Range(func(value, n any) bool {
				one.Values = append(one.Values, TalliedValue{value, n.(*atomic.Uint64).Load()})
				return true
			})
			slices.SortFunc(one.Values, compareTallied)
		}
		all = append(all, one)
	}
	return all
}

func compareTallied(a, b TalliedValue) int {
	x, isX := numeric(a.Value)
	y, isY := numeric(b.Value)
	switch {
	case isX && isY:
		return cmp.Or(cmp.Compare(x, y), strings.Compare(fmt.Sprintf("%T", a.Value), fmt.Sprintf("%T", b.Value)))
	case isX != isY:
		return cmp.Compare(btoi(isY), btoi(isX))
	}
	return strings.Compare(fmt.Sprint(a.Value), fmt.Sprint(b.Value))
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

type tallyJSON struct {
	Name     string        `json:"name"`
	States   uint64        `json:"states"`
	Distinct *int          `json:"distinct,omitempty"`
	Values   []talliedJSON `json:"values,omitempty"`
	Least    *float64      `json:"least,omitempty"`
	Greatest *float64      `json:"greatest,omitempty"`
	None     uint64        `json:"none,omitempty"`
	Why      string        `json:"why,omitempty"`
}

type talliedJSON struct {
	Value  any    `json:"value"`
	States uint64 `json:"states"`
}

func (t *Tallied) toJSON() tallyJSON {
	out := tallyJSON{t.Name, t.States, nil, nil, t.Least, t.Greatest, t.None, t.Why}
	if t.Values != nil {
		distinct := len(t.Values)
		out.Distinct = &distinct
	}
	for _, v := range t.Values {
		out.Values = append(out.Values, talliedJSON(v))
	}
	return out
}

// mostRows is how many values of a tally a text lists.
const mostRows = 40

// writeTallies writes a line for each value that was counted.
func (r *Report) writeTallies(p *prose.Printer) {
	for i := range r.Tallies {
		t := &r.Tallies[i]
		text := fmt.Sprintf("Count of %s, in %s", t.Name, quantity.Plural(t.States+t.None, "state"))
		if !r.Complete() {
			text += " that were expanded"
		}
		switch {
		case t.Values == nil:
			text += fmt.Sprintf(": more than %s values", quantity.Count(MostTallied))
		default:
			text += ": " + quantity.Plural(uint64(len(t.Values)), "value")
		}
		if t.Least != nil {
			text += fmt.Sprintf(", %v to %v", *t.Least, *t.Greatest)
		}
		p.Line(2, text, "")
		for _, v := range t.Values[:min(mostRows, len(t.Values))] {
			p.Hanging(4, "", fmt.Sprintf("%v: %s", v.Value, quantity.Plural(v.States, "state")), "")
		}
		if more := len(t.Values) - mostRows; more > 0 {
			p.Line(4, fmt.Sprintf("and %s more, which --json lists", quantity.Plural(uint64(more), "value")), "")
		}
		if t.None > 0 {
			p.Hanging(4, "", fmt.Sprintf("no value in %s: %s", quantity.Plural(t.None, "state"), t.Why), "")
		}
	}
}
