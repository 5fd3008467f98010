package ledger

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"bullyproof/checker/cost"
	"bullyproof/ledger/silence"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A Sentence of a source says what a process does in some events.
type Sentence struct {
	// Source names the publication, as Claim.Source does, and Place says where in it.
	Source, Place string
	// Says is the sentence; empty where the place is enough.
	Says string
	// Cells are patterns of the events, as in Question.
	Cells []string
	// At says where it is written, as Claim.At does.
	At string
}

// Silent is a protocol in which what a source does not say of events can be answered.
type Silent struct {
	// Source names the publication, as Claim.Source does.
	Source string
	// New returns the protocol with silences: see SilentIn.
	New func(silences []silence.Silence) (*silence.Source, error)
}

// SilentIn returns the field New of a Silent: a protocol, what of its states and events
// silences tell apart, and what its answers are that the code does not give.
func SilentIn[P any, M model.Message](p model.Protocol[P, M], by silence.Sorter[P], does silence.Does[P, M]) func([]silence.Silence) (*silence.Source, error) {
	return func(list []silence.Silence) (*silence.Source, error) { return silence.New(p, by, does, list...) }
}

// ErrNotSilent says that nobody wrote down what a source does not say of events.
var ErrNotSilent = errors.New("nothing is written of what the source does not say of events")

// Silences returns the protocol with the silences of a source, each with its admissible
// answers. The error is ErrNotSilent where there are none.
func (a *Algorithm) Silences(source string) (*silence.Source, error) {
	at := slices.IndexFunc(a.Silent, func(s Silent) bool { return s.Source == source })
	if at < 0 {
		return nil, ErrNotSilent
	}
	var list []silence.Silence
	for _, q := range a.Open(source) {
		if admissible := q.admissible(); len(q.Cells) > 0 && len(admissible) > 1 {
			list = append(list, silence.Silence{Name: q.Name, Cells: q.Cells, Answers: admissible})
		}
	}
	return a.Silent[at].New(list)
}

// admissible returns the names of the answers that no sentence excludes.
func (q *Question) admissible() (names []string) {
	for _, n := range q.Answers {
		if n.Excluded == "" {
			names = append(names, n.Name)
		}
	}
	return names
}

// said returns the patterns of the events of which sentences of a source speak: also those
// that exclude all answers but one.
func (a *Algorithm) said(source string) (cells []string) {
	t, _ := a.written()
	for _, s := range t.Sentences {
		if s.Source == source {
			cells = append(cells, s.Cells...)
		}
	}
	for _, q := range a.Open(source) {
		if len(q.admissible()) == 1 {
			cells = append(cells, q.Cells...)
		}
	}
	return cells
}

// A worldRow is what a claim asks where it is judged first, under an answer about the world;
// that is empty where it has no name.
type worldRow struct {
	world string
	row   silence.Row
}

// rows returns what a claim asks under each answer about the world; none where it supposes
// something, and where a figure does not add up. A contradiction asks all that its claims ask.
func (a *Algorithm) rows(c *Claim) (list []worldRow, err error) {
	if len(c.Between) > 0 {
		return a.rowBetween(c)
	}
	if c.Supposes != "" || !c.addsUp() {
		return nil, nil
	}
	for i := range c.Evidence {
		e := &c.Evidence[i]
		if e.Deep || e.Aside != "" || e.Variant != c.Judged() || !e.searched() {
			continue
		}
		pieces, err := a.pieces(e)
		if err != nil {
			return nil, err
		}
		at := slices.IndexFunc(list, func(r worldRow) bool { return r.world == e.If })
		if at < 0 {
			at, list = len(list), append(list, worldRow{world: e.If})
		}
		list[at].row = append(list[at].row, pieces...)
	}
	return list, nil
}

// rowBetween returns what the claims of a contradiction ask together; none where one of them
// has no row, or has one for each of several answers about the world.
func (a *Algorithm) rowBetween(c *Claim) ([]worldRow, error) {
	var all silence.Row
	for _, name := range c.Between {
		one, err := a.Claim(name)
		if err != nil {
			return nil, err
		}
		rows, err := a.rows(one)
		if err != nil || len(rows) != 1 {
			return nil, err
		}
		all = append(all, rows[0].row...)
	}
	return []worldRow{{row: all}}, nil
}

