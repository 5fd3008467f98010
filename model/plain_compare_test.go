package model

import (
	"cmp"
	"flag"
	"fmt"
	"maps"
	"os"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/explore"
	"bullyproof/internal/anysetting"
	"bullyproof/internal/casecount"
	"bullyproof/setting"
)

// Deep has random comparisons see more, in the tests outside the package, too.
var Deep = flag.Bool("deep", false, "put thousands of random protocols to the test, and compare more states of each with the plain reading, which takes minutes")

func TestMain(m *testing.M) {
	casecount.Lower(Deep)
	os.Exit(m.Run())
}

// comparison is a real system and a plain world side by side. Their states are
// the same if a one-to-one relation holds between them under which initial
// states, transitions and everything that people see of a state agree.
type comparison struct {
	t     require.TestingT
	real  *System
	plain *plainWorld

	keyOf   map[string]string // the plain key of each encoded state
	stateOf map[string]string // and back
	queue   []pairedState
	saw     map[string]int // how often what was compared
}

type pairedState struct {
	real  string
	plain *plainState
	path  []string
}

// comparePlain explores a protocol in a setting up to a number of states, both
// as it is and plainly, and fails where the two differ. It returns how often
// it compared what.
func comparePlain[P any, M Message](t require.TestingT, protocol Protocol[P, M], s setting.Setting, limit int) map[string]int {
	return compareWorlds(t, plainOf[P, M]{protocol}, s, limit)
}

func compareWorlds(t require.TestingT, protocol plainProtocol, s setting.Setting, limit int) map[string]int {
	system, err := protocol.system(s)
	if err != nil && s.Capacity > 0 && strings.Contains(err.Error(), "more than links hold") {
		w := &plainWorld{protocol: protocol, s: s.Normal(), overfullStarts: new(int)}
		w.initial()
		require.Positive(t, *w.overfullStarts, "no start overfills a link: %v", err)
		return map[string]int{}
	}
	if protocol.bounded() && err != nil && strings.Contains(err.Error(), "beyond the bound already") {
		return map[string]int{}
	}
	require.NoError(t, err)
	c := &comparison{
		t: t, real: system, plain: &plainWorld{protocol: protocol, s: s.Normal()},
		keyOf: make(map[string]string), stateOf: make(map[string]string), saw: make(map[string]int),
	}
	c.compareInitial(protocol)
	for len(c.queue) > 0 && len(c.keyOf) < limit {
		next := c.queue[0]
		c.queue = c.queue[1:]
		c.compareState(next)
	}
	return c.saw
}

// compareInitial pairs the initial states, and checks that the setting narrowed
// to one of them has it.
func (c *comparison) compareInitial(protocol plainProtocol) {
	plain := make(map[string]bool)
	for _, st := range c.plain.initial() {
		plain[c.plain.key(st)] = false
	}
	c.real.Origins(func(o Origin) bool {
		c.compareBegin(protocol, o.Setting, o.Choices, o.State)
		require.Len(c.t, o.Chosen, len(o.Choices))
		return true
	})
	for state := range c.real.Initial {
		narrow, choices := c.real.Narrow(state)
		require.NoError(c.t, narrow.Validate())
		c.compareBegin(protocol, narrow, choices, state)
		w := &plainWorld{protocol: protocol, s: narrow.Normal()}
		want := c.snapshot(c.real.Snapshot(state))
		var found *plainState
		for _, st := range w.initial() {
			if reflect.DeepEqual(want, c.snapshot(w.snapshot(st))) {
				found = st
			}
		}
		if found == nil {
			require.Equal(c.t, want, c.snapshot(w.snapshot(w.initial()[0])), "initial state narrowed to %v", narrow)
		}
		c.meet(string(state), found, nil)
		require.Contains(c.t, plain, w.key(found), "an initial state that should not be")
		plain[w.key(found)] = true
	}
	for key, found := range plain {
		require.True(c.t, found, "an initial state is missing: %s", key)
	}
}

