package silence

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"bullyproof/model"
)

// A Sorter says what of a state cells tell apart. The zero Sorter goes by its fields that are
// neither ids nor sets of them.
type Sorter[P any] struct {
	// Mode returns what a process is doing: "waits for responses".
	Mode func(p *P) string
	// Own returns what the process itself is, where the source has rules for some: "second";
	// n is the number of processes.
	Own func(self model.ID, n int) string
	// Message returns how what a message says stands to what the process knows, where that is
	// no matter of ids: "of an earlier view".
	Message func(p *P, m model.Message) string
	// MessageFrom is as Message, where it matters which process has sent the message.
	MessageFrom func(p *P, from model.ID, m model.Message) string
}

// A Cell is a sort of event: what happens at a process, in which mode it is, and how the ids
// in it stand to its own and to that of whom it follows.
type Cell struct {
	// Event is what happens: a kind of messages, a timer by its name, "report", "boot",
	// "join", "restart" or "start".
	Event string
	// Mode is that of the process.
	Mode string
	// Ids are how ids stand: "id=self", "from<self", "follows it".
	Ids []string
	// Own is what the process itself is; empty where that makes no difference.
	Own string
	// Message is how what a message says stands to what the process knows; empty where that
	// makes no difference.
	Message string
}

// String returns the cell as a pattern that fits it.
func (c Cell) String() string {
	terms := slices.Clone(c.Ids)
	if c.Mode != "" {
		terms = append(terms, "mode "+c.Mode)
	}
	if c.Own != "" {
		terms = append(terms, "is "+c.Own)
	}
	if c.Message != "" {
		terms = append(terms, "message "+c.Message)
	}
	if len(terms) == 0 {
		return c.Event
	}
	return c.Event + ": " + strings.Join(terms, ", ")
}

// A Pattern is a set of cells, by a text: an event, or "any", and after a colon terms, set
// apart by commas, each with what there may be, set apart by "|": "COORDINATOR:
// id=self|id<self, mode idle, follows nobody, is second".
type Pattern struct {
	events []string
	terms  [][]string
}

// ParsePattern reads a pattern. The events are those of a protocol.
func ParsePattern(text string, events []string) (p Pattern, err error) {
	head, rest, _ := strings.Cut(text, ":")
	for _, event := range strings.Split(head, "|") {
		event = strings.TrimSpace(event)
		if event != "any" && !slices.Contains(events, event) {
			return p, fmt.Errorf("pattern %q: no event is named %q: want any, or some of %s, with | between", text, event, strings.Join(events, ", "))
		}
		p.events = append(p.events, event)
	}
	for _, term := range strings.Split(rest, ",") {
		if strings.TrimSpace(term) == "" {
			continue
		}
		var choices []string
		for _, one := range strings.Split(term, "|") {
			one = strings.TrimSpace(one)
			if !validTerm(one) {
				return p, fmt.Errorf("pattern %q: %q: want a term like id<self, from=self, follows nobody, mode idle, is second or message late", text, one)
			}
			choices = append(choices, one)
		}
		p.terms = append(p.terms, choices)
	}
	return p, nil
}

// follows are what a process may think of the one that an event is about.
var follows = []string{"follows nobody", "follows itself", "follows it", "follows a lower", "follows a higher"}

// words begin terms of which a Sorter says what there may be.
var words = []string{"mode ", "is ", "message "}

func validTerm(term string) bool {
	for _, relation := range []string{"<self", "=self", ">self"} {
		if field, ok := strings.CutSuffix(term, relation); ok && field != "" && !strings.Contains(field, " ") {
			return true
		}
	}
	return slices.Contains(follows, term) || slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(term, word) })
}

// about reports whether the pattern has cells of an event.
func (p *Pattern) about(event string) bool {
	return slices.Contains(p.events, "any") || slices.Contains(p.events, event)
}

// Fits reports whether a cell is in the pattern.
func (p *Pattern) Fits(c *Cell) bool {
	if !p.about(c.Event) {
		return false
	}
	for _, choices := range p.terms {
		if !slices.ContainsFunc(choices, c.has) {
			return false
		}
	}
	return true
}

func (c *Cell) has(term string) bool {
	if mode, ok := strings.CutPrefix(term, "mode "); ok {
		return c.Mode == mode
	}
	if own, ok := strings.CutPrefix(term, "is "); ok {
		return c.Own == own
	}
	if message, ok := strings.CutPrefix(term, "message "); ok {
		return c.Message == message
	}
	return slices.Contains(c.Ids, term)
}

