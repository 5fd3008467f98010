package trace

import (
	"fmt"
	"slices"
	"strings"

	"bullyproof/internal/prose"
	"bullyproof/internal/quantity"
	"bullyproof/model"
)

// mostClauses is how many clauses tell a routine at most.
const mostClauses = 6

// routineOf tells rows in one sentence: who does what how often, which answers it gets,
// and which messages are lost.
func routineOf(l *Layout, first, end int) string {
	var r routine
	for i := first; i < end; i++ {
		r.add(l, i)
	}
	clauses := r.clauses(l)
	if len(clauses) > mostClauses {
		clauses = append(clauses[:mostClauses-1], "and more of that kind")
	}
	text := strings.Join(clauses, "; ") + "."
	if r.ticks > 0 {
		return quantity.Plural(r.ticks, "tick") + ": " + text
	}
	return capital(text)
}

// A routine is what happens in rows that are told together.
type routine struct {
	ticks    int
	deeds    []deed
	received []deed // messages that nobody answers
	lost     []way
	changed  []deed // what processes believe from time to time
}

// A deed is what one process does, again and again.
type deed struct {
	who  model.ID
	verb [2]string // of one, and of several: "times out (heartbeat)"
	by   bool      // a message causes it
	// shape is what is sent without its numbers, texts what is sent, and kinds the kinds of
	// that.
	shape        string
	texts, kinds []string
	times        []int
}

type way struct{ from, to int }

// add takes a row into account.
func (r *routine) add(l *Layout, i int) {
	row := &l.Rows[i]
	a := &row.Action
	for k := range row.Cells {
		if row.Cells[k].Changed {
			text := strings.Join(l.BeliefChange(i, k), ", ")
			r.changed = noted(r.changed, deed{who: l.id(k), verb: [2]string{text, text}, times: []int{row.Time}})
		}
	}
	for _, k := range row.Sent {
		r.lose(&l.Arrows[k], Refused)
	}
	for _, k := range row.Dropped {
		r.lose(&l.Arrows[k], Discarded)
	}
	d := deed{who: a.Process, times: []int{row.Time}}
	for _, k := range row.Sent {
		m := &l.Arrows[k]
		if !slices.Contains(d.texts, m.Text) {
			d.texts, d.kinds, d.shape = append(d.texts, m.Text), append(d.kinds, m.Kind), d.shape+" "+shapeOf(m.Text)
		}
	}
	switch a.Kind {
	case model.Ticks:
		r.ticks++
	case model.Drops, model.Loses:
		r.lose(&l.Arrows[row.Arrow], l.Arrows[row.Arrow].Fate)
	case model.Delivers:
		m := &l.Arrows[row.Arrow]
		if len(d.texts) == 0 {
			d.texts, d.kinds, d.shape, d.verb = []string{m.Text}, []string{m.Kind}, shapeOf(m.Text), [2]string{"receives", "receive"}
			r.received = noted(r.received, d)
			return
		}
		d.by, d.verb = true, [2]string{"sends", "send"}
		if answers(l, row) {
			d.verb = [2]string{"answers", "answer"}
		}
		r.deeds = noted(r.deeds, d)
	case model.Expires:
		d.verb = [2]string{fmt.Sprintf("times out (%s)", a.Timer), fmt.Sprintf("time out (%s)", a.Timer)}
		if len(d.texts) > 0 {
			d.verb[0], d.verb[1] = d.verb[0]+" and sends", d.verb[1]+" and send"
		}
		r.deeds = noted(r.deeds, d)
	default:
		text := strings.TrimPrefix(l.Happened(i), a.Process.Name()+" ")
		d.verb = [2]string{text, text}
		d.texts, d.kinds = nil, nil
		r.deeds = noted(r.deeds, d)
	}
}

// lose notes a message that ends without arriving, if its fate is that.
func (r *routine) lose(a *Arrow, fate Fate) {
	if w := (way{a.From, a.To}); a.Fate == fate && !slices.Contains(r.lost, w) {
		r.lost = append(r.lost, w)
	}
}

// noted adds a deed to those of its kind.
func noted(list []deed, d deed) []deed {
	at := slices.IndexFunc(list, func(e deed) bool { return e.who == d.who && e.verb == d.verb && e.shape == d.shape })
	if at < 0 {
		return append(list, d)
	}
	e := &list[at]
	e.times = append(e.times, d.times...)
	for i, text := range d.texts {
		if i < len(e.texts) && e.texts[i] != text {
			e.texts[i] = e.kinds[i] // the numbers differ
		}
	}
	return list
}

// clauses returns what happens: what processes do by themselves, then what they do at a
// message, then what is lost, and what they believe.
func (r *routine) clauses(l *Layout) []string {
	var list []string
	for _, by := range []bool{false, true} {
		list = append(list, together(l, slices.DeleteFunc(slices.Clone(r.deeds), func(d deed) bool { return d.by != by }), !by)...)
	}
	if len(list) == 0 {
		list = together(l, r.received, false)
	}
	if text := lostText(l, r.lost); text != "" {
		list = append(list, text)
	}
	return append(list, together(l, r.changed, true)...)
}

// together returns a clause for the deeds of each kind, with how often they are done
// where that is asked.
func together(l *Layout, deeds []deed, often bool) []string {
	var who groups[model.ID]
	forms := map[string][2]string{}
	for _, d := range deeds {
		after := ""
		if len(d.texts) > 0 {
			quoted := make([]string, len(d.texts))
			for i, text := range d.texts {
				quoted[i] = (&Arrow{Text: text, Kind: d.kinds[i]}).brief()
			}
			after = " " + prose.List(quoted)
		}
		if often {
			after += howOften(l, d.times)
		}
		key := d.verb[0] + after
		who.add(key, d.who)
		forms[key] = [2]string{key, d.verb[1] + after}
	}
	return who.told(func(key string, ids []model.ID) string {
		if ids[0] == model.None {
			return key
		}
		return prose.ListOf(ids) + " " + plural(ids, forms[key][0], forms[key][1])
	})
}

// howOften says how often something happens at some times: " twice", " every 4 ticks".
func howOften(l *Layout, times []int) string {
	switch len(times) {
	case 1:
		return ""
	case 2:
		return " twice"
	}
	least, most := times[1]-times[0], times[1]-times[0]
	for i := 2; i < len(times); i++ {
		least, most = min(least, times[i]-times[i-1]), max(most, times[i]-times[i-1])
	}
	switch {
	case !l.Setting.Timing.Kind.Discrete() || least == 0:
		return fmt.Sprintf(" %d times", len(times))
	case most == 1:
		return " every tick"
	case least == most:
		return fmt.Sprintf(" every %d ticks", least)
	}
	return fmt.Sprintf(" every %d to %d ticks", least, most)
}

// lostText says between whom messages are lost.
func lostText(l *Layout, lost []way) string {
	to := map[int][]model.ID{}
	var from []int
	for _, w := range lost {
		if to[w.from] == nil {
			from = append(from, w.from)
		}
		to[w.from] = append(to[w.from], l.id(w.to))
	}
	slices.Sort(from)
	var senders groups[model.ID]
	for _, k := range from {
		slices.Sort(to[k])
		senders.add(prose.ListOf(to[k]), l.id(k))
	}
	ways := senders.told(func(to string, from []model.ID) string { return fmt.Sprintf("from %s to %s", prose.ListOf(from), to) })
	if len(ways) == 0 {
		return ""
	}
	return "messages " + prose.List(ways) + " are lost"
}
