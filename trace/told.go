package trace

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"bullyproof/internal/prose"
	"bullyproof/model"
)

// longRun is from how many steps on a run is told in parts. Ticks do not count.
const longRun = 50

// A Fold is what a row stands for that tells several steps in one sentence: steps that do
// what was done before. Of a run that Told returned they change nobody's belief.
type Fold struct {
	// First is the first of the steps. The row has the last.
	First int
	// Text tells all of them.
	Text string
	// Steps tells each of them that is no tick, in order.
	Steps []FoldedStep
	// Arrows are the messages that are sent and end within them. Their rows are steps,
	// counted from First.
	Arrows []Arrow
}

// A FoldedStep is a step of a Fold.
type FoldedStep struct {
	Number int
	Text   string
}

// Steps says which steps a row stands for: "start", "7" or "33-285".
func (r *Row) Steps() string {
	switch {
	case r.Step == 0:
		return "start"
	case r.Fold != nil && r.Fold.First < r.Step:
		return fmt.Sprintf("%d-%d", r.Fold.First, r.Step)
	}
	return fmt.Sprint(r.Step)
}

// Told returns a run as people tell it. Of a long one it is a layout with fewer rows,
// where routine has a row with a sentence (Row.Fold), and with chapters, those that the
// run has or those that are found by rule. A run of up to fifty steps is told step by
// step: it is its own layout, and so is a layout that Told returned.
func Told(l *Layout) *Layout {
	return ToldShort(l, func(*Layout) bool { return true })
}

// ToldShort is Told for a drawing that has not room for every run. It leaves the least of the
// news to the sentences of routine, until the layout fits or has nothing but faults, choices,
// changes of who leads, and the end.
func ToldShort(l *Layout, fits func(*Layout) bool) *Layout {
	if slices.ContainsFunc(l.Rows, func(r Row) bool { return r.Fold != nil }) {
		return l
	}
	steps := 0
	for i := range l.Rows {
		if l.Rows[i].Action.Kind != model.Ticks {
			steps++
		}
	}
	if steps <= longRun {
		return l
	}
	ranks := newsOf(l)
	chapters := l.Chapters
	if len(chapters) == 0 {
		chapters = chaptersOf(l, ofRank(ranks, someNews))
	}
	for least := someNews; ; least++ {
		t := &teller{whole: l, chapters: chapters, news: ofRank(ranks, least)}
		if told := t.told(); least == mostNews || fits(told) {
			return told
		}
	}
}

// A teller makes, of the layout of a whole run, the one that is told.
type teller struct {
	whole    *Layout
	chapters []Chapter
	news     []bool // by row of the whole
	row      []int  // by row of the whole, and behind the last: the row in the layout that is told
	arrow    []int  // by arrow of the whole: the one that is told, or -1
	out      Layout
}

func (t *teller) told() *Layout {
	l := t.whole
	t.out = *l
	t.out.Chapters, t.out.Rows, t.out.Arrows, t.out.Rules = t.chapters, nil, nil, nil
	for first := 0; first < len(l.Rows); {
		end := t.groupEnd(first)
		at := len(t.out.Rows)
		if t.folds(first, end) {
			t.out.Rows = append(t.out.Rows, t.fold(first, end))
			t.row = append(t.row, slices.Repeat([]int{at}, end-first)...)
		} else {
			for i := first; i < end; i++ {
				t.out.Rows = append(t.out.Rows, l.Rows[i])
				t.row = append(t.row, at+i-first)
			}
		}
		first = end
	}
	t.row = append(t.row, len(t.out.Rows))
	t.mapArrows()
	for i := range t.out.Rows {
		t.mapRow(i)
	}
	if l.Lasso > 0 {
		t.out.Lasso = t.row[l.Lasso]
	}
	if l.Breaks >= 0 {
		t.out.Breaks = t.row[l.Breaks]
	}
	for _, r := range l.Rules {
		if slices.ContainsFunc(t.out.Rows, func(row Row) bool { return slices.Contains(row.Rules, r.Name) }) {
			t.out.Rules = append(t.out.Rules, r)
		}
	}
	return &t.out
}

// groupEnd returns the row behind those that are told with a row.
func (t *teller) groupEnd(first int) int {
	end := first + 1
	for !t.news[first] && end < len(t.whole.Rows) && !t.news[end] && !t.begins(end) {
		end++
	}
	return end
}

