package ledger

import (
	"context"
	"fmt"
	"strings"

	"github.com/zeebo/xxh3"

	"bullyproof/internal/prose"
	"bullyproof/internal/quantity"
	"bullyproof/ledger/silence"
	"bullyproof/trace"
)

// TreeStates ends each search of a claim in all readings.
const TreeStates = 2_000_000

// A TreeRuling is what a claim comes to in all readings of what its source does not say of
// events: a tree of Algorithm.Trees, in figures.
type TreeRuling struct {
	// If is the answer about the world, as Evidence.If.
	If string `json:"if,omitempty"`
	// Readings is how many there are. The claim holds in Holds of them and fails in Fails,
	// as far as the tree has looked.
	Readings uint64 `json:"readings"`
	Holds    uint64 `json:"holds,omitempty"`
	Fails    uint64 `json:"fails,omitempty"`
	// Steps is the length of a run in which the claim fails, and Setting is where; the run
	// meets no silence where the claim fails in all readings, except those of Whichever. There
	// is none where it fails since a property holds that is to break.
	Steps   int    `json:"steps,omitempty"`
	Setting string `json:"setting,omitempty"`
	// Whichever has the questions, with spaces between, that runs meet in which a claim fails
	// that fails whatever the answers are. The run of Steps is the longest of those.
	Whichever string `json:"whichever,omitempty"`
	// Turns is the question that turns an open claim: it holds with the answer With, and
	// fails with Without. Where has the other answers of these two readings that the code
	// does not give.
	Turns   string `json:"turns,omitempty"`
	With    string `json:"with,omitempty"`
	Without string `json:"without,omitempty"`
	Where   string `json:"where,omitempty"`
	// Alone are the questions, that of Turns among them, of which an answer turns the claim if
	// it alone is changed in the reading with the answer With.
	Alone []Alone `json:"alone,omitempty"`
	// Fingerprint says of which code it is, as that of an exhibit.
	Fingerprint string `json:"fingerprint,omitempty"`

	stale string // why the record that this is taken from is out of date; see Ledger.Stale
}

// An Alone is a question with the answers with which a claim fails, and those with which a
// search has ended at its limit.
type Alone struct {
	Question  string   `json:"question"`
	Fails     []string `json:"fails,omitempty"`
	Undecided []string `json:"undecided,omitempty"`
}

// String returns "told: fails with goes-on".
func (x Alone) String() string {
	var parts []string
	if len(x.Fails) > 0 {
		parts = append(parts, "fails with "+prose.List(x.Fails))
	}
	if len(x.Undecided) > 0 {
		parts = append(parts, "undecided with "+prose.List(x.Undecided))
	}
	return x.Question + ": " + strings.Join(parts, ", ")
}

// figures returns all its fields in words.
func (t *TreeRuling) figures() string {
	return fmt.Sprintf("if %q %d readings, holds in %d, fails in %d, in %d steps in %q whichever %q, turned by %q from %q to %q where %q, alone %v",
		t.If, t.Readings, t.Holds, t.Fails, t.Steps, t.Setting, t.Whichever, t.Turns, t.With, t.Without, t.Where, t.Alone)
}

// same reports whether it says what another one does, of whatever code.
func (t *TreeRuling) same(o TreeRuling) bool {
	return t.figures() == o.figures()
}

// ruling returns what it says of the claim where it is the same in all readings; otherwise
// Open.
func (t *TreeRuling) ruling() Ruling {
	switch t.Readings {
	case 0: // nothing is on record
		return Open
	case t.Holds:
		return AsClaimed
	case t.Fails:
		return NotAsClaimed
	}
	return Open
}

// inAll are the rulings of trees taken together: whether in some reading the claim holds, and
// fails, and whether something is not decided.
type inAll struct{ holds, fails, open bool }

func byTrees(trees []TreeRuling) (in inAll) {
	for i := range trees {
		t := &trees[i]
		in.holds = in.holds || t.Turns != "" || t.ruling() == AsClaimed
		in.fails = in.fails || t.Turns != "" || t.ruling() == NotAsClaimed
		in.open = in.open || t.Turns == "" && t.ruling() == Open
	}
	return in
}

