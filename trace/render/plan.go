package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"bullyproof/internal/prose"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

// Sizes of a drawn diagram, in pixels.
const (
	lineHeight   = 20 // from one thing beside a lane to the next below it
	proseHeight  = 17 // the same for lines of sentences
	labelHeight  = 13 // the same for the lines of one label
	channelWidth = 12 // from one message on its way down to the next beside it
	laneHalf     = 12 // from the middle of a lane to where arrows end
	tickHeight   = 24
	headHeight   = 34 // the names of the processes
	sheetMargin  = 16
	proseWidth   = 340
	leastPitch   = 72  // from one lane to the next
	steadyWidth  = 390 // of the lanes together that stay where they are while a run goes on
	labelLines   = 6   // of a label
	phoneWidth   = 500 // of a phone's window, in which the diagram has 70 % of its size
)

// Sizes of a drawing for phones that differ.
const (
	phonePitch  = 40
	phoneMargin = 6  // left of the numbers of the steps
	phoneFoot   = 4  // letters below a lane, where there are words so short
	wordsMargin = 14 // from the numbers of the steps to the words
)

// labelChars are how long a line of a label may be, the longest first: a diagram has the
// longest with which it is narrow enough.
var labelChars = [...]int{40, 30, 24, 20, 17, 14, 11, 9}

// wordsChars are those of a drawing for phones.
var wordsChars = [...]int{24, 22, 20, 18, 16, 14, 12, 10}

// phoneChannels are how far it is in a drawing for phones from one message on its way down to
// the next beside it; one that is still too wide has the second.
var phoneChannels = [...]int{9, 6}

// A form says how a diagram is drawn.
type form struct {
	prose bool // sentences stand beside the rows
	every bool // each tick has a row of its own
	phone bool // all words stand in one column, left of the lanes
	top   int  // of the names of the processes
	// channel is how far it is from one message on its way down to the next beside it.
	channel int
	// steady, if there is one, is a run of which the layout is the beginning: the lanes are
	// where it has them.
	steady *trace.Layout
}

// A plan is a layout with the place of everything in a drawing.
//
// Between two lanes, and right of the last, there is a gap: first the ways of
// the left lane's messages to the right (its channels), then room for labels,
// then the ways of the right lane's messages to the left. Each thing beside a
// lane has a line of its row in its gap to itself, and each gap is as wide as
// the widest thing in it: nothing can come to lie on something else. The words about
// the last lane stand at its inner side.
//
// In a drawing for phones all words stand in one more gap, left of all lanes, on the line of
// what they are about, and the gaps between lanes have room for messages alone.
type plan struct {
	layout
	form    form
	chars   int  // of a line of a label
	cuts    bool // a word of a label is cut where there is no sign in it
	rows    []planRow
	items   []*item
	trunks  []*planTrunk
	of      []*planTrunk         // by arrow
	begin   map[int][]*planTrunk // by row
	loose   map[int][]*planTrunk // those with a message that ends there without arriving
	busy    map[side][]channel
	looseOf map[*planTrunk][]*item
	lanes   []int // x of the lanes
	room    []int // by gap: the width of its labels; the last is for the words of a drawing for phones
	left    []int // by lane: the channels at its left
	right   []int // and at its right
	feet    []int // by lane: half of what stands below it
	gutter  int   // where the numbers of steps end
	proseX  int
	width   int
	bottom  int // where the lanes end
}

// A planRow is the place of a row, or of the end, which comes after the last.
type planRow struct {
	first  int  // the first of the ticks that are drawn with it
	hidden bool // a tick that is drawn with the next
	top    int
	base   int // the y of its first line
	bottom int
	lines  int
	lead   int      // what the first line needs above it
	title  []string // of the chapter that begins with it
	text   []string // the title and the sentence
}

// A planTrunk is the way of messages, in its channel.
type planTrunk struct {
	trunk
	line    int // of its row, where it begins
	channel int // 0 is next to the lane
}

// A side is the channels on one side of a lane.
type side struct {
	lane  int
	right bool
}

// A channel is what comes down it, by row.
type channel []*planTrunk

// free reports whether a way has these rows of the channel to itself.
func (c channel) free(first, last int) bool {
	return !slices.ContainsFunc(c[first:last+1], func(t *planTrunk) bool { return t != nil })
}

// itemKind says what stands in a gap.
type itemKind uint8