// compareBegin checks that a narrowed setting and what handlers chose lead back
// to the initial state that they are of.
func (c *comparison) compareBegin(protocol plainProtocol, narrow setting.Setting, choices []int, state []byte) {
	sys, err := protocol.system(narrow)
	require.NoError(c.t, err)
	back, err := sys.Begin(choices)
	require.NoError(c.t, err)
	require.Equal(c.t, c.snapshot(c.real.Snapshot(state)), c.snapshot(sys.Snapshot(back)), "%v, choices %v", narrow, choices)
	if len(choices) > 0 {
		c.saw["a choice before the start"]++
		states := map[string]bool{}
		for other := range sys.Initial {
			states[string(other)] = true
		}
		if _, err = sys.Begin(nil); len(states) > 1 {
			require.ErrorContains(c.t, err, "processes choose as they come up, and nothing says what")
		} else {
			require.NoError(c.t, err)
		}
	}
	_, err = sys.Begin(append(choices, 0))
	require.ErrorContains(c.t, err, "no initial state in which the processes have chosen")
}

// meet relates two states, and queues them if they are new.
func (c *comparison) meet(real string, plain *plainState, path []string) {
	key := c.plain.key(plain)
	knownKey, metReal := c.keyOf[real]
	_, metPlain := c.stateOf[key]
	switch {
	case !metReal && !metPlain:
		c.keyOf[real], c.stateOf[key] = key, real
		c.queue = append(c.queue, pairedState{real, plain, path})
	case metReal:
		require.Equal(c.t, knownKey, key, "one encoded state for two states after %v", path)
	default:
		require.Equal(c.t, []byte(c.stateOf[key]), []byte(real), "two encoded states for one after %v: %v", path, key)
	}
}

// A place says where two systems differ: nobody asks while they agree.
type place func() string

func (p place) String() string { return p() }

func (c *comparison) compareState(s pairedState) {
	where := place(func() string { return fmt.Sprintf("in %v after %v:\n%s", c.plain.s, s.path, c.keyOf[s.real]) })
	shown := c.snapshot(c.plain.snapshot(s.plain))
	require.Equal(c.t, shown, c.snapshot(c.real.Snapshot([]byte(s.real))), "%v", where)
	settled := shown.Settled
	require.Equal(c.t, c.plain.protocol.viewText(c.plain.view(s.plain, settled)), c.plain.protocol.viewText(c.real.View([]byte(s.real))), "%v", where)

	plain := make(map[string]plainTransition)
	for _, t := range c.plain.next(s.plain) {
		name := fmt.Sprintf("%+v", t.action)
		require.NotContains(c.t, plain, name, "%v", where)
		plain[name] = t
	}
	real := make(map[string]Transition)
	for _, t := range c.real.Transitions([]byte(s.real)) {
		name := fmt.Sprintf("%+v", t.Action)
		require.NotContains(c.t, real, name, "an action twice %v", where)
		require.Empty(c.t, t.Misuse, "%v", where)
		real[name] = t
	}
	require.Equal(c.t, names(plain), names(real), "%v", where)
	var steps []string
	before := c.plain.protocol.viewText(c.plain.view(s.plain, false))
	for _, name := range names(plain) {
		p, r := plain[name], real[name]
		require.Equal(c.t, fmt.Sprintf("%+v", p.sent), fmt.Sprintf("%+v", r.Sent), "sent by %v %s", name, where)
		require.ElementsMatch(c.t, c.dropped(shown.InFlight, p), c.snapshot(Snapshot{InFlight: r.Dropped}).InFlight, "dropped by %v %s", name, where)
		c.meet(string(r.Next), p.next, append(slices.Clone(s.path), name))
		c.saw[p.action.Kind.String()]++
		if p.action.Link != (setting.CutLink{}) {
			c.saw["link"]++
		}
		if string(r.Next) == s.real {
			c.saw["idle outcome"]++
		}
		c.saw[fmt.Sprintf("named choice %v", p.action.Outcomes != nil)]++
		c.saw[fmt.Sprintf("mid-send %v", p.action.Crash)]++
		c.saw[fmt.Sprintf("premature %v", p.action.Premature)]++
		steps = append(steps, before+c.plain.protocol.viewText(c.plain.view(p.next, false))+plainEventText(p.action, p.sent))
	}
	for _, p := range shown.Processes {
		for _, timer := range p.Timers {
			if timer.Least > 0 && timer.Least < timer.Ticks {
				c.saw["drift"]++
			}
		}
	}
	for _, t := range c.plain.enabled(s.plain) {
		if t.beyond {
			c.saw["beyond"]++
		}
	}
	c.saw[fmt.Sprintf("settled %v", settled)]++
	require.ElementsMatch(c.t, steps, c.watchedSteps(s, settled, where), "%v", where)
}