// inReadings says in words what becomes of a claim in all readings; it is empty where no tree
// decides it.
func (a *Algorithm) inReadings(c *Claim, trees []TreeRuling) string {
	var parts []string
	for i := range trees {
		text := a.inWorld(c, &trees[i])
		switch {
		case text == "":
			continue
		case trees[i].If != "":
			text = "If " + trees[i].If + ": " + text
		case c.Unsaid != "":
			text = "Otherwise: " + text
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " ")
}

// inWorld says that of one tree.
func (a *Algorithm) inWorld(c *Claim, t *TreeRuling) string {
	if t.Readings == 0 {
		return ""
	}
	silences := "of what the source does not say of events"
	run := ""
	if t.Steps > 0 {
		run = fmt.Sprintf("a run of %s in %s", quantity.Plural(t.Steps, "step"), t.Setting)
	}
	switch {
	case t.Readings == t.Holds:
		return fmt.Sprintf("It holds in %s %s.", every(t.Readings), silences)
	case t.Readings == t.Fails && t.Whichever != "":
		text := fmt.Sprintf("It fails in %s %s, whatever the answer to %s", every(t.Readings), silences,
			prose.List(strings.Fields(t.Whichever)))
		if run != "" {
			text += ": " + t.longest()
		}
		return text + "."
	case t.Readings == t.Fails && run != "":
		return fmt.Sprintf("It fails in %s %s: %s meets none of it.", every(t.Readings), silences, run)
	case t.Readings == t.Fails:
		return fmt.Sprintf("It fails in %s %s.", every(t.Readings), silences)
	case t.Turns == "":
		return fmt.Sprintf("The %s %s are not all decided.", quantity.Plural(t.Readings, "reading"), silences)
	}
	q := a.question(c.Source, t.Turns)
	text := fmt.Sprintf("In %s %s it turns on %s. %s", quantity.Plural(t.Readings, "reading"), silences, t.Turns, q.Asks)
	text += fmt.Sprintf(" With %s it holds, with %s it fails", q.words(t.With), q.words(t.Without))
	if run != "" {
		text += " (" + run + ")"
	}
	if t.Where != "" {
		text += "; in both " + t.Where
	}
	return text + "."
}

// longest says how long the runs are that show that a claim fails whatever the answers are.
func (t *TreeRuling) longest() string {
	return fmt.Sprintf("the runs that show it have at most %s, in %s", quantity.Plural(t.Steps, "step"), t.Setting)
}

// inTurn says in a few lines what turns a claim, beginning with a reading in which it holds;
// there are none where nothing does.
func (a *Algorithm) inTurn(c *Claim, trees []TreeRuling) (lines []string) {
	for i := range trees {
		t := &trees[i]
		if t.Turns == "" {
			continue
		}
		world := ""
		if t.If != "" {
			world = "If " + t.If + ": "
		}
		answers := strings.TrimPrefix(t.Where+", "+t.Turns+"="+t.With, ", ")
		lines = append(lines, world+"It holds in the reading with "+answers+", in which all else is answered as the code does.")
		for _, x := range t.Alone {
			lines = append(lines, world+a.question(c.Source, x.Question).turned(&x))
		}
		lines = append(lines, world+"No other answer turns it by itself.")
	}
	return lines
}

// turned says which answers to a question turn a claim by themselves.
func (q *Question) turned(x *Alone) string {
	in := func(answers []string) string {
		words := make([]string, len(answers))
		for i, name := range answers {
			words[i] = q.words(name)
		}
		return strings.Join(words, ", or with ")
	}
	text := q.Name + ". " + q.Asks
	if len(x.Fails) > 0 {
		text += " With " + in(x.Fails) + " it fails."
	}
	if len(x.Undecided) > 0 {
		text += " With " + in(x.Undecided) + " it is undecided."
	}
	return text
}

// question returns an open question of a source by its name, or one that has that name alone.
func (a *Algorithm) question(source, name string) *Question {
	list := a.Open(source)
	for i := range list {
		if list[i].Name == name {
			return &list[i]
		}
	}
	return &Question{Name: name}
}

// words returns an answer by its name, with what it says.
func (q *Question) words(answer string) string {
	for _, n := range q.Answers {
		if n.Name == answer {
			return fmt.Sprintf("%s (%q)", answer, strings.TrimSuffix(n.Says, "."))
		}
	}
	return answer
}

// ruling returns the figures of a tree.
func (r *RowTree) ruling() *TreeRuling {
	count := r.Tree.Count()
	t := &TreeRuling{If: r.If, Readings: r.Tree.Root.Readings, Holds: count[silence.Holds], Fails: count[silence.Fails]}
	show := func(run *trace.Trace) {
		if run != nil {
			t.Steps, t.Setting = len(run.Steps), run.Setting.String()
		}
	}
	src := r.Tree.Source
	switch p := r.Tree.Pivot; {
	case p != nil:
		q := src.Silences[p.Silence]
		t.Turns, t.With, t.Without = q.Name, q.Answers[p.Holds[p.Silence]], q.Answers[p.Fails[p.Silence]]
		t.Where = src.Text(p.Beside())
		t.Alone = alone(src, p)
		show(p.Run)
	case t.Fails == t.Readings:
		var asked []string
		for _, i := range r.Tree.Asked() {
			asked = append(asked, src.Silences[i].Name)
		}
		t.Whichever = strings.Join(asked, " ")
		for _, n := range r.Tree.Leaves() {
			if n.Run != nil && len(n.Run.Steps) > t.Steps {
				show(n.Run)
			}
		}
	}
	return t
}

// alone returns the turns of a pivot by their questions.
func alone(src *silence.Source, p *silence.Pivot) (list []Alone) {
	for _, t := range p.Alone {
		q := src.Silences[t.Silence]
		if last := len(list) - 1; last < 0 || list[last].Question != q.Name {
			list = append(list, Alone{Question: q.Name})
		}
		x := &list[len(list)-1]
		if t.Outcome == silence.Fails {
			x.Fails = append(x.Fails, q.Answers[t.Answer])
		} else {
			x.Undecided = append(x.Undecided, q.Answers[t.Answer])
		}
	}
	return list
}

// trees decides a claim in all readings, or takes that from the record.
func (j *judging) trees(ctx context.Context, c *Claim) (list []TreeRuling, err error) {
	if j.opt.Reduce {
		return nil, nil
	}
	src, rows, err := j.a.toDecide(c)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		t, err := j.tree(ctx, c, src, r)
		if err != nil {
			return nil, err
		}
		list = append(list, *t)
	}
	return list, nil
}

