package bubble

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"bullyproof/checker/shipped"
	"bullyproof/checker/shipped/internal/canon"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A World is a system of processes that run a program. It is not to be changed once a protocol has
// been made of it.
type World struct {
	// T is the test in which the bubbles are. It has to run as long as the protocol is in use.
	T *testing.T
	// Roles are the programs. The processes of the first role have the lowest numbers.
	Roles []Role
	// Tick is how long a tick of the setting is for the program; 0 stands for a second. Of all that the
	// program does between two ticks the world sees the outcome at the second one. So a tick is best
	// as long as the shortest time that the program waits for.
	Tick time.Duration
	// Horizon is how many ticks a process is run ahead to see when it next does something by itself, 1
	// to 250; 0 stands for 30. One that does nothing for so long, and for as long again, is taken to
	// wait for a message: its clock stops until one comes. So the horizon is to be longer than any time
	// that the program measures while it does nothing that the world sees. A pause of more ticks is as
	// one of so many.
	Horizon int
	// Events bounds a search: a process of more events since its boot is beyond the bound, which
	// reports name. 0 is without a bound; the depth of a search, its states and its time have limits
	// of their own.
	Events int
	// Stop is how long the program has after each repeat, on its own clock, until its goroutines have
	// ended; 0 stands for a minute. Those that have not are counted and named, and stay in memory.
	Stop time.Duration
	// Limit is how long a repeat may take in real time; 0 stands for 20 seconds.
	Limit time.Duration
	// Orders, Switches and Draws say what else is a choice in a controlled program, beside the case that a
	// select takes; the zero of each is none. Orders is at how many places of an event, the first ones,
	// another goroutine of those that are ready may be next. Switches is at how many channel operations
	// and locks of an event another goroutine may take its turn. Draws is of how many values, spread over
	// the range, a number of math/rand is one, 2 to 16.
	Orders, Switches, Draws int
	// Instants, if it is not nil, names the instants in the text of a message: it returns the text with
	// each of them replaced by what each makes of it. A message then says how many ticks before or after
	// its sending each instant is, and arrives with that instant on the clock of its receiver. So clocks
	// agree up to the time that messages take, and messages that only differ in when they are sent are
	// equal. A message on the way shows such an instant as one about the start of 2000.
	Instants func(text string, each func(time.Time) time.Time) string
	// Last, if it is not empty, names a file that has the history which is being repeated. A panic in a
	// goroutine that is none of Main and Env.Go ends the test, and the file then says after what. Check
	// with one worker (checker.Options) to have the one that it was.
	Last string
}

// A Role is a program that one or several processes run.
type Role struct {
	// Name is the host name of its process, and that of the second of several ends in 2. Diagrams write it.
	Name string
	// Main is what a process runs from its boot on, and again after a crash. It returns when the
	// context of env is done. If it returns before, the process has ended: it leads no more, and does
	// nothing more.
	Main func(env *Env)
	// Processes is how many there are; 0, of one role at most, stands for all others.
	Processes int
	// Timeless says that the program never reads the clock and has no timers: only messages change
	// it, and how long it waits for them does not count. There are fewer states then. Test looks for
	// a program of which that is false.
	Timeless bool
}

// A Process is the state of a process in a model: what identifies its history, and the disk.
type Process struct {
	// Past is the identity of what has happened since the boot, and Disk that of what is saved.
	Past, Disk [2]uint64
	// Boots is how often the process has restarted.
	Boots uint64
}

// world is a World with what is known of it.
type world struct {
	World
	audits bool

	codec   *canon.Codec
	bootsMu sync.Mutex
	boots   map[bootKey]*step
	nodes   [64]shard
	disks   sync.Map // by hash
	spent   spent

	stuck atomic.Pointer[string] // why a repeat did not end: no other one begins

	said  sync.Mutex
	left  string // the goroutines that were left behind first
	fault string // that an audit found, "" if none has
}

// spent is what repeats have cost, and what has come of them.
type spent struct {
	runs, events, running atomic.Int64 // running in ns
	nodes, merged, leaves atomic.Int64
	beyond                [choiceKinds]atomic.Int64 // choices beyond those that there may be
}

func newWorld(w *World) *world {
	in := &world{World: *w, boots: map[bootKey]*step{}}
	in.codec = canon.New(canon.Rules{Refuse: map[reflect.Type]string{
		reflect.TypeFor[time.Time](): "an instant is another one in each history: use Env.In",
	}})
	if in.Tick == 0 {
		in.Tick = time.Second
	}
	if in.Horizon == 0 {
		in.Horizon = 30
	}
	if in.Stop == 0 {
		in.Stop = time.Minute
	}
	if in.Limit == 0 {
		in.Limit = 20 * time.Second
	}
	return in
}