// watchedSteps returns what watches see of the steps out of a state.
func (c *comparison) watchedSteps(s pairedState, settled bool, where place) []string {
	var steps []string
	watch := Watch{
		State: func(v *View) bool {
			require.Equal(c.t, c.plain.protocol.viewText(c.plain.view(s.plain, settled)), c.plain.protocol.viewText(v), "%v", where)
			return false
		},
		Step: func(e *Event) bool {
			steps = append(steps, c.plain.protocol.viewText(e.From)+c.plain.protocol.viewText(e.To)+c.plain.protocol.eventText(e))
			return false
		},
	}
	c.real.Watched(watch).NewExpander().Expand([]byte(s.real), new(explore.Successors))
	return steps
}

// dropped returns the messages that a transition took out of the network other
// than by its action: those in flight before or sent since that are missing.
func (c *comparison) dropped(before []Envelope, t plainTransition) []Envelope {
	if t.action.Kind == Ticks {
		return nil
	}
	missing := slices.Clone(before)
	for _, s := range t.sent {
		if !s.Lost {
			s.Broadcast = 0 // a message in flight does not tell
			missing = append(missing, s)
		}
	}
	isSame := func(a Envelope) func(Envelope) bool {
		return func(b Envelope) bool {
			return a.To == b.To && a.Port == b.Port && a.Text == b.Text && a.Due == b.Due
		}
	}
	remove := func(e Envelope) {
		if i := slices.IndexFunc(missing, isSame(e)); i >= 0 {
			missing = slices.Delete(missing, i, i+1)
		}
	}
	switch a := t.action; a.Kind {
	case Delivers, Drops, Loses:
		remove(Envelope{To: a.Process, Port: a.Port, Text: a.Message, Due: a.Due})
	}
	for _, e := range c.plain.inFlight(t.next) {
		remove(e)
	}
	return missing
}

