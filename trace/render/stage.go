package render

import (
	_ "embed"
	"encoding/json"
	"html/template"
	"math"
	"regexp"
	"slices"
	"strings"

	"bullyproof/model"
	"bullyproof/trace"
)

var (
	//go:embed assets/stage.js
	stageScript string
	//go:embed assets/player.js
	playerScript string
	//go:embed assets/stage.css
	stageStyle string
	//go:embed assets/stage.html
	stageHTML string
)

// A stage is what a page plays: the processes, which send each other messages. The
// numbers of its arrows are those of rows and columns.
type stage struct {
	Names  []string      `json:"names"`
	Roles  []string      `json:"roles,omitempty"`
	Rows   [][]actor     `json:"rows"`
	Arrows []movingArrow `json:"arrows"`
	// Breaks is the row in which the property breaks, -1 if that is none, and Broken
	// what is the matter there. Lasso is the row that begins the loop, or 0.
	Breaks int    `json:"breaks"`
	Broken string `json:"broken"`
	Lasso  int    `json:"lasso"`
	// Cuts are the links that are cut, as pairs of columns, each from a row to before
	// another.
	Cuts []stageCut `json:"cuts,omitempty"`
	// Timers says, by row and column, how much of each timer that is set is left, of 100,
	// where time is counted.
	Timers [][][]int `json:"timers,omitempty"`
	// Told says what happens in each row; a page of the run has that anyway.
	Told []string `json:"told,omitempty"`
	// Of a run that is told in parts, Steps says which steps a row has, and Begins in which
	// second it begins, and behind the last when all is over.
	Steps    []string       `json:"steps,omitempty"`
	Begins   []float64      `json:"begins,omitempty"`
	Chapters []stageChapter `json:"chapters,omitempty"`
}

// A stageChapter is a chapter, with the row that begins it.
type stageChapter struct {
	Row   int    `json:"row"`
	Title string `json:"title"`
	Text  string `json:"text"`
}

// A stageCut is a link that is cut, between two columns.
type stageCut struct {
	From  int `json:"from"` // the first row with it
	To    int `json:"to"`   // the first without it again
	One   int `json:"one"`
	Other int `json:"other"`
}

// An actor is a process after a row: its class, which is that of its band in the
// diagram, what it believes, whether it is in an election, and how its clock goes that is
// not right.
type actor struct {
	Class  string `json:"c"`
	Belief string `json:"b"`
	Takes  bool   `json:"e,omitempty"`
	Clock  string `json:"k,omitempty"`
}

type movingArrow struct {
	From    int     `json:"from"`
	To      int     `json:"to"`
	Sent    float64 `json:"sent"`
	End     float64 `json:"end"`
	Text    string  `json:"text"`
	Arrives bool    `json:"arrives"`
	// Beside is how many others are on the same way, which it is beside.
	Beside int `json:"beside,omitempty"`
	// Label is where its text stands on a page.
	Label tagPlace `json:"label"`
}

// Stage returns a part of a page that plays a run and tells its steps. The page has
// one such part, the style that StageStyle returns, and behind the part the script that
// StageScript returns.
func Stage(run *trace.Layout) (template.HTML, error) {
	l := layout{trace.Told(run)}
	s := l.stage()
	if s.Broken != "" && l.Demand != "" {
		s.Broken += " It should be: " + drawable(l.Demand)
	}
	for i := range l.Rows {
		s.Told = append(s.Told, drawable(l.Tell(i)))
	}
	moves, err := s.data()
	return moves + template.HTML(stageHTML), err
}

// StageStyle returns the style of a Stage, beside that of pages, and StageScript its
// script.
func StageStyle() string { return stageStyle }

// StageScript returns the script of a Stage.
func StageScript() string { return stageScript + playerScript }