// begins reports whether a loop or a chapter begins with a row.
func (t *teller) begins(row int) bool {
	return row == t.whole.Lasso || slices.ContainsFunc(t.chapters, func(c Chapter) bool { return c.First == row })
}

// folds reports whether rows are told in one sentence: where there are two, and not ticks
// alone.
func (t *teller) folds(first, end int) bool {
	isStep := func(r Row) bool { return r.Action.Kind != model.Ticks }
	return end > first+1 && slices.ContainsFunc(t.whole.Rows[first:end], isStep)
}

// fold returns the row of several.
func (t *teller) fold(first, end int) Row {
	l := t.whole
	last := &l.Rows[end-1]
	f := &Fold{First: first, Text: routineOf(l, first, end)}
	row := Row{Step: last.Step, Time: last.Time, At: -1, Arrow: -1, State: last.State, Clocks: last.Clocks, Fold: f, Cells: slices.Clone(last.Cells)}
	for k := range row.Cells {
		was, is := l.Rows[first-1].Cells[k], &row.Cells[k]
		was.Changed, was.Paused = false, is.Paused
		is.Changed = false
		is.Changed = *is != was
	}
	for i := first; i < end; i++ {
		r := &l.Rows[i]
		row.Changes = combined(row.Changes, r.Changes)
		if r.Action.Kind != model.Ticks {
			f.Steps = append(f.Steps, FoldedStep{i, l.Tell(i)})
		}
	}
	for _, a := range l.Arrows {
		if a.Sent >= first && a.End < end && a.Fate != Refused {
			a.Sent, a.End = a.Sent-first, a.End-first
			f.Arrows = append(f.Arrows, a)
		}
	}
	return row
}

// combined adds later changes to earlier ones.
func combined(changes, later []Change) []Change {
	for _, c := range later {
		at := slices.IndexFunc(changes, func(d Change) bool { return d.Process == c.Process && d.Field == c.Field })
		if at < 0 {
			changes = append(changes, c)
			continue
		}
		changes[at].To = c.To
	}
	return changes
}

// mapArrows puts the messages between the rows that are told. One that ends among steps
// that are told together is Folded there, or Lost.
func (t *teller) mapArrows() {
	t.arrow = make([]int, len(t.whole.Arrows))
	for i, a := range t.whole.Arrows {
		t.arrow[i] = -1
		sent, end := t.row[a.Sent], t.row[a.End]
		if sent == end && sent < len(t.out.Rows) && t.out.Rows[sent].Fold != nil {
			continue
		}
		if end < len(t.out.Rows) && t.out.Rows[end].Fold != nil {
			if a.Fate == Delivered {
				a.Fate = Folded
			} else {
				a.Fate = Lost
			}
		}
		a.Sent, a.End, a.Origin = sent, end, t.row[a.Origin]
		if a.later != nil && sent < len(t.out.Rows) && t.out.Rows[sent].Fold != nil {
			a.Text, a.later = a.now(), nil
		}
		t.arrow[i] = len(t.out.Arrows)
		t.out.Arrows = append(t.out.Arrows, a)
	}
}

// mapRow gives a row the numbers of the messages that are told, and its sentence.
func (t *teller) mapRow(i int) {
	row := &t.out.Rows[i]
	if row.Fold != nil {
		row.told = row.Fold.Text
		for k := range t.out.Arrows {
			if t.out.Arrows[k].Sent == i {
				row.Sent = append(row.Sent, k)
			}
		}
		return
	}
	row.told = t.whole.tell(row.Step, true)
	row.Sent, row.Dropped = t.arrows(row.Sent), t.arrows(row.Dropped)
	if row.Arrow >= 0 {
		row.Arrow = t.arrow[row.Arrow]
	}
}

// arrows returns those of some messages that are told.
func (t *teller) arrows(list []int) (told []int) {
	for _, k := range list {
		if t.arrow[k] >= 0 {
			told = append(told, t.arrow[k])
		}
	}
	return told
}

// news is how much of it a row has.
type news uint8

const (
	noNews   news = iota
	someNews      // a timer or a message that was not there before, or an election
	beliefs       // somebody follows somebody else
	mostNews      // a fault, a choice, a change of who leads, or the end
)

// ofRank says which rows have at least so much news.
func ofRank(ranks []news, least news) []bool {
	list := make([]bool, len(ranks))
	for i, rank := range ranks {
		list[i] = rank >= least
	}
	return list
}