// tree decides a claim in all readings under an answer about the world.
func (j *judging) tree(ctx context.Context, c *Claim, src *silence.Source, r worldRow) (*TreeRuling, error) {
	f := fingerprint{code: j.code}
	if f.code != "" && !j.asRecorded {
		behaviour, err := treePrint(src, r.row)
		if err != nil {
			return nil, err
		}
		f.behaviour = behaviour
	}
	if j.asRecorded || j.opt.Believe || j.opt.Renew {
		old := j.recorded.tree(c.Name, r.world)
		old.stale = f.changed(old.Fingerprint)
		if old.Readings == 0 {
			old.stale = "it has no tree"
		}
		if old.stale == "" || j.asRecorded || j.opt.Believe {
			return &old, nil
		}
	}
	tree, err := r.decide(ctx, c, src, silence.Options{MaxStates: TreeStates, Workers: j.opt.Workers})
	if err != nil {
		return nil, err
	}
	t := tree.ruling()
	t.Fingerprint = f.String()
	return t, nil
}

// treePrint returns the fingerprint of what a tree depends on beside code: its row, the
// silences with their answers, and what a sample does of the system in which each is answered
// in any way.
func treePrint(src *silence.Source, row silence.Row) (string, error) {
	var sum xxh3.Hasher
	for _, s := range src.Silences {
		fmt.Fprintf(&sum, "%q %q %q\n", s.Name, s.Cells, s.Answers)
	}
	for _, p := range row {
		fmt.Fprintf(&sum, "%q %q %v\n", p.Asks(), p.Setting, p.Breaks)
	}
	sys, err := src.System(row[0].Setting, src.Nothing(), silence.Free)
	if err != nil {
		return "", fmt.Errorf("%v: %w", row[0].Setting, err)
	}
	fmt.Fprint(&sum, samplePrint(sys, leastSample))
	return digits(sum.Sum64()), nil
}
