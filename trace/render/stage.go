package render

import (
	_ "embed"
	"encoding/json"
	"html/template"
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
	// Told says what happens in each row; a page of the run has that anyway.
	Told []string `json:"told,omitempty"`
}

// An actor is a process after a row: its class, which is that of its band in the
// diagram, what it believes, and whether it is in an election.
type actor struct {
	Class  string `json:"c"`
	Belief string `json:"b"`
	Takes  bool   `json:"e,omitempty"`
}

type movingArrow struct {
	From    int    `json:"from"`
	To      int    `json:"to"`
	Sent    int    `json:"sent"`
	End     int    `json:"end"`
	Text    string `json:"text"`
	Arrives bool   `json:"arrives"`
}

// Stage returns a part of a page that plays a run and tells its steps. The page has
// one such part, the style that StageStyle returns, and behind the part the script that
// StageScript returns.
func Stage(run *trace.Layout) (template.HTML, error) {
	l := layout{run}
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
		s.Names = append(s.Names, l.id(k).Name())
		s.Roles = append(s.Roles, drawable(l.Columns[k].Role))
	}
	if strings.Join(s.Roles, "") == "" {
		s.Roles = nil
	}
	for i := range l.Rows {
		for k := range l.Columns {
			s.Rows[i] = append(s.Rows[i], newActor(&l.Rows[i].Cells[k], l.id(k)))
		}
	}
	for i := range l.Arrows {
		if a := &l.Arrows[i]; a.Fate != trace.Refused {
			arrives := a.Fate == trace.Delivered || a.Fate == trace.InFlight
			s.Arrows = append(s.Arrows, movingArrow{a.From, a.To, a.Sent, a.End, drawable(a.Kind), arrives})
		}
	}
	return s
}

// data returns the stage as the text of a script that is data.
func (s *stage) data() (template.HTML, error) {
	data, err := json.Marshal(s) // which escapes < and >
	return template.HTML(`<script type="application/json" id="moves">` + string(data) + "</script>"), err
}

func newActor(c *trace.Cell, id model.ID) actor {
	a := actor{Class: "none", Belief: beliefWords(c, id), Takes: c.Status == model.Up && c.Participant}
	switch {
	case c.Status != model.Up:
		a.Class = "down"
	case c.Leads(id):
		a.Class = "leads " + hueClass(c.Elected)
	case c.Elected != model.None:
		a.Class = "follows " + hueClass(c.Elected)
	}
	return a
}
