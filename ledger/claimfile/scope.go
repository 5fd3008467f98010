package claimfile

import (
	"maps"
	"slices"
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
		d.looks = []*passage{text}
	}
	for _, sub := range lines {
		d.looks = append(d.looks, sub.passage())
	}
	if len(d.looks) == 0 {
		r.failf(rest.start(), "want a setting behind the name of the scope, or below it")
	}
	r.define(r.scopes, "scope", name, d)
}

// places expands what stands behind "in": scopes and settings between commas.
func (r *reader) places(p *passage, s state) (out []state) {
	for _, part := range p.split(", ") {
		states := []state{s}
		for rest := part; rest.text != ""; {
			var word *passage
			word, rest = rest.cut()
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

// word expands one word of a setting, or the name of a scope.
func (r *reader) word(word *passage, s state) (out []state) {
	if r.steps++; r.steps > mostSteps || len(s.words) > mostWords {
		r.failf(word.start(), "the setting has more than %d words, or the file more than %d in all", mostWords, mostSteps)
		return nil
	}
	if strings.Contains(word.text, "=") {
		s.words = append(slices.Clip(s.words), r.fill(word, s.vars))
		return []state{s}
	}
	d := r.find(r.scopes, "scope", word)
	if d == nil {
		return nil
	}
	for _, look := range d.looks {
		states := []state{s}
		if colon := endOfHead(look); colon >= 0 {
			states = r.head(look.slice(0, colon), s)
			look = look.slice(colon+1, len(look.text))
		}
		list := clauses(look)
		for _, s := range states {
			if out = append(out, r.apply(list[1:], r.places(list[0].rest, s))...); len(out) > mostEvidence {
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
	for _, p := range values {
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
