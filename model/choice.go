package model

import (
	"fmt"
	"slices"
)

// A Choice names a choice that handlers make: an index into Names().Choices.
type Choice uint8

// A ChoiceName describes a choice. Traces say "chooses timeout=long", where
// Net.Choose has them say "chooses 1".
type ChoiceName struct {
	// Name is what is chosen: "timeout".
	Name string
	// Outcomes are what there is to choose from, 1 to 255 different texts:
	// "short" and "long".
	Outcomes []string
}

// Pick returns the number of an outcome of choice c: one action with as many
// outcomes as c has, all of which are explored.
func (n *net) Pick(c Choice) int {
	if int(c) >= len(n.named) {
		panic(misuse(fmt.Sprintf("choice %d: the protocol names %d choices, numbered from 0", c, len(n.named))))
	}
	i := n.Choose(len(n.named[c].Outcomes))
	if n.choose == nil { // in a search
		n.picked[len(n.picked)-1] = uint8(c) + 1
	}
	return i
}

// outcomes returns what was chosen, a text for each choice: "timeout=long", or
// the number alone where the choice has no name. It is nil if none has one.
func (n *net) outcomes() []string {
	if !slices.ContainsFunc(n.picked, func(c uint8) bool { return c > 0 }) {
		return nil
	}
	texts := make([]string, len(n.choices))
	for i, c := range n.choices {
		texts[i] = fmt.Sprint(c)
		if p := n.picked[i]; p > 0 {
			texts[i] = n.named[p-1].Name + "=" + n.named[p-1].Outcomes[c]
		}
	}
	return texts
}

// checkChoices checks the choices that a vocabulary names.
func (w *world) checkChoices() error {
	if n := len(w.names.Choices); n > 255 {
		return fmt.Errorf("protocol %T names %d choices; at most 255 are right", w.protocol.protocol(), n)
	}
	var names []string
	for i, c := range w.names.Choices {
		if c.Name == "" {
			return fmt.Errorf("protocol %T: choice %d has no name", w.protocol.protocol(), i)
		}
		if slices.Contains(names, c.Name) {
			return fmt.Errorf("protocol %T names two choices %q", w.protocol.protocol(), c.Name)
		}
		names = append(names, c.Name)
		if n := len(c.Outcomes); n < 1 || n > 255 {
			return fmt.Errorf("protocol %T: choice %q has %d outcomes; 1 to 255 are right", w.protocol.protocol(), c.Name, n)
		}
		for j, text := range c.Outcomes {
			if text == "" || slices.Contains(c.Outcomes[:j], text) {
				return fmt.Errorf("protocol %T: outcome %d of choice %q is %q; want different texts", w.protocol.protocol(), j, c.Name, text)
			}
		}
	}
	return nil
}

// outcomeLabels returns the named outcomes of the transition under way, each
// with where it comes to be: "timeout=long of position 2".
func (e *expander) outcomeLabels() []string {
	var labels []string
	for i, text := range e.net.outcomes() {
		if e.net.picked[i] > 0 {
			labels = append(labels, fmt.Sprintf("%s of position %d", text, e.act.pos+1))
		}
	}
	return labels
}