func names[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

// plainProcs gives views access to what is in a plain state.
type plainProcs struct {
	w       *plainWorld
	st      *plainState
	states  map[ID]any // pointers to them
	beliefs map[ID]Belief
}

func (v plainProcs) process(id ID) any  { return v.states[id] }
func (v plainProcs) epoch(id ID) uint64 { return v.beliefs[id].Epoch }
func (v plainProcs) inFlight() int      { return len(v.st.mail) }

func (v plainProcs) noLetter() any { return v.w.protocol.noLetter() }

func (v plainProcs) letter(i int) (Link, any) {
	e := v.w.inFlight(v.st)[i]
	if v.w.s.Repaired {
		e.From = None
	}
	return Link{e.From, e.To}, v.w.protocol.letter(v.st.mail[i].m)
}

func (v plainProcs) stored(id ID) any {
	i := v.st.position(id)
	if i < 0 {
		return v.w.protocol.pointer(v.w.protocol.zero())
	}
	p := v.st.procs[i].p
	if v.st.procs[i].status == Up {
		p = v.w.protocol.keep(p)
	}
	return v.w.protocol.pointer(p)
}

// view returns what properties see of a plain state.
func (w *plainWorld) view(st *plainState, settled bool) *View {
	procs := plainProcs{w, st, make(map[ID]any), make(map[ID]Belief)}
	v := &View{N: ID(w.s.N), Settled: settled, procs: procs}
	for i := range st.procs {
		p := &st.procs[i]
		if p.status == Up || p.status == Down {
			v.Present = v.Present.With(p.id)
		}
		if p.status != Up {
			continue
		}
		if p.paused {
			v.Paused = v.Paused.With(p.id)
		}
		v.Up = v.Up.With(p.id)
		procs.states[p.id] = w.protocol.pointer(p.p)
		belief := w.protocol.belief(p.p)
		procs.beliefs[p.id] = belief
		if belief.Participant {
			v.Participants = v.Participants.With(p.id)
		}
		if belief.Elected == Me {
			belief.Elected = p.id
		}
		if belief.Elected == p.id {
			v.Leaders = v.Leaders.With(p.id)
		}
		v.elected[p.id-1] = belief.Elected
	}
	v.Wanted = w.wanted(v.Up)
	return v
}

// plainEventText is what a property can see of a plain step beside the views.
func plainEventText(a Action, sent []Envelope) string {
	received := ""
	if a.Kind == Delivers {
		received = a.Message
	}
	var sends []string
	for _, s := range sent {
		sends = append(sends, fmt.Sprintf("%v-%v %v", s.From, s.To, s.Text))
	}
	return fmt.Sprintf("%v at %v, crash %v, about %v, received %q by %v, sends %v, %+v", a.Kind, a.Process, a.Crash, a.Who, received, a.Port, sends, a)
}

// snapshot returns the plain state in terms that people read.
func (w *plainWorld) snapshot(st *plainState) Snapshot {
	s := Snapshot{InFlight: w.inFlight(st), Side: st.side, Settled: w.settled(st)}
	for link := range st.cut {
		if link.Both = w.s.CutBy == setting.CutLinks; !link.Both || link.From < link.To {
			s.Links = append(s.Links, link)
		}
	}
	slices.SortFunc(s.Links, func(a, b setting.CutLink) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) })
	for _, p := range st.procs {
		ps := ProcessSnapshot{ID: p.id, Status: p.status, Paused: p.paused}
		if p.status == Up {
			ps.Belief = w.protocol.belief(p.p)
			if ps.Belief.Elected == Me {
				ps.Belief.Elected = p.id
			}
			value := reflect.ValueOf(p.p)
			for i := range value.NumField() {
				ps.Fields = append(ps.Fields, Field{value.Type().Field(i).Name, fmt.Sprint(value.Field(i)), value.Field(i).IsZero()})
			}
		}
		for t, name := range w.protocol.Names().Timers {
			if ticks, set := p.timers[t]; set {
				ps.Timers = append(ps.Timers, TimerSnapshot{name.Name, ticks, p.least[t]})
			}
		}
		s.Processes = append(s.Processes, ps)
	}
	for name, left := range st.left {
		s.Budgets = append(s.Budgets, Count{name, int64(left)})
	}
	return s
}

func (w *plainWorld) inFlight(st *plainState) []Envelope {
	var all []Envelope
	for _, m := range st.mail {
		all = append(all, w.envelope(st, st.source(m), m))
	}
	return all
}

