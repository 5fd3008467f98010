package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"strings"

	"bullyproof/internal/nearest"
	"bullyproof/internal/prose"
	"bullyproof/internal/quantity"
	"bullyproof/model"
	"bullyproof/trace"
)

// A drawing has at most so many dots and lines: more take longer to lay out than anybody
// would wait. Where states are merged it has at most mostAtOnce unless its reader wants more.
const (
	mostDrawn  = 300
	mostLines  = 1_500
	mostAtOnce = 60
)

// Parameters of a map: the level, a state to go to, and a group whose states are listed.
const (
	verbBy = "by"
	verbTo = "to"
	verbOf = "of"
)

// A mapPage shows all states of a setting as a graph.
type mapPage struct {
	frame
	Subject, World string
	At             int
	Back, Forward  string // the map a step before and after
	Now            string // what has happened
	Merged, Looks  bool
	By             string
	Counted        string
	Left           string // what bounds of the setting left out
	Levels         []levelLink
	Data           template.JS
	Rows           []mapRow
	Explore, Check string
	Setting        settingForm
}

// A levelLink leads to the map of a level; Why says why there is none.
type levelLink struct {
	Link, Words string
	Groups      string
	Now         bool
	Why         string
}

// A mapRow is what a table says of a dot.
type mapRow struct {
	Text, Kind              string
	Depth                   int32
	States, Settled, Broken int
	First, Among            string // links
}

// A stateMap is what the script draws.
type stateMap struct {
	Merged bool       `json:"merged"`
	To     string     `json:"to"`    // the address of a state, without its number
	Among  string     `json:"among"` // and of the list of a group's states
	States []mapState `json:"states"`
	Steps  []mapStep  `json:"steps"`
}

// A mapState is a dot, or a box of states: its kind is "bad", "settled" or empty.
type mapState struct {
	Layer   int      `json:"layer"`
	Depth   int32    `json:"depth"`
	Kind    string   `json:"kind"`
	Text    string   `json:"text"`
	Here    string   `json:"here,omitempty"` // "on" the run of the link, or where it is "now"
	States  int      `json:"states"`
	First   int32    `json:"first"`
	Broken  *int32   `json:"broken,omitempty"`
	Settled *int32   `json:"settled,omitempty"`
	Looks   []string `json:"looks,omitempty"` // of each process, for the style sheet
	Label   string   `json:"label,omitempty"`
}

// A mapStep is a line: its kind is "lit", "loop" or empty.
type mapStep struct {
	From  int32  `json:"from"`
	To    int32  `json:"to"`
	Kind  string `json:"kind"`
	Run   bool   `json:"run,omitempty"`
	Steps int    `json:"steps"`
}

// chart answers with the map of all states that can be reached from the beginning of
// the run of a link.
func (s *Server) chart(a *Answer, r *Request) {
	v, query, ok := s.visit(a, r, verbBy, verbTo, verbOf, verbPage, verbFind, verbStop)
	if !ok {
		return
	}
	if v.root == nil {
		s.starts(a, v, query, (*link).chart)
		return
	}
	going := s.surveys.going(v.root)
	if query.Has(verbStop) {
		going.stop()
		<-going.ended
		a.lead(v.link.chart())
		return
	}
	if !endsWithin(r.ctx, going.ended, s.glance) {
		s.surveyed(a, v, going)
		return
	}
	c := &charted{visit: v, all: going.found}
	if c.all.err != nil {
		s.fail(a, statusFailed, c.all.err)
		return
	}
	if err := c.choose(query); err != nil {
		s.fail(a, statusBadRequest, err)
		return
	}
	switch {
	case query.Has(verbTo):
		to, err := c.state(query.Get(verbTo))
		if err != nil {
			s.fail(a, statusBadRequest, err)
			return
		}
		a.lead(to.url())
	case query.Has(verbOf):
		s.among(a, c, query)
	default:
		s.drawn(a, c)
	}
}

// A surveyPage says how far a survey is.
type surveyPage struct {
	frame
	Subject, World, Counted, Stop string
}

