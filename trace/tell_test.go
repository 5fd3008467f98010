package trace_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/test/heraldtest"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

func TestActionText(t *testing.T) {
	for want, a := range map[string]model.Action{
		"P1 boots":                   {Kind: model.Boots, Process: 1},
		"P1 starts an election":      {Kind: model.Starts, Process: 1},
		"P2->P1 OK":                  {Kind: model.Delivers, Process: 1, Port: 2, Message: "OK"},
		"prev->P1 OK (due in 2)":     {Kind: model.Delivers, Process: 1, Port: model.Prev, Message: "OK", Due: 2},
		"P2->P1 OK is dropped":       {Kind: model.Drops, Process: 1, Port: 2, Message: "OK"},
		"P2->P1 OK is lost":          {Kind: model.Loses, Process: 1, Port: 2, Message: "OK"},
		"P2->P1 OK is duplicated":    {Kind: model.Duplicates, Process: 1, Port: 2, Message: "OK"},
		"P1 times out (T)":           {Kind: model.Expires, Process: 1, Timer: "T"},
		"P1 times out too early (T)": {Kind: model.Expires, Process: 1, Timer: "T", Premature: true},
		"P1 suspects P3, choosing timeout=long,1": {
			Kind: model.Suspects, Process: 1, Who: 3, Choices: []int{0, 1}, Outcomes: []string{"timeout=long", "1"},
		},
		"P1 suspects P3":                              {Kind: model.Suspects, Process: 1, Who: 3},
		"P1 wrongly suspects P3":                      {Kind: model.Misreports, Process: 1, Who: 3},
		"tick":                                        {Kind: model.Ticks},
		"P1 crashes":                                  {Kind: model.Crashes, Process: 1},
		"P1 joins, choosing 0,1":                      {Kind: model.Joins, Process: 1, Choices: []int{0, 1}},
		"the network cuts off P2 and P3":              {Kind: model.CutsOff, Side: model.SetOf(2, 3)},
		"P2 pauses":                                   {Kind: model.Pauses, Process: 2},
		"P2 resumes":                                  {Kind: model.Resumes, Process: 2},
		"the network heals":                           {Kind: model.Heals},
		"the link between P1 and P3 is cut":           {Kind: model.CutsOff, Link: setting.CutLink{From: 1, To: 3, Both: true}},
		"the link from P3 to P1 heals":                {Kind: model.Heals, Link: setting.CutLink{From: 3, To: 1}},
		"P1 restarts, and crashes with no send out":   {Kind: model.Restarts, Process: 1, Crash: true},
		"P1 restarts, and crashes with sends 1,3 out": {Kind: model.Restarts, Process: 1, Crash: true, Out: []int{0, 2}},
	} {
		assert.Equal(t, want, trace.ActionText(a))
	}
}

// up is a process that follows k.
func up(k model.ID) trace.Cell { return trace.Cell{Status: model.Up, Elected: k} }

var (
	down   = trace.Cell{Status: model.Down}
	absent = trace.Cell{Status: model.Absent}
)

func TestBeliefText(t *testing.T) {
	for want, cells := range map[string][]trace.Cell{
		"nobody is up": {down, absent, down},
		"P3 believes itself coordinator, followed by P1 and P2":                           {up(3), up(3), up(3)},
		"P3 believes itself coordinator":                                                  {down, absent, up(3)},
		"P2 and P3 both believe themselves coordinator; P1 follows P3":                    {up(3), up(2), up(3)},
		"P1, P2 and P3 all believe themselves coordinator":                                {up(1), up(2), up(3)},
		"P1 and P2 follow P3, which is down":                                              {up(3), up(3), down},
		"P1 follows P3, which is not there yet; P2 knows no coordinator":                  {up(3), up(0), absent},
		"P1 follows P2, which knows no coordinator; P2 and P3 know no coordinator":        {up(2), up(0), up(0)},
		"P2 follows P1, which follows P2; P1 follows P2, which follows P1":                {up(2), up(1), down},
		"P3 believes itself coordinator; P1 and P2 follow P9, which does not exist":       {up(9), up(9), up(3)},
		"P3 believes itself coordinator, followed by P2; P1 follows P2, which follows P3": {up(2), up(3), up(3)},
	} {
		l := trace.Layout{Columns: []trace.Column{{ID: 1}, {ID: 2}, {ID: 3}}, Rows: []trace.Row{{Cells: cells}}}
		assert.Equal(t, want, l.BeliefText(0))
	}
}

func TestFateString(t *testing.T) {
	assert.Equal(t, "still in flight", trace.InFlight.String())
	assert.Equal(t, "never leaves", trace.Refused.String())
}

// Rules without a number of their own get letters, in the order in which they
// run, and the legend says which is which.
func TestRulesHaveTags(t *testing.T) {
	tr, r := heraldtest.Find(t, heraldtest.Race, "agreement")
	r.Steps[1].Rules = []string{"notices: begin an election", "lower: ask"}
	r.Steps[6].Rules = []string{"lower: ask", "2: announce", "10: x"}
	l, err := trace.Lay(tr, r)
	require.NoError(t, err)
	var tags []string
	for _, r := range l.Rules {
		tags = append(tags, r.Tag+" is "+r.Text)
	}
	assert.Equal(t, []string{
		"2 is no answer: announce", "2 is announce", "4 is follow", "10 is x", "a is notices: begin an election", "b is lower: ask",
	}, tags)
	assert.Contains(t, l.Tell(2), `P2 finds that P3 is down (rules a and b): sends "ELECTION" to P3`)
	assert.Contains(t, l.Tell(7), "P3 restarts (rules 2, 10 and b)")
	for i := range 60 {
		r.Steps[7].Rules = append(r.Steps[7].Rules, strings.Repeat("x", 5+i))
	}
	l, err = trace.Lay(tr, r)
	require.NoError(t, err)
	assert.Equal(t, "bj", l.Rules[len(l.Rules)-1].Tag)
}
