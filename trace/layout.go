package trace

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"bullyproof/internal/prose"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A Layout is the space-time diagram of a run, before it has a shape: a column
// for each process, a row for the initial state and for each step, and an
// arrow for each message, from the row of its sending to the row of its end.
// Every renderer draws the same layout, so all of them tell one story.
type Layout struct {
	Header
	// Setting is the setting that was checked.
	Setting setting.Setting
	// Columns are the processes by position.
	Columns []Column
	// Rows are what happened, in order. Rows[0] is the initial state and
	// Rows[i] is step i.
	Rows []Row
	// Arrows are the messages, in the order of their sending.
	Arrows []Arrow
	// Rules are the rules of the source that ran: those with numbers first, then
	// the others in the order in which they first ran.
	Rules []Rule
	// Lasso is the row that begins the cycle, 0 without one.
	Lasso int
	// Breaks is the row in which the property breaks (or is met): the last,
	// or -1 for a run that shows nothing in particular and for a lasso.
	Breaks int
	// Settled says that nothing is left to happen at the end.
	Settled bool
	// Demand says what the property demands: "At no instant are there two ...".
	// It may be empty.
	Demand string
	// Links are to what else there is about the run, for pages.
	Links []Link
	// Chapters are the parts of a run that somebody divided, or that Told did, by step.
	Chapters []Chapter
	// Verdict says in words what the end shows: "uniqueness breaks in step 6: 2
	// and 3 both believe themselves coordinator". A caller that knows better may
	// replace it before rendering.
	Verdict string
}

// A Link leads from the page of a run to another file.
type Link struct{ Text, File string }

// A Rule is a rule of the source that ran.
type Rule struct {
	// Name is the whole of it, as in Row.Rules.
	Name string
	// Tag is what rows call it in brief: the number that it has in its source
	// ("4", where the name is "4: answer and begin an election"), or a letter.
	Tag string
	// Text is the name without that number.
	Text string
}

// A Column is the line of one process, or of a client of the system.
type Column struct {
	// ID is the process; None for a client.
	ID model.ID
	// Role is what the process is, beside its name ("store"); often empty.
	Role string
	// Client is the number of the client, from 1 on; 0 for a process.
	Client int
}

// Name returns the name of the process, with its role if it has one: "P3 (store)".
func (c *Column) Name() string {
	if c.Role == "" {
		return c.Short()
	}
	return c.Short() + " (" + c.Role + ")"
}

// Short returns the name of the process, or "client 1".
func (c *Column) Short() string {
	if c.Client > 0 {
		return fmt.Sprintf("client %d", c.Client)
	}
	return c.ID.Name()
}

// A Row is one step, or the initial state.
type Row struct {
	// Step is the number of the step; 0 for the initial state.
	Step int
	// Time is how many ticks have passed when the row is over.
	Time int
	// Action is what happened. It means nothing for the initial state.
	Action model.Action
	// At is the column where it happened, -1 where it happened to the network
	// or to time.
	At int
	// Mark is the sign that belongs on the line of the process at At.
	Mark Mark
	// Rules are the rules of the source that ran.
	Rules []string
	// Sent are the messages that were sent, as indices of Layout.Arrows.
	Sent []int
	// Arrow is the message that was delivered, dropped, lost or duplicated, as
	// an index of Layout.Arrows; -1 without one.
	Arrow int
	// Dropped are the messages that can no longer arrive.
	Dropped []int
	// Cells are the processes after the row, by column.
	Cells []Cell
	// Clocks say, by column, how the clock of a process goes that is not right: "fast clock",
	// "slow clock", "9 ahead". It is fast or slow from when a timer is set until it expires
	// too early or too late.
	Clocks []string
	// Changes are what changed in the states of processes.
	Changes []Change
	// Misuse says what a handler did that no world can carry out.
	Misuse string
	// Fold is set where the row stands for several steps. It then happens at no process,
	// and its action means nothing.
	Fold *Fold
	// Exchange is set where the row is a step of a client. Its action means nothing.
	Exchange *Exchange

	told string // its sentence, where steps are told in brief
	// State is the state after the row; after a misuse, which leads to none,
	// the one before it.
	State *model.Snapshot
}

