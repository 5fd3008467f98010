package silence

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"bullyproof/checker"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A Place is a cell that is reached, and what covers it.
type Place struct {
	Cell
	// Said says whether a sentence is about it, and Silence is the silence that is, or Open.
	Said    bool
	Silence int
}

// Covered reports whether a sentence or a silence is about the cell.
func (p *Place) Covered() bool { return p.Said || p.Silence != Open }

// Matrix returns the cells that are reached in some settings where silences are answered in
// any way, in the order of their texts; said are patterns of those that sentences are about.
// It returns an error if a pattern or a setting makes no sense, or if ctx has ended.
func (s *Source) Matrix(ctx context.Context, said []string, in []setting.Setting, opt Options) ([]Place, error) {
	var covered []Pattern
	if len(said) > 0 {
		var err error
		if covered, err = patterns(said, s.events); err != nil {
			return nil, err
		}
	}
	met := make(map[string]Cell)
	for _, world := range in {
		if err := s.collect(ctx, met, world, opt); err != nil {
			return nil, fmt.Errorf("%v: %w", world, err)
		}
	}
	var list []Place
	for _, c := range met {
		list = append(list, Place{Cell: c, Said: c.in(covered), Silence: slices.IndexFunc(s.cells, c.in)})
	}
	slices.SortFunc(list, func(x, y Place) int { return cmp.Compare(x.String(), y.String()) })
	return list, nil
}

// collect looks at every step of a system. One worker does: what is met is shared.
func (s *Source) collect(ctx context.Context, met map[string]Cell, in setting.Setting, opt Options) error {
	sys, err := s.System(in, s.Nothing(), Free)
	if err != nil {
		return err
	}
	look := checker.AlwaysStep("cells", "", func(e *model.Event) bool {
		if c, ok := s.look(e); ok {
			met[c.String()] = c
		}
		return true
	})
	_, err = checker.Check(ctx, sys, checker.Options{
		Properties: []*checker.Property{look}, Workers: 1, MaxStates: opt.MaxStates, Exhaustive: true,
	})
	return cmp.Or(err, ctx.Err())
}
