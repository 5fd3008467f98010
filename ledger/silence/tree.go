package silence

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"bullyproof/checker"
	"bullyproof/explore"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

// A Row is what a sentence of a source claims: pieces, each of which has to be as claimed.
type Row []Piece

// A Piece is a property that holds in a setting, or a bound on what runs cost that is kept
// there; or, if Breaks, one that is violated there. A property that says nothing there is not
// violated.
type Piece struct {
	Property *checker.Property // nil of a bound
	Bound    *Bound
	Setting  setting.Setting
	Breaks   bool
}

// Asks returns the name of the property, or what the bound is on: "worst messages: 7", and
// where counting begins.
func (p *Piece) Asks() string {
	b := p.Bound
	switch {
	case b == nil:
		return p.Property.Name
	case b.When != "":
		return fmt.Sprintf("%s %s: %d, %s", b.Case, b.Measure, b.Of, b.When)
	}
	return fmt.Sprintf("%s %s: %d", b.Case, b.Measure, b.Of)
}

// Options say how far to go. The zero value stops where a row is open.
type Options struct {
	// Whole has the tree decide every reading.
	Whole bool
	// MaxStates ends each search, and a fourth of it one that leaves silences open; 0 is no
	// limit.
	MaxStates uint64
	// Workers is the number of goroutines of a search; 0 stands for one per processor.
	Workers int
	// Progress, where it is not nil, is called while a search runs, as in checker.Options.
	Progress func(explore.Progress)
}

// An Outcome is what is known of the readings below a node.
type Outcome uint8

const (
	// Undecided: a search has ended at its limit.
	Undecided Outcome = iota
	// Holds: the row is true in each of them.
	Holds
	// Fails: it is not true in any of them.
	Fails
	// Splits: some silence decides, and the nodes below have its answers.
	Splits
	// NotLookedAt: the tree has ended before.
	NotLookedAt
)

// String returns "undecided", "holds", "fails", "splits" or "not looked at".
func (o Outcome) String() string {
	return [...]string{"undecided", "holds", "fails", "splits", "not looked at"}[o]
}

// A Node stands for the readings in which some silences have their answers.
type Node struct {
	// Reading has those answers, and Readings is how many readings there are.
	Reading  Reading
	Readings uint64
	Outcome  Outcome
	// Run shows that the row fails; nil of another outcome, and where it fails since a property
	// holds that is to break.
	Run *trace.Trace
	// Asks is the silence that the node splits on, and Below has a node for each answer.
	Asks  int
	Below []*Node
}

// A Tree is what became of a row.
type Tree struct {
	Source *Source
	Root   *Node
	// Pivot are two readings that differ in one answer, of which the row holds in the first
	// and fails in the second; nil if there are none, or one was not looked for.
	Pivot *Pivot
}

// A Pivot is what turns a row: one answer in place of another.
type Pivot struct {
	Silence      int
	Holds, Fails Reading
	// Run shows that the row fails in the second reading.
	Run *trace.Trace
	// Alone are the readings in which one answer of the first is another: those in which the
	// row does not hold, the pivot's second among them, in the order of silences and answers.
	Alone []Turn
}

// A Turn is what becomes of a row if one answer of a reading is another.
type Turn struct {
	Silence, Answer int
	Outcome         Outcome
}

// Beside returns the answers that both readings have to other silences, without those that
// are what the code does.
func (p *Pivot) Beside() Reading {
	r := slices.Clone(p.Holds)
	for i, k := range r {
		if i == p.Silence || k == 0 {
			r[i] = Open
		}
	}
	return r
}

// Count returns how many readings there are of each outcome, those of the pivot at least.
func (t *Tree) Count() map[Outcome]uint64 {
	count := make(map[Outcome]uint64)
	if t.Pivot != nil && t.Root.Outcome == NotLookedAt {
		return map[Outcome]uint64{Holds: 1, Fails: 1, NotLookedAt: t.Root.Readings - 2}
	}
	for _, n := range t.Leaves() {
		count[n.Outcome] += n.Readings
	}
	return count
}

// Of returns what the tree says of a reading that answers all silences.
func (t *Tree) Of(r Reading) Outcome {
	n := t.Root
	for n.Outcome == Splits {
		n = n.Below[r[n.Asks]]
	}
	return n.Outcome
}

// Leaves returns the nodes that do not split, in the order of their answers.
func (t *Tree) Leaves() (list []*Node) {
	t.Root.walk(func(n *Node) {
		if n.Outcome != Splits {
			list = append(list, n)
		}
	})
	return list
}