// A Mark is what happens on the line of a process.
type Mark uint8

const (
	// NoMark is for rows that happen to no process.
	NoMark Mark = iota
	// Received: a message arrived and was handled.
	Received
	// Missed: a message arrived at a process that is down or cut off.
	Missed
	// TimedOut: a timer expired.
	TimedOut
	// Suspected: the detector reported a process, rightly or wrongly.
	Suspected
	// Started: somebody asked the process to begin an election, or for something else.
	Started
	// CameUp: the process booted, restarted or joined.
	CameUp
	// WentDown: the process crashed, perhaps in the middle of its sends.
	WentDown
)

// A Cell is one process at one moment.
type Cell struct {
	Status model.Status
	// Elected is whom the process takes for the coordinator: its own id where
	// it believes itself to be that, None where it knows of none.
	Elected model.ID
	// Participant says that it is in an election.
	Participant bool
	// Paused says that the process is up and does nothing: its messages and its
	// timers wait.
	Paused bool
	// Epoch is the number of the election in which it is; 0 where the protocol
	// numbers none.
	Epoch uint64
	// Client says that this is a client, which is Up and believes nothing.
	Client bool
	// Changed says that Status, Elected, Participant or Epoch is not what it was
	// in the row before.
	Changed bool
}

// Leads reports whether the process of id, whose cell c is, is up and believes
// itself coordinator.
func (c *Cell) Leads(id model.ID) bool {
	return c.Status == model.Up && c.Elected == id && !c.Client
}

// InEpoch says in which epoch the process is, if in any: " in epoch 3".
func (c *Cell) InEpoch() string {
	if c.Epoch == 0 {
		return ""
	}
	return fmt.Sprintf(" in epoch %d", c.Epoch)
}

// ofEpoch puts the epoch behind the name of a process: " (epoch 3)".
func (c *Cell) ofEpoch() string {
	if c.Epoch == 0 {
		return ""
	}
	return fmt.Sprintf(" (epoch %d)", c.Epoch)
}

// An Arrow is a message from its sending to its end.
type Arrow struct {
	// From and To are columns.
	From, To int
	// Port is where it comes in at To.
	Port model.Port
	// Kind is the kind of the message and Text the whole of it, as it was sent (see
	// Layout.TextAt).
	Kind, Text string
	// Sent is the row of its sending; 0 if it is in flight at the start.
	Sent int
	// End is the row of its end; one past the last row if it is still in
	// flight then.
	End int
	// Fate is how it ended.
	Fate Fate
	// Broadcast numbers the broadcasts of a step from 1; 0 for others.
	Broadcast int
	// Copy says that the network made it, as a duplicate.
	Copy bool

	// Origin is the row in which a process sent it, or what it is a copy of.
	Origin int

	due   int      // ticks left, while the rows are laid out
	later []string // the texts that it has after so many ticks, where it holds the time
}

// Fate is how a message ends.
type Fate uint8

const (
	// InFlight: the run ends before the message does.
	InFlight Fate = iota
	// Delivered: it is received.
	Delivered
	// Undeliverable: it arrives where nobody is up to receive it, or comes to
	// a cut.
	Undeliverable
	// Lost: the network loses it.
	Lost
	// Discarded: it can no longer arrive, by a crash or a restart.
	Discarded
	// Refused: the network drops it when it is sent.
	Refused
	// Folded: it ends in one of the steps for which a row stands (Row.Fold).
	Folded
)

// String returns the fate in words: "still in flight", "delivered".
func (f Fate) String() string {
	return [...]string{"still in flight", "delivered", "dropped", "lost", "discarded", "never leaves", "told with other steps"}[f]
}

