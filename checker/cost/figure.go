package cost

import (
	"errors"
	"fmt"

	"bullyproof/internal/naming"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A Case is one of the extremes of what runs cost.
type Case uint8

const (
	// BestCase is the least that a run costs which settles.
	BestCase Case = iota
	// WorstCase is the most that a run costs.
	WorstCase
)

// String returns "best" or "worst".
func (c Case) String() string {
	if c == WorstCase {
		return "worst"
	}
	return "best"
}

// A Figure is what a source says that an election costs, kept beside the
// algorithm to be compared with what the rules give.
type Figure struct {
	// Name says in a few words what it is the figure of.
	Name string
	// Source says where it stands.
	Source string
	// Formula is what stands there: "(N-P+1)(N-P)+N-1".
	Formula string
	// Case and Measure say which cost it is to be compared with. Ticks are
	// those of lockstep timing.
	Case    Case
	Measure Measure
	// Value returns the figure for n processes of which p alone begins the
	// election; p is model.None where it may be another one, or several. It
	// reports whether the source says anything about that.
	Value func(n int, p model.ID) (value int, ok bool)
	// Note says why it is not what the rules give, where it is not: which
	// messages it counts that nobody sends, or what it leaves out.
	Note string
}

// Validate returns an error unless the figure says all that a comparison needs.
func (f *Figure) Validate() error {
	err := errors.Join(naming.Filled("Name", f.Name), naming.Filled("Source", f.Source), naming.Filled("Formula", f.Formula))
	if err == nil && f.Value == nil {
		err = errors.New("there is no Value function")
	}
	if err != nil {
		return fmt.Errorf("figure %q: %w", f.Name, err)
	}
	return nil
}

// A Comparison sets a published figure beside what the rules give.
type Comparison struct {
	Figure Figure
	// Published is the source's figure, and Found the cost; it is -1 if that is
	// unbounded, or no run settles.
	Published, Found int
}

// Agrees reports whether the rules give what the source says.
func (c *Comparison) Agrees() bool { return c.Published == c.Found }

// compare sets figures beside the costs, those that say something about the
// setting. Figures in ticks are compared with the costs of the same in lockstep,
// and left out where lockstep is nil.
func (r *Report) compare(figures []Figure, lockstep *Report) []Comparison {
	var list []Comparison
	for _, f := range figures {
		from := r
		if f.Measure.Unit == Ticks {
			from = lockstep
		}
		value, ok := f.Value(r.Setting.N, beginner(r.Setting))
		if !ok || from == nil {
			continue
		}
		cost := from.Cost(f.Measure)
		if cost == nil {
			continue
		}
		found := cost.Best
		if f.Case == WorstCase {
			found = cost.Worst
		}
		list = append(list, Comparison{f, value, found})
	}
	return list
}

// beginner returns the one process that begins the elections of a setting, by
// starting one or by detecting that the coordinator is down; None where there
// may be others.
func beginner(s setting.Setting) model.ID {
	set := s.Detectors
	if s.Start <= setting.ColdInterleaved {
		if s.Initiators.Which != setting.These {
			return model.None
		}
		set = s.Initiators.Set
	}
	if set.Len() != 1 {
		return model.None
	}
	return set.Min()
}

// Setting returns the setting in which an algorithm's elections are counted
// unless somebody says otherwise, made from the one in which it is checked: no
// faults; after a settled start the coordinator has just crashed.
func Setting(s setting.Setting) setting.Setting {
	if s.Timing.Premature > 0 {
		s.Timing = setting.Timing{Kind: setting.Patient}
	}
	for _, b := range setting.Budgets() {
		*b.Of(&s) = 0
	}
	s.Joiners, s.Crashers, s.Pausers, s.Lossy, s.CutLinks = 0, 0, 0, nil, nil
	s.MidSend, s.Drift, s.CutBy, s.HealsOwed, s.RestartsOwed = false, 0, setting.CutSides, false, false
	if s.Start == setting.SettledStart {
		s.Start = setting.CoordinatorDown
	}
	return s
}

// BegunBy returns a setting in which only the processes of a set begin
// elections: they alone start one where the start is cold, and otherwise they
// alone detect that the coordinator is down.
func BegunBy(s setting.Setting, set model.Set) setting.Setting {
	if s.Start <= setting.ColdInterleaved {
		s.Initiators.Which, s.Initiators.Set = setting.These, set
	} else {
		s.Detectors = set
	}
	return s
}
