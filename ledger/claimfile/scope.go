package claimfile

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// scope reads the definition of one: settings, in one line or in several, with
// what is said of them.
func (r *reader) scope(l *line) {
	_, rest := l.own().cut()
	name, text := rest.cut()
	lines := l.below
	if text.text != "" {
		_, rest = l.passage().cut()
		_, text = rest.cut()
		lines = nil
	}
	d := new(definition)
	if text.text != "" {
		d.looks = []look{newLook(text)}
	}
	for _, sub := range lines {
		d.looks = append(d.looks, newLook(sub.passage()))
	}
	if len(d.looks) == 0 {
		r.failf(rest.start(), "want a setting behind the name of the scope, or below it")
	}
	r.define(r.scopes, "scope", name, d)
}

// A look is a line of a scope, cut into its parts.
type look struct {
	head  []clause // before the colon
	items [][]*passage
	tail  []clause
}

func newLook(p *passage) (l look) {
	if colon := endOfHead(p); colon >= 0 {
		l.head = clauses(p.slice(0, colon))
		p = p.slice(colon+1, len(p.text))
	}
	list := clauses(p)
	l.items, l.tail = items(list[0].rest), list[1:]
	return l
}

// items cuts scopes and settings between commas into their words.
func items(p *passage) (list [][]*passage) {
	for _, part := range p.split(", ") {
		var words []*passage
		for rest := part; rest.text != ""; {
			var word *passage
			word, rest = rest.cut()
			words = append(words, word)
		}
		list = append(list, words)
	}
	return list
}

// itemsOf returns the items of a clause, which are cut once.
func (r *reader) itemsOf(p *passage) [][]*passage {
	if r.items[p] == nil {
		r.items[p] = items(p)
	}
	return r.items[p]
}

// places expands what stands behind "in": scopes and settings.
func (r *reader) places(items [][]*passage, s state) []state {
	out := make([]state, 0, len(items))
	for _, words := range items {
		states := []state{s}
		for _, word := range words {
			if strings.Contains(word.text, "=") {
				word, literal := r.enlarge(word)
				for i := range states {
					states[i].literal = states[i].literal || literal
					if !r.step(word, &states[i]) {
						return nil
					}
					states[i].words = append(slices.Clip(states[i].words), r.fill(word, states[i].vars))
				}
				continue
			}
			var next []state
			for _, s := range states {
				if next = append(next, r.word(word, s)...); len(next) > mostEvidence {
					r.failf(word.start(), "that is more than %d settings", mostEvidence)
					return nil
				}
			}
			states = next
		}
		out = append(out, states...)
	}
	return out
}

// enlarge returns a word of a setting with one process more, if that is what r
// does and the word says how many there are, and whether it does.
func (r *reader) enlarge(word *passage) (larger *passage, literal bool) {
	number, ok := strings.CutPrefix(word.text, "n=")
	n, err := strconv.Atoi(number)
	if !r.larger || !ok || err != nil {
		return word, false
	}
	p := *word
	p.text = fmt.Sprintf("n=%d", n+1)
	return &p, true
}

// step counts words, so that no file takes too long.
func (r *reader) step(word *passage, s *state) bool {
	if r.steps++; r.steps > mostSteps || len(s.words) > mostWords {
		r.failf(word.start(), "the setting has more than %d words, or the file more than %d in all", mostWords, mostSteps)
		return false
	}
	return true
}

// word expands the name of a scope.
func (r *reader) word(word *passage, s state) (out []state) {
	if !r.step(word, &s) {
		return nil
	}
	d := r.find(r.scopes, "scope", word)
	if d == nil {
		return nil
	}
	for i := range d.looks {
		l := &d.looks[i]
		states := []state{s}
		if l.head != nil {
			states = r.head(l.head, s)
		}
		for _, s := range states {
			if out = append(out, r.apply(l.tail, r.places(l.items, s))...); len(out) > mostEvidence {
				r.failf(word.start(), "that is more than %d settings", mostEvidence)
				return nil
			}
		}
	}
	return out
}

// variables expands what stands behind "for": "N = 3 to 5, P = 1 to N-1".
func (r *reader) variables(p *passage, s state) []state {
	states := []state{s}
	var name string
	var values []*passage
	bind := func() {
		var next []state
		for _, s := range states {
			if next = append(next, r.bind(name, values, s)...); len(next) > mostEvidence {
				r.failf(p.start(), "that is more than %d values", mostEvidence)
				next = nil
				break
			}
		}
		states = next
	}
	for i, part := range p.split(",") {
		at := strings.IndexByte(part.text, '=')
		if at < 0 && i == 0 {
			r.failf(part.start(), "want \"for N = 3 to 5\"")
			return nil
		}
		if at >= 0 {
			if i > 0 {
				bind()
			}
			variable := part.slice(0, at)
			name, values = variable.text, nil
			if name == "" || strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_") != "" {
				r.failf(part.start(), "%q is no variable: want a word in capitals", name)
				return nil
			}
			part = part.slice(at+1, len(part.text))
		}
		values = append(values, part)
	}
	bind()
	return states
}

// bind returns a state for each value of a variable.
func (r *reader) bind(name string, values []*passage, s state) (out []state) {
	if _, old := s.vars[name]; old {
		r.failf(values[0].start(), "%s has a value already", name)
		return nil
	}
	for i, p := range values {
		lo, hi := p, p
		if i := strings.Index(p.text, " to "); i >= 0 {
			lo, hi = p.slice(0, i), p.slice(i+len(" to "), len(p.text))
		}
		from, ok1 := r.eval(lo, s.vars)
		to, ok2 := r.eval(hi, s.vars)
		if !ok1 || !ok2 {
			return nil
		}
		if to < from || to-from >= mostValues {
			r.failf(p.start(), "%s goes from %d to %d: want it to go up, by less than %d", name, from, to, mostValues)
			return nil
		}
		if r.larger && name == "N" {
			if i < len(values)-1 {
				continue
			}
			s.single = len(values) == 1 && from == to
			from, to = to+1, to+1
		}
		for v := from; v <= to; v++ {
			next := s
			next.vars = maps.Clone(s.vars)
			if next.vars == nil {
				next.vars = make(map[string]int)
			}
			next.vars[name] = v
			out = append(out, next)
		}
	}
	return out
}