// Lay lays out a run of t, as Replay or recording gave it. The error names the
// step at which the messages in flight are not those that the steps sent.
func Lay(t *Trace, r *Run) (*Layout, error) {
	if len(r.Steps) != len(t.Steps) || len(r.Snapshots) == 0 {
		return nil, fmt.Errorf("trace: the run has %d steps and the trace %d", len(r.Steps), len(t.Steps))
	}
	l := &Layout{Header: t.Header, Setting: t.Setting, Lasso: t.Lasso, Breaks: -1}
	if t.Kind != Plain && t.Lasso == 0 {
		l.Breaks = len(t.Steps)
	}
	for _, p := range r.Snapshots[0].Processes {
		l.Columns = append(l.Columns, Column{ID: p.ID, Role: r.System.Role(p.ID)})
	}
	b := layouter{Layout: l}
	b.start(&r.Snapshots[0])
	for i := range r.Steps {
		after := min(i+1, len(r.Snapshots)-1) // a misuse leads nowhere
		if err := b.row(&r.Steps[i], &r.Snapshots[after]); err != nil {
			return nil, fmt.Errorf("trace: step %d: %w", i+1, err)
		}
		l.Rows[i+1].Changes = t.Steps[i].Changes
	}
	for _, i := range b.flying {
		l.Arrows[i].End = len(l.Rows)
	}
	l.tagRules()
	clocks(l)
	l.Settled = r.Snapshots[len(r.Snapshots)-1].Settled
	l.Demand = r.Demand
	l.Verdict = l.verdict(r.System.View(r.States[len(r.States)-1]).Quiet, r.Left())
	return l, nil
}

// tagRules collects the rules that ran.
func (l *Layout) tagRules() {
	letters := 0
	for i := range l.Rows {
		for _, name := range l.Rows[i].Rules {
			if slices.ContainsFunc(l.Rules, func(r Rule) bool { return r.Name == name }) {
				continue
			}
			tag, text, ok := strings.Cut(name, ": ")
			if !ok || len(tag) > 4 {
				tag, text = letter(letters), name
				letters++
			}
			l.Rules = append(l.Rules, Rule{Name: name, Tag: tag, Text: text})
		}
	}
	slices.SortStableFunc(l.Rules, func(a, b Rule) int {
		return cmp.Or(a.order()-b.order(), cmp.Compare(len(a.Tag), len(b.Tag)), cmp.Compare(a.Tag, b.Tag))
	})
}

// order is 0 for a rule with a number of its own, 1 for one with a letter.
func (r *Rule) order() int {
	if r.Name == r.Text {
		return 1
	}
	return 0
}

// letter returns a, b, and so on to z, then aa.
func letter(n int) string {
	if n < 26 {
		return string(rune('a' + n))
	}
	return letter(n/26-1) + letter(n%26)
}

// RuleText names the rules that ran in a row by their tags: "rules 1 and 4".
func (l *Layout) RuleText(row int) string {
	var tags []string
	for _, r := range l.Rules {
		if slices.Contains(l.Rows[row].Rules, r.Name) {
			tags = append(tags, r.Tag)
		}
	}
	switch len(tags) {
	case 0:
		return ""
	case 1:
		return "rule " + tags[0]
	}
	return "rules " + prose.List(tags)
}

// TextAt returns the text of the message of an arrow in a row in which it is in flight, or ends: that in which
// it was sent, but where it holds instants (package clock), which grow older.
func (l *Layout) TextAt(arrow, row int) string {
	a := &l.Arrows[arrow]
	ticks := min(l.Rows[row].Time-l.Rows[a.Sent].Time, len(a.later))
	if ticks <= 0 {
		return a.Text
	}
	return a.later[ticks-1]
}

// now returns the text that the message has, while the rows are laid out.
func (a *Arrow) now() string {
	if len(a.later) > 0 {
		return a.later[len(a.later)-1]
	}
	return a.Text
}

// A layouter builds a layout row by row.
type layouter struct {
	*Layout
	flying []int // the messages in flight, oldest first
}

// column returns the column of a process, -1 for None.
func (l *Layout) column(id model.ID) int {
	return slices.IndexFunc(l.Columns, func(c Column) bool { return c.ID == id })
}

