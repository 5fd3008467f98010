package bubble

import (
	"fmt"
	"strings"
)

// These are the kinds of choices of a controlled program, by the numbers of the overlay.
const (
	selects = iota
	orders
	switches
	draws
	choiceKinds
)

var choiceNames = [choiceKinds]string{"case", "goroutine", "switch", "draw"}

// How many choices of a kind an event may have whose number the World does not say, and how many there
// may be in all.
const (
	mostSelects = 8
	mostDraws   = 8
	mostChoices = 64
)

// A choice is one that a program had: which of so many.
type choice struct{ kind, of, took int }

func (c choice) String() string {
	return fmt.Sprintf("%s %d of %d", choiceNames[c.kind], c.took+1, c.of)
}

// texts lists choices.
func texts(list []choice) string {
	var parts []string
	for _, c := range list {
		parts = append(parts, c.String())
	}
	return strings.Join(parts, ", ")
}

// untried says which choices a search has left out, "" if none.
func (s *spent) untried() string {
	var parts []string
	for kind, by := range [choiceKinds]string{
		selects:  fmt.Sprintf("%%d cases of selects, beyond %d of an event", mostSelects),
		orders:   "%d places at which another goroutine could be next (Orders)",
		switches: "%d places at which another goroutine could take its turn (Switches)",
		draws:    fmt.Sprintf("%%d random numbers, beyond %d of an event", mostDraws),
	} {
		if n := s.beyond[kind].Load(); n > 0 {
			parts = append(parts, fmt.Sprintf(by, n))
		}
	}
	if parts == nil {
		return ""
	}
	return " Not tried: " + strings.Join(parts, ", ") + "."
}

// turns are those that the goroutines of a bubble take.
type turns struct {
	log  [mostChoices]uint32
	free [choiceKinds]int32
}

// made is what turns say of an event so far.
type made struct {
	n      int                 // how many choices there were
	first  int64               // when the first was, or a panic, 0 if none was
	beyond [choiceKinds]uint32 // how many there were beyond those that there may be
	wrong  bool                // the script has a choice that is none
}

// newTurns returns the turns of a repeat.
func newTurns(w *World) *turns {
	return &turns{free: [choiceKinds]int32{selects: mostSelects, orders: int32(w.Orders), switches: int32(w.Switches), draws: mostDraws}}
}

// choices returns the first n of the event.
func (t *turns) choices(n int) []choice {
	var list []choice
	for _, l := range t.log[:n] {
		list = append(list, choice{int(l >> 16), int(l >> 8 & 0xff), int(l & 0xff)})
	}
	return list
}