// surveyed answers with how far the survey of a map is, which goes on.
func (s *Server) surveyed(a *Answer, v *visit, going *surveying) {
	p := &surveyPage{
		Subject: v.algorithm + "/" + v.variant, World: sentenceCase(v.setting.InWords()),
		Counted: quantity.Plural(uint64(going.so.Load()), "state") + " so far.", Stop: v.link.chart() + "&" + verbStop + "=1",
	}
	p.frame = v.frame("Map")
	p.Drawn, p.Again = true, v.link.chart()
	s.write(a, statusOK, "survey.html", p)
}

// A charted visit has the survey of its world, merged by a level.
type charted struct {
	*visit
	all   *survey
	level int
}

// choose finds the level that a request asks for, or the one that is drawn if it asks for none:
// each state by itself if there is room, and otherwise the finest that can be taken in at once.
func (c *charted) choose(query url.Values) error {
	if query.Has(verbBy) {
		names := make([]string, len(levels))
		for i := range levels {
			names[i] = levels[i].name
		}
		if c.level = slices.Index(names, query.Get(verbBy)); c.level < 0 {
			return nearest.Unknown(verbBy, query.Get(verbBy), names)
		}
		if why := c.tooMany(c.level); why != "" {
			return fmt.Errorf("%s=%s: %s", verbBy, query.Get(verbBy), why)
		}
		return nil
	}
	if c.tooMany(levelStates) == "" {
		return nil
	}
	size := func(level int) int { return len(c.all.by(level).classes) }
	for c.level = levelFinest; c.level < levelNumbers && (size(c.level) > mostAtOnce || size(c.level) == size(c.level+1)); {
		c.level++
	}
	return nil
}

// tooMany says why a level is not drawn; empty if it is.
func (c *charted) tooMany(level int) string {
	if n := len(c.all.states); level == levelStates && (n > mostDrawn || !c.all.whole()) {
		return quantity.Count(n) + " are too many to draw"
	}
	if g := c.all.by(level); len(g.classes) > mostDrawn || level != levelStates && len(g.ways) > mostLines && level != levelNumbers {
		return quantity.Count(len(g.classes)) + " are too many to draw"
	}
	return ""
}

// chart returns the address, within the server, of the map that a link leads to.
func (l *link) chart() string { return strings.Replace(l.url(), "/explore/", "/map/", 1) }

// Map returns the address, within the server, of the map of all states that can be reached
// from where a run of a variant begins.
func Map(algorithm, variant string, t *trace.Trace) string {
	return ending(algorithm, variant, t).chart()
}

// plainly returns the address of a map without a run on it, and with one more parameter.
func (c *charted) plainly(level int, name, value string) string {
	to := *c.link
	to.path, to.at, to.trace, to.tried = nil, 0, "", nil
	return to.chart() + "&" + verbBy + "=" + levels[level].name + "&" + name + "=" + value
}

// state returns the link to the end of a shortest run to a state, which has a number.
func (c *charted) state(number string) (*link, error) {
	n, err := decodeNumber(number, len(c.all.states)-1)
	if err != nil {
		return nil, fmt.Errorf("parameter %s: %w", verbTo, err)
	}
	to := *c.link
	to.path, to.trace = c.all.way(int32(n)), ""
	to.at = len(to.path)
	return &to, to.fits()
}

// drawn answers with the drawing of a map.
func (s *Server) drawn(a *Answer, c *charted) {
	here := *c.link
	p := &mapPage{
		Subject: c.algorithm + "/" + c.variant, World: sentenceCase(c.setting.InWords()), At: c.at,
		Explore: here.url(), Setting: newSettingForm(c.subject, c.setting.String(), nil), Merged: c.level != levelStates, Looks: c.level != levelStates && c.level != levelNumbers,
		By: levels[c.level].words, Check: Check(c.algorithm, c.variant, c.setting), Levels: c.levels(),
	}
	p.frame = c.frame("Map")
	p.Drawn, p.Setting.Watches = true, c.watches
	if by := "&" + verbBy + "=" + levels[c.level].name; len(c.path) > 0 {
		if c.at > 0 {
			p.Back = c.moved(c.at-1).chart() + by
		}
		if c.at < len(c.path) {
			p.Forward = c.moved(c.at+1).chart() + by
		}
		if c.now.before != nil {
			p.Now = trace.ActionText(c.now.step.Action)
		}
	}
	m := c.drawing()
	p.Counted, p.Rows = c.counted(m), c.rows(m)
	if left := model.CutReasons(c.visit.sys, c.all.cuts); len(left) > 0 {
		p.Left = "A bound of the setting left steps out: " + prose.List(left) + "."
	}
	data, err := json.Marshal(m) // which escapes < and >
	if err != nil {
		s.fail(a, statusFailed, err)
		return
	}
	p.Data = template.JS(data)
	s.write(a, statusOK, "map.html", p)
}

