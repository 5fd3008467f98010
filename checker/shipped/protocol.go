package shipped

import (
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"bullyproof/checker/shipped/internal/canon"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A Protocol is the protocol that a machine's processes run: a model.Protocol, with
// those of the methods of model.Optional that the machine has. It keeps all values of a search
// in memory. It is safe for use by several goroutines.
type Protocol[S, M any] struct {
	*core[S, M]
	withStable
	withSettle
	withWake
	withRequest
	withWatches
	withWanted
	withBeyond
	withRole
	withFits
}

// Each of these holds a value with one optional method, or nil: whether a protocol has
// a method is part of its meaning.
type (
	withStable  any
	withSettle  any
	withWake    any
	withRequest any
	withWatches any
	withWanted  any
	withBeyond  any
	withRole    any
	withFits    any
)

// An Option says how a machine's values are read.
type Option func(o *options)

type options struct {
	rules   canon.Rules
	replays bool
	audits  bool
}

// LeaveOut leaves parts of values out of their identity: loggers, caches, metrics. A
// name is that of a type ("raft.Logger") or of a field of a type ("raft.raft.logger"), as
// %T writes types. A struct tag `shipped:"-"` does the same for one field. All
// copies of a value share what is left out, except maps and slices, and several goroutines
// reach it. Test fails if it matters.
func LeaveOut(names ...string) Option {
	return func(o *options) { o.rules.Leave = append(o.rules.Leave, names...) }
}

// Constant names types whose values the code never changes once they are made, such
// as "uint64" where pointers to numbers stand for optional ones. Two pointers to one such
// value are then the same as two to equal ones, which makes fewer states.
func Constant(names ...string) Option {
	return func(o *options) { o.rules.Constant = append(o.rules.Constant, names...) }
}

// Replayed has each value made again by repeating all that happened to its process, even
// where it can be copied.
func Replayed() Option { return func(o *options) { o.replays = true } }

// Audited has every handler run again on other values with the same dump: on one that
// is replayed, and on some that came about in other ways. A difference is a misuse, which
// names the first part that differs. It is slow; Test does so.
func Audited() Option { return func(o *options) { o.audits = true } }

// New makes a protocol of a machine.
func New[S, M any](m Machine[S, M], opts ...Option) *Protocol[S, M] {
	var o options
	const advice = "a handler keeps the Net, which is good during its call only"
	o.rules.Refuse = map[reflect.Type]string{reflect.TypeFor[Net[M]](): advice}
	for _, opt := range opts {
		opt(&o)
	}
	c := &core[S, M]{machine: m, options: o}
	c.states.codec = canon.New(o.rules)
	c.letters.codec = c.states.codec
	p := &Protocol[S, M]{core: c}
	if h, ok := model.As[hasStable[S]](m); ok {
		p.withStable = stabler[S, M]{c, h}
	}
	if h, ok := model.As[hasSettle[S]](m); ok {
		p.withSettle = settler[S, M]{c, h}
	}
	if h, ok := model.As[hasWake[S, M]](m); ok {
		p.withWake = waker[S, M]{c, h}
	}
	if _, ok := model.As[hasRequest[S, M]](m); ok {
		p.withRequest = requester[S, M]{c}
	}
	if h, ok := model.As[hasWatches[S]](m); ok {
		p.withWatches = watcher[S, M]{c, h}
	}
	if h, ok := model.As[hasWanted](m); ok {
		p.withWanted = wanter{h}
	}
	if h, ok := model.As[hasBeyond[S]](m); ok {
		p.withBeyond = bounder[S, M]{c, h}
	}
	if h, ok := model.As[hasRole](m); ok {
		p.withRole = caster{h}
	}
	if h, ok := model.As[hasFits](m); ok {
		p.withFits = fitter{h}
	}
	c.shower, _ = model.As[hasShow[S]](m)
	return p
}

// A core has the methods that every protocol has.
type core[S, M any] struct {
	machine Machine[S, M]
	options
	shower  hasShow[S]
	states  table[S, *local[S]]
	letters table[M, string] // with their texts
	audited sync.Map         // what has been audited
}

// A local is what is known of a value: of the state of a process.
type local[S any] struct {
	history *history // one that leads to it
	viewed  sync.Once
	view    *S // a copy that is looked at, since a look may take a lock
	once    sync.Once
	belief  model.Belief
	beyond  atomic.Pointer[string]
	stable  atomic.Pointer[State]
	stuck   atomic.Pointer[error] // why it cannot be copied

	mu     sync.Mutex
	others []*history // that lead to values with the same dump
}

// A history is what happened to a process since it was made; nil before that.
type history struct {
	before *history
	event  event
	length int
	from   any // the state before the event, of a history that is kept for audits
}

// An event is a call of a handler, with what the world answered.
type event struct {
	what   happening
	why    model.Boot
	who    model.ID // that is reported, or that won
	self   model.ID // of a settled process
	live   model.Set
	port   model.Port
	letter Letter
	timer  model.Timer
	asked  model.Request
	seen   string // a byte for each number, so that events can be compared
}

type happening uint8

const (
	inits happening = iota
	starts
	suspects
	receives
	expires
	settles
	wakes
	crashes
	asks
)

// call runs a handler on a value of its own.
func (c *core[S, M]) call(s *S, net *Net[M], e *event) {
	switch e.what {
	case inits:
		c.machine.Init(s, net, e.why)
	case starts:
		c.machine.Start(s, net)
	case suspects:
		c.machine.Suspect(s, net, e.who)
	case receives:
		c.machine.Receive(s, net, e.port, c.message(e.letter))
	case expires:
		c.machine.Timeout(s, net, e.timer)
	case settles:
		h, _ := model.As[hasSettle[S]](c.machine)
		h.Settle(s, e.self, e.who, e.live)
	case wakes:
		h, _ := model.As[hasWake[S, M]](c.machine)
		h.Wake(s, net)
	case crashes:
		h, _ := model.As[hasStable[S]](c.machine)
		h.Stable(s)
	case asks:
		h, _ := model.As[hasRequest[S, M]](c.machine)
		h.Request(s, net, e.asked)
	}
}

// run runs a handler on the state at p, which it makes the next one.
func (c *core[S, M]) run(p *State, world worldNet, e event) {
	from := c.at(*p)
	s := c.restore(from)
	net := &Net[M]{world: world, letter: c.letter}
	c.call(s, net, &e)
	e.seen = packed(net.seen)
	to := c.intern(s, from, &e)
	if c.audits {
		c.audit(from, to, &e, net)
	}
	*p = State{to.hash[0], to.hash[1]}
}

// packed keeps the answers of the world: ids, outcomes and ticks are below 256.
func packed(answers []int) string {
	b := make([]byte, len(answers))
	for i, a := range answers {
		b[i] = byte(a)
	}
	return string(b)
}

type state[S any] = kept[S, *local[S]]

// at returns what is kept of a state, nil of the zero one.
func (c *core[S, M]) at(p State) *state[S] {
	if p == (State{}) {
		return nil
	}
	k := c.states.get([2]uint64{p.Hi, p.Lo})
	if k == nil {
		panic(fmt.Sprintf("state %016x%016x is of another protocol value: each has its own", p.Hi, p.Lo))
	}
	return k
}

func (c *core[S, M]) intern(s *S, from *state[S], e *event) *state[S] {
	hash, dump := c.states.identify(s)
	return c.states.keep(hash, dump, func() (*S, *local[S]) {
		return s, &local[S]{history: past(from).and(e)}
	})
}

func past[S any](of *state[S]) *history {
	if of == nil {
		return nil
	}
	return of.more.history
}

func (h *history) and(e *event) *history {
	next := &history{before: h, event: *e, length: 1}
	if h != nil {
		next.length += h.length
	}
	return next
}

// restore returns a value of one's own.
func (c *core[S, M]) restore(from *state[S]) *S {
	if from == nil {
		return new(S)
	}
	if !c.replays && from.more.stuck.Load() == nil {
		s, err := c.states.copied(from.value)
		if err == nil {
			return s
		}
		from.more.stuck.Store(&err)
	}
	began := time.Now()
	s := c.replay(from.more.history)
	spent := &c.states.spent
	spent.replays.Add(1)
	spent.events.Add(int64(from.more.history.length))
	spent.replaying.Add(int64(time.Since(began)))
	return s
}

// view returns a value to look at: methods of the code may take its locks, or count their
// calls, while another goroutine copies what is kept.
func (c *core[S, M]) view(k *state[S]) *S {
	k.more.viewed.Do(func() { k.more.view = c.restore(k) })
	return k.more.view
}

// replay returns the value that a history leads to.
func (c *core[S, M]) replay(h *history) *S {
	events := make([]*event, 0, 64)
	for ; h != nil; h = h.before {
		events = append(events, &h.event)
	}
	s := new(S)
	for i := len(events) - 1; i >= 0; i-- {
		c.call(s, &Net[M]{world: &repeated{answers: events[i].seen}, letter: c.letter}, events[i])
	}
	return s
}

// letter returns the identity of a message.
func (c *core[S, M]) letter(m M) Letter {
	hash, dump := c.letters.identify(&m)
	c.letters.keep(hash, dump, func() (*M, string) {
		own, err := c.letters.copied(&m)
		if err != nil {
			panic(fmt.Sprintf("a %T is no message of a model: %v", m, err))
		}
		return own, c.machine.Text(m)
	})
	return Letter{hash[0], hash[1], c.machine.Kind(m)}
}

func (c *core[S, M]) sent(l Letter) *kept[M, string] { return c.letters.get([2]uint64{l.Hi, l.Lo}) }

// message returns a message of one's own.
func (c *core[S, M]) message(l Letter) M {
	m, err := c.letters.copied(c.sent(l).value)
	if err != nil {
		panic(fmt.Sprintf("a message is no longer one of a model: %v", err))
	}
	return *m
}

// Message returns the message of a letter, a copy.
func (c *core[S, M]) Message(l Letter) M { return c.message(l) }

// Of returns the state of process id as properties see it, nil if the process is
// not up. It is not to be changed, and several goroutines see it at once.
func (c *core[S, M]) Of(v *model.View, id model.ID) *S {
	p := model.State[State](v, id)
	if p == nil {
		return nil
	}
	if k := c.at(*p); k != nil {
		return c.view(k)
	}
	return nil
}

// Stored returns what process id has on its disk (model.Stored), nil if nothing. It
// is not to be changed.
func (c *core[S, M]) Stored(v *model.View, id model.ID) *S {
	if k := c.at(model.Stored[State](v, id)); k != nil {
		return c.view(k)
	}
	return nil
}

// Init runs when a process comes up (model.Protocol).
func (c *core[S, M]) Init(p *State, net *model.Net[Letter], why model.Boot) {
	c.run(p, net, event{what: inits, why: why})
}

// Start runs when a process is asked to begin an election.
func (c *core[S, M]) Start(p *State, net *model.Net[Letter]) { c.run(p, net, event{what: starts}) }

// Suspect runs when the failure detector reports.
func (c *core[S, M]) Suspect(p *State, net *model.Net[Letter], who model.ID) {
	c.run(p, net, event{what: suspects, who: who})
}

// Receive runs when a message arrives.
func (c *core[S, M]) Receive(p *State, net *model.Net[Letter], from model.Port, l Letter) {
	c.run(p, net, event{what: receives, port: from, letter: l})
}

// Timeout runs when a timer has expired.
func (c *core[S, M]) Timeout(p *State, net *model.Net[Letter], t model.Timer) {
	c.run(p, net, event{what: expires, timer: t})
}

// Belief says what a process believes.
func (c *core[S, M]) Belief(p *State) model.Belief {
	k := c.at(*p)
	if k == nil {
		return model.Belief{}
	}
	k.more.once.Do(func() { k.more.belief = c.machine.Belief(c.view(k)) })
	return k.more.belief
}

// Names gives the vocabulary.
func (c *core[S, M]) Names() model.Names { return c.machine.Names() }

// Format returns a message as people read it.
func (c *core[S, M]) Format(l Letter) string {
	if k := c.sent(l); k != nil {
		return k.more
	}
	return l.String()
}

// Show returns what people see of a state: what the machine shows, or the parts of the
// value that are not zero.
func (c *core[S, M]) Show(p *State) []model.Field {
	k, fields := c.at(*p), []model.Field{} // nil would be the fields of State
	switch {
	case k == nil:
		return fields
	case c.shower != nil:
		return append(fields, c.shower.Show(c.view(k))...)
	}
	for _, l := range c.states.codec.Leaves(k.value) {
		fields = append(fields, model.Field{Name: l.Path, Value: l.Text})
	}
	return fields
}

// The optional methods, each in a type of its own. None embeds the core, whose methods would be
// compiled once more for each of them, and for every protocol.
type (
	stabler[S, M any] struct {
		of  *core[S, M]
		has hasStable[S]
	}
	settler[S, M any] struct {
		of  *core[S, M]
		has hasSettle[S]
	}
	waker[S, M any] struct {
		of  *core[S, M]
		has hasWake[S, M]
	}
	requester[S, M any] struct{ of *core[S, M] }
	watcher[S, M any]   struct {
		of  *core[S, M]
		has hasWatches[S]
	}
	bounder[S, M any] struct {
		of  *core[S, M]
		has hasBeyond[S]
	}
	// A machine itself is none of these: its other methods have the names of some of a protocol, and other types.
	wanter struct{ has hasWanted }
	caster struct{ has hasRole }
	fitter struct{ has hasFits }
)

// Wanted returns who ought to win.
func (o wanter) Wanted(live model.Set) model.ID { return o.has.Wanted(live) }

// Role returns what a process is.
func (o caster) Role(id model.ID, n int) string { return o.has.Role(id, n) }

// Fits says in which settings the machine runs.
func (o fitter) Fits(s setting.Setting) error { return o.has.Fits(s) }

// Stable makes p what a crash leaves.
func (o stabler[S, M]) Stable(p *State) {
	k := o.of.at(*p)
	if k == nil {
		return
	}
	if s := k.more.stable.Load(); s != nil {
		*p = *s
		return
	}
	o.of.run(p, nil, event{what: crashes})
	left := *p
	k.more.stable.Store(&left)
}

// Settle makes p the state of a process after an election.
func (o settler[S, M]) Settle(p *State, self, coordinator model.ID, live model.Set) {
	o.of.run(p, nil, event{what: settles, self: self, who: coordinator, live: live})
}

// Wake sets the timers after an election.
func (o waker[S, M]) Wake(p *State, net *model.Net[Letter]) {
	was := *p
	o.of.run(p, net, event{what: wakes})
	if *p != was {
		panic("Wake changes the state: it is to set timers and nothing else")
	}
}

// Request runs when somebody asks a process for something.
func (o requester[S, M]) Request(p *State, net *model.Net[Letter], r model.Request) {
	o.of.run(p, net, event{what: asks, asked: r})
}

// Watches returns whom the detector reports.
func (o watcher[S, M]) Watches(p *State, self model.ID) model.Set {
	if k := o.of.at(*p); k != nil {
		return o.has.Watches(o.of.view(k), self)
	}
	return 0
}

// Beyond says why a state is beyond the bound.
func (o bounder[S, M]) Beyond(p *State) string {
	k := o.of.at(*p)
	if k == nil {
		return ""
	}
	if why := k.more.beyond.Load(); why != nil {
		return *why
	}
	why := o.has.Beyond(o.of.view(k))
	k.more.beyond.Store(&why)
	return why
}

// Remark says in reports what states are, and what they cost.
func (c *core[S, M]) Remark() string {
	s, l := &c.states.spent, &c.letters.spent
	values := s.values.Load()
	if values == 0 {
		return ""
	}
	how := "copied"
	cost := fmt.Sprintf("%v a copy, %v a dump", each(&s.copying, s.copies.Load()), each(&s.dumping, s.dumps.Load()))
	if n := s.replays.Load(); n > 0 {
		how = "made again by replays of all that happened to a process"
		cost = fmt.Sprintf("%v a replay of %.1f events", time.Duration(s.replaying.Load()/n).Round(100*time.Nanosecond), float64(s.events.Load())/float64(n))
	}
	return fmt.Sprintf("Processes run a %v as it ships: %d values of it, of %d bytes each as they are dumped, and %d messages. Values are %s: %s.",
		reflect.TypeFor[S](), values, s.bytes.Load()/values, l.values.Load(), how, cost)
}

// each returns the mean time of calls, of which some were timed.
func each(spent *atomic.Int64, calls int64) time.Duration {
	timed := (calls + sampled) / (sampled + 1)
	return time.Duration(spent.Load() / max(timed, 1)).Round(100 * time.Nanosecond)
}