// start makes the row of the initial state.
func (b *layouter) start(s *model.Snapshot) {
	row := Row{At: -1, Arrow: -1, Cells: b.cells(s, nil), State: s}
	for _, e := range s.InFlight {
		if e.From == model.None {
			e.From = b.neighbour(&e, row.Cells)
		}
		row.Sent = append(row.Sent, b.launch(&e, 0))
	}
	b.Rows = []Row{row}
}

// neighbour returns the sender of a message on a repaired ring, where states
// do not tell: the next process that is up, in the direction of the port.
func (b *layouter) neighbour(e *model.Envelope, cells []Cell) model.ID {
	n, step := len(b.Columns), 1
	if e.Port == model.Prev {
		step = n - 1
	}
	at := (b.column(e.To) + step) % n
	for range n {
		if cells[at].Status == model.Up {
			break
		}
		at = (at + step) % n
	}
	return b.Columns[at].ID
}

// launch adds a message that is sent in a row, and returns its index.
func (b *layouter) launch(e *model.Envelope, row int) int {
	b.Arrows = append(b.Arrows, Arrow{
		From: b.column(e.From), To: b.column(e.To), Port: e.Port,
		Kind: e.Kind, Text: e.Text, Sent: row, due: e.Due, Origin: row,
	})
	b.flying = append(b.flying, len(b.Arrows)-1)
	return len(b.Arrows) - 1
}

// land ends the oldest message in flight for which is holds, and returns its
// index, -1 if there is none.
func (b *layouter) land(row int, fate Fate, is func(a *Arrow) bool) int {
	for k, i := range b.flying {
		if a := &b.Arrows[i]; is(a) {
			a.End, a.Fate = row, fate
			b.flying = slices.Delete(b.flying, k, k+1)
			return i
		}
	}
	return -1
}

// row adds the row of a step that leads to a state.
func (b *layouter) row(t *model.Transition, after *model.Snapshot) error {
	last := &b.Rows[len(b.Rows)-1]
	n := last.Step + 1
	row := Row{
		Step: n, Time: last.Time, Action: t.Action, At: b.column(t.Action.Process), Arrow: -1,
		Mark: markOf(&t.Action), Rules: t.Rules, Misuse: t.Misuse, State: after,
	}
	if t.Action.Kind == model.Ticks {
		row.Time++
		b.age(last)
	}
	if t.Action.Kind.Has(model.OfMessage) {
		if row.Arrow = b.handle(&t.Action, n); row.Arrow < 0 {
			return fmt.Errorf("%s: no such message is in flight", ActionText(t.Action))
		}
	}
	for i := range t.Dropped {
		e := &t.Dropped[i]
		gone := b.land(n, Discarded, func(a *Arrow) bool { return b.carries(a, e) })
		if gone < 0 {
			return fmt.Errorf("%s is dropped, but not in flight", messageText(message(e)))
		}
		row.Dropped = append(row.Dropped, gone)
	}
	for i := range t.Sent {
		s := &t.Sent[i]
		k := b.launch(s, n)
		b.Arrows[k].Broadcast = s.Broadcast
		if s.Lost {
			b.Arrows[k].End, b.Arrows[k].Fate = n, Refused
			b.flying = b.flying[:len(b.flying)-1]
		}
		row.Sent = append(row.Sent, k)
	}
	row.Cells = b.cells(after, last.Cells)
	if t.Misuse == "" {
		if err := b.check(after); err != nil {
			return err
		}
	}
	b.Rows = append(b.Rows, row)
	return nil
}

// age makes what is in flight a tick older, after a row.
func (b *layouter) age(last *Row) {
	left := slices.Clone(last.State.InFlight)
	for _, i := range b.flying {
		a := &b.Arrows[i]
		k := slices.IndexFunc(left, func(e model.Envelope) bool { return b.carries(a, &e) })
		if k >= 0 && left[k].Later != "" {
			for passed := last.Time - b.Rows[a.Sent].Time; len(a.later) < passed; {
				a.later = append(a.later, a.Text)
			}
			a.later = append(a.later, left[k].Later)
		}
		if k >= 0 {
			left = slices.Delete(left, k, k+1)
		}
		a.due = max(0, a.due-1)
	}
}