// levels leads to the map of each level, but not of one that merges no more than the next one.
func (c *charted) levels() (list []levelLink) {
	for i := range levels {
		l := levelLink{Words: levels[i].words, Now: i == c.level, Why: c.tooMany(i)}
		if i == levelStates {
			l.Groups = quantity.Count(len(c.all.states))
		} else {
			g := c.all.by(i)
			if i+1 < len(levels) && i != c.level && len(c.all.by(i+1).classes) == len(g.classes) {
				continue
			}
			l.Groups = quantity.Count(len(g.classes))
		}
		if l.Why == "" {
			l.Link = c.chart() + "&" + verbBy + "=" + levels[i].name
		}
		list = append(list, l)
	}
	return list
}

// drawing returns the map of the level that is chosen, with the run of the link on it.
func (c *charted) drawing() *stateMap {
	g := c.all.by(c.level)
	m := &stateMap{
		Merged: c.level != levelStates, To: c.plainly(c.level, verbTo, ""), Among: c.plainly(c.level, verbOf, ""), Steps: []mapStep{},
	}
	for i := range g.classes {
		m.States = append(m.States, c.dot(g, int32(i)))
	}
	for _, w := range g.ways {
		m.Steps = append(m.Steps, mapStep{From: w.from, To: w.to, Steps: w.steps})
	}
	m.light(c)
	if c.level == levelStates {
		m.loops()
	}
	m.walk(c)
	return m
}

// dot returns what is drawn of a group.
func (c *charted) dot(g *quotient, i int32) mapState {
	of := &g.classes[i]
	d := mapState{
		Layer: of.way, Depth: c.all.depth[of.first], Text: c.all.words(c.level, of), States: of.states, First: of.first,
	}
	d.look(c.level, c.all.outlook(of.first))
	if of.firstBroken != never {
		d.Broken = &of.firstBroken
		d.Text += c.breaks(of.firstBroken)
	}
	if of.firstSettled != never {
		d.Kind, d.Settled = "settled", &of.firstSettled
		if whole := c.unkept(of.firstSettled); len(whole) > 0 {
			d.Text += "; a run that ends here breaks " + prose.List(whole)
			if d.Broken == nil {
				d.Broken = &of.firstSettled
			}
		}
	}
	if d.Broken != nil {
		d.Kind = "bad"
	}
	return d
}

// look has a box show what is believed in its states.
func (d *mapState) look(by int, all []opinion) {
	switch by {
	case levelStates:
		return
	case levelNumbers:
		lead, up := numbers(all)
		d.Label = fmt.Sprintf("%s, %d up", leading(lead), up)
		return
	}
	for i := range all {
		o, look := &all[i], ""
		switch {
		case !o.up():
			look = "off"
		case o.leads:
			look = "leads " + colour(model.ID(i+1))
		case by < levelLeaders && o.follows != model.None:
			look = "follows " + colour(o.follows)
		}
		if o.status == statusPaused && by < levelLeaders {
			look += " paused"
		}
		if by == levelFinest && o.electing {
			look += " electing"
		}
		d.Looks = append(d.Looks, strings.TrimSpace(look))
	}
	if by == levelFinest {
		d.Label = epochs(all)
	}
}

// epochs says in which epochs processes are, if in any.
func epochs(all []opinion) string {
	var list []string
	for i := range all {
		if all[i].epoch > 0 {
			list = append(list, fmt.Sprint(all[i].epoch))
		}
	}
	if len(slices.Compact(slices.Clone(list))) == 1 {
		list = list[:1]
	}
	if len(list) == 0 {
		return ""
	}
	return "epoch " + strings.Join(list, "·")
}

