package web

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"bullyproof/internal/prose"
	"bullyproof/internal/quantity"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// A stage is the state that is shown, as a drawing of which each part takes what can happen
// to it: a process, a message in flight, a link, time.
type stage struct {
	Left, Top, Width, Height float64
	Half                     int // of the disc of a process
	Links                    []stageLink
	Actors                   []stageActor
	Messages                 []stageMessage
	Time                     *stageTime // nil where time is not counted
}

// A hold is a part of a stage by which somebody takes what can happen to it.
type hold struct {
	ID    string // of the element
	Label string // for who does not see it
	Do    string // the codes of its choices, with blanks between
	First string // the code of the first of them; empty where nothing can happen to it
	Fatal bool   // one of them breaks something
	words []string
}

// A stageLink is a link between two processes.
type stageLink struct {
	hold
	Path, Cross string
	Cut         bool
	one, other  model.ID
}

// A stageActor is a process.
type stageActor struct {
	hold
	figure
	Name, Role string
	X, Y       float64 // its middle
	DiscX      float64 // a corner of its disc
	DiscY      float64
	Timers     []stageTimer
	Clock      *stageClock // nil where the clock is right
}

// A stageClock is the sign of a clock that is not right, and its word, which begins or ends
// somewhere.
type stageClock struct {
	X, Y, At     float64
	Word, Anchor string
}

// A stageTimer is a timer that is set: a ring of which Left of a hundred parts are left.
type stageTimer struct{ Radius, Left int }

// A stageMessage is a message in flight, or several equal ones.
type stageMessage struct {
	hold
	X, Y   float64
	Text   string // in brief
	Beside render.MessageLabel
	of     *model.Envelope
}

// A stageTime says how much time has passed.
type stageTime struct {
	hold
	Words string
	X, Y  float64
}

// A figure is how a process looks: the class of its disc, what it believes in a word or two,
// and whether it is in an election.
type figure struct {
	Class, Belief string
	Takes         bool
}

// Leads reports whether the process believes itself coordinator.
func (f figure) Leads() bool { return strings.HasPrefix(f.Class, "leads") }

// figureOf returns how a process looks.
func figureOf(p *model.ProcessSnapshot) figure {
	f := figure{Class: "none", Belief: "no coordinator", Takes: p.Status == model.Up && p.Belief.Participant}
	switch who := p.Belief.Elected; {
	case p.Status != model.Up:
		f.Class, f.Belief = "down", statusText(p)
	case who == p.ID || who == model.Me:
		f.Class, f.Belief = "leads "+colour(p.ID), "coordinator"
	case who != model.None:
		f.Class, f.Belief = "follows "+colour(who), "follows "+who.Name()
	case f.Takes:
		f.Belief = "in an election"
	}
	if p.Paused {
		f.Class, f.Belief = f.Class+" paused", statusText(p)
	}
	return f
}

// ghost returns how the processes look that a step to a moment changes, as the script of the
// pages reads it; empty where all look as before.
func ghost(m *moment) string {
	var list [][3]string
	for i := range m.snap.Processes {
		p := &m.snap.Processes[i]
		if is := figureOf(p); is != figureOf(&m.before.snap.Processes[i]) {
			list = append(list, [3]string{itoa(int(p.ID)), is.Class, is.Belief})
		}
	}
	if list == nil {
		return ""
	}
	data, err := json.Marshal(list)
	if err != nil { // of texts
		panic(err)
	}
	return string(data)
}

// newStage returns the stage of a moment, whose run is laid out, with what can happen there.
func newStage(m *moment, layout *trace.Layout, groups []group) *stage {
	s := &stage{Half: render.DiscHalf}
	s.draw(m, layout)
	for _, g := range groups {
		for i := range g.Items {
			for _, h := range s.holds(g.Items[i].action, &m.snap) {
				h.take(&g.Items[i])
			}
		}
	}
	for i := range s.Messages { // of which some may wait while time passes
		if h := &s.Messages[i]; s.Time != nil && s.Time.First != "" && h.First != "" && h.of.Due > 0 {
			h.Do, h.words = h.Do+" "+s.Time.First, append(h.words, s.Time.words[0])
		}
	}
	for _, h := range s.all() {
		h.label()
	}
	return s
}

