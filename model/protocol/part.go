package protocol

import "slices"

// A Part is where the names of a protocol stand among those of one that it is a part of. It
// numbers its own from 0 nevertheless.
type Part struct {
	timers, timersEnd, rules, rulesEnd, choices, choicesEnd int

	requests []int // of the whole: the part's own number, -1 of what it is not asked for
}

// Parts returns the names of several protocols as those of one, and the part of each. They have
// the same kinds of messages. If one of them names requests, whoever names none is asked to begin
// an election; requests with one text are one.
func Parts(all ...Names) (whole Names, parts []Part) {
	whole.Kinds = all[0].Kinds
	for _, names := range all {
		p := Part{timers: len(whole.Timers), rules: len(whole.Rules), choices: len(whole.Choices)}
		whole.Timers = append(whole.Timers, names.Timers...)
		whole.Rules = append(whole.Rules, names.Rules...)
		whole.Choices = append(whole.Choices, names.Choices...)
		p.timersEnd, p.rulesEnd, p.choicesEnd = len(whole.Timers), len(whole.Rules), len(whole.Choices)
		parts = append(parts, p)
		for _, text := range names.Asked() {
			if !slices.Contains(whole.Requests, text) {
				whole.Requests = append(whole.Requests, text)
			}
		}
	}
	if !slices.ContainsFunc(all, func(n Names) bool { return len(n.Requests) > 0 }) {
		whole.Requests = nil
	}
	for i := range parts {
		for _, text := range whole.Requests {
			parts[i].requests = append(parts[i].requests, slices.Index(all[i].Asked(), text))
		}
	}
	return whole, parts
}

// Request returns the number within the part of a request of the whole. It is not ok of what
// the part is not asked for.
func (p *Part) Request(r Request) (own Request, ok bool) {
	n := p.requests[r]
	return Request(max(n, 0)), n >= 0
}

// Own returns the number within the part of a timer of the whole.
func (p *Part) Own(t Timer) Timer { return t - Timer(p.timers) }

// A Whole is what a net has beyond a part of it.
type Whole struct {
	timers []uint8
	first  Timer
	named  []ChoiceName
	rules  int
	ran    uint64
	picked int
}

// Enter has a net be that of a part, until Leave is called: handlers of the part run in
// between. A part can have parts.
func Enter[M Message](n *Net[M], p *Part) Whole {
	c := &n.call
	w := Whole{c.Timers, c.first, c.named, c.rules, c.Rules, len(c.Picked)}
	c.Timers, c.named = c.Timers[p.timers:p.timersEnd:p.timersEnd], c.named[p.choices:p.choicesEnd]
	c.rules, c.Rules, c.first = p.rulesEnd-p.rules, 0, w.first+Timer(p.timers)
	return w
}

// Leave ends what Enter began.
func Leave[M Message](n *Net[M], p *Part, w Whole) {
	c := &n.call
	c.Timers, c.named, c.rules, c.first = w.timers, w.named, w.rules, w.first
	c.Rules = w.ran | c.Rules<<p.rules
	for i, choice := range c.Picked[w.picked:] {
		if choice > 0 {
			c.Picked[w.picked+i] += uint8(p.choices)
		}
	}
}
