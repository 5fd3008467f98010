package silence

import (
	"errors"
	"fmt"
	"slices"

	"bullyproof/internal/naming"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A Reading has an answer to each silence of a source, by its number, or Open.
type Reading []int

// Open is where a reading has no answer.
const Open = -1

// A Question is a silence as it is told: its name, and those of its answers.
type Question struct {
	Name    string
	Answers []string
}

// A Source is a protocol with the silences of its source.
type Source struct {
	// Silences are its questions, in the order of readings.
	Silences []Question
	system   func(in setting.Setting, r Reading, open Answering) (*model.System, error)
	look     func(e *model.Event) (Cell, bool)
	silent   func(c *Cell) (silence int)
}

// New returns a source of a protocol. It returns an error for a silence that has no name, no
// cells or fewer than two answers, that has a pattern without sense, or whose first answer is
// not what the code does.
func New[P any, M model.Message](protocol model.Protocol[P, M], by Sorter[P], silences ...Silence[P, M]) (*Source, error) {
	at := newSorter(protocol, by)
	src := &Source{}
	var read []silent[P, M]
	for i := range silences {
		cells, err := silences[i].read(at.events())
		if err != nil {
			return nil, fmt.Errorf("silence %q: %w", silences[i].Name, err)
		}
		read = append(read, silent[P, M]{&silences[i], cells})
		src.Silences = append(src.Silences, Question{silences[i].Name, silences[i].answers()})
	}
	if twice := naming.Repeated(src.names()); len(twice) > 0 {
		return nil, fmt.Errorf("two silences are named %q", twice[0])
	}
	first := model.Choice(len(protocol.Names().Choices))
	src.system = func(in setting.Setting, r Reading, open Answering) (*model.System, error) {
		a := &asked[P, M]{Protocol: protocol, at: at, silences: read, reading: r, open: open, first: first, nowhere: nowhere[P]()}
		return model.New(a, in)
	}
	src.look = at.look
	src.silent = func(c *Cell) int { return slices.IndexFunc(read, func(s silent[P, M]) bool { return c.in(s.cells) }) }
	return src, nil
}

// read reads the patterns of a silence, and checks the rest of it.
func (s *Silence[P, M]) read(events []string) (cells []Pattern, err error) {
	if err := naming.Valid(s.Name); err != nil {
		return nil, err
	}
	for _, text := range s.Cells {
		p, err := ParsePattern(text, events)
		if err != nil {
			return nil, err
		}
		cells = append(cells, p)
	}
	switch {
	case len(cells) == 0:
		return nil, errors.New("it has no cells: want a pattern at least")
	case len(s.Answers) < 2:
		return nil, fmt.Errorf("it has %d answers: want two at least", len(s.Answers))
	}
	for i, a := range s.Answers {
		if err := naming.Valid(a.Name); err != nil {
			return nil, fmt.Errorf("answer %d: %w", i+1, err)
		}
		if (a.Do == nil) != (i == 0) {
			return nil, fmt.Errorf("answer %q: want the first without Do, which is what the code does, and each other with one", a.Name)
		}
	}
	if twice := naming.Repeated(s.answers()); len(twice) > 0 {
		return nil, fmt.Errorf("two answers are named %q", twice[0])
	}
	return cells, nil
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

// Nothing returns the reading that answers no silence.
func (s *Source) Nothing() Reading { return slices.Repeat(Reading{Open}, len(s.Silences)) }

// Count returns how many readings there are in which what a reading has answered is as it
// has it.
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