// take adds a choice to a part.
func (h *hold) take(item *actionItem) {
	if h.First == "" {
		h.First = item.Code
	}
	h.Do = strings.TrimPrefix(h.Do+" "+item.Code, " ")
	h.Fatal = h.Fatal || item.Fatal
	h.words = append(h.words, item.Title)
}

// label adds to what a part is what can happen to it.
func (h *hold) label() {
	switch {
	case len(h.words) == 0:
	case len(h.words) == 1 && h.Fatal:
		h.Label += ": " + h.words[0] + ", which breaks a property"
	case len(h.words) == 1:
		h.Label += ": " + h.words[0]
	case h.Fatal:
		h.Label += ": " + quantity.Plural(len(h.words), "choice") + ", one of which breaks a property"
	default:
		h.Label += ": " + quantity.Plural(len(h.words), "choice")
	}
}

// all returns every part.
func (s *stage) all() (list []*hold) {
	for i := range s.Links {
		list = append(list, &s.Links[i].hold)
	}
	for i := range s.Actors {
		list = append(list, &s.Actors[i].hold)
	}
	for i := range s.Messages {
		list = append(list, &s.Messages[i].hold)
	}
	if s.Time != nil {
		list = append(list, &s.Time.hold)
	}
	return list
}

// holds returns the parts to which an action in a state happens.
func (s *stage) holds(a *model.Action, in *model.Snapshot) (list []*hold) {
	switch {
	case a.Kind == model.Ticks && s.Time != nil:
		return []*hold{&s.Time.hold}
	case a.Kind.Has(model.OfMessage):
		for i := range s.Messages {
			if e := s.Messages[i].of; e.To == a.Process && e.Port == a.Port && e.Text == a.Message && e.Due == a.Due {
				return []*hold{&s.Messages[i].hold}
			}
		}
	case a.Kind == model.CutsOff || a.Kind == model.Heals:
		for i := range s.Links {
			if l := &s.Links[i]; takes(a, in, l.one, l.other) {
				list = append(list, &l.hold)
			}
		}
	case a.Kind.Has(model.AtProcess):
		i := slices.IndexFunc(in.Processes, func(p model.ProcessSnapshot) bool { return p.ID == a.Process })
		return []*hold{&s.Actors[i].hold}
	}
	return list
}

// takes reports whether a cut takes the link between two processes, or its end gives it back.
func takes(a *model.Action, in *model.Snapshot, one, other model.ID) bool {
	if l := a.Link; l != (setting.CutLink{}) {
		return l.From == one && l.To == other || l.From == other && l.To == one
	}
	side := a.Side
	if a.Kind == model.Heals {
		side = in.Side
	}
	return side.Has(one) != side.Has(other)
}

// draw places the parts.
func (s *stage) draw(m *moment, layout *trace.Layout) {
	all := m.snap.Processes
	circle := render.Circle{Processes: len(all), Width: 1.35, Height: .95}
	longest := longestTimers(m)
	for i := range all {
		p := &all[i]
		x, y := circle.Place(i)
		a := stageActor{figure: figureOf(p), Name: p.ID.Name(), Role: layout.Columns[i].Role, X: x, Y: y, DiscX: x - float64(s.Half), DiscY: y - float64(s.Half)}
		a.ID = "on-" + a.Name
		a.Label = a.Name + " " + a.Belief // the words that are seen, in their order
		if a.Role != "" {
			a.Label = a.Name + " " + a.Role + " " + a.Belief
		}
		if now := &layout.Rows[len(layout.Rows)-1]; now.Clocks[i] != "" {
			c := stageClock{Word: render.ClockWord(now, i)}
			c.X, c.Y, c.At, c.Anchor = circle.ClockSide(i)
			a.Clock, a.Label = &c, a.Label+", "+now.Clocks[i]
		}
		for k, t := range p.Timers {
			if most := longest[t.Name]; p.Status == model.Up && most > 0 {
				a.Timers = append(a.Timers, stageTimer{render.TimerRadius(k), 100 * max(t.Ticks, 0) / most})
			}
		}
		s.Actors = append(s.Actors, a)
		s.Left, s.Top = min(s.Left, x), min(s.Top, y)
		s.Width, s.Height = max(s.Width, x), max(s.Height, y)
	}
	s.drawLinks(m)
	s.drawMessages(m, layout, circle)
	if m.sys.Setting().Timing.Kind.Discrete() {
		s.Time = &stageTime{X: s.Left - 40, Y: s.Top - 8, Words: "time " + itoa(layout.Rows[len(layout.Rows)-1].Time)}
		s.Time.ID, s.Time.Label = "on-time", prose.Capital(s.Time.Words)
	}
	half := float64(s.Half)
	s.Width, s.Height = s.Width-s.Left+2*half+60, s.Height-s.Top+2*half+56
	s.Left, s.Top = s.Left-half-30, s.Top-half-26
}

