package plain

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"bullyproof/model"
	"bullyproof/model/clock"
	"bullyproof/model/setting"
)

// A View is what properties see of a state, as a value that can be compared.
type View struct {
	Up, Paused, Present, Leaders, Participants, Side model.Set

	Wanted  model.ID
	Settled bool

	Elected  []model.ID // by id
	Epochs   []uint64
	States   []any // of processes, nil of one that is not up
	Stored   []any // what is on their disks
	Severed  []setting.CutLink
	InFlight []string // "1-2 ELECTION", sorted
}

// view returns what properties see of a state.
func (w *World) view(st *State, settled bool) View {
	v := View{Side: st.side, Settled: settled}
	for id := range model.Upto(model.ID(w.s.N)).All() {
		p := st.procs[st.position(id)]
		belief, state, disk := model.Belief{}, any(nil), w.stored(p)
		if p.status == model.Up || p.status == model.Down {
			v.Present = v.Present.With(id)
		}
		if p.status == model.Up {
			v.Up = v.Up.With(id)
			belief, state = w.belief(p), p.p
		}
		if p.paused {
			v.Paused = v.Paused.With(id)
		}
		if belief.Participant {
			v.Participants = v.Participants.With(id)
		}
		if belief.Elected == id {
			v.Leaders = v.Leaders.With(id)
		}
		v.Elected, v.Epochs = append(v.Elected, belief.Elected), append(v.Epochs, belief.Epoch)
		v.States, v.Stored = append(v.States, state), append(v.Stored, disk)
		for other := range model.Upto(model.ID(w.s.N)).Without(id).All() {
			if st.severed(id, other) {
				v.Severed = append(v.Severed, setting.CutLink{From: id, To: other})
			}
		}
	}
	for _, e := range w.inFlight(st) {
		v.InFlight = append(v.InFlight, fmt.Sprintf("%v-%v %v", e.From, e.To, e.Text))
	}
	slices.Sort(v.InFlight)
	v.Wanted = w.wanted(v.Up)
	return v
}

// stored returns what the disk of a process holds: what is left of it if it is down, and
// what a crash would leave if it is up.
func (w *World) stored(p processState) any {
	if p.status == model.Up {
		return w.disk(p.p)
	}
	return withClock(p.p, clock.Clock{})
}

// belief returns what a process believes, by its own id where it names itself.
func (w *World) belief(p processState) model.Belief {
	b := w.protocol.belief(p.p)
	if b.Elected == model.Me {
		b.Elected = p.id
	}
	return b
}

// inFlight returns the messages in flight in terms that people read. On a repaired
// ring a message does not tell who sent it.
func (w *World) inFlight(st *State) (all []model.Envelope) {
	for _, m := range st.mail {
		e := w.envelope(st, st.source(m), m)
		if w.s.Repaired {
			e.From = model.None
		}
		all = append(all, e)
	}
	return all
}

// happened returns what properties see of a step, its views aside.
func (w *World) happened(t Transition) string {
	received := ""
	if t.action.Kind == model.Delivers {
		received = t.action.Message
	}
	var sends []string
	for _, s := range t.sent {
		sends = append(sends, fmt.Sprintf("%v-%v %v", s.From, s.To, s.Text))
	}
	return stepText(t.action, received, sends)
}

// stepText is what properties see of a step in one text.
func stepText(a model.Action, received string, sends []string) string {
	return fmt.Sprintf("%v at %v, crash %v, about %v, received %q by %v, sends %q, %+v", a.Kind, a.Process, a.Crash, a.Who, received, a.Port, sends, a)
}

// Seen implements Protocol.
func (y *of[P, M]) Seen(v *model.View) View {
	out := View{
		Up: v.Up, Paused: v.Paused, Present: v.Present, Leaders: v.Leaders, Participants: v.Participants, Side: v.Side,
		Wanted: v.Wanted, Settled: v.Settled,
	}
	for id := range model.Upto(v.N).All() {
		var state any
		if p := model.State[P](v, id); p != nil {
			state = *p
		}
		out.States, out.Stored = append(out.States, state), append(out.Stored, model.Stored[P](v, id))
		out.Elected, out.Epochs = append(out.Elected, v.Elected(id)), append(out.Epochs, v.Epoch(id))
		for other := range model.Upto(v.N).Without(id).All() {
			if v.Severed(id, other) {
				out.Severed = append(out.Severed, setting.CutLink{From: id, To: other})
			}
		}
	}
	for link, m := range model.Mail[M](v) {
		out.InFlight = append(out.InFlight, fmt.Sprintf("%v-%v %v", link.From, link.To, y.text(m)))
	}
	slices.Sort(out.InFlight)
	return out
}

