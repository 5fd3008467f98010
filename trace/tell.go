package trace

import (
	"fmt"
	"strings"

	"bullyproof/internal/prose"
	"bullyproof/model"
	"bullyproof/model/clock"
	"bullyproof/model/setting"
)

// Tell says in words what happens in a row: who did what, by which rule, what
// it sent and what becomes of that, and what it believes from then on.
func (l *Layout) Tell(row int) string {
	if told := l.Rows[row].told; told != "" {
		return told
	}
	return l.tell(row, false)
}

// tell is Tell for a row of a layout that tells each step; in brief it leaves out rules, the
// numbers in long messages, and what becomes of messages.
func (l *Layout) tell(row int, brief bool) string {
	r := &l.Rows[row]
	switch {
	case row == 0:
		return l.tellStart()
	case r.Exchange != nil:
		return capital(r.Exchange.Text) + "."
	}
	var b strings.Builder
	var notes []string
	switch {
	case brief && r.Action.Kind == model.Delivers:
		m := &l.Arrows[r.Arrow]
		fmt.Fprintf(&b, "%s receives %s from %s", l.name(m.To), m.brief(), l.name(m.From))
	case brief && r.Action.Kind == model.Expires:
		b.WriteString(capital(l.Happened(row)))
		notes = append(notes, r.Action.Timer)
	case r.Action.Kind == model.Expires:
		notes = append(notes, "timer "+r.Action.Timer)
		fallthrough
	default:
		b.WriteString(capital(l.Happened(row)))
	}
	if rules := l.RuleText(row); rules != "" && !brief {
		notes = append(notes, rules)
	}
	if len(notes) > 0 {
		b.WriteString(" (" + strings.Join(notes, ", ") + ")")
	}
	if len(r.Action.Choices) > 0 {
		b.WriteString(", chooses " + Chosen(&r.Action))
	}
	phrases := l.sends(r, brief)
	phrases = append(phrases, l.newBeliefs(row)...)
	if r.Misuse != "" {
		phrases = append(phrases, "goes wrong: "+r.Misuse)
	}
	if len(phrases) > 0 {
		b.WriteString(": " + strings.Join(phrases, "; "))
	}
	b.WriteString(".")
	if len(r.Dropped) > 0 {
		b.WriteString(" Lost with it: " + l.gone(r.Dropped) + ".")
	}
	for i := range r.Cells {
		if i != r.At && r.Cells[i].Changed {
			fmt.Fprintf(&b, " %s %s.", l.name(i), strings.Join(l.BeliefChange(row, i), ", "))
		}
	}
	return b.String()
}

// gone lists messages that can no longer arrive, those that go one way together.
func (l *Layout) gone(dropped []int) string {
	var ways []string
	texts := map[string][]string{}
	for _, i := range dropped {
		a := &l.Arrows[i]
		way := fmt.Sprintf(" from %s to %s", l.name(a.From), l.name(a.To))
		if texts[way] == nil {
			ways = append(ways, way)
		}
		texts[way] = append(texts[way], prose.Quote(a.Text))
	}
	for i, way := range ways {
		ways[i] = prose.List(texts[way]) + way
	}
	return strings.Join(ways, "; ")
}

// id returns the process of a column.
func (l *Layout) id(column int) model.ID { return l.Columns[column].ID }

// name returns what people call the process of a column.
func (l *Layout) name(column int) string { return l.Columns[column].Short() }

// tellStart describes the initial state.
func (l *Layout) tellStart() string {
	parts := []string{l.BeliefText(0)}
	for _, status := range []model.Status{model.Down, model.Absent, model.Unbooted} {
		var ids []model.ID
		for i, c := range l.Rows[0].Cells {
			if c.Status == status && !strings.Contains(parts[0], "which is") {
				ids = append(ids, l.id(i))
			}
		}
		if len(ids) > 0 && len(ids) < len(l.Columns) {
			words := map[model.Status]string{model.Down: "down", model.Absent: "not there yet", model.Unbooted: "not up yet"}
			parts = append(parts, fmt.Sprintf("%s %s %s", prose.ListOf(ids), plural(ids, "is", "are"), words[status]))
		}
	}
	s := capital(strings.Join(parts, "; ")) + "."
	for _, from := range l.Columns {
		if list := l.sentBy(l.Rows[0].Sent, l.column(from.ID)); len(list) > 0 {
			s += fmt.Sprintf(" %s has sent %s.", from.ID.Name(), strings.Join(list, " and "))
		}
	}
	return s
}