const (
	noteItem    itemKind = iota // words about a mark, or about the network
	beliefItem                  // what a process believes from then on
	arrivalItem                 // the label of a message that arrives
	sendItem                    // where a message leaves
	stubItem                    // a message that never leaves
	looseItem                   // a message that ends on its way, or does not end
)

// An item is something beside a lane.
type item struct {
	kind           itemKind
	row, line, gap int
	lane           int // -1 for the network
	label          []string
	class          string
	trunk          *planTrunk // of sendItem and looseItem
	arrow          int        // of arrivalItem
	right          bool       // of all others beside a lane
	fate           trace.Fate // of looseItem
}

// newPlan finds a place for everything.
func newPlan(l layout, f form) *plan {
	var plans []*plan
	f.channel = channelWidth
	for _, chars := range labelChars {
		p := placed(l, f, chars)
		if fitsPhone(p) {
			return p
		}
		plans = append(plans, p)
	}
	// No labels are short enough for a phone: a little more than the narrowest is good enough.
	narrowest := plans[len(plans)-1]
	most := narrowest.proseX * 11 / 10
	if at := slices.IndexFunc(plans, func(p *plan) bool { return p.proseX <= most }); at >= 0 {
		return plans[at]
	}
	return narrowest
}

// newPhonePlan finds a place for everything in a drawing for phones: with the longest lines of
// words that fit, or else the shortest that cut no word.
func newPhonePlan(l layout, steady *trace.Layout) *plan {
	var best *plan
	for _, channel := range phoneChannels {
		for _, chars := range wordsChars {
			p := placed(l, form{every: true, phone: true, channel: channel, steady: steady}, chars)
			if best == nil || !p.cuts {
				best = p
			}
			if fitsPhone(best) {
				return best
			}
		}
	}
	return best
}

// fitsPhone reports whether a diagram has seven tenths of its size on a phone.
func fitsPhone(p *plan) bool { return p.proseX <= phoneWidth }

// placed finds a place for everything, with labels whose lines are as long as chars.
func placed(l layout, f form, chars int) *plan {
	n := len(l.Columns)
	p := &plan{
		layout: l, form: f, chars: chars, rows: make([]planRow, len(l.Rows)+1),
		lanes: make([]int, n), room: make([]int, n+2), left: make([]int, n), right: make([]int, n),
		begin: map[int][]*planTrunk{}, loose: map[int][]*planTrunk{}, busy: map[side][]channel{}, looseOf: map[*planTrunk][]*item{},
	}
	p.placeTrunks()
	for i := range l.Rows {
		row := &p.rows[i]
		row.first, row.hidden = i, !f.every && l.mergedTick(i)
		if i > 1 && p.rows[i-1].hidden {
			row.first = p.rows[i-1].first
		}
		if f.prose && !l.isTick(i) {
			row.title = wrapWidth(chapterHead(l, i), proseWidth, 15)
			row.text = append(row.title, wrapWidth(l.Tell(i), proseWidth, 13)...)
		}
		p.placeItems(i)
	}
	p.placeLoose(len(l.Rows), lines(p, len(l.Rows))) // what is in flight at the end
	measure(p)
	pitch := leastPitch
	if f.phone {
		pitch = phonePitch
	}
	if f.steady != nil {
		if !f.phone {
			pitch = max(pitch, steadyWidth/n)
		}
		whole := f
		whole.steady = nil
		spread(p, placed(layout{f.steady}, whole, chars))
	}
	p.placeLanes(pitch)
	p.placeRows()
	return p
}

