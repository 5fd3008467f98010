package web

import (
	"slices"
	"strconv"

	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

func itoa(n int) string { return strconv.Itoa(n) }

// A value is something that a page shows of a state. Where the last step
// changed it, Was is what it was before.
type value struct {
	Name, Text string
	Changed    bool
	Was        string
}

// A processRow is the state of one process.
type processRow struct {
	ID      string
	Colour  string // its class
	Follows string // the class of the one that it follows; empty if nobody
	Status  value
	Belief  value
	Takes   value // part in an election
	Leads   bool
	Up      bool
	Timers  []value
	Fields  []value
}

// processRows lists the processes at a moment.
func processRows(m *moment) []processRow {
	before := &m.snap
	if m.before != nil {
		before = &m.before.snap
	}
	tick := m.before != nil && m.step.Action.Kind == model.Ticks
	rows := make([]processRow, len(m.snap.Processes))
	for i := range rows {
		rows[i] = newProcessRow(&before.Processes[i], &m.snap.Processes[i], tick, m.sys.Setting())
	}
	return rows
}

func newProcessRow(was, is *model.ProcessSnapshot, tick bool, in setting.Setting) processRow {
	row := processRow{
		ID: is.ID.Name(), Colour: colour(is.ID), Up: is.Status == model.Up,
		Status: newValue("status", statusText(was), statusText(is)),
		Belief: newValue("belief", believed(was), believed(is)),
		Takes:  newValue("election", taking(was), taking(is)),
	}
	row.Leads = row.Up && (is.Belief.Elected == is.ID || is.Belief.Elected == model.Me)
	switch who := is.Belief.Elected; {
	case !row.Up || who == model.None:
	case row.Leads:
		row.Follows = row.Colour
	default:
		row.Follows = colour(who)
	}
	for _, t := range is.Timers {
		less, old := 0, "not set"
		if tick {
			less = 1
		}
		if k := timerOf(was, t.Name); k >= 0 {
			old = timerText(was.Timers[k], less, in)
		}
		row.Timers = append(row.Timers, newValue(t.Name, old, timerText(t, 0, in)))
	}
	for _, t := range was.Timers {
		if timerOf(is, t.Name) < 0 {
			row.Timers = append(row.Timers, value{t.Name, "not set", true, "set"})
		}
	}
	if row.Up {
		for _, f := range is.Fields {
			row.Fields = append(row.Fields, newValue(f.Name, fieldOf(was, f.Name), f.Value))
		}
	}
	return row
}

// colours is how many colours there are: as many as diagrams have.
const colours = 7

// colour returns the class of a process's colour, which is that of diagrams.
func colour(id model.ID) string { return "c" + itoa((int(id)-1)%colours+1) }

func newValue(name, was, is string) value {
	v := value{Name: name, Text: is, Changed: was != is}
	if v.Changed {
		v.Was = was
		if was == "" {
			v.Was = "nothing"
		}
	}
	return v
}

func statusText(p *model.ProcessSnapshot) string {
	if p.Paused {
		return "pauses"
	}
	return map[model.Status]string{
		model.Up: "up", model.Down: "down", model.Absent: "not there yet", model.Unbooted: "not up yet",
	}[p.Status]
}

func believed(p *model.ProcessSnapshot) string {
	if p.Status != model.Up {
		return "–"
	}
	switch p.Belief.Elected {
	case model.None:
		return "nobody"
	case p.ID, model.Me:
		return "itself"
	}
	return p.Belief.Elected.Name()
}

func taking(p *model.ProcessSnapshot) string {
	switch {
	case p.Status != model.Up:
		return "–"
	case p.Belief.Participant:
		return "yes"
	}
	return "no"
}

// timerText says when a timer expires, after some ticks more.
func timerText(t model.TimerSnapshot, passed int, in setting.Setting) string {
	ticks, least := t.Ticks-passed, max(t.Least-passed, 0)
	switch kind := in.Timing.Kind; {
	case kind == setting.Asynchronous, kind == setting.Patient:
		return "set"
	case kind == setting.LastResort:
		return "set to " + itoa(ticks)
	case in.Drift > 0 && least < ticks:
		return "in " + itoa(least) + " to " + itoa(ticks) + " ticks"
	case ticks <= 0:
		return "expires now"
	case ticks == 1:
		return "in 1 tick"
	}
	return "in " + itoa(ticks) + " ticks"
}

// A flightRow is a message in flight.
type flightRow struct {
	Text, From, To, Port, Due string
	New                       bool // the last step sent it
	Times                     int  // how many equal ones there are
}

// flightRows lists the messages in flight.
func flightRows(m *moment, layout *trace.Layout) []flightRow {
	var rows []flightRow
	fresh := make(map[flightRow]int)
	if !m.over() {
		for i := range m.step.Sent {
			if s := &m.step.Sent[i]; !s.Lost {
				fresh[newFlightRow(s, m, layout)]++
			}
		}
	}
	for i := range m.snap.InFlight {
		row := newFlightRow(&m.snap.InFlight[i], m, layout)
		key := row
		if fresh[key] > 0 {
			fresh[key]--
			row.New = true
		}
		same := slices.IndexFunc(rows, func(r flightRow) bool { r.Times = 0; return r == row })
		if same >= 0 {
			rows[same].Times++
			continue
		}
		row.Times = 1
		rows = append(rows, row)
	}
	return rows
}

func newFlightRow(e *model.Envelope, m *moment, layout *trace.Layout) flightRow {
	row := flightRow{Text: e.Text, From: senderOf(e, layout), To: e.To.Name()}
	if m.sys.Setting().Topology == setting.BiRing {
		row.Port = e.Port.Name()
	}
	if m.sys.Setting().Timing.Kind.Discrete() {
		row.Due = dueText(e.Due)
	}
	return row
}

// A propertyRow is how a property stands.
type propertyRow struct {
	Name, Doc, Why string
	Standing       string // for the style sheet
	Words          string
	Fresh          bool // it breaks here, and not before
	Broken         bool // it breaks here, or did before
	Whole          bool
	Fairness       string
}

// class names a standing for the style sheet.
func (s standing) class() string {
	return [...]string{"holds", "breaks", "broke", "kept", "open", "unknown"}[s]
}

func propertyRows(list []ruling) []propertyRow {
	rows := make([]propertyRow, len(list))
	for i, r := range list {
		p := r.property
		rows[i] = propertyRow{Name: p.Name, Doc: p.Doc, Why: r.why, Standing: r.standing.class(), Words: r.standing.words()}
		rows[i].Broken = r.standing == breaks || r.standing == broke
		rows[i].Fresh = r.standing == breaks && r.fresh
		if r.standing == breaks && !r.fresh {
			rows[i].Words = "is broken"
		}
		if f, ok := p.Fairness(); ok {
			rows[i].Whole, rows[i].Fairness = true, f.String()
			if r.standing == breaks {
				rows[i].Words = "this run breaks it"
			}
		}
	}
	return rows
}
