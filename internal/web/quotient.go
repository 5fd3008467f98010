package web

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"bullyproof/internal/prose"
	"bullyproof/internal/quantity"
	"bullyproof/model"
)

// An opinion is what one process believes, and whether it is up.
type opinion struct {
	status   byte     // up, paused, down or absent
	leads    bool     // it believes itself coordinator
	follows  model.ID // None if it leads, or knows nobody
	electing bool
	epoch    uint64
}

const (
	statusUp     = 'u'
	statusPaused = 'p'
	statusDown   = 'd'
	statusAbsent = 'a'
)

// up reports whether the process is up, though it may pause.
func (o *opinion) up() bool { return o.status == statusUp || o.status == statusPaused }

// outlookOf returns what every process believes.
func outlookOf(v *model.View) []opinion {
	list := make([]opinion, v.N)
	for i := range list {
		id, o := model.ID(i+1), &list[i]
		switch {
		case !v.Present.Has(id):
			o.status = statusAbsent
			continue
		case !v.Up.Has(id):
			o.status = statusDown
			continue
		case v.Paused.Has(id):
			o.status = statusPaused
		default:
			o.status = statusUp
		}
		if o.leads = v.Leaders.Has(id); !o.leads {
			o.follows = v.Elected(id)
		}
		o.electing, o.epoch = v.Participants.Has(id), v.Epoch(id)
	}
	return list
}

// A level is by what states are one: those of equal keys are.
type level struct {
	name, words string
	key         func(key []byte, all []opinion) []byte
}

// levels are all of them, the finest first. The first has each state by itself, and the last
// has at most as many classes as a drawing has room for: 153 for 16 processes, of which at
// most so many lead as are up.
var levels = []level{
	{name: "states", words: "each state by itself"},
	{"elections", "who follows whom, who is up, elections and epochs", func(key []byte, all []opinion) []byte {
		for _, o := range all {
			key = append(key, o.status, bit(o.leads)|bit(o.electing)<<1, byte(o.follows))
			key = binary.AppendUvarint(key, o.epoch)
		}
		return key
	}},
	{"beliefs", "who follows whom, and who is up", func(key []byte, all []opinion) []byte {
		for _, o := range all {
			key = append(key, o.status, bit(o.leads), byte(o.follows))
		}
		return key
	}},
	{"leaders", "who leads, and who is up", func(key []byte, all []opinion) []byte {
		for _, o := range all {
			key = append(key, bit(o.up()), bit(o.leads))
		}
		return key
	}},
	{"numbers", "how many lead, and how many are up", func(key []byte, all []opinion) []byte {
		lead, up := numbers(all)
		return append(key, byte(lead), byte(up))
	}},
}

// The levels whose classes have words of their own.
const (
	levelStates  = 0
	levelFinest  = 1 // of those that merge states
	levelLeaders = 3
	levelNumbers = 4
)

func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// numbers counts the processes that lead and those that are up.
func numbers(all []opinion) (lead, up int) {
	for i := range all {
		if all[i].leads {
			lead++
		}
		if all[i].up() {
			up++
		}
	}
	return lead, up
}

// looks keeps what is believed in the states of a survey, once for all in which that is the same.
type looks struct {
	of       []int32     // of each state, in their order
	over     []bool      // of each: nothing is left that has to happen
	outlooks [][]opinion // in the order in which they were found
	keys     map[string]int32
	key      []byte
}

func newLooks() *looks { return &looks{keys: make(map[string]int32)} }

// see notes what is believed in the next state. It is asked of each state once, and no state
// is what it looks for.
func (l *looks) see(v *model.View) bool {
	all := outlookOf(v)
	l.key = levels[levelFinest].key(l.key[:0], all)
	n, known := l.keys[string(l.key)]
	if !known {
		n = int32(len(l.outlooks))
		l.keys[string(l.key)] = n
		l.outlooks = append(l.outlooks, all)
	}
	l.of, l.over = append(l.of, n), append(l.over, v.Over)
	return false
}

// A class is states that a map shows as one.
type class struct {
	first, firstBroken, firstSettled int32 // states of the survey; never if there is none
	states, broken, settled          int   // how many
	way                              int   // how many ways from class to class it takes from the first one
}

// A quotient is the states of a survey, merged.
type quotient struct {
	level   int
	of      []int32 // the class of each state
	classes []class
	ways    []passage // from class to class
}

// A passage is how many steps lead from one class to another.
type passage struct {
	from, to int32
	steps    int
}

// divide merges the states of a survey. The classes are in the order in which a search comes to
// them, and so are the ways.
func (s *survey) divide(by int) *quotient {
	g := &quotient{level: by, of: make([]int32, len(s.states))}
	merged := s.merge(by)
	for i := range s.states {
		n := merged[i]
		if int(n) == len(g.classes) {
			g.classes = append(g.classes, class{first: int32(i), firstBroken: never, firstSettled: never, way: never})
		}
		g.of[i] = n
		of := &g.classes[n]
		of.states++
		if s.bad(int32(i)) {
			of.broken++
			if of.firstBroken == never {
				of.firstBroken = int32(i)
			}
		}
		if s.looks.over[i] {
			of.settled++
			if of.firstSettled == never {
				of.firstSettled = int32(i)
			}
		}
	}
	g.connect(s)
	return g
}