// placeTrunks gives each way down a channel beside its sender, in which no
// other is at the time. The shortest are nearest to their sender.
func (p *plan) placeTrunks() {
	trunks, of := p.ways()
	places := map[*trunk]*planTrunk{}
	for _, t := range trunks {
		places[t] = &planTrunk{trunk: *t}
		p.trunks = append(p.trunks, places[t])
		p.begin[t.sent] = append(p.begin[t.sent], places[t])
	}
	for i, t := range of {
		p.of = append(p.of, places[t])
		if a := &p.Arrows[i]; t != nil && (a.Fate == trace.InFlight || a.Fate == trace.Folded || a.Fate == trace.Lost || a.Fate == trace.Discarded) {
			if list := p.loose[a.End]; !slices.Contains(list, places[t]) {
				p.loose[a.End] = append(list, places[t])
			}
		}
	}
	order := slices.Clone(p.trunks)
	slices.SortStableFunc(order, func(a, b *planTrunk) int { return cmp.Compare(a.last-a.sent, b.last-b.sent) })
	for _, t := range order {
		at := side{t.from, t.right}
		channels := p.busy[at]
		for t.channel < len(channels) && !channels[t.channel].free(t.sent, t.last) {
			t.channel++
		}
		if t.channel == len(channels) {
			channels = append(channels, make(channel, len(p.Rows)+1))
		}
		for row := t.sent; row <= t.last; row++ {
			channels[t.channel][row] = t
		}
		p.busy[at] = channels
		count := p.left
		if t.right {
			count = p.right
		}
		count[t.from] = len(channels)
	}
}

// rightOf reports whether the words about the process of a lane stand right of it: of all
// lanes except the last, which has them at its inner side.
func rightOf(lane, lanes int) bool { return lane == 0 || lane < lanes-1 }

// gapOf returns the gap beside a lane.
func gapOf(lane int, right bool) int {
	if right {
		return lane + 1
	}
	return lane
}

// gapsOf returns the gaps in which an item takes a line.
func gapsOf(p *plan, it *item) []int {
	switch {
	case !p.form.phone, it.kind == sendItem && it.label == nil:
		return []int{it.gap}
	case it.kind <= arrivalItem: // words alone
		return []int{wordsGap(p)}
	}
	return []int{it.gap, wordsGap(p)}
}

// wordsGap is where the words of a drawing for phones stand.
func wordsGap(p *plan) int { return len(p.room) - 1 }

// lines returns how an item takes the first lines of a row that are free for it.
func lines(p *plan, row int) (put func(it *item, least int)) {
	next := make([]int, len(p.room))
	return func(it *item, least int) {
		gaps := gapsOf(p, it)
		for _, gap := range gaps {
			least = max(least, next[gap])
		}
		for _, gap := range gaps {
			next[gap] = least + 1
		}
		it.row, it.line = row, least
		p.rows[row].lines = max(p.rows[row].lines, least+1)
		p.items = append(p.items, it)
	}
}

// placeItems gives everything beside the lanes in a row a line of its gap.
func (p *plan) placeItems(i int) {
	row := &p.rows[i]
	row.lines = 1
	if row.hidden {
		return
	}
	put := lines(p, i)
	below := p.placeArrival(i, put)
	p.placeNotes(i, put)
	for _, c := range p.Rows[i].Cells {
		if c.Changed || i == 0 {
			row.lines = max(row.lines, 2) // one for the mark, one for the band's number
		}
	}
	placeBeliefs(p, i, put)
	for _, t := range p.begin[i] {
		it := &item{kind: sendItem, gap: gapOf(t.from, t.right), lane: t.from, trunk: t}
		if p.Arrows[t.arrows[0]].Copy {
			it.label = []string{"copy"}
		}
		put(it, below)
		t.line = it.line
	}
	p.placeStubs(i, below, put)
	p.placeLoose(i, put)
}

// placeBeliefs places the words about what processes believe, where that is new. A drawing for
// phones names the processes, except the one of whose step the row is, and says first what they
// are, since the names above the lanes do not.
func placeBeliefs(p *plan, i int, put func(*item, int)) {
	r := &p.Rows[i]
	news := func(k int) string {
		if c := &r.Cells[k]; !c.Client && (i == 0 || c.Changed && c.Status == model.Up) {
			return besideLane(p, c, p.id(k))
		}
		return ""
	}
	if p.form.phone && i == 0 {
		placeSaid(p, put, func(k int) string { return p.Columns[k].Role })
	}
	for k := range p.Columns {
		if words := news(k); words != "" && (!p.form.phone || ofRow(r, k)) {
			right := rightOf(k, len(p.lanes))
			p.put(&item{kind: beliefItem, gap: gapOf(k, right), lane: k, right: right, label: labelled(p, words)}, 0, put)
		}
	}
	if p.form.phone {
		placeSaid(p, put, func(k int) string {
			if ofRow(r, k) {
				return ""
			}
			return news(k)
		})
	}
}

// ofRow reports whether a row is a step of the process of a lane, and no other.
func ofRow(r *trace.Row, lane int) bool { return r.Step > 0 && r.At == lane && r.Fold == nil }

