package web

import (
	"html/template"
	"io"
	"slices"
	"strings"

	"bullyproof/checker"
	"bullyproof/internal/prose"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// A runPage shows a run at a moment.
type runPage struct {
	frame
	question
	position
	surroundings

	Diagram template.HTML
	Tried   []branch
	Rules   []trace.Rule // that ran
	Exports []exportItem
}

// A question is what a run is of, and how somebody came to it.
type question struct {
	Algorithm *ledger.Algorithm
	Variant   string
	Doc       string
	Setting   settingForm
	Compose   ruleForm
	World     string // the setting in words
	Origin    string // what the link says of the initial state
	Check     string // the verdicts in the setting
	Map       string // of all states of the setting
	Beside    besideForm
	Elsewhere string // the list of initial states; empty where there is one
	Form      form
	Lost      string // why a recording is not followed
	Following *following
}

// A position is a place in a run.
type position struct {
	Now           string // what happened last
	Beliefs       string // and who follows whom
	At, Last      int    // of the steps of the path
	Of            int    // steps that are ahead as well, also of a recording; 0 for none
	Before, After int
	Quiet         bool   // nothing has to happen, except for what periodic timers begin
	Ended         bool   // nor that
	Round         string // says that the state is one that was there before
	Idle          bool   // time passes until something else can happen
	Steps         []stepItem
}

// surroundings are the state there, and what can happen in it.
type surroundings struct {
	Width      string // how wide the diagram is, for the style sheet
	Stage      *stage
	Groups     []group
	Count      int
	Ahead      ahead
	Processes  []processRow
	InFlight   []flightRow
	Timed      bool // messages have a time by which they arrive
	Cut        string
	Budgets    []model.Count
	Asked      *expressionPanel // nil where there are no expressions
	Properties []propertyRow
	Broken     []propertyRow // those of Properties that break here, and not before
}

// following tells about the recording beside a run.
type following struct {
	Name, Title, Story, Property string
	Kind                         string
	// Steps is how many the recording has, At how many of them are done.
	Steps, At int
	// Next says what comes next; empty at the end, and after the run has left
	// the recording.
	Next string
	// Left says that the run has left the recording, after step At.
	Left bool
	// Ended says that the run is at the end of the recording.
	Ended bool
	// Round says that the recording repeats from a step on.
	Round int
}

// A stepItem is a step of the path, or the initial state.
type stepItem struct {
	N      int
	Text   string
	Told   string // the same in a sentence, if it has happened
	Now    bool
	Ahead  bool // it has not happened at the moment that is shown
	Breaks bool // a property breaks in it
	Mine   bool // it is no step of the recording that is followed
}

// show answers with the page of a run.
func (s *Server) show(a *Answer, v *visit) {
	rulings := v.rule()
	run := v.now.run()
	t := v.record(run, evidence(rulings))
	layout, err := trace.Lay(t, run)
	if err != nil {
		s.fail(a, statusFailed, err)
		return
	}
	p := &runPage{
		frame: v.frame("Step " + itoa(v.at)),
		question: question{
			Algorithm: v.subject.algorithm, Variant: v.subject.name, Doc: v.subject.doc,
			Setting: newSettingForm(v.subject, v.setting.String(), nil), Compose: newRuleForm(v.subject, v.setting.String()), Origin: v.begins(chosenBefore(v.sys, v.choices)),
			Check: Check(v.algorithm, v.variant, v.setting), Map: v.chart(), World: sentenceCase(v.setting.InWords()),
			Beside: v.besideForm(), Form: v.form(), Lost: v.lost, Following: v.following(layout),
		},
		position: position{
			Now: tell(layout, v.at), Beliefs: sentenceCase(layout.BeliefText(v.at)), Steps: v.steps(layout),
			At: v.at, Last: len(v.path), Before: max(0, v.at-1), After: min(v.at+1, len(v.path)),
			Quiet: v.now.view.Quiet && !v.now.over(), Ended: v.now.ended(),
		},
		surroundings: surroundings{
			Width: widthOf(len(layout.Columns)), Processes: processRows(v.now), InFlight: flightRows(v.now, layout),
			Timed: v.setting.Timing.Kind.Discrete(), Budgets: v.now.snap.Budgets, Properties: propertyRows(rulings),
			Asked: v.expressionPanel(),
		},
		Rules: layout.Rules, Exports: v.exports(t),
	}
	p.Of, p.Setting.Watches = p.of(), v.watches
	next, recorded := v.next()
	p.Groups = s.groups(v.now, layout, func(a model.Action) string {
		switch {
		case recorded && trace.SameAction(a, next):
			return "next in the recording"
		case v.at < len(v.path) && trace.SameAction(a, v.path[v.at]):
			return "what you did before"
		}
		return ""
	}, s.look(p, v))
	for _, g := range p.Groups {
		p.Count += g.Count
	}
	_, p.Idle = v.now.idle()
	p.Tried = s.triedTree(v)
	p.Stage = newStage(v.now, layout, p.Groups)
	if !v.now.snap.Side.Empty() {
		p.Cut = "The network is divided: " + prose.List(v.now.snap.Side.Names()) + " apart from the rest."
	}
	if links := v.now.snap.Links; len(links) > 0 {
		p.Cut = "Links that are cut: " + trace.Links(links) + "."
	}
	if p.Origin != "" || len(v.choices) > 0 {
		p.Elsewhere = (&link{algorithm: v.algorithm, variant: v.variant, setting: v.setting, origin: v.setting, watches: v.watches}).url()
	}
	p.Round = v.round()
	for _, row := range p.Properties {
		if row.Fresh {
			p.Broken = append(p.Broken, row)
		}
	}
	var drawing strings.Builder
	if err := draw(&drawing, layout, v.link, s.steady(v, layout)); err != nil {
		s.fail(a, statusFailed, err)
		return
	}
	p.Diagram = template.HTML(drawing.String()) // which escapes what protocols say
	s.write(a, v.typed.status(), "run.html", p)
}

// round says that the state was there before; empty where it was not.
func (v *visit) round() string {
	round := v.now.again()
	if round == nil {
		return ""
	}
	return "This is the same state as " + atStep2(round.depth) + ". What has happened since can repeat without end."
}

// of returns how many steps the run has that is shown, or the recording that it follows; 0
// where nothing lies ahead.
func (p *runPage) of() int {
	switch {
	case p.Following != nil && !p.Following.Left:
		return p.Following.Steps
	case p.At < p.Last:
		return p.Last
	}
	return 0
}

// widthOf returns the class of pages with a number of processes: how much room
// a diagram takes beside the rest.
func widthOf(processes int) string {
	switch {
	case processes <= 3:
		return "narrow"
	case processes <= 5:
		return "broad"
	}
	return "wide"
}

// tell says what happened in a step. The run need not end where it is shown to.
func tell(l *trace.Layout, row int) string {
	return strings.ReplaceAll(l.Tell(row), " (in flight at the end)", " (in flight)")
}

// mostLinked is how many bytes the links of a diagram's rows may take.
const mostLinked = 256 << 10

// draw draws the run of a link, up to the moment that is shown. Each row leads
// to its moment, unless the links would outweigh the drawing.
// The columns stand where they do in a steady run.
func draw(w io.Writer, l *trace.Layout, at *link, steady *trace.Layout) error {
	opt := render.SVGOptions{Bare: true, Unstyled: true, Selected: at.at, Steady: steady}
	if len(l.Rows)*len(at.url()) <= mostLinked {
		opt.Href = func(row int) string { return at.moved(row).url() }
	}
	return render.SVG(w, l, opt)
}

// mostSteady is how many steps a run has at most that is laid out only to have columns stay
// where they are.
const mostSteady = 400

// steady returns the whole run of which a layout has the beginning: with the steps ahead, and
// those of a recording.
func (s *Server) steady(v *visit, layout *trace.Layout) *trace.Layout {
	path := append(slices.Clip(v.path), v.coming()...)
	if len(path) == v.at || len(path) > mostSteady {
		return layout
	}
	end, err := s.tree.walk(v.root, path)
	if err != nil {
		return layout // of a recording that no longer fits
	}
	run := end.run()
	t := run.Record(trace.Header{})
	if v.follow != nil {
		t.Lasso = v.follow.Lasso
	}
	whole, err := trace.Lay(t, run)
	if err != nil {
		return layout
	}
	return whole
}

func atStep2(depth int) string {
	if depth == 0 {
		return "at the start"
	}
	return "after step " + itoa(depth)
}

func sentenceCase(s string) string {
	if s == "" {
		return s
	}
	return prose.Capital(s) + "."
}

// following describes the recording that is followed.
func (v *visit) following(layout *trace.Layout) *following {
	f := v.follow
	if f == nil {
		return nil
	}
	out := &following{
		Name: f.name, Title: prose.Capital(f.Title), Story: f.Story, Property: f.Property, Kind: f.Kind.String(),
		Steps: len(f.actions), At: f.along(v.path[:v.at]), Round: f.Lasso,
	}
	out.Left = out.At < v.at
	if next, ok := v.next(); ok {
		out.Next = headline(&next, v.now, func(a *model.Action) string { return sender(v.now, layout, a) })
	}
	out.Ended = !out.Left && v.at >= len(f.actions)
	return out
}

// steps lists the initial state, the steps of the path, and those that a recording has
// after them.
func (v *visit) steps(layout *trace.Layout) []stepItem {
	shared := len(v.path)
	if v.follow != nil {
		shared = v.follow.along(v.path)
	}
	told := v.told()
	list := make([]stepItem, 0, len(v.path)+1)
	for _, m := range v.end.chain() {
		item := stepItem{
			N: m.depth, Text: "the start", Now: m.depth == v.at, Ahead: m.depth > v.at,
			Breaks: m.broken&^m.brokenBefore&told != 0 || m.over(), Mine: m.depth > shared,
		}
		if !item.Ahead {
			item.Told = tell(layout, m.depth)
		}
		if m.before != nil {
			item.Text = trace.ActionText(m.step.Action)
		}
		list = append(list, item)
	}
	for _, a := range v.coming() {
		list = append(list, stepItem{N: len(list), Text: trace.ActionText(a), Ahead: true})
	}
	return list
}

// told has the bits of the properties whose breaking the steps show: where a recording
// is followed, that of the one that it is about, if it is one of states and steps.
func (v *visit) told() uint64 {
	if v.follow != nil && v.follow.along(v.path) == len(v.path) {
		about := func(p *checker.Property) bool { return p.Name == v.follow.Property }
		if i := slices.IndexFunc(v.root.safety, about); i >= 0 {
			return 1 << i
		}
	}
	return ^uint64(0)
}

// A group is a kind of actions that are enabled.
type group struct {
	Name, Doc string
	Items     []actionItem
	Count     int // of the actions
	More      int // that are not listed
	Faults    bool
}

// An actionItem is an action that is enabled, and what it would do.
type actionItem struct {
	Code  string // by which requests name it
	Key   string // that takes it, if there is one
	Title string
	Due   string // when it has to happen
	Rules []string
	Notes []note
	Mark  string // what is special about it
	Fatal bool   // it breaks something
	Ahead string // what it leads to
	Ghost string // how processes look that it changes

	action *model.Action
}

// groupNames are the kinds of actions by their names, in order.
var groupNames = []struct{ name, doc string }{
	{"Messages", "Each message in flight can arrive."},
	{"Timers", "A timer that has run out."},
	{"Failure detector", "Somebody learns that another one is down."},
	{"Beginnings", "A process comes up or goes on, or is asked for something; a cut that has to heal does."},
	{"Time", "A unit of time passes for everybody."},
	{"Faults", "They need not happen."},
}

// faultGroup is the index in groupNames of what need not happen.
const faultGroup = 5

// groupOf returns the index in groupNames for an action in a setting.
func groupOf(a *model.Action, in setting.Setting) int {
	if !a.Kind.Owed() && a.Kind.OwedIn(&in) && !a.Crash {
		return 3
	}
	if a.Crash || !a.Kind.Owed() && a.Kind != model.Misreports && a.Kind != model.Requests {
		return faultGroup
	}
	switch a.Kind {
	case model.Delivers, model.Drops:
		return 0
	case model.Expires:
		return 1
	case model.Suspects, model.Misreports:
		return 2
	case model.Boots, model.Starts, model.Requests, model.Resumes:
		return 3
	}
	return 4
}

// groups lists what can happen at a moment. The layout, of the run up to there,
// knows senders that states do not tell; it may be nil. mark returns words on
// an action, and leads words on where it leads; they may be nil.
func (s *Server) groups(m *moment, layout *trace.Layout, mark func(model.Action) string, leads func(*moment) string) []group {
	items := make([][]actionItem, len(groupNames))
	next := s.tree.ahead(m)
	for i := range next.actions {
		a := &next.actions[i]
		item := actionItem{
			Code: encodeAction(a), Due: due(m, a), action: a,
			Title: headline(a, m, func(a *model.Action) string { return sender(m, layout, a) }),
		}
		if len(next.moments) > 0 {
			n := next.moments[i]
			item.Rules, item.Notes, item.Ghost = n.step.Rules, notes(n), ghost(n)
			if leads != nil && !n.over() {
				item.Ahead = leads(n)
			}
			item.Fatal = slices.ContainsFunc(item.Notes, func(n note) bool { return n.Kind == noteBreaks })
		}
		if mark != nil {
			item.Mark = mark(*a)
		}
		k := groupOf(a, m.sys.Setting())
		items[k] = append(items[k], item)
	}
	return numbered(items, next.counts)
}

// mostListed is how many actions of a group are listed.
const mostListed = 200

// actionKeys are those of the first actions. No other key of a page is among them.
const actionKeys = "123456789abcdefghijklm"

// numbered makes groups of the actions by kinds, of which there are so many, and
// gives the first of them keys.
func numbered(items [][]actionItem, counts []int) []group {
	var list []group
	key := 0
	for i, of := range items {
		if len(of) == 0 {
			continue
		}
		g := group{Name: groupNames[i].name, Doc: groupNames[i].doc, Items: of[:min(len(of), mostListed)], Count: counts[i], Faults: i == faultGroup}
		g.More = g.Count - len(g.Items)
		for j := range g.Items {
			if key < len(actionKeys) {
				g.Items[j].Key = actionKeys[key : key+1]
			}
			key++
		}
		list = append(list, g)
	}
	return list
}

// due says by when a message has to arrive.
func due(m *moment, a *model.Action) string {
	if !m.sys.Setting().Timing.Kind.Discrete() || a.Kind != model.Delivers && a.Kind != model.Drops {
		return ""
	}
	return dueText(a.Due)
}

func dueText(ticks int) string {
	switch ticks {
	case 0:
		return "due now"
	case 1:
		return "due within 1 tick"
	}
	return "due within " + itoa(ticks) + " ticks"
}

// sender names the sender of the message of an action.
func sender(m *moment, layout *trace.Layout, a *model.Action) string {
	for i := range m.snap.InFlight {
		e := &m.snap.InFlight[i]
		if e.To == a.Process && e.Port == a.Port && e.Text == a.Message && e.Due == a.Due {
			return senderOf(e, layout)
		}
	}
	return a.Port.Name()
}

// senderOf names the sender of a message in flight. On a repaired ring the
// state does not tell, but the run does.
func senderOf(e *model.Envelope, layout *trace.Layout) string {
	if e.From != model.None {
		return e.From.Name()
	}
	if layout != nil {
		for i := range layout.Arrows {
			a := &layout.Arrows[i]
			if a.Fate == trace.InFlight && layout.Columns[a.To].ID == e.To && a.Port == e.Port && layout.TextAt(i, len(layout.Rows)-1) == e.Text {
				return layout.Columns[a.From].ID.Name()
			}
		}
	}
	return e.Port.Name()
}
