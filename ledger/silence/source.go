package silence

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"bullyproof/internal/naming"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A Reading has an answer to each silence of a source, by its number, or Open.
type Reading []int

// Open is where a reading has no answer.
const Open = -1

// A Source is a protocol with the silences of its source.
type Source struct {
	// Silences are in the order of readings.
	Silences []Silence
	system   func(in setting.Setting, r Reading, open Answering) (*model.System, error)
	look     func(e *model.Event) (Cell, bool)
	events   []string
	cells    [][]Pattern // of each silence
}

// New returns a source of a protocol. It returns an error for a silence that has no name, no
// cells or fewer than two answers, for a pattern without sense, and for an answer that nothing
// says how to give, or what is no answer.
func New[P any, M model.Message](protocol model.Protocol[P, M], by Sorter[P], does Does[P, M], silences ...Silence) (*Source, error) {
	at := newSorter(protocol, by)
	src := &Source{Silences: silences, events: at.events(), look: at.look}
	if twice := naming.Repeated(src.names()); len(twice) > 0 {
		return nil, fmt.Errorf("two silences are named %q", twice[0])
	}
	of := &shared[P, M]{at: at, about: make(map[string][]int), first: model.Choice(len(protocol.Names().Choices)), nowhere: nowhere[P]()}
	given := make(map[string]bool)
	for i, s := range silences {
		a, err := does.ask(s, src.events, given)
		if err != nil {
			return nil, fmt.Errorf("silence %q: %w", s.Name, err)
		}
		of.silences = append(of.silences, a)
		src.cells = append(src.cells, a.cells)
		for _, event := range src.events {
			if slices.ContainsFunc(a.cells, func(p Pattern) bool { return p.about(event) }) {
				of.about[event] = append(of.about[event], i)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(does)) {
		if !given[name] {
			return nil, fmt.Errorf("%q is no answer that needs to be said: want the names of a silence and of an answer, neither its first nor %q", name, nothing)
		}
	}
	src.system = func(in setting.Setting, r Reading, open Answering) (*model.System, error) {
		a := &asked[P, M]{Protocol: protocol, shared: of, reading: r, open: open}
		if open == Strict {
			return model.New(strictly[P, M]{a}, in)
		}
		return model.New(a, in)
	}
	return src, nil
}

// ask reads the patterns of a silence, finds what its answers do, and notes what is given.
func (d Does[P, M]) ask(s Silence, events []string, given map[string]bool) (a asking[P, M], err error) {
	a.Silence = s
	if err := naming.Valid(s.Name); err != nil {
		return a, err
	}
	if a.cells, err = patterns(s.Cells, events); err != nil {
		return a, err
	}
	if len(s.Answers) < 2 {
		return a, fmt.Errorf("it has %d answers: want two at least", len(s.Answers))
	}
	if twice := naming.Repeated(s.Answers); len(twice) > 0 {
		return a, fmt.Errorf("two answers are named %q", twice[0])
	}
	for i, answer := range s.Answers {
		if err := naming.Valid(answer); err != nil {
			return a, fmt.Errorf("answer %d: %w", i+1, err)
		}
		do := d[s.Name+"/"+answer]
		switch {
		case i == 0:
		case do != nil:
			given[s.Name+"/"+answer] = true
		case answer == nothing:
			do = func(*P, *model.Net[M], *Event[M]) {}
		default:
			return a, fmt.Errorf("answer %q: nothing says what a process does then", answer)
		}
		a.does = append(a.does, do)
	}
	return a, nil
}

// patterns reads patterns, one at least.
func patterns(texts, events []string) (list []Pattern, err error) {
	for _, text := range texts {
		p, err := ParsePattern(text, events)
		if err != nil {
			return nil, err
		}
		list = append(list, p)
	}
	if len(list) == 0 {
		return nil, errors.New("it has no cells: want a pattern at least")
	}
	return list, nil
}

func (s *Source) names() []string {
	names := make([]string, len(s.Silences))
	for i, q := range s.Silences {
		names[i] = q.Name
	}
	return names
}

// System returns the system of a reading in a setting; of a silence that the reading leaves
// open, open says what becomes of it.
func (s *Source) System(in setting.Setting, r Reading, open Answering) (*model.System, error) {
	return s.system(in, r, open)
}

// Where returns the source with the systems of another one in some settings, such as those in
// which a bound of its protocol can be larger. The two have the same silences.
func (s *Source) Where(in func(setting.Setting) bool, other *Source) *Source {
	both := *s
	both.system = func(world setting.Setting, r Reading, open Answering) (*model.System, error) {
		if in(world) {
			return other.system(world, r, open)
		}
		return s.system(world, r, open)
	}
	return &both
}

// Nothing returns the reading that answers no silence.
func (s *Source) Nothing() Reading { return slices.Repeat(Reading{Open}, len(s.Silences)) }

// Draw returns a reading that answers every silence by draw, which returns a number below
// another one.
func (s *Source) Draw(draw func(below int) int) Reading {
	r := s.Nothing()
	for i := range r {
		r[i] = draw(len(s.Silences[i].Answers))
	}
	return r
}

// Count returns how many readings there are with the answers that a reading has.
func (s *Source) Count(r Reading) uint64 {
	n := uint64(1)
	for i, k := range r {
		if k == Open {
			n *= uint64(len(s.Silences[i].Answers))
		}
	}
	return n
}

// Text says how a reading answers: "told-itself=nothing, told=stops".
func (s *Source) Text(r Reading) string {
	text := ""
	for i, k := range r {
		if k == Open {
			continue
		}
		if text != "" {
			text += ", "
		}
		text += s.Silences[i].Name + "=" + s.Silences[i].Answers[k]
	}
	return text
}

// look returns the cell of what happens at a process in a step, if a handler runs.
func (s *sorter[P, M]) look(e *model.Event) (Cell, bool) {
	if e.Process == model.None {
		return Cell{}, false
	}
	ev := Event[M]{Kind: e.Kind, From: e.Port, Timer: e.Timer, Who: e.Who}
	switch e.Kind {
	case model.Delivers:
		m, ok := model.Received[M](e)
		if !ok {
			return Cell{}, false
		}
		ev.Message = m
	case model.Misreports:
		ev.Kind = model.Suspects
	case model.Requests:
		if len(s.names.Requests) > 0 {
			return Cell{}, false
		}
		ev.Kind = model.Starts
	case model.Expires, model.Suspects, model.Starts, model.Boots, model.Joins, model.Restarts:
	default:
		return Cell{}, false
	}
	var p P
	if state := model.State[P](e.From, e.Process); state != nil {
		p = *state
	}
	return *s.place(&p, e.Process, int(e.From.N), &ev), true
}