// placeSaid places words about processes that are named, those of the same words together.
func placeSaid(p *plan, put func(*item, int), words func(lane int) string) {
	var order []string
	of := map[string][]model.ID{}
	for k := range p.Columns {
		if w := words(k); w != "" && p.Columns[k].Client == 0 {
			if of[w] == nil {
				order = append(order, w)
			}
			of[w] = append(of[w], p.id(k))
		}
	}
	for _, w := range order {
		p.put(&item{kind: beliefItem, lane: -1, label: labelled(p, saidOf(p, of[w], w))}, 0, put)
	}
}

// saidOf says words of some processes.
func saidOf(p *plan, ids []model.ID, words string) string {
	if len(ids) > 1 {
		words = strings.Replace(words, "follows ", "follow ", 1)
	}
	if len(ids) == len(p.lanes) && len(ids) > 2 {
		return "all: " + words
	}
	return prose.ListOf(ids) + ": " + words
}

// placeArrival places the label of the message that arrives in a row, and
// returns the first line on which others may leave.
func (p *plan) placeArrival(i int, put func(*item, int)) int {
	k := p.Rows[i].Arrow
	if k < 0 {
		return 0
	}
	a := &p.Arrows[k]
	if a.End != i || a.Fate != trace.Delivered && a.Fate != trace.Undeliverable {
		return 0
	}
	it := &item{kind: arrivalItem, gap: gapOf(a.To, p.comesFromRight(k)), lane: a.To, label: labelled(p, a.Text), arrow: k}
	if p.form.phone {
		p.put(it, 0, put)
		return 1
	}
	put(it, 0)
	p.rows[i].lead = (len(it.label) - 1) * labelHeight
	return 1
}

// comesFromRight reports whether a message arrives from the right of its
// receiver: what a process sends to itself from where it went down.
func (p *plan) comesFromRight(arrow int) bool {
	a := &p.Arrows[arrow]
	return a.From > a.To || a.From == a.To && p.of[arrow].right
}

// placeNotes places the words about what happens in a row.
func (p *plan) placeNotes(i int, put func(*item, int)) {
	r := &p.Rows[i]
	it := item{kind: noteItem, gap: len(p.Columns), lane: r.At, right: true}
	if r.At >= 0 {
		it.right = rightOf(r.At, len(p.lanes))
		it.gap = gapOf(r.At, it.right)
	}
	if text, class := noteWithChoices(p, i); text != "" {
		words := it
		words.label, words.class = labelled(p, text), class
		p.put(&words, 0, put)
	}
	if r.Misuse != "" {
		it.label, it.class = []string{"goes wrong"}, "alarm"
		put(&it, 0)
	}
}

// noteWithChoices is note with what a handler chose, where the choices have names: "heartbeat: the
// client writes".
func noteWithChoices(p *plan, i int) (text, class string) {
	text, class = p.note(i)
	r := &p.Rows[i]
	if i == 0 || r.Fold != nil || r.Exchange != nil || len(r.Action.Outcomes) == 0 {
		return text, class
	}
	chosen := strings.ReplaceAll(strings.Join(r.Action.Outcomes, ", "), "=", " ")
	if text == "" {
		return chosen, class
	}
	return strings.TrimSuffix(text, " expires") + ": " + chosen, class
}

// note says in a word or two what happens in a row, where no message says it.
func (p *plan) note(i int) (text, class string) {
	a := &p.Rows[i].Action
	switch {
	case i == 0 || p.Rows[i].Fold != nil:
		return "", ""
	case p.Rows[i].Exchange != nil:
		if p.Rows[i].Arrow >= 0 { // which says it
			return "", ""
		}
		return p.Rows[i].Exchange.Word, ""
	case a.Crash:
		return "crashes while sending", "alarm"
	}
	switch a.Kind {
	case model.Expires:
		if a.Premature {
			return a.Timer + " expires too early", ""
		}
		return a.Timer + " expires", ""
	case model.Suspects:
		if p.isUp(i, a.Who) {
			return "no answer from " + a.Who.Name(), ""
		}
		return a.Who.Name() + " is down!", ""
	case model.Misreports:
		return a.Who.Name() + " down? (wrong)", "alarm"
	case model.Starts:
		return "is asked to elect", ""
	case model.Requests:
		return "is asked to " + a.Request, ""
	case model.Boots, model.Restarts, model.Joins:
		return a.Kind.String() + "s", ""
	case model.Resumes:
		return a.Kind.Verb(), ""
	case model.Ticks:
		return fmt.Sprintf("time %d", p.Rows[i].Time), "soft"
	case model.CutsOff:
		if a.Link != (setting.CutLink{}) {
			return "cut: " + a.Link.Between(), "alarm"
		}
		return "cut off: " + prose.List(a.Side.Names()), "alarm"
	case model.Heals:
		if a.Link != (setting.CutLink{}) {
			return "healed: " + a.Link.Between(), ""
		}
		return "whole again", "soft"
	}
	if a.Kind.Has(model.OfMessage) { // the arrow says it
		return "", ""
	}
	return a.Kind.Verb(), "alarm" // a fault of a process
}

