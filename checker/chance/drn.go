package chance

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// WriteDRN writes the decision process as the text that Storm reads (storm --explicit-drn): the
// label goal is the goal, init the start, cut what is beyond the protocol's bound, and each unit
// is a reward of its name's number; the comments on top have their names. Of a run that may end
// an action goes round for good. Fairness is not in it.
func (r *Report) WriteDRN(w io.Writer) error {
	if r.Why != "" {
		return errors.New(r.Why)
	}
	d, b := r.decisions, bufio.NewWriter(w)
	fmt.Fprintf(b, "// %s: %s, until %s\n", r.Subject(), r.Setting, r.Goal)
	for i, u := range d.units {
		fmt.Fprintf(b, "// reward%d: %s\n", i, u.name)
	}
	fmt.Fprint(b, "@type: MDP\n@parameters\n\n@reward_models\n")
	for i := range d.units {
		fmt.Fprintf(b, "reward%d ", i)
	}
	actions := d.actions()
	for s := range uint32(d.states()) {
		if d.first[s] == d.first[s+1] {
			actions++
		}
	}
	fmt.Fprintf(b, "\n@nr_states\n%d\n@nr_choices\n%d\n@model\n", d.states(), actions)
	for s := range uint32(d.states()) {
		fmt.Fprintf(b, "state %d", s)
		switch {
		case s == d.start:
			fmt.Fprint(b, " init")
		case d.goal[s]:
			fmt.Fprint(b, " goal")
		case d.cut[s]:
			fmt.Fprint(b, " cut")
		}
		fmt.Fprintln(b)
		if d.first[s] == d.first[s+1] {
			fmt.Fprintf(b, "\taction 0\n\t\t%d : 1\n", s)
		}
		d.actionsOf(s, func(a uint32) { d.writeAction(b, a-d.first[s], a) })
	}
	return b.Flush()
}

// writeAction writes an action: what it costs on average, and where it leads.
func (d *decisions) writeAction(b *bufio.Writer, number, a uint32) {
	fmt.Fprintf(b, "\taction %d [", number)
	for i, u := range d.units {
		sum := (&question{m: d.mdp, spent: u.spent}).spends(a)
		if i > 0 {
			fmt.Fprint(b, ", ")
		}
		fmt.Fprint(b, sum.RatString())
	}
	fmt.Fprint(b, "]\n")
	to, label := d.branches(a)
	for i, t := range to {
		fmt.Fprintf(b, "\t\t%d : %v\n", t, d.odds[label[i]])
	}
}