// newsOf says how much news each row has. In a loop a change of belief is news once,
// whatever the epoch: a loop that goes on until numbers meet again is told by its first turn.
// Before the first fault or change of a belief there is none.
func newsOf(l *Layout) []news {
	quiet := 1 // the row that ends the quiet beginning
	for quiet < len(l.Rows) && !isFault(&l.Rows[quiet]) && !slices.ContainsFunc(l.Rows[quiet].Cells, func(c Cell) bool { return c.Changed }) {
		quiet++
	}
	ranks, seen := make([]news, len(l.Rows)), map[string]bool{}
	ranks[0] = mostNews
	for i := 1; i < len(l.Rows); i++ {
		r := &l.Rows[i]
		a := &r.Action
		first := func(rank news, text string) {
			if !seen[text] {
				ranks[i] = max(ranks[i], rank)
			}
			seen[text] = true
		}
		if r.Misuse != "" || r.Exchange != nil || i == l.Breaks || a.Crash || a.Kind.Budget() != "" || a.Kind == model.Resumes {
			ranks[i] = mostNews
		}
		for k := range r.Cells {
			if r.Cells[k].Changed {
				if text, rank := l.beliefNews(i, k); l.Lasso == 0 || i < l.Lasso {
					seen[text] = true
					ranks[i] = max(ranks[i], rank)
				} else {
					first(rank, text)
				}
			}
		}
		if a.Kind == model.Expires {
			first(someNews, "timer "+a.Timer)
		}
		if a.Kind == model.Suspects {
			first(someNews, "suspects "+a.Who.Name())
		}
		if len(a.Choices) > 0 {
			first(mostNews, fmt.Sprint("chooses ", a.Kind, Chosen(a)))
		}
		for _, k := range r.Sent {
			first(someNews, "sends "+shapeOf(l.Arrows[k].Text))
		}
	}
	if quiet < len(l.Rows) {
		clear(ranks[1:quiet])
	}
	return ranks
}

// beliefNews says without numbers of epochs what a row changes in what a process believes, and
// how much news that is.
func (l *Layout) beliefNews(row, column int) (string, news) {
	was, is := l.Rows[row-1].Cells[column], l.Rows[row].Cells[column]
	text := l.name(column) + " " + epochs.ReplaceAllString(strings.Join(l.BeliefChange(row, column), ", "), "")
	switch {
	case is.Leads(l.id(column)) != was.Leads(l.id(column)), is.Status != was.Status:
		return text, mostNews
	case is.Elected != was.Elected:
		return text, beliefs
	}
	return text, someNews
}

// epochs are the numbers of epochs in what changes of a belief.
var epochs = regexp.MustCompile(`epoch [0-9]+`)

// shapeOf returns a text without its numbers.
func shapeOf(text string) string {
	return strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return -1
		}
		return r
	}, text)
}

// isFault reports whether a row is something that happens to processes or to the network.
func isFault(r *Row) bool {
	k := r.Action.Kind
	return r.Action.Crash || k.Budget() != "" && k != model.Joins && k != model.Requests
}

// sentBriefly lists what a row sent, without what becomes of it: "PreVote(2)" to P2 and P3.
func sentBriefly(l *Layout, r *Row) []string {
	var to groups[model.ID]
	for _, i := range r.Sent {
		a := &l.Arrows[i]
		if text := a.brief(); !slices.Contains(to.of[text], l.id(a.To)) {
			to.add(text, l.id(a.To))
		}
	}
	return to.told(func(text string, ids []model.ID) string { return text + " to " + prose.ListOf(ids) })
}

// answers reports whether all that a row sent goes to who sent what it received.
func answers(l *Layout, r *Row) bool {
	return len(r.Sent) > 0 && !slices.ContainsFunc(r.Sent, func(k int) bool { return l.Arrows[k].To != l.Arrows[r.Arrow].From })
}

// answersOf quotes what a row sent, each text once.
func answersOf(l *Layout, r *Row) (texts []string) {
	for _, k := range r.Sent {
		if text := l.Arrows[k].brief(); !slices.Contains(texts, text) {
			texts = append(texts, text)
		}
	}
	return texts
}

// briefText is how long a message may be that is told with what it carries.
const briefText = 24

// brief quotes a message, or its kind alone if it is long.
func (a *Arrow) brief() string {
	if len(a.Text) > briefText {
		return prose.Quote(a.Kind)
	}
	return prose.Quote(a.Text)
}
