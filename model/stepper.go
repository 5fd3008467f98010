package model

import (
	"bullyproof/explore"
	"bullyproof/model/internal/layout"
)

// A Stepper takes one step after the other, each said by its action: for whoever
// follows what a system did, and does not want to know what else it could have
// done. It is for use by one goroutine.
type Stepper struct{ impl *expander }

// Stepper returns a stepper of the system.
func (s *System) Stepper() *Stepper { return &Stepper{s.impl.stepper()} }

// Steps tells every transition out of an encoded state whose action is like one:
// of its Kind and at its Process, and of the same Port, Message, Timer, Who and Request where
// like has one. Its other fields (Choices, Crash and Due, say) may be anything.
// Other than in searches, steps that lead back to the state are among them. Next is
// good until the next transition is told.
//
// Kinds of actions that happen at no process, and Duplicates, Pauses and Resumes,
// have no steps here.
func (s *Stepper) Steps(state []byte, like Action, each func(Transition)) {
	s.impl.steps(state, &like, each)
}

// Beyond returns why a transition was left out by the last call of Steps: a handler
// went beyond the bound of its protocol, for the reason that Optional.Beyond gives
// ("term 4"). It is empty if none was. Of a system that is Unbounded, it says so of the
// transition of a handler that was told last.
func (s *Stepper) Beyond() string { return s.impl.passed() }

// LoseFreely has losses from now on take nothing from their budget: a setting that grants
// any grants as many as are asked for.
func (s *Stepper) LoseFreely() { s.impl.wrap.losesFreely = true }

// Process returns what Snapshot says of one process.
func (s *Stepper) Process(state []byte, id ID) ProcessSnapshot { return s.impl.processAt(state, id) }

func (w *world) stepper() *expander {
	e := w.newExpander(nil)
	e.wrap.inits = true
	return e
}

func (e *expander) steps(state []byte, like *Action, each func(Transition)) {
	e.decode(state)
	e.out, e.act.code, e.now.owed = new(explore.Successors), 0, 0
	e.wrap.rec, e.wrap.only = &recorder{each: each}, like
	if len(e.monitors) > 0 {
		e.fillView(&e.asked.from)
	}
	switch like.Kind {
	case Boots:
		e.boots()
	case Starts:
		e.starts()
	case Delivers, Drops:
		e.deliveries()
	case Expires:
		e.expiries(e.deliveries())
	case Suspects, Misreports:
		e.reports()
	case Crashes, Forgets, Wipes:
		e.crashes()
	case Restarts:
		e.comebacks(Restarts, Down, layout.BudgetRestarts)
	case Joins:
		e.comebacks(Joins, Absent, layout.BudgetJoins)
	case Loses:
		e.losses()
	case Requests:
		e.now.eachRequest(e.run)
	}
}

// unwanted reports whether an action is none that a stepper asks for.
func (e *expander) unwanted(a *act) bool {
	want := e.wrap.only
	switch {
	case a.kind != want.Kind, e.now.ids[a.pos] != want.Process,
		want.Port != 0 && a.port != want.Port,
		want.Who != None && a.who != want.Who,
		want.Timer != "" && a.kind == Expires && e.names.Timers[a.timer].Name != want.Timer,
		want.Request != "" && a.kind == Requests && e.names.Asked()[a.which] != want.Request:
		return true
	}
	return want.Message != "" && a.msg >= 0 && e.protocol.Text(e.act.message(e.now.record(a.msg))) != want.Message
}

func (e *expander) passed() string {
	if e.wrap.rec == nil {
		return ""
	}
	return e.wrap.rec.beyond
}

func (e *expander) processAt(state []byte, id ID) ProcessSnapshot {
	e.decode(state)
	return e.now.processSnapshot(e.now.at[id-1])
}
