package trace

import (
	"slices"
	"strings"

	"bullyproof/internal/prose"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A Chapter is a part of a long run, which a reader takes in at once.
type Chapter struct {
	// First is the step with which it begins, 0 for the start.
	First int
	// Title names it: "The cut".
	Title string
	// Text says in a sentence or two what happens in it.
	Text string
}

// mostChapters is how many chapters a run has that nobody divided.
const mostChapters = 6

// A boundary is where a chapter may begin. The rank is higher for what matters more.
type boundary struct {
	row, rank int
	title     string
}

// chaptersOf divides a run where its faults, its coordinators, its elections and its loop
// begin. It returns nil for one that has fewer than two such parts.
func chaptersOf(l *Layout, news []bool) []Chapter {
	list := boundariesOf(l, news)
	for len(list) > mostChapters {
		least := 1
		for i := 2; i < len(list); i++ {
			if list[i].rank < list[least].rank {
				least = i
			}
		}
		list = slices.Delete(list, least, least+1)
	}
	if len(list) < 2 {
		return nil
	}
	chapters := make([]Chapter, len(list))
	for i, b := range list {
		end := len(l.Rows)
		if i+1 < len(list) {
			end = list[i+1].row
		}
		chapters[i] = Chapter{First: b.row, Title: b.title, Text: chapterText(l, b.row, end)}
	}
	return chapters
}

// boundariesOf lists where chapters may begin, one a row, those of a cause and its
// consequences together.
func boundariesOf(l *Layout, news []bool) []boundary {
	list := []boundary{{0, 9, "The start"}}
	loop := 0
	if l.Lasso > 0 {
		for loop = len(l.Rows); loop > l.Lasso && !news[loop-1]; loop-- {
		}
		loop = min(max(loop, l.Lasso), len(l.Rows)-1)
	}
	add := func(b boundary) {
		last := &list[len(list)-1]
		near := true // without any news between
		for i := last.row + 1; i < b.row; i++ {
			near = near && (!news[i] || isFault(&l.Rows[i]))
		}
		if near && last.row > 0 && b.rank <= last.rank {
			return
		}
		list = append(list, b)
	}
	for i := 1; i < len(l.Rows); i++ {
		switch r := &l.Rows[i]; {
		case l.Lasso > 0 && i == loop:
			add(boundary{i, 9, "Without end"})
			return list
		case l.Breaks == i && l.Kind == Violation:
			add(boundary{i, 8, prose.Capital(l.Property) + " breaks"})
		case isFault(r):
			add(boundary{i, 5, faultTitle(r)})
		case leadersOf(l, i) != leadersOf(l, i-1):
			add(boundary{i, 4, leaderTitle(l, i)})
		case electing(l, i) && !electing(l, i-1):
			add(boundary{i, 2, "An election"})
		}
	}
	return list
}

// faultTitle names the chapter that begins with a fault.
func faultTitle(r *Row) string {
	a := &r.Action
	p := a.Process.Name()
	switch {
	case a.Kind == model.CutsOff && a.Link != (setting.CutLink{}):
		return "A link is cut"
	case a.Kind == model.CutsOff:
		return prose.List(a.Side.Names()) + " cut off"
	case a.Kind == model.Heals:
		return "The network is whole again"
	case a.Kind == model.Loses:
		return "A message is lost"
	case a.Kind == model.Duplicates:
		return "A message comes twice"
	case a.Crash || a.Kind.IsCrash():
		return p + " crashes"
	}
	return p + " " + a.Kind.Verb()
}

// leadersOf names those that believe themselves coordinator after a row.
func leadersOf(l *Layout, row int) string {
	var names []string
	for k := range l.Columns {
		if l.Rows[row].Cells[k].Leads(l.id(k)) {
			names = append(names, l.name(k))
		}
	}
	return prose.List(names)
}

func leaderTitle(l *Layout, row int) string {
	switch leaders := leadersOf(l, row); {
	case leaders == "":
		return "No coordinator"
	case strings.Contains(leaders, " and "):
		return "Two coordinators"
	default:
		return leaders + " leads"
	}
}

// electing reports whether somebody is in an election after a row.
func electing(l *Layout, row int) bool {
	return slices.ContainsFunc(l.Rows[row].Cells, func(c Cell) bool { return c.Participant })
}

// chapterText tells the rows of a chapter: its faults, and what processes believe at its
// end.
func chapterText(l *Layout, first, end int) string {
	now := l.BeliefText(end - 1)
	if first == 0 {
		return capital(now) + "."
	}
	var texts []string
	for i := first; i < end; i++ {
		if isFault(&l.Rows[i]) && len(texts) < 3 {
			if text := capital(l.Happened(i)) + "."; !slices.Contains(texts, text) {
				texts = append(texts, text)
			}
		}
	}
	if now != l.BeliefText(first-1) || len(texts) == 0 {
		texts = append(texts, capital(now)+".")
	}
	if l.Lasso > 0 && end == len(l.Rows) {
		texts = append(texts, "So it goes on, without end.")
	}
	return strings.Join(texts, " ")
}
