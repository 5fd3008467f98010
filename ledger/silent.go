package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"

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

// row returns what a claim asks of properties where it is judged first, and reports false
// where that is not all that decides it: a cost, a figure, or an answer about the world.
func (a *Algorithm) row(c *Claim) (row silence.Row, ok bool, err error) {
	for i := range c.Evidence {
		e := &c.Evidence[i]
		switch {
		case !c.decides(e) || e.Deep:
			continue
		case e.Property == "":
			return nil, false, nil
		}
		p, err := a.Property(e.Property)
		if err != nil {
			return nil, false, err
		}
		in, err := setting.Parse(e.Setting)
		if err != nil {
			return nil, false, err
		}
		row = append(row, silence.Piece{Property: p, Setting: in, Breaks: e.Broken})
	}
	return row, len(row) > 0 && c.Unsaid == "" && c.Supposes == "", nil
}

// A RowTree is a claim in all readings of what its source does not say of events.
type RowTree struct {
	Claim *Claim
	Row   silence.Row
	Tree  *silence.Tree
}

// Tree returns what becomes of a claim in all readings of what its source does not say. It is
// nil where the claim is not about properties alone, or where nothing is written of what the
// source does not say. The error is that of a system, or of ctx.
func (a *Algorithm) Tree(ctx context.Context, c *Claim, opt silence.Options) (*RowTree, error) {
	row, ok, err := a.row(c)
	if err != nil || !ok {
		return nil, err
	}
	src, err := a.Silences(c.Source)
	if errors.Is(err, ErrNotSilent) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	tree, err := src.Decide(ctx, row, opt)
	if err != nil {
		return nil, fmt.Errorf("%s/%s: %w", a.Name, c.Name, err)
	}
	return &RowTree{c, row, tree}, nil
}

// Cells returns the events that are reached in the settings in which claims of a source are
// asked of properties, and which sentence or silence each is covered by. The error is
// ErrNotSilent where nothing is written of them.
func (a *Algorithm) Cells(ctx context.Context, source string, opt silence.Options) ([]silence.Place, error) {
	src, err := a.Silences(source)
	if err != nil {
		return nil, err
	}
	var in []setting.Setting
	claims := a.Claims()
	for i := range claims {
		row, ok, err := a.row(&claims[i])
		if err != nil {
			return nil, err
		}
		if !ok || claims[i].Source != source {
			continue
		}
		for _, p := range row {
			if !slices.ContainsFunc(in, func(s setting.Setting) bool { return s.String() == p.Setting.String() }) {
				in = append(in, p.Setting)
			}
		}
	}
	return src.Matrix(ctx, a.said(source), in, opt)
}