// Asked returns the silences on which the tree splits, in their order.
func (t *Tree) Asked() (list []int) {
	t.Root.walk(func(n *Node) {
		if n.Outcome == Splits && !slices.Contains(list, n.Asks) {
			list = append(list, n.Asks)
		}
	})
	slices.Sort(list)
	return list
}

// walk visits a node, and those below it.
func (n *Node) walk(visit func(*Node)) {
	visit(n)
	for _, b := range n.Below {
		b.walk(visit)
	}
}

// A decision is one under way.
type decision struct {
	ctx  context.Context
	src  *Source
	row  Row
	opt  Options
	seen [NotLookedAt + 1]*Node // the first leaf of each outcome
}

// Decide decides a row in all readings of the source. Unless Whole is set it stops where the
// row is open, with two readings that differ in one answer. It returns an error if a system
// cannot be made, or if ctx has ended.
func (s *Source) Decide(ctx context.Context, row Row, opt Options) (*Tree, error) {
	d := &decision{ctx: ctx, src: s, row: row, opt: opt}
	t := &Tree{Source: s, Root: s.node(s.Nothing())}
	known := make([]stand, len(row))
	if !opt.Whole {
		pivot, err := d.atOnce(known)
		if err != nil {
			return nil, err
		}
		if pivot != nil {
			t.Pivot, t.Root.Outcome = pivot, NotLookedAt
			return t, nil
		}
	}
	err := d.node(t.Root, known)
	if err == nil && d.isOpen() {
		t.Pivot, err = d.pivot(d.seen[Holds].Reading, d.seen[Fails].Reading)
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// atOnce looks for a pivot without a tree: where the row holds if the code answers, and a run
// violates a piece by other answers, it fails in a reading with those. It returns nil if that
// is not so; what it has found of pieces is known then.
func (d *decision) atOnce(known []stand) (*Pivot, error) {
	coded := whole(d.src.Nothing())
	if outcome, _, err := d.judge(coded); err != nil || outcome != Holds {
		return nil, err
	}
	for i := range d.row {
		if d.row[i].Breaks {
			continue
		}
		verdict, found, err := d.search(&d.row[i], d.src.Nothing(), Free)
		if err != nil {
			return nil, err
		}
		switch verdict {
		case checker.Holds, checker.Vacuous:
			if d.src.reported(&d.row[i], d.src.Nothing()) == Open {
				known[i].outcome = Holds
			}
			continue
		case checker.Violated:
			known[i].run = found
		default: // too large: the tree asks with fewer silences
			return nil, nil
		}
		other := found.in(coded)
		outcome, _, err := d.judge(other)
		if err != nil {
			return nil, err
		}
		if outcome == Fails {
			return d.pivot(coded, other)
		}
	}
	return nil, nil
}

// in returns a reading with the answers of a run, the first to each silence.
func (r *run) in(reading Reading) Reading {
	reading = slices.Clone(reading)
	given := make(map[int]bool)
	for _, a := range r.answers {
		if !given[a.silence] {
			reading[a.silence], given[a.silence] = a.is, true
		}
	}
	return reading
}

func (s *Source) node(r Reading) *Node { return &Node{Reading: r, Readings: s.Count(r)} }

func (d *decision) isOpen() bool { return d.seen[Holds] != nil && d.seen[Fails] != nil }

// A stand is what is known of a piece at a node, and a run in which it is violated though
// silences are answered in any way.
type stand struct {
	outcome Outcome
	run     *run
}

// A run is one that was found, with the answers that it has to silences, in its order.
type run struct {
	*trace.Trace
	answers []answer
}

// An answer is one to a silence, by their numbers.
type answer struct{ silence, is int }

// shown returns the trace of a run, nil for none.
func (r *run) shown() *trace.Trace {
	if r == nil {
		return nil
	}
	return r.Trace
}

func stands(known []stand, o Outcome) bool {
	return slices.ContainsFunc(known, func(s stand) bool { return s.outcome == o })
}

// node decides a node. It begins with what is known of the pieces at the node above: those that
// are as claimed there are so below.
func (d *decision) node(n *Node, known []stand) error {
	if d.isOpen() && !d.opt.Whole {
		n.Outcome = NotLookedAt
		return nil
	}
	known = slices.Clone(known)
	asks, err := d.ask(n, known)
	if err != nil {
		return err
	}
	switch {
	case stands(known, Fails):
		n.Outcome = Fails
	case asks != Open:
		n.Outcome, n.Asks = Splits, asks
		return d.split(n, known)
	case stands(known, Undecided):
		n.Outcome = Undecided
	default:
		n.Outcome = Holds
	}
	if d.seen[n.Outcome] == nil {
		d.seen[n.Outcome] = n
	}
	return nil
}

// ask asks the pieces of a node that are not known, and returns the silence on which it
// splits, or Open.
func (d *decision) ask(n *Node, known []stand) (asks int, err error) {
	asks = Open
	for i := range d.row {
		k := &known[i]
		if k.outcome == Holds {
			continue
		}
		met, err := d.piece(&d.row[i], n.Reading, k)
		if err != nil {
			return Open, err
		}
		if k.outcome == Fails {
			n.Run = k.run.shown()
			return Open, nil
		}
		if asks == Open {
			asks = met
		}
	}
	return asks, nil
}

// piece decides a piece in all readings below one, as far as two searches do. If it splits
// there, it returns the silence that decides.
func (d *decision) piece(p *Piece, r Reading, k *stand) (met int, err error) {
	violated, kept := Fails, Holds
	if p.Breaks {
		violated, kept = Holds, Fails
	}
	if k.run != nil && !k.run.agrees(r) {
		k.run = nil
	}
	if k.run != nil && k.run.met(r) == Open {
		k.outcome = violated
		return Open, nil
	}
	if p.Bound != nil || !p.Property.Temporal() {
		verdict, found, err := d.search(p, r, Strict)
		if err != nil {
			return Open, err
		}
		if verdict == checker.Violated {
			k.outcome, k.run = violated, found
			return Open, nil
		}
	}
	if k.run == nil {
		verdict, found, err := d.search(p, r, Free)
		if err != nil {
			return Open, err
		}
		switch verdict {
		case checker.Holds, checker.Vacuous:
			if met = d.src.reported(p, r); met == Open {
				k.outcome = kept
			} else {
				k.outcome = Splits
			}
			return met, nil
		case checker.Violated:
			k.run = found
		default: // too large: answers make it smaller
			k.outcome = Undecided
			if met = slices.Index(r, Open); met != Open {
				k.outcome = Splits
			}
			return met, nil
		}
	}
	if met = k.run.met(r); met == Open {
		k.outcome = violated
	} else {
		k.outcome = Splits
	}
	return met, nil
}

// reported returns a silence that a reading leaves open and that has to be answered before a
// free search shows that a piece is kept, or Open. A report is owed as long as it would change
// something. If an answer changes nothing, a state with the report is settled in a reading with
// that answer, and not in a free search, in which the report may be answered otherwise. No other
// event is there again after an answer that changes nothing, and a property of whole runs sees
// that a run can go on in this way.
func (s *Source) reported(p *Piece, r Reading) int {
	if p.Bound == nil && p.Property.Temporal() || p.Setting.Detector == setting.DetectorOff {
		return Open
	}
	for i, cells := range s.cells {
		if r[i] == Open && slices.ContainsFunc(cells, func(c Pattern) bool { return c.about(report) }) {
			return i
		}
	}
	return Open
}

// search returns whether a piece is violated in a reading, and the run.
func (d *decision) search(p *Piece, r Reading, open Answering) (verdict checker.Verdict, found *run, err error) {
	opt := d.opt
	if open == Free && slices.Contains(r, Open) {
		opt.MaxStates = freely(opt.MaxStates)
	}
	sys, err := d.src.System(p.Setting, r, open)
	var shows *trace.Trace
	if err == nil && p.Bound != nil {
		verdict, shows, err = p.Bound.search(d.ctx, sys, open, opt)
	} else if err == nil {
		verdict, shows, err = d.check(p.Property, sys, opt)
	}
	switch {
	case open == Strict && errors.Is(err, model.ErrBeyondAtStart): // a run begins with a silence
		return checker.Incomplete, nil, nil
	case err != nil:
		return 0, nil, fmt.Errorf("%v: %w", p.Setting, err)
	case shows == nil:
		return verdict, nil, nil
	}
	return verdict, &run{shows, d.src.answers(sys, shows)}, nil
}

// freely returns where a free search ends that leaves silences open: one that is larger is
// worth less than those of its answers.
func freely(most uint64) uint64 { return (most + 3) / 4 }

// check checks a property.
func (d *decision) check(p *checker.Property, sys *model.System, opt Options) (checker.Verdict, *trace.Trace, error) {
	report, err := checker.Check(d.ctx, sys, checker.Options{
		Properties: []*checker.Property{p}, Workers: opt.Workers, MaxStates: opt.MaxStates, Progress: opt.Progress,
	})
	if err = cmp.Or(err, d.ctx.Err()); err != nil {
		return 0, nil, err
	}
	if misuse := report.Finding(checker.Misuse.Name); misuse != nil && misuse.Verdict == checker.Violated {
		return 0, nil, fmt.Errorf("an answer is a misuse: %s", misuse.Explanation)
	}
	f := report.Finding(p.Name)
	return f.Verdict, f.Trace, nil
}

// answers returns the answers that a run has to silences, those before its first step first.
func (s *Source) answers(sys *model.System, shows *trace.Trace) (list []answer) {
	names := s.names()
	note := func(text string) {
		name, is, _ := strings.Cut(text, "=")
		if i := slices.Index(names, name); i >= 0 {
			list = append(list, answer{i, slices.Index(s.Silences[i].Answers, is)})
		}
	}
	if len(shows.Choices) > 0 {
		sys.Origins(func(o model.Origin) bool {
			is := o.Setting.Equal(shows.Origin) && slices.Equal(o.Choices, shows.Choices)
			for _, text := range o.Chosen {
				if _, of, ok := strings.Cut(text, " chooses "+choicePrefix); is && ok {
					note(of)
				}
			}
			return !is
		})
	}
	for _, step := range shows.Steps {
		for _, text := range step.Action.Outcomes {
			if of, ok := strings.CutPrefix(text, choicePrefix); ok {
				note(of)
			}
		}
	}
	return list
}

// met returns the silence to split on that a run meets and a reading leaves open: the first
// that is answered otherwise than by the code, or else the first.
func (r *run) met(in Reading) int {
	first := Open
	for _, a := range r.answers {
		switch {
		case in[a.silence] != Open:
		case a.is != 0:
			return a.silence
		case first == Open:
			first = a.silence
		}
	}
	return first
}

// agrees reports whether a run answers as a reading does where it meets a silence.
func (r *run) agrees(in Reading) bool {
	return !slices.ContainsFunc(r.answers, func(a answer) bool { return in[a.silence] != Open && in[a.silence] != a.is })
}

// split decides the nodes below one, an answer each.
func (d *decision) split(n *Node, known []stand) error {
	for k := range d.src.Silences[n.Asks].Answers {
		r := slices.Clone(n.Reading)
		r[n.Asks] = k
		b := d.src.node(r)
		n.Below = append(n.Below, b)
		if err := d.node(b, known); err != nil {
			return err
		}
	}
	return nil
}

// pivot walks from a reading in which the row holds to one in which it fails, an answer at a
// time, until it fails. It returns nil where a search on the way ends at its limit.
func (d *decision) pivot(holds, fails Reading) (*Pivot, error) {
	at, to := whole(holds), whole(fails)
	for i := range at {
		if at[i] == to[i] {
			continue
		}
		next := slices.Clone(at)
		next[i] = to[i]
		outcome, run, err := d.judge(next)
		switch {
		case err != nil || outcome == Undecided:
			return nil, err
		case outcome == Fails:
			p := &Pivot{Silence: i, Holds: at, Fails: next, Run: run}
			err = d.alone(p)
			return p, err
		}
		at = next
	}
	return nil, nil
}

// alone judges the row with each answer of a pivot's first reading changed by itself, except
// for the pivot's second reading, which is known to fail.
func (d *decision) alone(p *Pivot) error {
	for i, is := range p.Holds {
		for k := range d.src.Silences[i].Answers {
			if k == is {
				continue
			}
			next, outcome := slices.Clone(p.Holds), Fails
			next[i] = k
			if !slices.Equal(next, p.Fails) {
				var err error
				if outcome, _, err = d.judge(next); err != nil {
					return err
				}
			}
			if outcome != Holds {
				p.Alone = append(p.Alone, Turn{i, k, outcome})
			}
		}
	}
	return nil
}

// Judge judges a row in one reading by itself, with the run that shows that it fails. The code
// answers what the reading leaves open.
func (s *Source) Judge(ctx context.Context, row Row, r Reading, opt Options) (Outcome, *trace.Trace, error) {
	d := &decision{ctx: ctx, src: s, row: row, opt: opt}
	return d.judge(r)
}

func (d *decision) judge(r Reading) (o Outcome, shows *trace.Trace, err error) {
	o = Holds
	for i := range d.row {
		p := &d.row[i]
		verdict, found, err := d.search(p, r, AsCoded)
		if err != nil {
			return Undecided, nil, err
		}
		switch {
		case verdict == checker.Incomplete:
			o = Undecided
		case (verdict == checker.Violated) != p.Breaks:
			return Fails, found.shown(), nil
		}
	}
	return o, nil, nil
}

// whole returns the reading with the code's answers where it has none.
func whole(r Reading) Reading {
	r = slices.Clone(r)
	for i := range r {
		r[i] = max(r[i], 0)
	}
	return r
}