// snapshot leaves out of a snapshot what the two sides may say differently: the
// order of what has none, budgets that are spent, and the sender where a ring
// is repaired, since the message does not tell.
func (c *comparison) snapshot(s Snapshot) Snapshot {
	s.InFlight = slices.Clone(s.InFlight)
	for i := range s.InFlight {
		if c.plain.s.Repaired {
			s.InFlight[i].From = None
		}
	}
	sort.SliceStable(s.InFlight, func(i, j int) bool {
		a, b := s.InFlight[i], s.InFlight[j]
		if a.To != b.To || a.Port != b.Port {
			return a.To < b.To || a.To == b.To && a.Port < b.Port
		}
		return !c.plain.s.FIFO && (a.Text < b.Text || a.Text == b.Text && a.Due < b.Due)
	})
	s.Budgets = slices.DeleteFunc(slices.Clone(s.Budgets), func(b Count) bool { return b.Times == 0 })
	sort.Slice(s.Budgets, func(i, j int) bool { return s.Budgets[i].Name < s.Budgets[j].Name })
	s.Processes = slices.Clone(s.Processes)
	for i := range s.Processes {
		if s.Processes[i].Status != Up {
			s.Processes[i].Fields = nil
			s.Processes[i].Belief = Belief{}
		}
		if len(s.Processes[i].Timers) == 0 {
			s.Processes[i].Timers = nil
		}
	}
	if len(s.InFlight) == 0 {
		s.InFlight = nil
	}
	if len(s.Budgets) == 0 {
		s.Budgets = nil
	}
	return s
}

// --- random protocols

// toyState is the state of a process of a random protocol. Its fields leave
// padding between them.
type toyState struct {
	Phase uint8 // 0 to 2: which rules apply
	Heard uint16
	Memo  ID
	Self  ID // None on an anonymous ring
}

// toyMessage is a message of a random protocol; W makes it wide or narrow.
type toyMessage[W any] struct {
	Type uint8
	Wide W
	Val  uint8
}

// toy is a protocol whose handlers look up what to do in random tables.
type toy[W any] struct {
	rules    [toyTriggers][3][]toyOp
	beliefs  [3]toyBelief
	periodic [2]bool
	named    bool
	ring     setting.Topology
}

// The triggers of a toy's rules. Boots come first, then what Receive has for
// each kind of message and Timeout for each timer.
const (
	toyInit    = 0
	toyStart   = 3
	toySuspect = 4
	toyReceive = 5
	toyTimeout = 7

	toyTriggers = 9
)

// toyOp is one thing that a handler does.
type toyOp struct{ What, Arg, Kind, Val uint8 }

// toyBelief is what a process believes in a phase.
type toyBelief struct{ Elected, Participant uint8 }

func (y *toy[W]) run(trigger int, p *toyState, net *Net[toyMessage[W]], m *toyMessage[W]) {
	for _, op := range y.rules[trigger][p.Phase] {
		y.do(op, p, net, m)
	}
}

func (y *toy[W]) do(op toyOp, p *toyState, net *Net[toyMessage[W]], m *toyMessage[W]) {
	out := toyMessage[W]{Type: op.Kind, Val: op.Val}
	switch op.What {
	case 0:
		p.Phase = op.Arg % 3
	case 1:
		p.Memo = ID(int(op.Arg) % (net.N() + 1))
	case 2, 3:
		net.Send(y.port(op, p, net), out)
	case 4:
		if y.ring == setting.Complete {
			net.Broadcast(out)
		}
	case 5:
		if m == nil {
			break
		}
		p.Heard = uint16(m.Val)<<8 | uint16(m.Type)
		if y.ring != setting.Ring {
			net.Reply(out)
		}
	case 6, 7:
		net.SetTimer(Timer(op.Kind), int(op.Arg)/3+net.Bound()) // half of them when mail is due
	case 8:
		net.StopTimer(Timer(op.Kind))
	case 9:
		if op.Val == 0 {
			p.Phase = uint8(net.Choose(2 + int(op.Arg)%2))
		} else {
			p.Phase = uint8(net.Pick(Choice(op.Arg % 2)))
		}
	case 10:
		net.Rule(Rule(op.Kind))
	case 11:
		if net.IsSet(Timer(op.Kind)) {
			p.Phase = op.Arg % 3
		}
	}
}