// placeStubs places the messages of a row that never leave, those of one text
// and side together.
func (p *plan) placeStubs(i, least int, put func(*item, int)) {
	type group struct {
		from  int
		right bool
		text  string
	}
	var groups []group
	to := map[group][]model.ID{}
	for _, k := range p.Rows[i].Sent {
		a := &p.Arrows[k]
		if a.Fate != trace.Refused {
			continue
		}
		g := group{a.From, a.To > a.From, a.Text}
		if to[g] == nil {
			groups = append(groups, g)
		}
		to[g] = append(to[g], p.id(a.To))
	}
	for _, g := range groups {
		label := labelled(p, g.text+" to "+prose.ListOf(to[g]))
		p.put(&item{kind: stubItem, gap: gapOf(g.from, g.right), lane: g.from, right: g.right, label: label}, least, put)
	}
}

// put places an item whose label may have several lines, which need room below.
func (p *plan) put(it *item, least int, put func(*item, int)) {
	put(it, least)
	for range (len(it.label) - 1) * labelHeight / lineHeight {
		put(&item{kind: noteItem, gap: it.gap, lane: -1}, 0)
	}
	if len(it.label) > 1 {
		put(&item{kind: noteItem, gap: it.gap, lane: -1}, 0)
	}
}

// placeLoose places the ends of messages that end in row i without arriving,
// or, at the end, that are still in flight. Those that come down farthest from
// their lane are first, so that they do not cross the others.
func (p *plan) placeLoose(i int, put func(*item, int)) {
	order := p.loose[i]
	slices.SortStableFunc(order, func(a, b *planTrunk) int { return cmp.Compare(b.channel, a.channel) })
	words := map[trace.Fate]string{trace.Lost: " is lost", trace.Discarded: " is discarded", trace.InFlight: "", trace.Folded: ""}
	for _, t := range order {
		to := map[trace.Fate][]model.ID{}
		for _, k := range t.arrows {
			if a := &p.Arrows[k]; a.End == i {
				to[a.Fate] = append(to[a.Fate], p.id(a.To))
			}
		}
		for _, fate := range []trace.Fate{trace.InFlight, trace.Folded, trace.Lost, trace.Discarded} {
			if to[fate] != nil {
				label := labelled(p, p.Arrows[t.arrows[0]].Text+" to "+prose.ListOf(to[fate])+words[fate])
				it := &item{kind: looseItem, gap: gapOf(t.from, t.right), lane: t.from, label: label, trunk: t, fate: fate}
				p.put(it, 0, put)
				p.looseOf[t] = append(p.looseOf[t], it)
			}
		}
	}
}

// extraRoom is what things take beside their labels.
var extraRoom = [...]int{noteItem: 12, beliefItem: 12, arrivalItem: 18, sendItem: 30, stubItem: 40, looseItem: 34}

// phoneRoom is what things take between lanes whose words stand elsewhere.
var phoneRoom = [...]int{noteItem: 0, beliefItem: 0, arrivalItem: 10, sendItem: 4, stubItem: 20, looseItem: 18}

