package trace

import (
	"slices"

	"bullyproof/model"
)

// An Exchange is a step of a client that a system serves, or of the store behind the system:
// somebody asks a process for something, hears an answer, or a process does something for
// all clients.
type Exchange struct {
	// After is the number of steps of the system before it.
	After int `json:"after"`
	// Text says what happens, without a full stop: "client 1 asks P2 to write 1".
	Text string `json:"text"`
	// Client is the client, from 1 on; 0 where none takes part.
	Client int `json:"client,omitempty"`
	// Process is who is asked, answers, or does it; None for the store.
	Process model.ID `json:"process,omitempty"`
	// Answers says that the client hears something. Otherwise it asks.
	Answers bool `json:"answers,omitempty"`
	// Word says in brief what passes between them, or what is done: "write 1".
	Word string `json:"word,omitempty"`
}

// WithClients returns a layout that also has a column for each of so many clients, right of
// the processes, and a row for each of these exchanges, in their order. Steps are counted
// with them. The layout tells each step (see Told), and l stays as it is.
func (l *Layout) WithClients(clients int, list []Exchange) *Layout {
	w := withClients{out: *l, from: l, clients: clients}
	w.out.Columns = slices.Clone(l.Columns)
	for n := range clients {
		w.out.Columns = append(w.out.Columns, Column{Client: n + 1})
	}
	w.out.Rows, w.out.Arrows = nil, nil
	for i := range l.Rows {
		w.at = append(w.at, len(w.out.Rows))
		w.row(l.Rows[i])
		for ; len(list) > 0 && list[0].After <= i; list = list[1:] {
			w.exchange(&list[0])
		}
	}
	w.at = append(w.at, len(w.out.Rows))
	w.arrows()
	if l.Lasso > 0 {
		w.out.Lasso = w.at[l.Lasso]
	}
	if l.Breaks >= 0 {
		w.out.Breaks = w.at[l.Breaks]
	}
	return &w.out
}

// A withClients makes a layout with clients of one without.
type withClients struct {
	out     Layout
	from    *Layout
	clients int
	at      []int   // by row of from, and behind the last: the row in out
	passed  []Arrow // what passes in exchanges; the arrows of their rows are these
}

// row adds a row of the system.
func (w *withClients) row(r Row) {
	r.Step = len(w.out.Rows)
	r.Cells = slices.Clone(r.Cells)
	for range w.clients {
		r.Cells = append(r.Cells, Cell{Status: model.Up, Client: true})
	}
	w.out.Rows = append(w.out.Rows, r)
}

// exchange adds the row of an exchange.
func (w *withClients) exchange(e *Exchange) {
	before, n := &w.out.Rows[len(w.out.Rows)-1], len(w.out.Rows)
	r := Row{Step: n, Time: before.Time, At: w.from.column(e.Process), Arrow: -1, Clocks: before.Clocks, State: before.State, Exchange: e, Cells: slices.Clone(before.Cells)}
	for k := range r.Cells {
		r.Cells[k].Changed = false
	}
	if e.Client > 0 {
		a := Arrow{From: len(w.from.Columns) + e.Client - 1, To: r.At, Kind: e.Word, Text: e.Word, Sent: n, End: n, Origin: n, Fate: Delivered}
		if e.Answers {
			a.From, a.To = a.To, a.From
		}
		r.At, r.Mark = a.To, Received
		r.Arrow = len(w.passed)
		w.passed = append(w.passed, a)
	}
	w.out.Rows = append(w.out.Rows, r)
}

// arrows joins the messages of the system and what passes in exchanges, in the order of their
// sending, and gives the rows their new numbers.
func (w *withClients) arrows() {
	arrows := slices.Clone(w.from.Arrows)
	for k := range arrows {
		a := &arrows[k]
		a.Sent, a.End, a.Origin = w.at[a.Sent], w.at[a.End], w.at[a.Origin]
	}
	next := 0
	number := make([]int, len(arrows)) // by arrow of from
	for i := range w.out.Rows {
		for ; next < len(arrows) && arrows[next].Sent <= i; next++ {
			number[next] = len(w.out.Arrows)
			w.out.Arrows = append(w.out.Arrows, arrows[next])
		}
		if r := &w.out.Rows[i]; r.Exchange != nil && r.Arrow >= 0 {
			w.out.Arrows = append(w.out.Arrows, w.passed[r.Arrow])
			r.Arrow = len(w.out.Arrows) - 1
		}
	}
	numbers := func(list []int) (now []int) {
		for _, k := range list {
			now = append(now, number[k])
		}
		return now
	}
	for i := range w.out.Rows {
		if r := &w.out.Rows[i]; r.Exchange == nil {
			r.Sent, r.Dropped = numbers(r.Sent), numbers(r.Dropped)
			if r.Arrow >= 0 {
				r.Arrow = number[r.Arrow]
			}
		}
	}
}
