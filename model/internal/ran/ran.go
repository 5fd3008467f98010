// Package ran counts what runs in a search.
package ran

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"
	"strings"
)

// Counts says how often something ran, by its number.
type Counts struct {
	Rules, Sent, Received [64]int64
	Actions               [32]int64 // of which there are fewer kinds
	Beyond                []string  // reasons of a bound, the least ones
}

// mostReasons is how many reasons of a bound are shown.
const mostReasons = 3

// Count notes so many transitions by actions of a kind.
func (c *Counts) Count(kind uint8, rules uint64, times int64) {
	c.Actions[kind] += times
	for ; rules != 0; rules &= rules - 1 {
		c.Rules[bits.TrailingZeros64(rules)] += times
	}
}

// Add adds other counts.
func (c *Counts) Add(d *Counts) {
	for i := range c.Rules {
		c.Rules[i] += d.Rules[i]
		c.Sent[i] += d.Sent[i]
		c.Received[i] += d.Received[i]
	}
	for i := range c.Actions {
		c.Actions[i] += d.Actions[i]
	}
	for _, why := range d.Beyond {
		c.TooFar(why)
	}
}

// TooFar notes a reason of a bound: the least ones are kept, so that they do not depend on
// the order of the search.
func (c *Counts) TooFar(why string) {
	at, known := slices.BinarySearch(c.Beyond, why)
	if known {
		return
	}
	c.Beyond = slices.Insert(c.Beyond, at, why)
	c.Beyond = c.Beyond[:min(len(c.Beyond), mostReasons+1)]
}

// Reasons lists the reasons of a bound, behind a colon; "" if there is none.
func (c *Counts) Reasons() string {
	if len(c.Beyond) == 0 {
		return ""
	}
	text := ": " + strings.Join(c.Beyond[:min(len(c.Beyond), mostReasons)], ", ")
	if len(c.Beyond) > mostReasons {
		text += " and more"
	}
	return text
}

// kept is what checkpoints have.
type kept struct {
	Rules    []int64  `json:"rules"`
	Sent     []int64  `json:"sent"`
	Received []int64  `json:"received"`
	Actions  []int64  `json:"actions"`
	Beyond   []string `json:"beyond"`
}

// Keep returns the counts for a checkpoint, with so many kinds of actions.
func (c *Counts) Keep(kinds int) ([]byte, error) {
	return json.Marshal(kept{c.Rules[:], c.Sent[:], c.Received[:], c.Actions[:kinds], c.Beyond})
}

// Recall makes zero counts what Keep returned.
func (c *Counts) Recall(data []byte, kinds int) error {
	var k kept
	if err := json.Unmarshal(data, &k); err != nil {
		return fmt.Errorf("what has run: %w", err)
	}
	for _, part := range []struct {
		name     string
		to, from []int64
	}{{"rules", c.Rules[:], k.Rules}, {"sent", c.Sent[:], k.Sent}, {"received", c.Received[:], k.Received}, {"actions", c.Actions[:kinds], k.Actions}} {
		if len(part.from) != len(part.to) {
			return fmt.Errorf("what has run: there are %d counts of %s, and should be %d", len(part.from), part.name, len(part.to))
		}
		copy(part.to, part.from)
	}
	for _, why := range k.Beyond {
		c.TooFar(why)
	}
	return nil
}