// measure finds out how much room things need.
func measure(p *plan) {
	for _, it := range p.items {
		if p.form.phone && it.kind >= arrivalItem {
			p.room[it.gap] = max(p.room[it.gap], phoneRoom[it.kind])
		}
		for _, line := range it.label {
			gap, extra := it.gap, extraRoom[it.kind]
			if p.form.phone {
				gap, extra = wordsGap(p), 0
			}
			p.room[gap] = max(p.room[gap], labelWidth(line)+extra)
		}
	}
	for k := range p.lanes {
		p.feet = append(p.feet, foot(p, len(p.Rows)-1, k))
		if c := &p.Columns[k]; c.Client > 0 {
			p.feet[k] = nameWidth(c.Short()) / 2
		}
	}
	margin := sheetMargin
	if p.form.phone {
		margin = phoneMargin
	}
	p.gutter = margin + 34
	for i := range p.Rows {
		if !p.rows[i].hidden {
			p.gutter = max(p.gutter, margin+labelWidth(p.number(i)))
		}
	}
	if p.Lasso > 0 {
		p.gutter += 40
	}
}

// foot is half of what stands below a lane if the run ends with a row.
func foot(p *plan, row, lane int) int { return labelWidth(footer(p, row, lane))/2 + 10 }

// spread makes as much room as a steady run needs, wherever it is cut off.
func spread(p, s *plan) {
	for k := range p.lanes {
		p.left[k], p.right[k] = max(p.left[k], s.left[k]), max(p.right[k], s.right[k])
		for row := range s.Rows {
			p.feet[k] = max(p.feet[k], foot(s, row, k))
		}
	}
	for i, t := range s.of {
		if t != nil { // it may be in flight at the end
			gap, width := gapOf(t.from, t.right), looseWidth(s.Arrows[i].Text, p.chars)
			if p.form.phone {
				p.room[gap] = max(p.room[gap], phoneRoom[looseItem])
				gap, width = wordsGap(p), width-extraRoom[looseItem]
			}
			p.room[gap] = max(p.room[gap], width)
		}
	}
	for gap := range p.room {
		p.room[gap] = max(p.room[gap], s.room[gap])
	}
	p.gutter = max(p.gutter, s.gutter)
}

// looseWidth is the room that a message with a text needs whose run ends before it arrives.
func looseWidth(text string, chars int) (width int) {
	for _, line := range wrapLabel(text, chars) {
		width = max(width, labelWidth(line)+extraRoom[looseItem])
	}
	return width
}

// placeLanes decides how wide the gaps are; lanes are a pitch apart at least.
func (p *plan) placeLanes(pitch int) {
	n, channel := len(p.lanes), p.form.channel
	x := p.gutter + 10 + max(p.left[0]*channel+laneHalf, p.feet[0])
	if p.form.phone {
		x = p.gutter + wordsMargin + p.room[wordsGap(p)] + 10 + max(p.left[0]*channel+laneHalf+p.room[0], p.feet[0])
	}
	for k := range p.lanes {
		if k > 0 {
			gap := 2*laneHalf + p.right[k-1]*channel + p.room[k] + p.left[k]*channel
			x += max(pitch, gap, p.feet[k-1]+p.feet[k]+4)
		}
		p.lanes[k] = x
	}
	right := x + max(laneHalf+p.right[n-1]*channel+p.room[n], p.feet[n-1])
	p.proseX, p.width = right+14, right+sheetMargin
	if p.form.prose {
		p.width = p.proseX + proseWidth + sheetMargin
	}
	p.width = max(p.width, 320)
}

// number is what stands before a row.
func (p *plan) number(row int) string {
	if row > 0 && p.rows[row].first == row {
		return p.Rows[row].Steps()
	}
	return p.stepLabel(row)
}

// beliefWords says in short what a process believes, in full words.
func beliefWords(c *trace.Cell, id model.ID) string {
	switch {
	case c.Client:
		return ""
	case c.Status != model.Up || c.Leads(id):
	case c.Participant && c.Elected != model.None:
		return "election, follows " + c.Elected.Name()
	case c.Participant:
		return "in an election"
	case c.Elected == model.None:
		return "no coordinator"
	}
	return beliefLabels(c, id)[0]
}

// besideLane is beliefWords, or shorter words where one of those does not fit a line.
func besideLane(p *plan, c *trace.Cell, id model.ID) string {
	tooLong := func(word string) bool { return utf8.RuneCountInString(word) > p.chars }
	for _, text := range append([]string{beliefWords(c, id)}, beliefLabels(c, id)...) {
		if !slices.ContainsFunc(strings.Fields(text), tooLong) {
			return text
		}
	}
	return beliefWords(c, id)
}