// stage returns what a page plays.
func (l layout) stage() *stage {
	s := &stage{Rows: make([][]actor, len(l.Rows)), Arrows: []movingArrow{}, Breaks: -1, Lasso: l.Lasso}
	if l.Kind == trace.Violation {
		s.Breaks, s.Broken = l.Breaks, drawable(l.Verdict)+"."
	}
	for k := range l.Columns {
		s.Names = append(s.Names, l.Columns[k].Short())
		s.Roles = append(s.Roles, drawable(l.Columns[k].Role))
	}
	if strings.Join(s.Roles, "") == "" {
		s.Roles = nil
	}
	for i := range l.Rows {
		for k := range l.Columns {
			a := newActor(&l.Rows[i].Cells[k], l.id(k))
			a.Clock = ClockWord(&l.Rows[i], k)
			s.Rows[i] = append(s.Rows[i], a)
		}
	}
	s.Cuts, s.Timers = cutsOf(l), timersOf(l)
	for i := range l.Arrows {
		if a := &l.Arrows[i]; a.Fate != trace.Refused {
			sent := float64(a.Sent)
			if a.Sent == a.End {
				sent -= acrossPart
			}
			s.Arrows = append(s.Arrows, moving(a, sent, float64(a.End)))
		}
	}
	if inParts(l) {
		s.tell(l)
	}
	s.besides()
	s.label(l)
	return s
}

// acrossPart is for how much of a row a message is under way that is sent and arrives in one.
const acrossPart = 0.7

// besides has messages go beside each other that are on the same way at the same time.
func (s *stage) besides() {
	for i := range s.Arrows {
		a := &s.Arrows[i]
		taken := func(b movingArrow) bool {
			return b.From == a.From && b.To == a.To && b.Beside == a.Beside && b.Sent < a.End && a.Sent < b.End
		}
		for slices.ContainsFunc(s.Arrows[:i], taken) {
			a.Beside++
		}
	}
}

// pageCircle is where the page's stage has processes.
func pageCircle(processes int) Circle { return Circle{processes, 1.2, 0.9} }

// label places the labels of messages on the page.
func (s *stage) label(l layout) {
	times, circle := moments(l), pageCircle(len(s.Names))
	tags := make([]tag, len(s.Arrows))
	for i := range s.Arrows {
		a := &s.Arrows[i]
		tags[i] = newTag(float64(labelWidth(a.Text)), times, a.Sent, a.End+1, func(time float64) *Point { return a.at(circle, time, len(l.Rows)-1) })
	}
	for i, place := range placeTags(tags, times, circle.parts()) {
		s.Arrows[i].Label = place
	}
}

// at returns where a message is on a page at a time, nil if it is not seen. The script of the
// stage does the same.
func (a *movingArrow) at(c Circle, time float64, last int) *Point {
	part, gone := (time-a.Sent)/(a.End-a.Sent), !a.Arrives && time >= a.End
	if time < a.Sent || part >= 1 && (!gone || time >= a.End+0.6) || time >= float64(last) && a.End <= float64(last) {
		return nil
	}
	way := min(1, part)
	if !a.Arrives {
		way *= 0.6
	}
	x, y := c.Way(a.From, a.To, way, a.Beside)
	return &Point{x, y}
}

// moving returns a message that is on its way from one time to another.
func moving(a *trace.Arrow, sent, end float64) movingArrow {
	arrives := a.Fate == trace.Delivered || a.Fate == trace.InFlight || a.Fate == trace.Folded
	return movingArrow{From: a.From, To: a.To, Sent: sent, End: end, Text: drawable(a.Kind), Arrives: arrives}
}

// Seconds for which a stage shows a row of a run that is told in parts, before the whole is
// made as short as playSeconds.
const (
	rowSeconds     = 1.2
	timeSeconds    = 0.4 // a tick
	foldSeconds    = 3
	chapterSeconds = 1.5 // more for a row that begins a chapter
	playSeconds    = 25
	foldedSteps    = 24 // of those of a row, how many the stage shows
)

// tell has a stage play a run that is told in parts: its rows take their time, its chapters
// are named, and of steps that are told together the first are shown.
func (s *stage) tell(l layout) {
	at := 0.0
	for i := range l.Rows {
		r := &l.Rows[i]
		s.Steps, s.Begins = append(s.Steps, r.Steps()), append(s.Begins, at)
		switch {
		case r.Fold != nil:
			at += foldSeconds
		case l.isTick(i):
			at += timeSeconds
		default:
			at += rowSeconds
		}
		if c := chapterAt(l, i); c.Title != "" {
			s.Chapters = append(s.Chapters, stageChapter{i, drawable(c.Title), drawable(c.Text)})
			at += chapterSeconds
		}
		if r.Fold == nil {
			continue
		}
		part := 1 / float64(min(r.Step-r.Fold.First+1, foldedSteps))
		for k := range r.Fold.Arrows {
			a := &r.Fold.Arrows[k]
			if sent, end := float64(i)+part*float64(a.Sent), float64(i)+part*float64(a.End); end < float64(i+1) {
				s.Arrows = append(s.Arrows, moving(a, hundredths(sent), hundredths(end)))
			}
		}
	}
	s.Begins = append(s.Begins, at)
	for i := range s.Begins {
		s.Begins[i] = hundredths(s.Begins[i] * min(1, playSeconds/at))
	}
}