// merge numbers the classes of states in the order in which they are found.
func (s *survey) merge(by int) []int32 {
	of := make([]int32, len(s.states))
	if by == levelStates {
		for i := range of {
			of[i] = int32(i)
		}
		return of
	}
	keys, merged := make(map[string]int32), make([]int32, len(s.looks.outlooks))
	for i, all := range s.looks.outlooks { // in the order of the first state of each
		key := string(levels[by].key(nil, all))
		n, known := keys[key]
		if !known {
			n = int32(len(keys))
			keys[key] = n
		}
		merged[i] = n
	}
	for i, look := range s.looks.of {
		of[i] = merged[look]
	}
	return of
}

// connect finds the ways between classes, and how many of them lead to each class.
func (g *quotient) connect(s *survey) {
	at := make(map[[2]int32]int)
	for to := range s.states {
		for a := s.last[to]; a != never; a = s.arcs[a].next {
			way := [2]int32{g.of[s.arcs[a].from], g.of[to]}
			if way[0] == way[1] && g.level != levelStates {
				continue
			}
			n, known := at[way]
			if !known {
				n = len(g.ways)
				at[way] = n
				g.ways = append(g.ways, passage{from: way[0], to: way[1]})
			}
			g.ways[n].steps++
		}
	}
	slices.SortFunc(g.ways, func(a, b passage) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.to, b.to)) })
	g.classes[0].way = 0
	for level, next := []int32{0}, []int32(nil); len(level) > 0; level, next = next, nil {
		for _, from := range level {
			i, _ := slices.BinarySearchFunc(g.ways, from, func(p passage, from int32) int { return cmp.Compare(p.from, from) })
			for ; i < len(g.ways) && g.ways[i].from == from; i++ {
				if to := &g.classes[g.ways[i].to]; to.way == never {
					to.way = g.classes[from].way + 1
					next = append(next, g.ways[i].to)
				}
			}
		}
	}
}

// classOf returns the class in which something is believed, never if no state of the survey is
// one of it.
func (g *quotient) classOf(s *survey, all []opinion) int32 {
	key := levels[g.level].key(nil, all)
	return int32(slices.IndexFunc(g.classes, func(of class) bool { return bytes.Equal(key, levels[g.level].key(nil, s.outlook(of.first))) }))
}

// outlook returns what is believed in a state.
func (s *survey) outlook(i int32) []opinion { return s.looks.outlooks[s.looks.of[i]] }

// bad reports whether a state, a step to it, or a step from it that is a misuse breaks something.
func (s *survey) bad(i int32) bool {
	_, wrong := slices.BinarySearch(s.wrong, i)
	return wrong || s.broken[i] != 0
}

// words says what is believed in all states of a class.
func (s *survey) words(by int, of *class) string { return s.wordsOf(by, s.outlook(of.first)) }

func (s *survey) wordsOf(by int, all []opinion) string {
	switch by {
	case levelNumbers:
		lead, up := numbers(all)
		return fmt.Sprintf("%s, %d of %d up", leading(lead), up, len(all))
	case levelLeaders:
		var lead, up, off model.Set
		for i := range all {
			switch id := model.ID(i + 1); {
			case all[i].leads:
				lead = lead.With(id)
			case all[i].up():
				up = up.With(id)
			default:
				off = off.With(id)
			}
		}
		parts := []string{"nobody leads"}
		if n := lead.Len(); n > 0 {
			parts[0] = prose.List(lead.Names()) + " " + agree(n, "leads", "lead")
		}
		if n := up.Len(); n > 0 {
			parts = append(parts, prose.List(up.Names())+" "+agree(n, "does", "do")+" not")
		}
		if n := off.Len(); n > 0 {
			parts = append(parts, prose.List(off.Names())+" "+agree(n, "is", "are")+" not up")
		}
		return strings.Join(parts, ", ")
	}
	parts := make([]string, len(all))
	for i := range all {
		parts[i] = model.ID(i+1).Name() + " " + all[i].words(by)
	}
	return strings.Join(parts, ", ")
}

func agree(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

func leading(n int) string {
	switch n {
	case 0:
		return "nobody leads"
	case 1:
		return "1 leads"
	}
	return itoa(n) + " lead"
}

// words says what a process believes.
func (o *opinion) words(by int) string {
	text := "knows no coordinator"
	switch {
	case o.status == statusAbsent:
		return "is not there yet"
	case o.status == statusDown:
		return "is down"
	case o.leads:
		text = "believes itself coordinator"
	case o.follows != model.None:
		text = "follows " + o.follows.Name()
	}
	if o.status == statusPaused {
		text += " and pauses"
	}
	if by > levelFinest {
		return text
	}
	if o.electing {
		text += ", is in an election"
	}
	if o.epoch > 0 {
		text += ", in epoch " + quantity.Count(o.epoch)
	}
	return text
}