// breaks says what breaks in a state or in a step to it.
func (c *charted) breaks(i int32) (text string) {
	for k, p := range c.all.safety {
		if c.all.broken[i]>>k&1 != 0 {
			text += "; " + p.Name + " breaks"
		}
	}
	if _, wrong := slices.BinarySearch(c.all.wrong, i); wrong {
		text += "; a step from here goes wrong"
	}
	return text
}

// unkept names the properties of whole runs that a shortest run to a state breaks if it ends
// there.
func (c *charted) unkept(i int32) (names []string) {
	m := c.root
	for _, a := range c.all.way(i) {
		next, err := m.after(a)
		if err != nil {
			return nil
		}
		m = next
	}
	for _, r := range m.ruleWhole() {
		if r.standing == breaks {
			names = append(names, r.property.Name)
		}
	}
	return names
}

// light marks a shortest way to the first state in which something breaks.
func (m *stateMap) light(c *charted) {
	g, first := c.all.by(c.level), int32(never)
	for i := range m.States {
		if b := m.States[i].Broken; b != nil && (first == never || *b < first) {
			first = *b
		}
	}
	if first == never {
		return
	}
	for to := first; c.all.first[to] != never; to = c.all.first[to] {
		m.mark(g.of[c.all.first[to]], g.of[to], func(s *mapStep) { s.Kind = "lit" })
	}
}

// mark changes a step of the map, and reports whether it is there.
func (m *stateMap) mark(from, to int32, change func(*mapStep)) bool {
	i := slices.IndexFunc(m.Steps, func(s mapStep) bool { return s.From == from && s.To == to })
	if i >= 0 {
		change(&m.Steps[i])
	}
	return i >= 0
}

// loops marks the steps of loops.
func (m *stateMap) loops() {
	steps := make([][]int32, len(m.States))
	for _, s := range m.Steps {
		steps[s.From] = append(steps[s.From], s.To)
	}
	back := make([][]bool, len(steps))
	for i := range steps {
		back[i] = reachable(steps, int32(i))
	}
	for i := range m.Steps {
		if s := &m.Steps[i]; back[s.To][s.From] {
			s.Kind = "loop"
		}
	}
}

// reachable returns which states can be reached from one.
func reachable(steps [][]int32, from int32) []bool {
	found := make([]bool, len(steps))
	found[from] = true
	for list := []int32{from}; len(list) > 0; {
		at := list[len(list)-1]
		list = list[:len(list)-1]
		for _, to := range steps[at] {
			if !found[to] {
				found[to] = true
				list = append(list, to)
			}
		}
	}
	return found
}

// walk draws the run of the link. Where it is in a class of which the survey has no state, the
// map gets that class.
func (m *stateMap) walk(c *charted) {
	if len(c.path) == 0 {
		return
	}
	before := int32(never)
	for _, now := range c.now.chain() {
		if now.over() {
			break
		}
		at := m.place(c, now, before)
		if m.States[at].Here = "on"; now == c.now {
			m.States[at].Here = "now"
		}
		if before != never {
			m.pass(before, at)
		}
		before = at
	}
}

// place returns the dot of a moment of a run that was at another one before.
func (m *stateMap) place(c *charted, now *moment, before int32) int32 {
	if i, known := c.all.index[string(now.state)]; known {
		return c.all.by(c.level).of[i]
	}
	all := outlookOf(&now.view)
	d := mapState{Depth: int32(now.depth), Text: c.all.wordsOf(c.level, all), First: never}
	if at := c.all.by(c.level).classOf(c.all, all); at != never {
		return at
	}
	if at := slices.IndexFunc(m.States, func(s mapState) bool { return s.Text == d.Text }); at >= 0 {
		return int32(at) // the run came there before
	}
	if d.look(c.level, all); before != never {
		d.Layer = m.States[before].Layer + 1
	}
	m.States = append(m.States, d)
	return int32(len(m.States) - 1)
}

// pass draws a step of the run.
func (m *stateMap) pass(from, to int32) {
	if from == to && m.Merged {
		return
	}
	if !m.mark(from, to, func(s *mapStep) { s.Run = true }) {
		m.Steps = append(m.Steps, mapStep{From: from, To: to, Run: true})
	}
}