func (y *toy[W]) port(op toyOp, p *toyState, net *Net[toyMessage[W]]) Port {
	switch y.ring {
	case setting.Ring:
		return Next
	case setting.BiRing:
		return Next + Port(op.Arg%2)
	}
	n := net.N()
	return Peer(ID((int(net.Self())+int(op.Arg)%(n-1))%n + 1))
}

func (y *toy[W]) Init(p *toyState, net *Net[toyMessage[W]], why Boot) {
	if y.named {
		p.Self = net.Self()
	}
	y.run(toyInit+int(why), p, net, nil)
}

func (y *toy[W]) Start(p *toyState, net *Net[toyMessage[W]]) { y.run(toyStart, p, net, nil) }

func (y *toy[W]) Suspect(p *toyState, net *Net[toyMessage[W]], who ID) {
	if who%2 == 0 {
		p.Heard = uint16(who)
	}
	y.run(toySuspect, p, net, nil)
}

func (y *toy[W]) Receive(p *toyState, net *Net[toyMessage[W]], _ Port, m toyMessage[W]) {
	y.run(toyReceive+int(m.Type), p, net, &m)
}

func (y *toy[W]) Timeout(p *toyState, net *Net[toyMessage[W]], t Timer) {
	y.run(toyTimeout+int(t), p, net, nil)
}

func (y *toy[W]) Belief(p *toyState) Belief {
	b := y.beliefs[p.Phase]
	elected := [...]ID{None, Me, p.Memo, p.Self}[b.Elected]
	return Belief{Elected: elected, Participant: b.Participant != 0, Epoch: uint64(p.Heard)}
}

func (y *toy[W]) Names() Names {
	return Names{
		Kinds:   []string{"A", "B"},
		Timers:  []TimerName{{"t0", y.periodic[0]}, {"t1", y.periodic[1]}},
		Rules:   []string{"r0", "r1"},
		Choices: []ChoiceName{{"phase", []string{"even", "odd"}}, {"way", []string{"0", "1", "2"}}},
	}
}

func (m toyMessage[W]) Kind() Kind { return Kind(m.Type) }

func (m toyMessage[W]) String() string { return fmt.Sprintf("%c(%d)", 'A'+m.Type, m.Val) }

func (y *toy[W]) Settle(p *toyState, self, coordinator ID, live Set) {
	*p = toyState{Memo: coordinator, Heard: uint16(live)}
	if y.named {
		p.Self = self
	}
}

// toyStable is a toy whose processes keep Memo over a crash.
type toyStable[W any] struct{ toy[W] }

func (y *toyStable[W]) Stable(p *toyState) { *p = toyState{Memo: p.Memo} }

// toyOdd is a toy that keeps Heard, has the detector watch everybody and means
// to elect the lowest id.
type toyOdd[W any] struct{ toy[W] }

func (y *toyOdd[W]) Stable(p *toyState)               { *p = toyState{Heard: p.Heard} }
func (y *toyOdd[W]) Watches(p *toyState, self ID) Set { return Set(3) << (p.Phase % 2) }
func (y *toyOdd[W]) Wanted(live Set) ID               { return live.Min() }

// toyBounded is a toy some of whose states are beyond a bound.
type toyBounded[W any] struct{ toy[W] }

func (y *toyBounded[W]) Beyond(p *toyState) string {
	if p.Memo == 2 {
		return "memo 2"
	}
	return ""
}

func drawToy[W any](t *rapid.T, s setting.Setting) toy[W] {
	y := toy[W]{named: !s.Anonymous, ring: s.Topology}
	op := rapid.Custom(func(t *rapid.T) toyOp {
		return toyOp{
			What: rapid.Uint8Range(0, 11).Draw(t, "what"), Arg: rapid.Uint8Range(0, 5).Draw(t, "arg"),
			Kind: rapid.Uint8Range(0, 1).Draw(t, "kind"), Val: rapid.Uint8Range(0, 1).Draw(t, "val"),
		}
	})
	for trigger := range y.rules {
		for phase := range y.rules[trigger] {
			y.rules[trigger][phase] = rapid.SliceOfN(op, 0, 4).Draw(t, fmt.Sprintf("rule %d in phase %d", trigger, phase))
		}
	}
	for phase := range y.beliefs {
		y.beliefs[phase] = toyBelief{rapid.Uint8Range(0, 3).Draw(t, "elected"), rapid.Uint8Range(0, 1).Draw(t, "participant")}
	}
	y.periodic = [2]bool{rapid.Bool().Draw(t, "t0 periodic"), rapid.Bool().Draw(t, "t1 periodic")}
	return y
}