// Happened implements Protocol.
func (y *of[P, M]) Happened(e *model.Event) string {
	received := ""
	if m, ok := model.Received[M](e); ok {
		received = y.text(m)
	}
	var sends []string
	for link, m := range model.Sends[M](e) {
		sends = append(sends, fmt.Sprintf("%v-%v %v", link.From, link.To, y.text(m)))
	}
	a := e.Action()
	a.Kind, a.Process, a.Crash, a.Who, a.Port = e.Kind, e.Process, e.Crash, e.Who, e.Port
	if e.Kind == model.Requests {
		a.Request = y.of.Names().Asked()[e.Request]
	}
	return stepText(a, received, sends)
}

// fieldsOf names the fields of a state, and which of them hold nothing.
func fieldsOf(p any) (all []model.Field) {
	v := reflect.ValueOf(p)
	if v.Kind() != reflect.Struct {
		return []model.Field{{Name: "state", Zero: v.IsZero()}}
	}
	for i := range v.NumField() {
		if name := v.Type().Field(i).Name; name != "_" {
			all = append(all, model.Field{Name: name, Zero: v.Field(i).IsZero()})
		}
	}
	return all
}

// snapshot returns a state in terms that people read, except for the texts of the fields.
func (w *World) snapshot(st *State) model.Snapshot {
	s := model.Snapshot{InFlight: w.inFlight(st), Side: st.side, Settled: w.settled(st)}
	for link := range w.links {
		if st.cut[oneWay(link)] {
			s.Links = append(s.Links, link)
		}
	}
	for _, p := range st.procs {
		ps := model.ProcessSnapshot{ID: p.id, Status: p.status, Paused: p.paused}
		if c, has := clockOf(p.p); has {
			ps.Ahead = c.Ahead()
		}
		if p.status == model.Up {
			ps.Belief, ps.Fields = w.belief(p), w.protocol.fields(p.p)
		}
		for t, name := range w.protocol.Names().Timers {
			if ticks, set := p.timers[model.Timer(t)]; set {
				ps.Timers = append(ps.Timers, model.TimerSnapshot{Name: name.Name, Ticks: ticks, Least: p.least[model.Timer(t)]})
			}
		}
		s.Processes = append(s.Processes, ps)
	}
	for name, left := range st.left {
		s.Budgets = append(s.Budgets, model.Count{Name: name, Times: int64(left)})
	}
	return w.comparable(s)
}

// comparable leaves out of a snapshot what the two worlds may say differently: the
// order of what has none, budgets that are spent, and the texts of fields, whose
// values views have.
func (w *World) comparable(s model.Snapshot) model.Snapshot {
	s.InFlight = w.sorted(s.InFlight)
	s.Budgets = slices.DeleteFunc(slices.Clone(s.Budgets), func(b model.Count) bool { return b.Times == 0 })
	slices.SortFunc(s.Budgets, func(a, b model.Count) int { return cmp.Compare(a.Name, b.Name) })
	s.Processes = slices.Clone(s.Processes)
	for i := range s.Processes {
		p := &s.Processes[i]
		if p.Fields = slices.Clone(p.Fields); p.Status != model.Up {
			p.Fields = nil
		}
		for k := range p.Fields {
			p.Fields[k].Value = ""
		}
	}
	return s
}

// sorted returns messages in an order that two worlds have in common.
func (w *World) sorted(all []model.Envelope) []model.Envelope {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b model.Envelope) int {
		if c := cmp.Or(cmp.Compare(a.To, b.To), cmp.Compare(a.Port, b.Port)); c != 0 || w.s.FIFO {
			return c
		}
		return cmp.Or(cmp.Compare(a.Text, b.Text), cmp.Compare(a.Due, b.Due))
	})
	return all
}
