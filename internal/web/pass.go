package web

import (
	"bytes"
	"errors"

	"bullyproof/model"
)

// verbPass asks that time passes until something else can happen.
const verbPass = "pass"

// idle returns the passing of time if that is all that has to happen at a moment.
func (m *moment) idle() (tick model.Action, ok bool) {
	if m.over() {
		return tick, false
	}
	other := false
	m.sys.EachTransition(m.state, func(t model.Transition) {
		switch {
		case t.Action.Kind == model.Ticks:
			tick, ok = t.Action, true
		case t.Class != "":
			other = true
		}
	})
	return tick, ok && !other
}

// passing returns the link to where time has passed until something else has to happen.
func (v *visit) passing() (*link, error) {
	to, m := v.link, v.now
	for len(to.path) < maxSteps {
		tick, ok := m.idle()
		if !ok {
			break
		}
		next, err := m.after(tick)
		if err != nil {
			return nil, err
		}
		to = to.taking(tick)
		if bytes.Equal(next.state, m.state) {
			break // and so without end
		}
		m = next
	}
	if to == v.link {
		return nil, errors.New("time does not pass here, or something else can happen first")
	}
	return to, to.fits()
}