// addsUp reports whether all that a claim calculates is as claimed.
func (c *Claim) addsUp() bool {
	return !slices.ContainsFunc(c.Evidence, func(e Evidence) bool { return c.decides(&e) && !e.searched() && e.Printed != e.Computed })
}

// pieces returns what a row asks for a piece of evidence that takes a search.
func (a *Algorithm) pieces(e *Evidence) (silence.Row, error) {
	in, err := setting.Parse(e.Setting)
	if err != nil {
		return nil, err
	}
	if e.Cost != nil {
		return e.Cost.pieces(in), nil
	}
	if e.Chance != nil {
		return nil, fmt.Errorf("%s: %s is asked of a source of whose silences something is written: want a property or a cost, which a run shows", a.Name, e.Chance)
	}
	p, err := a.Property(e.Property)
	if err != nil {
		return nil, err
	}
	return silence.Row{{Property: p, Setting: in, Breaks: e.Broken}}, nil
}

// pieces returns what a row asks for a cost that is to be what the source says: that no run
// costs more, or less, and that one costs as much.
func (q *CostQuestion) pieces(in setting.Setting) silence.Row {
	bound := func(of int, breaks bool) silence.Piece {
		return silence.Piece{Bound: &silence.Bound{Measure: q.Measure, Case: q.Case, From: q.From, When: q.When, Of: of}, Setting: in, Breaks: breaks}
	}
	if q.Case == cost.WorstCase {
		switch q.Relation {
		case AtMost:
			return silence.Row{bound(q.Figure+1, false)}
		case AtLeast:
			return silence.Row{bound(q.Figure, true)}
		}
		return silence.Row{bound(q.Figure+1, false), bound(q.Figure, true)}
	}
	switch q.Relation {
	case AtMost:
		return silence.Row{bound(q.Figure, true)}
	case AtLeast:
		return silence.Row{bound(math.MaxInt, true), bound(q.Figure-1, false)}
	}
	return silence.Row{bound(q.Figure, true), bound(q.Figure-1, false)}
}

// A RowTree is a claim in all readings of what its source does not say of events.
type RowTree struct {
	Claim *Claim
	// If is the answer about the world, as Evidence.If.
	If   string
	Row  silence.Row
	Tree *silence.Tree
}

// Trees returns what becomes of a claim in all readings of what its source does not say, under
// each answer about the world. There is none where no search decides the claim, and where
// nothing is written of what the source does not say. The error is that of a system, or of ctx.
func (a *Algorithm) Trees(ctx context.Context, c *Claim, opt silence.Options) (list []RowTree, err error) {
	src, rows, err := a.toDecide(c)
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		t, err := r.decide(ctx, c, src, opt)
		if err != nil {
			return nil, fmt.Errorf("%s/%s: %w", a.Name, c.Name, err)
		}
		list = append(list, *t)
	}
	return list, nil
}

// toDecide returns the protocol with the silences of a claim's source, and the rows of the claim;
// none where nothing is written of silences.
func (a *Algorithm) toDecide(c *Claim) (*silence.Source, []worldRow, error) {
	src, err := a.Silences(c.Source)
	if errors.Is(err, ErrNotSilent) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	rows, err := a.rows(c)
	return src, rows, err
}

// decide decides the row of a claim in all readings.
func (r *worldRow) decide(ctx context.Context, c *Claim, src *silence.Source, opt silence.Options) (*RowTree, error) {
	tree, err := src.Decide(ctx, r.row, opt)
	if err != nil {
		return nil, err
	}
	return &RowTree{c, r.world, r.row, tree}, nil
}

// Cells returns the events that are reached in the settings in which claims of a source are
// judged, and which sentence or silence each is covered by. The error is
// ErrNotSilent where nothing is written of them.
func (a *Algorithm) Cells(ctx context.Context, source string, opt silence.Options) ([]silence.Place, error) {
	src, err := a.Silences(source)
	if err != nil {
		return nil, err
	}
	var in []setting.Setting
	claims := a.Claims()
	for i := range claims {
		if claims[i].Source != source {
			continue
		}
		rows, err := a.rows(&claims[i])
		if err != nil {
			return nil, err
		}
		var pieces silence.Row
		for _, r := range rows {
			pieces = append(pieces, r.row...)
		}
		for _, p := range pieces {
			if !slices.ContainsFunc(in, func(s setting.Setting) bool { return s.String() == p.Setting.String() }) {
				in = append(in, p.Setting)
			}
		}
	}
	return src.Matrix(ctx, a.said(source), in, opt)
}