// counted says what the map has.
func (c *charted) counted(m *stateMap) string {
	settled, broken := 0, 0
	for i := range c.all.by(c.level).classes {
		settled += c.all.by(c.level).classes[i].settled
		broken += c.all.by(c.level).classes[i].broken
	}
	deepest := 0
	for _, d := range c.all.depth {
		deepest = max(deepest, int(d))
	}
	text := fmt.Sprintf("%s, up to %s from the start. ", c.all.size(), quantity.Plural(deepest, "step"))
	if !c.all.whole() {
		ended := "ended"
		if c.all.stopped {
			ended = "was stopped"
		}
		text += "The search " + ended + " there: there are more"
		if c.all.far > 0 {
			text += ", none of them within " + quantity.Plural(int(c.all.far), "step")
		}
		text += ". "
	}
	if m.Merged {
		text += fmt.Sprintf("They are merged to %s, with %s between them. ", quantity.Plural(len(c.all.by(c.level).classes), "group"), quantity.Plural(len(c.all.by(c.level).ways), "way"))
	}
	return text + fmt.Sprintf("%s settled; a property of states or steps breaks in %s.", quantity.Count(settled), quantity.Count(broken))
}

// rows lists the dots of a map.
func (c *charted) rows(m *stateMap) (list []mapRow) {
	for i := range c.all.by(c.level).classes {
		of, d := &c.all.by(c.level).classes[i], &m.States[i]
		list = append(list, mapRow{
			Text: d.Text, Kind: d.Kind, Depth: d.Depth, States: of.states, Settled: of.settled, Broken: of.broken,
			First: m.To + itoa(int(of.first)), Among: m.Among + itoa(i),
		})
	}
	return list
}

// An amongPage lists the states of a class.
type amongPage struct {
	frame
	Subject, Words, Counted, Map string
	Items                        []amongItem
	Back, Ahead                  string
}

// An amongItem is a state of a class.
type amongItem struct {
	Link, Last, InFlight, Standing string
	Depth                          int32
}

// among answers with the states of a class, the nearest first.
func (s *Server) among(a *Answer, c *charted, query url.Values) {
	g := c.all.by(c.level)
	of, err := decodeNumber(query.Get(verbOf), len(g.classes)-1)
	n := 1
	if err == nil && query.Has(verbPage) {
		n, err = decodeNumber(query.Get(verbPage), len(c.all.states)/perPage+1)
	}
	if err != nil || n == 0 {
		s.fail(a, statusBadRequest, errors.Join(errPage, err))
		return
	}
	var list []int32
	for i, in := range g.of {
		if int(in) == of {
			list = append(list, int32(i))
		}
	}
	p := &amongPage{
		Subject: c.algorithm + "/" + c.variant, Words: prose.Capital(c.all.words(c.level, &g.classes[of])),
		Counted: fmt.Sprintf("%s of this setting.", quantity.Plural(len(list), "state")),
	}
	to := c.plainly(c.level, verbOf, itoa(of))
	p.Map = strings.TrimSuffix(to, "&"+verbOf+"="+itoa(of))
	p.frame = c.frame("States")
	from := (n - 1) * perPage
	if from >= len(list) {
		s.fail(a, statusBadRequest, errPage)
		return
	}
	for _, i := range list[from:min(from+perPage, len(list))] {
		p.Items = append(p.Items, c.item(i))
	}
	if n > 1 {
		p.Back = to + "&page=" + itoa(n-1)
	}
	if from+perPage < len(list) {
		p.Ahead = to + "&page=" + itoa(n+1)
	}
	s.write(a, statusOK, "among.html", p)
}

// item says how a state comes about, and what is in flight in it.
func (c *charted) item(i int32) amongItem {
	item := amongItem{Link: c.plainly(c.level, verbTo, itoa(int(i))), Depth: c.all.depth[i], Last: "the start"}
	if c.all.first[i] != never {
		t := c.all.step(c.all.first[i], i)
		item.Last = trace.ActionText(t.Action)
	}
	var flight []string
	for _, e := range c.visit.sys.Snapshot(c.all.states[i]).InFlight {
		flight = append(flight, prose.Quote(e.Text)+" to "+e.To.Name())
	}
	item.InFlight = strings.Join(flight, ", ")
	if c.all.looks.over[i] {
		item.Standing = "; settled"
	}
	item.Standing = strings.TrimPrefix(item.Standing+c.breaks(i), "; ")
	return item
}
