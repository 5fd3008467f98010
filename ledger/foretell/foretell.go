// Package foretell says of answers to predictions of a lecture what becomes of them: which one
// comes true in the run, and which ones could in another run from the same state.
package foretell

import (
	"fmt"

	"bullyproof/checker/expression"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/trace"
)

// A Fate is what becomes of an answer.
type Fate uint8

const (
	// Comes: the answer is right in the run.
	Comes Fate = iota
	// Possible: another run from the same state has it, after as many steps.
	Possible
	// Impossible: no run from there has it after as many steps.
	Impossible
)

// mostStates bounds the states from which an answer is looked for.
const mostStates = 100_000

// Of returns what becomes of each answer to a prediction about a run. The error names an answer
// that says nothing of the run: exactly one has to be right, and it must not be right before.
func Of(run *trace.Run, p *ledger.Prediction) ([]Fate, error) {
	if p.To >= len(run.States) {
		return nil, fmt.Errorf("prediction %q: it is about step %d of %d", p.Ask, p.To, len(run.States)-1)
	}
	fates, right := make([]Fate, len(p.Choices)), 0
	tests := make([]*expression.Expression, len(p.Choices))
	for i := range p.Choices {
		c := &p.Choices[i]
		x, err := expression.Condition(run.System, c.Is)
		if err != nil {
			return nil, fmt.Errorf("prediction %q: answer %q: %w", p.Ask, c.Says, err)
		}
		tests[i], fates[i] = x, Impossible
		before, err := x.Is(run.System.View(run.States[p.From]))
		if err != nil {
			return nil, fmt.Errorf("prediction %q: answer %q: %w", p.Ask, c.Says, err)
		}
		is, err := x.Is(run.System.View(run.States[p.To]))
		if err != nil {
			return nil, fmt.Errorf("prediction %q: answer %q: %w", p.Ask, c.Says, err)
		}
		if is {
			fates[i] = Comes
			right++
		}
		if is && before && p.To == p.From+1 {
			return nil, fmt.Errorf("prediction %q: answer %q is right before step %d as well: want one that the step makes right", p.Ask, c.Says, p.To)
		}
	}
	if right != 1 {
		return nil, fmt.Errorf("prediction %q: %d answers are right after step %d: want one", p.Ask, right, p.To)
	}
	return fates, others(run.System, run.States[p.From], p, tests, fates)
}

// others finds the answers that another run from a state has, after as many steps.
func others(sys *model.System, from []byte, p *ledger.Prediction, tests []*expression.Expression, fates []Fate) (err error) {
	level, seen := map[string]bool{string(from): true}, 0
	for range p.To - p.From {
		next := make(map[string]bool)
		for state := range level {
			sys.EachTransition([]byte(state), func(t model.Transition) {
				if t.Next != nil {
					next[string(t.Next)] = true
				}
			})
		}
		if seen += len(next); seen > mostStates {
			return fmt.Errorf("prediction %q: more than %d states are %d steps from step %d: ask about a nearer step", p.Ask, mostStates, p.To-p.From, p.From)
		}
		level = next
	}
	for state := range level {
		v := sys.View([]byte(state))
		for i, x := range tests {
			if fates[i] != Impossible {
				continue
			}
			is, err := x.Is(v)
			if err != nil {
				return fmt.Errorf("prediction %q: answer %q: %w", p.Ask, p.Choices[i].Says, err)
			}
			if is {
				fates[i] = Possible
			}
		}
	}
	return nil
}