// handle does what an action does to the message that it names, and returns
// the message's index.
func (b *layouter) handle(a *model.Action, row int) int {
	is := func(m *Arrow) bool {
		return b.Columns[m.To].ID == a.Process && m.Port == a.Port && m.now() == a.Message && m.due == a.Due
	}
	switch a.Kind {
	case model.Delivers:
		return b.land(row, Delivered, is)
	case model.Drops:
		return b.land(row, Undeliverable, is)
	case model.Loses:
		return b.land(row, Lost, is)
	}
	for _, i := range b.flying { // a duplicate
		if is(&b.Arrows[i]) {
			twin := b.Arrows[i]
			twin.Sent, twin.Copy = row, true
			twin.Text, twin.later = twin.now(), nil
			if b.Setting.FIFO && b.Setting.Timing.Kind.Discrete() {
				twin.due = max(b.Setting.Timing.D, 1) // it is at the end of the link, as if it had just been sent
			}
			b.Arrows = append(b.Arrows, twin)
			b.flying = append(b.flying, len(b.Arrows)-1)
			return len(b.Arrows) - 1
		}
	}
	return -1
}

// carries reports whether an arrow is the message e. The sender does not
// count: states do not hold it, and a repaired ring has a port for several.
func (b *layouter) carries(a *Arrow, e *model.Envelope) bool {
	return b.Columns[a.To].ID == e.To && a.Port == e.Port && a.now() == e.Text && a.due == e.Due
}

// check compares the messages in flight with those of the state.
func (b *layouter) check(s *model.Snapshot) error {
	left := slices.Clone(b.flying)
	for i := range s.InFlight {
		e := &s.InFlight[i]
		k := slices.IndexFunc(left, func(i int) bool { return b.carries(&b.Arrows[i], e) })
		if k < 0 {
			return fmt.Errorf("%s is in flight, but nobody sent it", messageText(message(e)))
		}
		left = slices.Delete(left, k, k+1)
	}
	if len(left) > 0 {
		a := &b.Arrows[left[0]]
		return fmt.Errorf("%s from %s to %s is no longer in flight, and nothing happened to it",
			prose.Quote(a.Text), b.name(a.From), b.name(a.To))
	}
	return nil
}

// cells returns the processes in a state, compared with those before.
func (b *layouter) cells(s *model.Snapshot, before []Cell) []Cell {
	cells := make([]Cell, len(s.Processes))
	for i := range s.Processes {
		p := &s.Processes[i]
		c := Cell{Status: p.Status}
		if p.Status == model.Up {
			c.Elected, c.Participant, c.Epoch = p.Belief.Elected, p.Belief.Participant, p.Belief.Epoch
			c.Paused = p.Paused
			if c.Elected == model.Me {
				c.Elected = p.ID
			}
		}
		if before != nil {
			old := before[i]
			old.Changed, old.Paused = false, c.Paused
			c.Changed = c != old
		}
		cells[i] = c
	}
	return cells
}

// markOf returns the mark that an action leaves on the line of its process.
func markOf(a *model.Action) Mark {
	if a.Crash || a.Kind.IsCrash() {
		return WentDown
	}
	switch a.Kind {
	case model.Delivers:
		return Received
	case model.Drops:
		return Missed
	case model.Expires:
		return TimedOut
	case model.Suspects, model.Misreports:
		return Suspected
	case model.Starts, model.Requests:
		return Started
	case model.Boots, model.Restarts, model.Joins:
		return CameUp
	}
	return NoMark
}