// Happened says what the action of a row was: "P2 times out", "P1 receives
// "OK" from P3".
func (l *Layout) Happened(row int) string {
	r := &l.Rows[row]
	a, p := &r.Action, r.Action.Process.Name()
	if r.Exchange != nil {
		return r.Exchange.Text
	}
	m := "" // the message, from whom to whom
	if r.Arrow >= 0 {
		w := &l.Arrows[r.Arrow]
		m = fmt.Sprintf("%s from %s to %s", prose.Quote(w.Text), l.name(w.From), l.name(w.To))
	}
	switch a.Kind {
	case model.Delivers:
		return l.received(r)
	case model.Drops:
		return l.missed(r)
	case model.Loses:
		return "the network loses " + m
	case model.Duplicates:
		return "the network doubles " + m
	case model.Expires:
		return fmt.Sprintf("%s times out%s", p, tooEarly(a.Premature))
	case model.Pauses:
		return fmt.Sprintf("%s pauses: its messages and timers wait", p)
	case model.Ticks:
		return fmt.Sprintf("1 tick passes (time %d)", r.Time)
	}
	return Phrase(a, l.isUp(r, a.Who))
}

// Phrase says what an action is that takes no message, no timer and no time: "P2 finds
// that P1 is down". A report is also about a process that is up and out of reach.
func Phrase(a *model.Action, up bool) string {
	p, who := a.Process.Name(), a.Who.Name()
	switch a.Kind {
	case model.Suspects:
		if up {
			return fmt.Sprintf("%s finds that %s does not answer", p, who)
		}
		return fmt.Sprintf("%s finds that %s is down", p, who)
	case model.Misreports:
		return fmt.Sprintf("%s suspects %s, wrongly", p, who)
	case model.Starts:
		return fmt.Sprintf("%s is asked to begin an election", p)
	case model.Requests:
		return fmt.Sprintf("an operator asks %s to %s", p, a.Request)
	case model.SetsClock:
		return fmt.Sprintf("%s has its clock set: it is %s now", p, clock.Ahead(a.Ahead))
	case model.CutsOff:
		if a.Link != (setting.CutLink{}) {
			return fmt.Sprintf("the link %s is cut", a.Link.Between())
		}
		return fmt.Sprintf("the network divides: %s apart from the rest", prose.List(a.Side.Names()))
	case model.Heals:
		if a.Link != (setting.CutLink{}) {
			return fmt.Sprintf("the link %s is whole again", a.Link.Between())
		}
		return "the network is whole again"
	}
	return p + " " + a.Kind.Verb()
}

// isUp reports whether a process is up in a row: one that is reported
// nevertheless is out of reach.
func (l *Layout) isUp(r *Row, id model.ID) bool {
	for i, c := range r.Cells {
		if l.id(i) == id {
			return c.Status == model.Up
		}
	}
	return false
}

// missed tells of a message that arrives where nobody can receive it.
func (l *Layout) missed(r *Row) string {
	w := &l.Arrows[r.Arrow]
	switch r.Cells[r.At].Status {
	case model.Up:
		return fmt.Sprintf("the cut stops %s from %s to %s", prose.Quote(w.Text), l.name(w.From), l.name(w.To))
	case model.Down:
		return fmt.Sprintf("%s is down: %s from %s is lost", l.name(w.To), prose.Quote(w.Text), l.name(w.From))
	}
	return fmt.Sprintf("%s is not there yet: %s from %s is lost", l.name(w.To), prose.Quote(w.Text), l.name(w.From))
}

func tooEarly(premature bool) string {
	if premature {
		return " too early"
	}
	return ""
}

// received tells of a delivery.
func (l *Layout) received(r *Row) string {
	w := &l.Arrows[r.Arrow]
	since := ""
	if w.Sent < r.Step-1 && w.Sent > 0 {
		since = fmt.Sprintf(" of step %d", w.Sent)
	}
	return fmt.Sprintf("%s receives %s%s from %s", l.name(w.To), prose.Quote(w.Text), since, l.name(w.From))
}

// sends says what a row sent, and what becomes of it.
func (l *Layout) sends(r *Row, brief bool) []string {
	var list, s []string
	switch {
	case brief && r.Arrow >= 0 && answers(l, r):
		list = append(list, "answers "+strings.Join(answersOf(l, r), " and "))
	case brief:
		s = sentBriefly(l, r)
	default:
		s = l.sentBy(r.Sent, r.At)
	}
	if len(s) > 0 {
		list = append(list, "sends "+strings.Join(s, " and "))
	}
	if r.Action.Crash {
		list = append(list, "crashes in the middle of its sends")
	}
	return list
}

