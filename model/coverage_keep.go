package model

import (
	"encoding/json"
	"fmt"
)

// keptCoverage is a coverage as checkpoints have it.
type keptCoverage struct {
	Rules    []int64  `json:"rules"`
	Sent     []int64  `json:"sent"`
	Received []int64  `json:"received"`
	Actions  []int64  `json:"actions"`
	Beyond   []string `json:"beyond"`
}

// Keep returns what has run so far, for a checkpoint (explore.Keeper).
func (w *Watched) Keep() ([]byte, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	var sum coverage
	for _, c := range w.covers {
		sum.add(c)
	}
	return json.Marshal(keptCoverage{sum.rules[:], sum.sent[:], sum.received[:], sum.actions[:], sum.beyond})
}

// Recall adds what Keep returned in an earlier search, of which what ran before
// the initial states is part (explore.Keeper).
func (w *Watched) Recall(kept []byte) error {
	var k keptCoverage
	if err := json.Unmarshal(kept, &k); err != nil {
		return fmt.Errorf("what has run: %w", err)
	}
	c := new(coverage)
	for _, part := range []struct {
		name     string
		to, from []int64
	}{{"rules", c.rules[:], k.Rules}, {"sent", c.sent[:], k.Sent}, {"received", c.received[:], k.Received}, {"actions", c.actions[:], k.Actions}} {
		if len(part.from) != len(part.to) {
			return fmt.Errorf("what has run: there are %d counts of %s, and should be %d", len(part.from), part.name, len(part.to))
		}
		copy(part.to, part.from)
	}
	for _, why := range k.Beyond {
		c.tooFar(why)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.started, w.covers = true, append(w.covers, c)
	return nil
}