// verdict says in words what the end shows. Where it is quiet nothing is owed any
// more, though somebody may wait for it, and left says which timers are set.
func (l *Layout) verdict(quiet bool, left string) string {
	last := &l.Rows[len(l.Rows)-1]
	what := l.BeliefText(len(l.Rows) - 1)
	if last.Misuse != "" {
		what = last.Misuse
	}
	quiet = quiet && last.Misuse == ""
	if quiet {
		what += l.stillElecting()
	}
	switch {
	case l.Kind == Plain && l.Lasso > 0:
		return prose.Capital(repeats(l.Lasso, last.Step))
	case l.Lasso > 0:
		return fmt.Sprintf("%s breaks: %s", l.Property, repeats(l.Lasso, last.Step))
	case l.Kind == Plain && l.Settled:
		return "Once settled: " + what
	case l.Kind == Plain:
		return "In the end: " + what
	}
	verb := "breaks"
	if l.Kind == Witness {
		verb = "is met"
	}
	where := fmt.Sprintf("in step %d", last.Step)
	if last.Step == 0 {
		where = "at the start"
	}
	settled := ""
	switch {
	case quiet && l.Settled && left != "":
		settled = "once settled (" + left + "), "
	case quiet && l.Settled:
		settled = "once settled, "
	case quiet:
		settled = "nothing more is owed, and "
	}
	return fmt.Sprintf("%s %s %s: %s%s", l.Property, verb, where, settled, what)
}

// stillElecting says who is in an election at the end.
func (l *Layout) stillElecting() string {
	var ids []model.ID
	for i, c := range l.Rows[len(l.Rows)-1].Cells {
		if c.Participant {
			ids = append(ids, l.id(i))
		}
	}
	if len(ids) == 0 {
		return ""
	}
	return fmt.Sprintf("; %s %s in an election", prose.ListOf(ids), plural(ids, "is", "are"))
}

// BeliefText says who believes whom after a row: "P2 and P3 both believe
// themselves coordinator; P1 follows P3".
func (l *Layout) BeliefText(row int) string {
	cells := l.Rows[row].Cells
	var leaders, lost, named []model.ID
	var leading []string
	followers := map[model.ID][]model.ID{}
	for i := range cells {
		c, id := &cells[i], l.Columns[i].ID
		switch {
		case c.Status != model.Up || c.Client:
		case c.Leads(id):
			leaders = append(leaders, id)
			leading = append(leading, id.Name()+c.ofEpoch())
		case c.Elected == model.None:
			lost = append(lost, id)
		default:
			if followers[c.Elected] == nil {
				named = append(named, c.Elected)
			}
			followers[c.Elected] = append(followers[c.Elected], id)
		}
	}
	var parts []string
	switch len(leaders) {
	case 0:
	case 1:
		text := leading[0] + " believes itself coordinator"
		if list := followers[leaders[0]]; list != nil {
			text += ", followed by " + prose.ListOf(list)
			delete(followers, leaders[0])
		}
		parts = append(parts, text)
	case 2:
		parts = append(parts, prose.List(leading)+" both believe themselves coordinator")
	default:
		parts = append(parts, prose.List(leading)+" all believe themselves coordinator")
	}
	slices.Sort(named)
	for _, who := range named {
		if list := followers[who]; list != nil {
			parts = append(parts, fmt.Sprintf("%s %s %s%s", prose.ListOf(list), plural(list, "follows", "follow"), who.Name(), l.whichIs(cells, who)))
		}
	}
	if len(lost) > 0 {
		parts = append(parts, fmt.Sprintf("%s %s no coordinator", prose.ListOf(lost), plural(lost, "knows", "know")))
	}
	if len(parts) == 0 {
		return "nobody is up"
	}
	return strings.Join(parts, "; ")
}

// whichIs says why following a process leads nowhere, where it does.
func (l *Layout) whichIs(cells []Cell, who model.ID) string {
	k := l.column(who)
	switch {
	case k < 0:
		return ", which does not exist"
	case cells[k].Status == model.Absent || cells[k].Status == model.Unbooted:
		return ", which is not there yet"
	case cells[k].Status != model.Up:
		return ", which is down"
	case cells[k].Leads(who):
		return ""
	case cells[k].Elected == model.None:
		return ", which knows no coordinator"
	}
	return ", which follows " + cells[k].Elected.Name()
}

// plural returns the form of a verb for one or for several.
func plural(ids []model.ID, one, several string) string {
	if len(ids) == 1 {
		return one
	}
	return several
}