// sentBy lists what a process sent, message by message: "ELECTION" to P2
// (step 3) and P3 (step 4), "OK" to P1 and P2 (in flight at the end).
func (l *Layout) sentBy(sent []int, from int) []string {
	var to groups[*Arrow]
	for _, i := range sent {
		if a := &l.Arrows[i]; a.From == from {
			to.add(a.Text, a)
		}
	}
	return to.told(func(text string, list []*Arrow) string { return prose.Quote(text) + " to " + l.receivers(list) })
}

// groups are values under texts, in the order in which the texts came first.
type groups[V any] struct {
	texts []string
	of    map[string][]V
}

func (g *groups[V]) add(text string, v V) {
	if g.of == nil {
		g.of = map[string][]V{}
	}
	if g.of[text] == nil {
		g.texts = append(g.texts, text)
	}
	g.of[text] = append(g.of[text], v)
}

// told returns a text for each group.
func (g *groups[V]) told(tell func(text string, list []V) string) (told []string) {
	for _, text := range g.texts {
		told = append(told, tell(text, g.of[text]))
	}
	return told
}

// receivers lists who gets a message, with what becomes of it: "P2 (step 3) and
// P3 (step 4)". On a ring both ways may lead to one process.
func (l *Layout) receivers(list []*Arrow) string {
	var words []string
	for k := 0; k < len(list); k++ {
		a := list[k]
		word, ends := l.name(a.To), a.ends()
		if k+1 < len(list) && list[k+1].To == a.To && list[k+1].Port != a.Port {
			k++
			word += " both ways"
			if other := list[k].ends(); other != ends {
				ends += ", " + other
			}
		}
		if k+1 == len(list) || list[k+1].ends() != ends {
			word += " (" + ends + ")"
		}
		words = append(words, word)
	}
	return prose.List(words)
}

// ends says in brief when and how a message ends.
func (a *Arrow) ends() string {
	switch a.Fate {
	case Delivered:
		return fmt.Sprintf("step %d", a.End)
	case InFlight:
		return "in flight at the end"
	case Refused:
		return "lost at once"
	}
	return fmt.Sprintf("lost in step %d", a.End)
}

// newBeliefs says what the process of a row believes from then on, if that is
// news.
func (l *Layout) newBeliefs(row int) []string {
	at := l.Rows[row].At
	if at < 0 || !l.Rows[row].Cells[at].Changed {
		return nil
	}
	return l.BeliefChange(row, at)
}

// BeliefChange says what a row, which is not the first, changes in what the
// process of a column is and believes: "now follows P3". It is empty for a
// process that is not up.
func (l *Layout) BeliefChange(row, column int) []string {
	was, is, id := l.Rows[row-1].Cells[column], l.Rows[row].Cells[column], l.id(column)
	if is.Status != model.Up {
		return nil
	}
	if is.Participant && !was.Participant && is.Elected == model.None {
		return []string{"is now in an election" + is.InEpoch()}
	}
	var list []string
	if is.Epoch != was.Epoch && is.Epoch != 0 {
		list = append(list, "is now"+is.InEpoch())
	}
	if is.Elected != was.Elected {
		switch {
		case is.Leads(id):
			list = append(list, "believes itself coordinator")
		case is.Elected != model.None && was.Elected != model.None:
			list = append(list, fmt.Sprintf("now follows %s, no longer %s", is.Elected.Name(), itself(was.Elected, id)))
		case is.Elected != model.None:
			list = append(list, fmt.Sprintf("now follows %s", is.Elected.Name()))
		case was.Leads(id):
			list = append(list, "no longer believes itself coordinator")
		default:
			list = append(list, fmt.Sprintf("no longer follows %s", was.Elected.Name()))
		}
	}
	switch {
	case is.Participant && !was.Participant:
		list = append(list, "is now in an election")
	case was.Participant && !is.Participant && is.Elected == was.Elected:
		list = append(list, "is out of the election")
	}
	return list
}

func itself(who, self model.ID) string {
	if who == self {
		return "itself"
	}
	return who.Name()
}

// capital begins a sentence: what begins it is no name of a source.
func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}
