package protocol

import (
	"fmt"
	"slices"
)

// MostTimers is the number of timers of a process at most.
const MostTimers = 16

// Check says how the vocabulary of a protocol does not fit an encoding; nil if it does.
func Check(c Code, has *Optionals) error {
	p, names := c.Protocol(), c.Names()
	switch {
	case len(names.Kinds) == 0 || len(names.Kinds) > 64:
		return fmt.Errorf("protocol %T names %d kinds of messages; 1 to 64 are right", p, len(names.Kinds))
	case len(names.Timers) > MostTimers:
		return fmt.Errorf("protocol %T names %d timers; at most %d are right", p, len(names.Timers), MostTimers)
	case len(names.Rules) > 64:
		return fmt.Errorf("protocol %T names %d rules; at most 64 are right", p, len(names.Rules))
	case has.Bounder && len(names.Kinds) == 64:
		return fmt.Errorf("protocol %T has a bound and names 64 kinds of messages; with a bound 1 to 63 are right", p)
	case len(names.Requests) > 255:
		return fmt.Errorf("protocol %T names %d requests; at most 255 are right", p, len(names.Requests))
	case has.Requester && len(names.Requests) == 0:
		return fmt.Errorf("protocol %T has a method Request and names no requests (Names.Requests): name what a process can be asked for", p)
	case !has.Requester && len(names.Requests) > 0:
		return fmt.Errorf("protocol %T names the request %q and has no method Request (model.Optional)", p, names.Requests[0])
	case len(names.Choices) > 255:
		return fmt.Errorf("protocol %T names %d choices; at most 255 are right", p, len(names.Choices))
	}
	for i, text := range names.Requests {
		if text == "" || slices.Contains(names.Requests[:i], text) {
			return fmt.Errorf("protocol %T: request %d is %q; want different texts", p, i, text)
		}
	}
	var seen []string
	for i, c := range names.Choices {
		if c.Name == "" {
			return fmt.Errorf("protocol %T: choice %d has no name", p, i)
		}
		if slices.Contains(seen, c.Name) {
			return fmt.Errorf("protocol %T names two choices %q", p, c.Name)
		}
		seen = append(seen, c.Name)
		if n := len(c.Outcomes); n < 1 || n > 255 {
			return fmt.Errorf("protocol %T: choice %q has %d outcomes; 1 to 255 are right", p, c.Name, n)
		}
		for j, text := range c.Outcomes {
			if text == "" || slices.Contains(c.Outcomes[:j], text) {
				return fmt.Errorf("protocol %T: outcome %d of choice %q is %q; want different texts", p, j, c.Name, text)
			}
		}
		if len(c.Weights) > 0 && len(c.Weights) != len(c.Outcomes) {
			return fmt.Errorf("protocol %T: choice %q has %d weights; want one for each of its %d outcomes, or none", p, c.Name, len(c.Weights), len(c.Outcomes))
		}
		for j, w := range c.Weights {
			if w < 1 || w > 1_000_000 {
				return fmt.Errorf("protocol %T: outcome %q of choice %q weighs %d; want 1 to 1,000,000", p, c.Outcomes[j], c.Name, w)
			}
		}
	}
	return nil
}