// wrong says how a World is none, nil if it is one.
func (w *world) wrong() error {
	var names []string
	rest := 0
	for i, r := range w.Roles {
		switch {
		case r.Name == "" || strings.ContainsFunc(r.Name, func(c rune) bool { return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz-", c) }):
			return fmt.Errorf("bubble: role %d has the name %q: want a host name of small letters", i+1, r.Name)
		case slices.Contains(names, r.Name):
			return fmt.Errorf("bubble: two roles have the name %q", r.Name)
		case r.Main == nil:
			return fmt.Errorf("bubble: role %q has no Main: want the function that a process runs", r.Name)
		case r.Processes < 0:
			return fmt.Errorf("bubble: role %q has %d processes: want 1 or more, or 0 for all others", r.Name, r.Processes)
		case r.Processes == 0:
			rest++
		}
		names = append(names, r.Name)
	}
	switch {
	case w.T == nil:
		return errors.New("bubble: the World has no T: want the test in which the bubbles are")
	case len(w.Roles) == 0:
		return errors.New("bubble: the World has no Roles: want a program at least")
	case rest > 1:
		return errors.New("bubble: two roles have 0 processes, which stands for all others: want that of one at most")
	case w.Tick < time.Millisecond:
		return fmt.Errorf("bubble: a Tick of %v: want a millisecond or more, or 0 for a second", w.Tick)
	case w.Stop < 0 || w.Limit < 0 || w.Events < 0:
		return fmt.Errorf("bubble: Stop %v, Limit %v, Events %d: none can be less than 0", w.Stop, w.Limit, w.Events)
	case !Controlled && (w.Orders != 0 || w.Switches != 0 || w.Draws != 0):
		return fmt.Errorf("bubble: Orders %d, Switches %d, Draws %d: want a program that is built with the overlay (bullyproof overlay), or 0", w.Orders, w.Switches, w.Draws)
	case w.Orders < 0 || w.Switches < 0 || w.Draws < 0 || w.Draws == 1 || w.Draws > 16:
		return fmt.Errorf("bubble: Orders %d, Switches %d, Draws %d: want none less than 0, and Draws 0 or 2 to 16", w.Orders, w.Switches, w.Draws)
	case w.Horizon < 1 || w.Horizon > 250:
		return fmt.Errorf("bubble: a Horizon of %d ticks: want 1 to 250, or 0 for 30", w.Horizon)
	}
	return nil
}

// size returns how many of n processes role i has.
func (w *world) size(i, n int) int {
	if w.Roles[i].Processes > 0 {
		return w.Roles[i].Processes
	}
	for j := range w.Roles {
		n -= w.Roles[j].Processes
	}
	return n
}

// role returns the role of a process.
func (w *world) role(id, n int) *Role {
	for i := range w.Roles {
		size := w.size(i, n)
		if id <= size {
			return &w.Roles[i]
		}
		id -= size
	}
	panic("bubble: a process without a role")
}

// process returns the process with a host name.
func (w *world) process(host string, n int) (int, error) {
	first := 1
	var names []string
	for i := range w.Roles {
		name, size := w.Roles[i].Name, w.size(i, n)
		for k := range size {
			own := name
			if k > 0 {
				own = fmt.Sprint(name, k+1)
			}
			if host == own {
				return first + k, nil
			}
			names = append(names, own)
		}
		first += size
	}
	if number, ok := strings.CutPrefix(host, "p"); ok {
		if id, err := strconv.Atoi(number); err == nil && id >= 1 && id <= n {
			return id, nil
		}
	}
	return 0, fmt.Errorf("bubble: host %q is no process: want one of %s, or p1 to p%d", host, strings.Join(names, ", "), n)
}

// values returns what a process has named, with all that counts of its Env; "" while it has connections.
func (w *world) values(e *Env, state func() any) (text string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the function panics: %v", r)
		}
	}()
	v := state()
	dump, err := w.codec.Dump(nil, &v)
	if err != nil {
		return "", err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.conns.open() {
		return "", nil // what is under way there is not named
	}
	var b strings.Builder
	b.Write(dump)
	fmt.Fprint(&b, slices.Sorted(maps.Keys(e.conns.listen)))
	fmt.Fprintf(&b, "%+v", e.inbox)
	for _, to := range slices.Sorted(maps.Keys(e.calls)) {
		for _, number := range slices.Sorted(maps.Keys(e.calls[to])) {
			fmt.Fprint(&b, ",", to, number, e.calls[to][number] != nil)
		}
	}
	return b.String(), nil
}

// Protocol returns the protocol that the processes run. A world that cannot be is refused with its
// first system, by an error that says what is wrong.
func (w *World) Protocol() *Protocol { return newProtocol(newWorld(w)) }

func newProtocol(in *world) *Protocol {
	return &Protocol{shipped.New(machine{w: in}), in}
}

// A Protocol is the protocol that processes in bubbles run. It keeps all histories of a search in
// memory, and is safe for use by several goroutines.
type Protocol struct {
	model.Protocol[shipped.State, shipped.Letter]
	world *world
}

// Remark says in reports what the states are, and what they cost.
func (p *Protocol) Remark() string { return p.world.remark() }

func (w *world) remark() string {
	s := &w.spent
	runs := s.runs.Load()
	if runs == 0 {
		return ""
	}
	text := fmt.Sprintf("Processes run programs as they ship, each in a bubble: %d histories of one process, by %d repeats of %.1f events and %v each.",
		s.nodes.Load(), runs, float64(s.events.Load())/float64(runs), time.Duration(s.running.Load()/runs).Round(time.Microsecond))
	if merged := s.merged.Load(); merged > 0 {
		text += fmt.Sprintf(" %d times a history was taken to be another one, by the values that the process named.", merged)
	}
	text += s.untried()
	if leaves := s.leaves.Load(); leaves > 0 {
		w.said.Lock()
		defer w.said.Unlock()
		text += fmt.Sprintf(" After %d repeats there were goroutines that had not ended: %s.", leaves, w.left)
	}
	return text
}

// mostLeaves is after how many repeats goroutines may be left behind: each takes memory for good.
const mostLeaves = 50_000

// leaves takes down that a repeat has left goroutines behind.
func (w *world) leaves(r *repeat) {
	n := w.spent.leaves.Add(1)
	switch {
	case n == 1:
		text := named(leftIn(r.bubble), "none that was seen")
		w.said.Lock()
		defer w.said.Unlock()
		w.left = fmt.Sprintf("of P%d, %s", r.boot.self, text)
	case n > mostLeaves:
		w.said.Lock()
		defer w.said.Unlock()
		r.failed = fmt.Sprintf("after %d repeats there were goroutines that had not ended, and all are still in memory: %s. Have them end with the context of their Env", n, w.left)
	}
}

// goesWrong takes down what an audit has found.
func (w *world) goesWrong(fault string) {
	w.said.Lock()
	defer w.said.Unlock()
	if w.fault == "" {
		w.fault = fault
	}
}

// wentWrong returns what an audit has found, "" if nothing.
func (w *world) wentWrong() string {
	w.said.Lock()
	defer w.said.Unlock()
	return w.fault
}

// A machine drives processes in bubbles.
type machine struct {
	shipped.Passive[Process, Message]
	w *world
}

// The timers of a process: wake is when the world next sees something that the process does by
// itself, and clock says how long ago the event before was.
const (
	wake model.Timer = iota
	clock
)

// Init boots the process.
func (m machine) Init(p *Process, net *shipped.Net[Message], why model.Boot) {
	if why == model.Restart {
		p.Boots++
	}
	d, _ := m.w.disks.LoadOrStore(p.Disk, &disk{hash: p.Disk})
	m.steps(p, net, nil, &boot{int(net.Self()), net.N(), int(p.Boots), d.(*disk)}, event{})
}

// Stable leaves the disk.
func (m machine) Stable(p *Process) { p.Past = [2]uint64{} }

// Receive has a message arrive.
func (m machine) Receive(p *Process, net *shipped.Net[Message], from model.Port, message Message) {
	m.happens(p, net, event{from: int(from.ID()), message: message}, 0)
}

// Timeout has the process go on by itself.
func (m machine) Timeout(p *Process, net *shipped.Net[Message], t model.Timer) {
	late := 0
	if t == clock {
		late = m.w.Horizon
	}
	m.happens(p, net, event{}, late)
}

// happens has an event happen to a process. After is how many ticks have passed if the clock does
// not say it.
func (m machine) happens(p *Process, net *shipped.Net[Message], e event, after int) {
	before := m.w.node(p.Past)
	if before.ended {
		return
	}
	e.after = after
	if left, set := net.Left(clock); set {
		e.after = m.w.Horizon - left
	}
	m.steps(p, net, before, before.boot, e)
}

// steps takes the step of an event, and has the world choose where the program has a choice.
func (m machine) steps(p *Process, net *shipped.Net[Message], before *node, b *boot, e event) {
	s := m.w.step(before, b, e)
	for ; s.fork > 0; s = m.w.step(before, b, e) {
		e.took += string([]byte{byte(net.Choose(s.fork))})
	}
	m.goes(p, net, s)
}

// goes takes a step.
func (m machine) goes(p *Process, net *shipped.Net[Message], s *step) {
	if s.failed != "" {
		panic(s.failed)
	}
	for _, out := range s.out {
		net.SendTo(model.ID(out.to), out.Message)
	}
	p.Past, p.Disk = s.to.id, s.to.disk.hash
	switch {
	case s.to.wake > 0:
		net.SetTimer(wake, s.to.wake)
	case s.to.wake == never:
		net.StopTimer(wake)
	}
	if s.to.rests(m.w) {
		net.StopTimer(clock)
	} else {
		net.SetTimer(clock, m.w.Horizon)
	}
}

// Belief is what the process has said.
func (m machine) Belief(p *Process) model.Belief {
	n := m.w.node(p.Past)
	if n == nil {
		return model.Belief{}
	}
	return model.Belief{Elected: model.ID(n.leader), Epoch: n.epoch}
}

// Beyond says that a history is longer than the bound.
func (m machine) Beyond(p *Process) string {
	if n := m.w.node(p.Past); n != nil && m.w.Events > 0 && n.length > m.w.Events {
		return fmt.Sprintf("more than %d events of a process", m.w.Events)
	}
	return ""
}

// Names are those of what the world sees of a program.
func (machine) Names() model.Names {
	return model.Names{Kinds: []string{"message"}, Timers: []model.TimerName{{Name: "wake", Periodic: true}, {Name: "clock", Periodic: true}}}
}

// Kind is that of all messages.
func (machine) Kind(Message) model.Kind { return 0 }

// Text is a message as people read it.
func (machine) Text(m Message) string { return m.String() }

// Role is the name of the role.
func (m machine) Role(id model.ID, n int) string { return m.w.role(int(id), n).Name }

// Show is what people see of a process.
func (m machine) Show(p *Process) []model.Field {
	n := m.w.node(p.Past)
	var fields []model.Field
	if n != nil {
		fields = append(fields, model.Field{Name: "events", Value: strconv.Itoa(n.length)})
		if n.leader > 0 {
			fields = append(fields, model.Field{Name: "follows", Value: fmt.Sprintf("P%d", n.leader)})
		}
		if len(n.chosen) > 0 {
			fields = append(fields, model.Field{Name: "chose", Value: texts(n.chosen)})
		}
		if n.ended {
			fields = append(fields, model.Field{Name: "main", Value: "returned"})
		}
	}
	if d, ok := m.w.disks.Load(p.Disk); ok && len(d.(*disk).values) > 0 {
		fields = append(fields, model.Field{Name: "disk", Value: d.(*disk).text()})
	}
	return fields
}

// Fits says in which settings bubbles can run.
func (m machine) Fits(s setting.Setting) error {
	if err := m.w.wrong(); err != nil {
		return err
	}
	named, all := 0, true
	for _, r := range m.w.Roles {
		named, all = named+r.Processes, all && r.Processes > 0
	}
	switch {
	case all && s.N != named:
		return fmt.Errorf("n=%d: the roles have %d processes (want n=%d, or a role with 0)", s.N, named, named)
	case !all && s.N <= named:
		return fmt.Errorf("n=%d: the roles want %d processes, and one of them all others (want n=%d at least)", s.N, named, named+1)
	case !s.Timing.Kind.Discrete():
		return fmt.Errorf("timing=%v has no ticks, and programs in bubbles have clocks (want timing=sync:D or timing=lockstep)", s.Timing)
	case s.Topology != setting.Complete:
		return errors.New("programs in bubbles know each other by number (want topology=complete)")
	case s.Drift > 0:
		return fmt.Errorf("drift=%d: the clocks of bubbles run at one rate (want drift=0)", s.Drift)
	case s.Skew > 0 || s.ClockSteps > 0:
		return fmt.Errorf("skew=%d clock-steps=%d: the clock of a bubble begins with its process, and no two are compared (want 0)", s.Skew, s.ClockSteps)
	}
	return nil
}