// footer says in short what a process believes after a row, in the longest words that
// fit.
func footer(p *plan, row, lane int) string {
	c, id, most := &p.Rows[row].Cells[lane], p.id(lane), p.chars
	if p.form.phone {
		most = phoneFoot
	}
	text := beliefWords(c, id)
	for _, shorter := range beliefLabels(c, id) {
		if utf8.RuneCountInString(text) <= most {
			break
		}
		text = shorter
	}
	return text
}

// placeRows decides how high the rows are.
func (p *plan) placeRows() {
	y := p.form.top + headHeight
	for i := range p.rows {
		row := &p.rows[i]
		height := 0
		switch {
		case row.hidden:
		case p.isTick(i):
			height = tickHeight
		case i == len(p.Rows):
			height = row.lines*lineHeight + 6
		default:
			height = row.lead + max(row.lines*lineHeight+6, len(row.text)*proseHeight+8, 30)
		}
		row.top, row.base, row.bottom = y, y+row.lead+13, y+height
		y += height
	}
	p.bottom = y
}

// y returns the height of a line of a row.
func (p *plan) y(row, line int) int { return p.rows[row].base + line*lineHeight }

// channelX returns where a way goes down.
func (p *plan) channelX(t *planTrunk) int {
	return p.lanes[t.from] + step(t.right, laneHalf+6+t.channel*p.form.channel)
}

// clear returns where a label beside a lane can begin, on a line of a row:
// beyond the messages that are on their way down there.
func (p *plan) clear(lane int, right bool, row, line int) int {
	beyond := 0
	for k, c := range p.busy[side{lane, right}] {
		if t := c[row]; t != nil && (t.sent != row || t.line < line) {
			beyond = k + 1
		}
	}
	return p.lanes[lane] + step(right, laneHalf+4+beyond*p.form.channel)
}

// roomEdges returns where the room for labels in a gap between lanes begins
// and ends.
func (p *plan) roomEdges(gap int) (from, to int) {
	from, to = p.gutter+10, p.proseX-14
	if gap > 0 {
		from = p.lanes[gap-1] + laneHalf + p.right[gap-1]*p.form.channel
	}
	if gap < len(p.lanes) {
		to = p.lanes[gap] - laneHalf - p.left[gap]*p.form.channel
	}
	return from, to
}

// wrapLabel breaks a label into lines. One that is far too long ends with an
// ellipsis.
func wrapLabel(text string, chars int) []string {
	lines := breakLabel(drawable(text), chars)
	if len(lines) == 0 {
		return []string{""}
	}
	if len(lines) > labelLines {
		lines = lines[:labelLines]
		lines[labelLines-1] = cut(lines[labelLines-1]+strings.Repeat(" ", chars), chars)
	}
	return lines
}

// labelled is wrapLabel for a plan, which notes where words are cut.
func labelled(p *plan, text string) []string {
	for word := range strings.FieldsSeq(drawable(text)) {
		for {
			at, sign := labelHead(word, p.chars)
			if at == len(word) {
				break
			}
			p.cuts = p.cuts || !sign
			word = word[at:]
		}
	}
	return wrapLabel(text, p.chars)
}

// breakLabel breaks a text into lines of at most width characters: between words, and
// where a word is too long behind a sign in it, or before a capital letter.
func breakLabel(text string, width int) []string {
	head := func(word string) int {
		end, _ := labelHead(word, width)
		return end
	}
	return breakLines(text, head, func(line string) bool { return utf8.RuneCountInString(line) <= width })
}

// labelHead returns how much of a word a line of a label has, and whether it ends where a reader
// would end it.
func labelHead(word string, width int) (end int, sign bool) {
	end, n := len(word), 0
	for i := range word {
		if n == width {
			end = i
			break
		}
		n++
	}
	if end == len(word) {
		return end, false
	}
	at := strings.LastIndexAny(word[:end], "(,-:]")
	if at >= 0 && word[at] != '(' {
		at++
	}
	if at = max(at, lastHump(word[:end+1])); at >= width/3 {
		return at, true
	}
	return end, false
}

// lastHump is where the last word of some that are written as one begins: that of "AppendEntries"
// at 6, and 0 where there is one word.
func lastHump(word string) int {
	for i := len(word) - 1; i > 0; i-- {
		if word[i] >= 'A' && word[i] <= 'Z' && word[i-1] >= 'a' && word[i-1] <= 'z' {
			return i
		}
	}
	return 0
}