// drawAnyToy draws a random protocol whose messages have a W in them, with or
// without the interfaces that a protocol may have.
func drawAnyToy[W any](t *rapid.T, s setting.Setting) plainProtocol {
	y := drawToy[W](t, s)
	switch rapid.SampledFrom([]int{0, 1, 2, 3}).Draw(t, "interfaces") {
	case 1:
		return plainOf[toyState, toyMessage[W]]{&toyStable[W]{y}}
	case 2:
		return plainOf[toyState, toyMessage[W]]{&toyOdd[W]{y}}
	case 3:
		return plainOf[toyState, toyMessage[W]]{&toyBounded[W]{y}}
	}
	return plainOf[toyState, toyMessage[W]]{&y}
}

// compareRandom compares a random protocol in a random setting.
func compareRandom(t *rapid.T) map[string]int {
	s := anysetting.Draw(t, rapid.IntRange(2, 3).Draw(t, "n"))
	limit, large := 60, 300
	if *Deep {
		limit, large = 150, 2000
	}
	if rapid.IntRange(0, 20).Draw(t, "more") == 20 {
		limit = large
	}
	switch rapid.IntRange(0, 2).Draw(t, "width") {
	case 0:
		return compareWorlds(t, drawAnyToy[uint8](t, s), s, limit)
	case 1:
		return compareWorlds(t, drawAnyToy[uint32](t, s), s, limit)
	}
	return compareWorlds(t, drawAnyToy[[12]uint8](t, s), s, limit)
}

func TestWorldIsAsPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { compareRandom(t) })
}

func FuzzWorldIsAsPlain(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { compareRandom(t) }))
}

// TestPlainSeesEverything shows that random systems do all that a world can do:
// without that their agreement would mean little.
func TestPlainSeesEverything(t *testing.T) {
	wanted := []string{
		"mid-send true", "premature true", "settled true", "settled false", "a choice before the start",
		"named choice true", "beyond", "link", "drift",
	}
	for kind := range ActionKind(actionKinds) {
		wanted = append(wanted, kind.String())
	}
	saw := make(map[string]int)
	rare := func(what string) bool { return saw[what] < 2 }
	for seed := 0; seed < 500 && slices.ContainsFunc(wanted, rare); seed++ {
		for what, count := range rapid.Custom(compareRandom).Example(seed) {
			saw[what] += count
		}
	}
	for _, what := range wanted {
		assert.GreaterOrEqual(t, saw[what], 2, what)
	}
}

// A thrower throws a coin with a timer until it shows heads; tails change nothing.
type (
	throwState struct {
		Elected ID
		Way     uint8
	}
	throwMessage struct{}
	thrower      struct {
		Passive[throwState, throwMessage]
		sends bool // a message with each throw, which mid-send crashes come between
	}
)

func (th thrower) Start(p *throwState, net *Net[throwMessage]) { net.SetTimer(0, 1) }

func (th thrower) Timeout(p *throwState, net *Net[throwMessage], _ Timer) {
	if th.sends {
		net.Broadcast(throwMessage{})
	}
	switch net.Pick(0) {
	case 0:
		net.SetTimer(0, 1)
	case 1:
		p.Elected = net.Self()
	case 2:
		p.Way = uint8(net.Choose(2))
		net.SetTimer(0, 1)
	}
}