func hundredths(x float64) float64 { return math.Round(100*x) / 100 }

// data returns the stage as the text of a script that is data.
func (s *stage) data() (template.HTML, error) {
	data, err := json.Marshal(s) // which escapes < and >
	return template.HTML(`<script type="application/json" id="moves">` + string(data) + "</script>"), err
}

func newActor(c *trace.Cell, id model.ID) actor {
	a := actor{Class: "none", Belief: beliefWords(c, id), Takes: c.Status == model.Up && c.Participant}
	switch {
	case c.Client:
		a.Class = "client"
	case c.Status != model.Up:
		a.Class, a.Belief = "down", beliefLabels(c, id)[0]
	case c.Leads(id):
		a.Class = "leads " + hueClass(c.Elected)
	case c.Elected != model.None:
		a.Class = "follows " + hueClass(c.Elected)
	}
	if c.Paused {
		a.Class, a.Belief = a.Class+" paused", "paused"
	}
	return a
}

// ClockWord says beside a process on a stage how its clock goes that is not right: "fast", or
// "+9" for one that is ahead.
func ClockWord(row *trace.Row, column int) string {
	if column >= len(row.Clocks) {
		return ""
	}
	return aheadWord.ReplaceAllString(strings.Replace(row.Clocks[column], " clock", "", 1), "+$1")
}

var aheadWord = regexp.MustCompile(`([0-9]+) ahead`)

// ClockSide returns the middle of the sign of a clock beside the disc of a process, on the outer
// side, and where its word is.
func (c Circle) ClockSide(k int) (x, y, word float64, anchor string) {
	x, y = c.Place(k)
	if x < 0 {
		return x - discHalf + 4, y - discHalf + 4, x - discHalf - 8, "end"
	}
	return x + discHalf - 4, y - discHalf + 4, x + discHalf + 8, "start"
}

// timersOf returns what is left of the timers of each process after each row, of 100, which
// is the longest time for which a timer of the name is set in the run. It returns nil where
// time is not counted, or no timer is set.
func timersOf(l layout) [][][]int {
	longest := map[string]int{}
	each := func(f func(row, column int, t *model.TimerSnapshot)) {
		for i := range l.Rows {
			for k := range l.Columns {
				if state := l.Rows[i].State; state != nil && k < len(state.Processes) && state.Processes[k].Status == model.Up {
					for n := range state.Processes[k].Timers {
						f(i, k, &state.Processes[k].Timers[n])
					}
				}
			}
		}
	}
	each(func(_, _ int, t *model.TimerSnapshot) { longest[t.Name] = max(longest[t.Name], t.Ticks) })
	if !l.Setting.Timing.Kind.Discrete() || len(longest) == 0 {
		return nil
	}
	left := make([][][]int, len(l.Rows))
	for i := range left {
		left[i] = make([][]int, len(l.Columns))
		for k := range left[i] {
			left[i][k] = []int{}
		}
	}
	each(func(row, column int, t *model.TimerSnapshot) {
		left[row][column] = append(left[row][column], 100*t.Ticks/max(longest[t.Name], 1))
	})
	return left
}

// cutsOf returns the links that are cut, with the rows in which they are.
func cutsOf(l layout) []stageCut {
	var list []stageCut
	for i := range l.Rows {
		for one := range l.Columns {
			for other := one + 1; other < len(l.Columns); other++ {
				at := slices.IndexFunc(list, func(c stageCut) bool { return c.One == one && c.Other == other && c.To == i })
				state := l.Rows[i].State
				process := l.Columns[one].Client == 0 && l.Columns[other].Client == 0
				switch cut := process && state != nil && state.Cut(l.id(one), l.id(other)); {
				case cut && at >= 0:
					list[at].To++
				case cut:
					list = append(list, stageCut{i, i + 1, one, other})
				}
			}
		}
	}
	return list
}

// anyCut reports whether a link is cut after a row.
func anyCut(r *trace.Row) bool {
	return r.State != nil && (r.State.Side.Len() > 0 || len(r.State.Links) > 0)
}
