package web

import (
	"fmt"
	"strings"

	"bullyproof/checker"
)

// A standing is how a property stands at a moment of a run.
type standing uint8

const (
	holds     standing = iota // of a safety property: nothing is wrong here
	breaks                    // it breaks here, or the whole run breaks it
	broke                     // it broke before, and nothing is wrong here
	satisfied                 // the run is over and satisfies it
	open                      // it is about whole runs, and this one can go on
	unknown                   // nobody can tell, after a misuse
)

// words says it in one word, for people.
func (s standing) words() string {
	return [...]string{"holds", "breaks here", "broke before", "kept", "open", "unknown"}[s]
}

// A ruling is what a run says of a property.
type ruling struct {
	property *checker.Property
	standing standing
	// why explains it in words; may be empty.
	why string
	// lasso is the step with which the run goes on, without end, to break the
	// property, 0 where it need not.
	lasso int
	// fresh says that the run up to here is evidence: what breaks breaks here,
	// and not before.
	fresh bool
}

// rule returns how every property stands: those of states and steps first.
func (m *moment) rule() []ruling {
	list := make([]ruling, 0, len(m.safety)+len(m.whole))
	for i, p := range m.safety {
		list = append(list, m.ruleState(i, p))
	}
	return append(list, m.ruleWhole()...)
}

// ruleState tells how a safety property stands.
func (m *moment) ruleState(i int, p *checker.Property) ruling {
	r := ruling{property: p}
	bit := uint64(1) << i
	switch {
	case m.over():
		r.standing = unknown
	case m.broken&bit != 0:
		r.standing, r.why = breaks, p.Explain(&m.view)
		r.fresh = m.brokenBefore&bit == 0
	}
	if m.brokenBefore&bit != 0 {
		first := m.firstBroken(bit)
		if r.standing != breaks {
			r.standing, r.why = broke, p.Explain(&first.view)
		}
		r.why = strings.TrimPrefix(fmt.Sprintf("%s (first %s)", r.why, atStep(first.depth)), " ")
	}
	return r
}

// firstBroken returns the first moment of the run with a bit in broken.
func (m *moment) firstBroken(bit uint64) *moment {
	for m.brokenBefore&bit != 0 {
		m = m.before
	}
	return m
}

func atStep(depth int) string {
	if depth == 0 {
		return "at the start"
	}
	return fmt.Sprintf("in step %d", depth)
}

// ruleWhole tells how the properties of whole runs stand. A run that is over,
// or has come back to a state that it was in, is judged; another can still go
// either way.
func (m *moment) ruleWhole() []ruling {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.rulings != nil {
		return m.rulings
	}
	list := make([]ruling, len(m.whole))
	round, ended := m.again(), m.view.Quiet && m.ended()
	for i, p := range m.whole {
		list[i] = ruling{property: p, standing: open}
		_, endless := p.Fairness()
		outcome := p.Kind() == checker.E1.Kind()
		switch {
		case m.over():
			list[i].standing = unknown
		case !endless && !outcome:
			list[i].why = "what can be reached from here takes a search"
		case ended || outcome:
			list[i] = m.judgeEnd(p, ended)
		case round != nil:
			list[i] = m.judgeRound(p, round)
		}
	}
	m.rulings = list
	return list
}

// judgeEnd judges a run as if it ended here, which it does if nothing is owed
// any more.
func (m *moment) judgeEnd(p *checker.Property, ended bool) ruling {
	run := m.run()
	err := p.Watch().Run(run.System, run.States, run.Steps, -1)
	switch {
	case err == nil:
		why := p.ExplainRun(run, 0)
		if ended {
			why = strings.TrimSuffix("the run ends here: "+why, ": ")
		}
		return ruling{property: p, standing: breaks, why: why, fresh: true}
	case ended:
		return ruling{property: p, standing: satisfied, why: "the run ends here"}
	}
	return ruling{property: p, standing: open}
}

// judgeRound judges a run that repeats without end its steps since a moment of
// the same state.
func (m *moment) judgeRound(p *checker.Property, since *moment) ruling {
	run := m.run()
	what := fmt.Sprintf("going round steps %d to %d without end", since.depth+1, m.depth)
	if err := p.Watch().Run(run.System, run.States, run.Steps, since.depth); err != nil {
		return ruling{property: p, standing: open, why: what + " is no offence: " + err.Error()}
	}
	if more := p.ExplainRun(run, since.depth+1); more != "" {
		what += ": " + more
	}
	return ruling{property: p, standing: breaks, why: what, lasso: since.depth + 1, fresh: true}
}

// evidence returns the rulings that the run up to here is evidence of: what
// breaks at its end and not before.
func evidence(list []ruling) []ruling {
	var out []ruling
	for _, r := range list {
		if r.standing == breaks && r.fresh {
			out = append(out, r)
		}
	}
	return out
}
