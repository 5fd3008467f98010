package trace

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"bullyproof/internal/prose"
	"bullyproof/internal/quantity"
	"bullyproof/model"
)

// mostClauses is how many clauses tell at most what processes do in a routine.
const mostClauses = 6

// routineOf tells rows in one sentence: who does what how often, which answers it gets,
// and which messages are lost.
func routineOf(l *Layout, first, end int) string {
	var r routine
	for i := first; i < end; i++ {
		r.add(l, i)
	}
	text := strings.Join(r.clauses(l), "; ") + "."
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
			r.change(l.id(k), strings.Join(l.BeliefChange(i, k), ", "), row.Time)
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
		switch {
		case len(d.kinds) == 1 && strings.EqualFold(d.kinds[0], a.Timer): // the timer is for that
			d.verb = [2]string{"sends", "send"}
		case len(d.texts) > 0:
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

// change notes what a process believes from then on. If it comes to that again, the epochs do not
// matter.
func (r *routine) change(who model.ID, text string, time int) {
	if text == "" {
		return
	}
	verb := [2]string{text, ofSeveral.Replace(text)}
	for i := range r.changed {
		if d := &r.changed[i]; d.who == who && withoutEpoch(d.verb[0]) == withoutEpoch(text) {
			if d.verb != verb {
				text = withoutEpoch(text)
				d.verb = [2]string{text, ofSeveral.Replace(text)}
			}
			d.times = append(d.times, time)
			return
		}
	}
	r.changed = append(r.changed, deed{who: who, verb: verb, times: []int{time}})
}

// withoutEpoch returns what changes of a belief beside the epoch.
func withoutEpoch(text string) string {
	if epochs.ReplaceAllString(text, "") == "is now in " {
		return "is in a new epoch"
	}
	return epochPart.ReplaceAllString(text, "")
}

// ofSeveral has what changes of a belief as several processes do it.
var ofSeveral = strings.NewReplacer("believes itself", "believe themselves", "follows", "follow", "is now", "are now", "is in", "are in", "is out", "are out", "itself", "themselves")

var epochPart = regexp.MustCompile(`^is now in epoch [0-9]+, | in epoch [0-9]+`)

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
	if len(list) > mostClauses {
		list = append(list[:mostClauses-1], "and more of that kind")
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
	kinds := map[string]deed{}
	for _, d := range alike(deeds) {
		after := make([]string, len(d.texts))
		for i, text := range d.texts {
			after[i] = (&Arrow{Text: text, Kind: d.kinds[i]}).brief()
		}
		d.texts = after
		rest := ""
		if often {
			rest = howOften(l, d.times)
		}
		key := d.verb[0] + prose.List(after) + rest
		who.add(key, d.who)
		kinds[key] = deed{verb: d.verb, texts: d.texts, shape: rest}
	}
	var starts []string
	sent := map[string][]string{} // by start of a clause
	for _, key := range who.texts {
		d := kinds[key]
		start := d.verb[0]
		if ids := who.of[key]; ids[0] != model.None {
			start = prose.ListOf(ids) + " " + plural(ids, d.verb[0], d.verb[1])
		}
		if often {
			start, d.texts = strings.TrimSpace(start+" "+prose.List(d.texts))+d.shape, nil
		}
		if !slices.Contains(starts, start) {
			starts = append(starts, start)
		}
		sent[start] = append(sent[start], d.texts...)
	}
	for i, start := range starts {
		starts[i] = strings.TrimSpace(start + " " + prose.List(sent[start]))
	}
	return starts
}

// alike has the messages of one kind with which several processes answer without what they
// carry, if that differs, so that one clause tells of them.
func alike(deeds []deed) []deed {
	list := slices.Clone(deeds)
	for i := range list {
		d := &list[i]
		same, differ := true, false // its own, and those of others
		for _, e := range deeds {
			if e.verb == d.verb && slices.Equal(e.kinds, d.kinds) {
				same = same && (e.who != d.who || e.shape == d.shape)
				differ = differ || e.who != d.who && e.shape != d.shape
			}
		}
		if d.by && same && differ {
			d.texts = d.kinds
		}
	}
	return list
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

// cutOff returns the one process between which and others messages are lost both ways, or -1.
func cutOff(lost []way) int {
	if len(lost) < 3 {
		return -1
	}
	for _, at := range []int{lost[0].from, lost[0].to} {
		if !slices.ContainsFunc(lost, func(w way) bool { return w.from != at && w.to != at }) {
			return at
		}
	}
	return -1
}

// lostText says between whom messages are lost.
func lostText(l *Layout, lost []way) string {
	if at := cutOff(lost); at >= 0 {
		return "messages from and to " + l.name(at) + " are lost"
	}
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