// longestTimers returns the longest time for which a timer of each name is set in a run, in
// which time is counted.
func longestTimers(m *moment) map[string]int {
	longest := make(map[string]int)
	for ; m != nil && m.sys.Setting().Timing.Kind.Discrete(); m = m.before {
		for i := range m.snap.Processes {
			for _, t := range m.snap.Processes[i].Timers {
				longest[t.Name] = max(longest[t.Name], t.Ticks)
			}
		}
	}
	return longest
}

// drawLinks draws the links of the topology.
func (s *stage) drawLinks(m *moment) {
	all := m.snap.Processes
	half := float64(s.Half)
	for i := range all {
		for k := i + 1; k < len(all); k++ {
			if m.sys.Setting().Topology != setting.Complete && k != i+1 && k != i+len(all)-1 {
				continue
			}
			a, b := &s.Actors[i], &s.Actors[k]
			l := stageLink{one: all[i].ID, other: all[k].ID}
			l.ID, l.Label = "on-"+a.Name+"-"+b.Name, "Link between "+a.Name+" and "+b.Name
			if l.Cut = m.snap.Cut(l.one, l.other); l.Cut {
				l.Label += ", cut"
			}
			part := half / math.Hypot(b.X-a.X, b.Y-a.Y)
			dx, dy := (b.X-a.X)*part, (b.Y-a.Y)*part
			l.Path = fmt.Sprintf("M%.1f %.1fL%.1f %.1f", a.X+dx, a.Y+dy, b.X-dx, b.Y-dy)
			l.Cross = fmt.Sprintf("M%.1f %.1fl14 14m0 -14l-14 14", (a.X+b.X)/2-7, (a.Y+b.Y)/2-7)
			s.Links = append(s.Links, l)
		}
	}
}

// drawMessages draws the messages in flight: those of a sender to a receiver one after the
// other on their way, the first the nearest to the receiver.
func (s *stage) drawMessages(m *moment, layout *trace.Layout, circle render.Circle) {
	at := func(name string) int {
		return slices.IndexFunc(s.Actors, func(a stageActor) bool { return a.Name == name })
	}
	of := make(map[[2]int][]stageMessage)
	var ways [][2]int
	for i := range m.snap.InFlight {
		e := &m.snap.InFlight[i]
		row := newFlightRow(e, m, layout)
		way := [2]int{at(row.From), at(row.To)}
		if way[0] < 0 { // nobody can tell who sent it
			way[0] = (way[1] + len(s.Actors) - 1) % len(s.Actors)
		}
		if slices.ContainsFunc(of[way], func(o stageMessage) bool { return o.of.Port == e.Port && o.of.Text == e.Text && o.of.Due == e.Due }) {
			continue
		}
		d := stageMessage{Text: clipped(e.Text, 22), of: e}
		d.ID = fmt.Sprintf("on-message-%d", i+1)
		d.Label = fmt.Sprintf("Message %s from %s to %s", prose.Quote(e.Text), row.From, row.To)
		if row.Due != "" {
			d.Label += ", " + row.Due
		}
		if of[way] == nil {
			ways = append(ways, way)
		}
		of[way] = append(of[way], d)
	}
	for _, way := range ways {
		for k := range of[way] {
			d := of[way][k]
			d.X, d.Y = circle.Way(way[0], way[1], .72-.44*(float64(k)+.5)/float64(len(of[way])), 0)
			s.Messages = append(s.Messages, d)
		}
	}
	var points []render.Point
	var texts []string
	for i := range s.Messages {
		points, texts = append(points, render.Point{X: s.Messages[i].X, Y: s.Messages[i].Y}), append(texts, s.Messages[i].Text)
	}
	for i, label := range circle.Labels(points, texts) {
		s.Messages[i].Beside = label
	}
}

// clipped returns the beginning of a text that is longer than so many characters.
func clipped(text string, most int) string {
	if of := []rune(text); len(of) > most {
		return string(of[:most-1]) + "…"
	}
	return text
}