func (thrower) Receive(*throwState, *Net[throwMessage], Port, throwMessage) {}
func (thrower) Belief(p *throwState) Belief                                 { return Belief{Elected: p.Elected} }
func (throwMessage) Kind() Kind                                             { return 0 }
func (throwMessage) String() string                                         { return "M" }

func (thrower) Names() Names {
	return Names{
		Kinds: []string{"M"}, Timers: []TimerName{{Name: "throw"}},
		Choices: []ChoiceName{{"coin", []string{"tails", "heads", "edge"}}},
	}
}

// TestIdleOutcomesAreAsPlain has the outcomes of a choice that change nothing be
// taken where another outcome changes something, and only there.
func TestIdleOutcomesAreAsPlain(t *testing.T) {
	for text, want := range map[string]bool{
		"n=2 timing=patient":         true,
		"n=2 timing=async crashes=1": true,
		"n=2 timing=sync:1":          false, // time has passed since the timer was set
		"n=2 timing=async mail-down=lost crashes=1 mid-send=yes": true,
		"n=3 initiators=none timing=patient":                     false,
	} {
		s := setting.Must(text)
		saw := comparePlain(t, thrower{}, s, 300)
		assert.Equal(t, want, saw["idle outcome"] > 0, text)
		s.Capacity = 1
		comparePlain(t, thrower{sends: true}, s, 300)
	}
}

// ringState and ringMessage are those of the algorithm of Chang and Roberts, by
// which a process that knows the coordinator begins no further election.
type (
	ringState   struct{ Elected, Participant ID }
	ringMessage struct{ Elected, Candidate ID }
	ringLeader  struct {
		Passive[ringState, ringMessage]
	}
)

func (ringLeader) Start(p *ringState, net *Net[ringMessage]) {
	p.Participant = 1
	net.Send(Next, ringMessage{Candidate: net.Self()})
}

func (ringLeader) Receive(p *ringState, net *Net[ringMessage], _ Port, m ringMessage) {
	switch self := net.Self(); {
	case m.Elected != None && m.Elected != self:
		p.Elected, p.Participant = m.Elected, 0
		net.Send(Next, m)
	case m.Candidate == self:
		p.Elected, p.Participant = self, 0
		net.Send(Next, ringMessage{Elected: self})
	case m.Candidate > self, m.Candidate != None && p.Participant == 0 && p.Elected == None:
		p.Participant = 1
		net.Send(Next, ringMessage{Candidate: max(m.Candidate, self)})
	}
}

func (ringLeader) Belief(p *ringState) Belief {
	return Belief{Elected: p.Elected, Participant: p.Participant != 0}
}
func (ringLeader) Names() Names      { return Names{Kinds: []string{"election", "elected"}} }
func (m ringMessage) String() string { return fmt.Sprintf("%v/%v", m.Candidate, m.Elected) }

func (m ringMessage) Kind() Kind {
	if m.Elected != None {
		return 1
	}
	return 0
}

// TestPlainCountsChangRoberts has the plain reading reach a count that an
// independent program published for the same system.
func TestPlainCountsChangRoberts(t *testing.T) {
	s, err := setting.Parse("n=5 topology=ring arrangement=5-4-3-2-1 timing=async detector=off")
	require.NoError(t, err)
	w := &plainWorld{protocol: plainOf[ringState, ringMessage]{ringLeader{}}, s: s}
	queue := w.initial()
	seen := map[string]bool{w.key(queue[0]): true}
	for len(queue) > 0 {
		for _, next := range w.next(queue[0]) {
			if key := w.key(next.next); !seen[key] {
				seen[key] = true
				queue = append(queue, next.next)
			}
		}
		queue = queue[1:]
	}
	assert.Equal(t, 3058, len(seen))
	limit := 200
	if *Deep {
		limit = 4000 // all of them
	}
	assert.GreaterOrEqual(t, comparePlain(t, ringLeader{}, s, limit)["deliver"], min(limit, 3058))
}
