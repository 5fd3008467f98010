package ledger

import (
	"fmt"
	"io"
	"strings"

	"bullyproof/internal/prose"
	"bullyproof/internal/quantity"
	"bullyproof/ledger/silence"
	"bullyproof/trace"
)

// WriteTree writes for people what becomes of a claim in all readings of what its source does
// not say: + where it holds in each, - where it fails in each, ? otherwise, with the two
// readings that turn it. Opt.Evidence has it write the tree.
func (a *Algorithm) WriteTree(w io.Writer, r *RowTree, opt TextOptions) error {
	t := &treeText{text: text{width: opt.Width}, a: a, RowTree: r}
	if t.width <= 0 {
		t.width = 80
	}
	t.write(opt.Evidence)
	_, err := io.WriteString(w, t.b.String())
	return err
}

type treeText struct {
	text
	*RowTree
	a *Algorithm
}

// verdict says what becomes of a claim, with its sign.
func (t *treeText) verdict() (sign, verdict string) {
	count := t.Tree.Count()
	switch all := t.Tree.Root.Readings; {
	case count[silence.Holds] == all:
		return "+", fmt.Sprintf("holds in %s", every(all))
	case count[silence.Fails] == all:
		return "-", fmt.Sprintf("fails in %s", every(all))
	case t.Tree.Pivot != nil:
		return "?", "open"
	}
	return "?", "undecided"
}

// every says of how many readings all are meant.
func every(n uint64) string {
	if n == 1 {
		return "the only reading"
	}
	return "all of " + quantity.Plural(n, "reading")
}

func (t *treeText) write(whole bool) {
	sign, verdict := t.verdict()
	t.say("  "+sign+" ", fmt.Sprintf("%s: %s (%s)", t.Claim.Name, verdict, place(t.Claim)), 4)
	if sign == "?" {
		t.say("    ", t.counts(), 4)
	}
	if p := t.Tree.Pivot; p != nil {
		t.pivot(p)
	}
	if sign == "-" {
		t.fails()
	}
	if whole && t.Tree.Root.Outcome == silence.Splits {
		t.node(t.Tree.Root, "", "    ")
	}
}

// fails says by which runs a claim fails in all readings.
func (t *treeText) fails() {
	r := t.ruling()
	switch {
	case r.Steps == 0:
	case r.Whichever == "":
		t.say("    ", fmt.Sprintf("No reading differs: a run has %s in %s, and meets nothing that the source does not say.",
			quantity.Plural(r.Steps, "step"), r.Setting), 4)
	default:
		t.say("    ", fmt.Sprintf("It fails whatever the answer to %s is: %s.", prose.List(strings.Fields(r.Whichever)), r.longest()), 4)
	}
}

// counts says in how many readings the claim holds, fails, and neither.
func (t *treeText) counts() string {
	var parts []string
	count := t.Tree.Count()
	for _, o := range []silence.Outcome{silence.Holds, silence.Fails, silence.Undecided, silence.NotLookedAt} {
		if n := count[o]; n > 0 {
			parts = append(parts, fmt.Sprintf("%s: %s", o, quantity.Count(n)))
		}
	}
	return fmt.Sprintf("Of %s, %s.", quantity.Plural(t.Tree.Root.Readings, "reading"), strings.Join(parts, ", "))
}

// length says how long a run is, and where.
func length(run *trace.Trace) string {
	return fmt.Sprintf("%s in %v", quantity.Plural(len(run.Steps), "step"), run.Setting)
}

// asks returns the question that a silence is.
func (t *treeText) asks(i int) *Question {
	return t.a.question(t.Claim.Source, t.Tree.Source.Silences[i].Name)
}

// says returns an answer to a silence in words, behind its name.
func (t *treeText) says(i, k int) string {
	name := t.Tree.Source.Silences[i].Answers[k]
	for _, n := range t.asks(i).Answers {
		if n.Name == name {
			return name + ": " + n.Says
		}
	}
	return name
}

func (t *treeText) pivot(p *silence.Pivot) {
	t.say("    ", fmt.Sprintf("It turns on %s: %s", t.Tree.Source.Silences[p.Silence].Name, t.asks(p.Silence).Asks), 4)
	t.say("      holds if ", t.says(p.Silence, p.Holds[p.Silence]), 8)
	t.say("      fails if ", t.says(p.Silence, p.Fails[p.Silence]), 8)
	if p.Run != nil {
		t.say("        ", "("+length(p.Run)+")", 8)
	}
	if text := t.Tree.Source.Text(p.Beside()); text != "" {
		t.say("      where ", text, 8)
	}
	for _, line := range t.a.inTurn(t.Claim, []TreeRuling{*t.ruling()}) {
		t.say("      - ", line, 8)
	}
}

// node writes a node of the tree, and those below it.
func (t *treeText) node(n *silence.Node, answer, indent string) {
	words := fmt.Sprintf("%s%s (%s)", answer, n.Outcome, quantity.Count(n.Readings))
	if n.Outcome == silence.Splits {
		words = fmt.Sprintf("%s%s. %s", answer, quantity.Plural(n.Readings, "reading"), t.asks(n.Asks).Asks)
	}
	if n.Outcome == silence.Fails && n.Run != nil {
		words += ": a run has " + length(n.Run)
	}
	t.say(indent, words, len(indent)+2)
	for k, below := range n.Below {
		t.node(below, t.Tree.Source.Silences[n.Asks].Answers[k]+": ", indent+"  ")
	}
}