// in reports whether the cell is in one of some patterns.
func (c *Cell) in(patterns []Pattern) bool {
	return slices.ContainsFunc(patterns, func(p Pattern) bool { return p.Fits(c) })
}

// A sorter sorts events of a protocol into cells.
type sorter[P any, M model.Message] struct {
	Sorter[P]
	names  model.Names
	belief func(p *P) model.Belief
	ids    []field // of a message
}

// A field is one of a message or a state.
type field struct {
	name  string
	index int
}

var idType = reflect.TypeFor[model.ID]()

func newSorter[P any, M model.Message](protocol model.Protocol[P, M], by Sorter[P]) *sorter[P, M] {
	s := &sorter[P, M]{Sorter: by, names: protocol.Names(), belief: protocol.Belief}
	if m := reflect.TypeFor[M](); m.Kind() == reflect.Struct {
		for i := range m.NumField() {
			if f := m.Field(i); f.Type == idType {
				s.ids = append(s.ids, field{strings.ToLower(f.Name), i})
			}
		}
	}
	if s.Mode == nil {
		s.Mode = byFields[P]()
	}
	return s
}

// byFields tells modes apart by the fields that are neither ids nor sets of them.
func byFields[P any]() func(p *P) string {
	t := reflect.TypeFor[P]()
	if t.Kind() != reflect.Struct {
		return func(p *P) string { return fmt.Sprint(*p) }
	}
	var at []field
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() && f.Type != idType && f.Type != reflect.TypeFor[model.Set]() {
			at = append(at, field{f.Name, i})
		}
	}
	return func(p *P) string {
		v := reflect.ValueOf(p).Elem()
		var parts []string
		for _, f := range at {
			switch x := v.Field(f.index); {
			case x.Kind() == reflect.Bool && x.Bool():
				parts = append(parts, f.name)
			case x.Kind() == reflect.Bool:
			default:
				parts = append(parts, fmt.Sprint(x.Interface()))
			}
		}
		return strings.Join(parts, " ")
	}
}

// report is the event that the failure detector reports a process.
const report = "report"

// events are the names of what can happen.
func (s *sorter[P, M]) events() []string {
	list := slices.Clone(s.names.Kinds)
	for _, t := range s.names.Timers {
		list = append(list, t.Name)
	}
	list = append(list, report)
	for _, k := range []model.ActionKind{model.Boots, model.Joins, model.Restarts, model.Starts} {
		list = append(list, k.String())
	}
	return list
}

// event returns the name of an event.
func (s *sorter[P, M]) event(e *Event[M]) string {
	switch e.Kind {
	case model.Delivers:
		return s.names.Kinds[e.Message.Kind()]
	case model.Expires:
		return s.names.Timers[e.Timer].Name
	case model.Suspects:
		return report
	}
	return e.Kind.String()
}

// place returns the cell of an event at a process in a state.
func (s *sorter[P, M]) place(p *P, self model.ID, n int, e *Event[M]) *Cell {
	c := &Cell{Event: s.event(e), Mode: s.Mode(p)}
	if s.Own != nil {
		c.Own = s.Own(self, n)
	}
	about := model.None
	see := func(what string, id model.ID) {
		if id == model.None {
			return
		}
		c.Ids = append(c.Ids, what+[...]string{"<self", "=self", ">self"}[1+cmp.Compare(id, self)])
		if about == model.None {
			about = id
		}
	}
	switch e.Kind {
	case model.Delivers:
		v := reflect.ValueOf(e.Message)
		for _, f := range s.ids {
			see(f.name, model.ID(v.Field(f.index).Uint()))
		}
		see("from", e.From.ID())
		switch {
		case s.MessageFrom != nil:
			c.Message = s.MessageFrom(p, e.From.ID(), e.Message)
		case s.Message != nil:
			c.Message = s.Message(p, e.Message)
		}
	case model.Suspects:
		see("who", e.Who)
	}
	elected := s.belief(p).Elected
	if elected == model.Me {
		elected = self
	}
	c.Ids = append(c.Ids, relation(elected, self, about)...)
	return c
}

// relation says how whom a process follows stands to the process that an event is about.
func relation(elected, self, about model.ID) []string {
	switch {
	case elected == model.None:
		return []string{"follows nobody"}
	case elected == self:
		return []string{"follows itself"}
	case about == model.None:
		return nil
	case elected == about:
		return []string{"follows it"}
	case elected < about:
		return []string{"follows a lower"}
	}
	return []string{"follows a higher"}
}
