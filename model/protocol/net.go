package protocol

import (
	"fmt"
	"slices"

	"bullyproof/model/internal/layout"
	"bullyproof/model/setting"
)

// Net is what a handler sees of the world, and the only way in which it acts
// on it. It is good during the handler's call.
type Net[M Message] struct {
	net
	messages []M // of the sends
}

// net is what of a Net does not depend on the type of messages. Handlers do not see
// the call.
type net struct{ call Call }

// A Call is what handlers see of the world in one step, and what they do to it.
type Call struct {
	surroundings
	choosing

	// Self is the process, and From the port by which a message comes in that is being
	// received, or 0.
	Self ID
	From Port

	// Sends are what is sent, in order.
	Sends []Send
	// Timers are what is done to each timer: TimerKept, TimerStopped, or the ticks to
	// which it is set. Timed is whether anything is done to one.
	Timers []uint8
	Timed  bool
	// WasSet says whether a timer was set before; false of the one that has expired.
	// Asked is whether a handler wants to know.
	WasSet func(t Timer) bool
	Asked  bool
	// WasLeft is how many ticks a timer had left that was set before, and Looked whether a
	// handler wants to know: what it does then depends on when it runs.
	WasLeft func(t Timer) int
	Looked  bool
	// Passive is whether the Start that does nothing has run.
	Passive bool
	first   Timer // of the part that runs (Enter)
	// Rules are the rules of the source that are applied, one bit each.
	Rules uint64

	group uint8
}

// surroundings are what stays as it is from one handler to the next.
type surroundings struct {
	// Bound is how many ticks a message is under way at most.
	Bound int

	n         ID
	ring      bool
	oneWay    bool // a ring on which messages leave by Next only
	ids       bool // processes know their ids
	kinds     int
	rules     int
	mostTicks int    // to which a timer can be set
	untimed   string // why nobody knows how much of a timer is left, "" where that is known
	named     []ChoiceName
}

// choosing is what a handler chooses, and who says so.
type choosing struct {
	// Script are choices to take, in order; Draw makes them, if it is set.
	Script []uint8
	Draw   func(k int) uint8
	// Choices are those taken, Widths of how many each was, and Picked which named one
	// each was, from 1; 0 if it has no name.
	Choices, Widths, Picked []uint8
	// Odds are those of what was tossed, all of it together. Freely says that something was
	// chosen of which there is more than one outcome, and not tossed.
	Odds   Odds
	Freely bool

	choose func(k int) int // makes the choices outside of searches
}

// A Send is one message to one port, as a handler asked for it.
type Send struct {
	Port  Port
	Group uint8 // sends of one Broadcast share a number above 0
	Kind  Kind
}

// The effects of a handler on a timer: left alone, stopped, or set to a
// number of ticks, which is stored as it is.
const (
	TimerKept    = 255
	TimerStopped = 0
)

// NewCall returns a call that is nobody's yet.
func NewCall(names *Names, s *setting.Setting) Call {
	clock := layout.ClockOf(s)
	return Call{
		surroundings: surroundings{
			n: ID(s.N), ring: s.Topology != setting.Complete, oneWay: s.Topology == setting.Ring, ids: !s.Anonymous, named: names.Choices,
			Bound: Bound(s), kinds: len(names.Kinds), rules: len(names.Rules), mostTicks: clock.MostTicks(), untimed: untimed(s),
		},
		Timers: make([]uint8, len(names.Timers)), Timed: true,
	}
}

// untimed says why nobody knows in a setting how much of a timer is left, "" where that is known.
func untimed(s *setting.Setting) string {
	switch {
	case !s.Timing.Kind.Discrete():
		return fmt.Sprintf("timing=%v has no ticks (want timing=sync:D or timing=lockstep)", s.Timing)
	case s.Drift > 0:
		return fmt.Sprintf("drift=%d: the clock of a process does not tell (want drift=0)", s.Drift)
	}
	return ""
}

// Bound returns how many ticks a message is under way at most in a setting.
func Bound(s *setting.Setting) int {
	if s.Timing.Kind == setting.Synchronous {
		return s.Timing.D
	}
	return 1
}

// Clear makes the call one in which nothing has been done, except to timers.
func (c *Call) Clear() {
	c.Sends, c.Rules, c.group = c.Sends[:0], 0, 0
	c.Choices, c.Widths, c.Picked = c.Choices[:0], c.Widths[:0], c.Picked[:0]
	c.Odds, c.Freely = Certain, false
}

// Begin makes the call one of a process, before its handlers run. A message that they
// receive comes in by a port.
func (c *Call) Begin(self ID, from Port) {
	c.Clear()
	c.Self, c.From, c.Asked, c.Looked, c.Passive = self, from, false, false, false
	if c.Timed {
		for t := range c.Timers {
			c.Timers[t] = TimerKept
		}
		c.Timed = false
	}
}

// NextScript makes the next sequence of choices the script, as an odometer
// counts. It reports whether there is one.
func (c *Call) NextScript() bool {
	for i := len(c.Choices) - 1; i >= 0; i-- {
		if c.Choices[i]+1 < c.Widths[i] {
			c.Script = append(c.Script[:0], c.Choices[:i+1]...)
			c.Script[i]++
			return true
		}
	}
	return false
}

// A Misuse is a handler's call that no network could obey. It is raised as a
// panic and reported as a finding, with its trace.
type Misuse string

// Error says what was called, and what would be right.
func (m Misuse) Error() string { return string(m) }

// leads reports whether messages leave by a port.
func (n *net) leads(by Port) bool {
	if n.call.ring {
		return by >= Next && !(n.call.oneWay && by == Prev)
	}
	return by > 0 && ID(by) <= n.call.n && ID(by) != n.call.Self
}

// nobody describes a send to a port that does not exist.
func (n *net) nobody(to Port) Misuse {
	switch {
	case n.call.oneWay:
		return Misuse(fmt.Sprintf("send by port %v: messages of a unidirectional ring leave by next", to))
	case n.call.ring:
		return Misuse(fmt.Sprintf("send by port %v: a ring has the ports next and prev", to))
	case ID(to) == n.call.Self:
		return Misuse(fmt.Sprintf("send to %v: a process has no channel to itself", to))
	}
	return Misuse(fmt.Sprintf("send to %v: nobody is there, the processes are 1 to %d", to, n.call.n))
}

func (n *net) badKind(m any, k Kind) Misuse {
	return Misuse(fmt.Sprintf("send of %#v, of kind %d: the protocol names %d kinds, numbered from 0", m, k, n.call.kinds))
}

func badTimer(t, timers, ticks, most int) Misuse {
	if t >= timers {
		return Misuse(fmt.Sprintf("timer %d: the protocol names %d timers, numbered from 0", t, timers))
	}
	return Misuse(fmt.Sprintf("timer of %d ticks: 1 to %d are right", ticks, most))
}

func badChoice(method string, k int) Misuse {
	return Misuse(fmt.Sprintf("%s(%d): 1 to 255 outcomes are right", method, k))
}

// Self returns the id of the process. Processes of an anonymous ring have none:
// there it is a misuse.
func (n *net) Self() ID {
	if !n.call.ids {
		panic(Misuse("Self: processes of an anonymous ring have no id"))
	}
	return n.call.Self
}

// N returns the number of processes, those that are down and those that have
// yet to join included.
func (n *net) N() int { return int(n.call.n) }

// Bound returns D, the delay bound in ticks: a message arrives at most D ticks
// after it was sent. Where the timing is not synchronous it is 1, and timers
// made from it keep their order.
func (n *net) Bound() int { return n.call.Bound }

// Peers returns all processes but this one.
func (n *net) Peers() Set { return Upto(n.call.n).Without(n.call.Self) }

// Higher returns the processes with higher ids.
func (n *net) Higher() Set { return Upto(n.call.n) &^ Upto(n.call.Self) }

// Lower returns the processes with lower ids.
func (n *net) Lower() Set { return Upto(n.call.Self - 1) }

// Send sends m by a port.
func (n *Net[M]) Send(to Port, m M) {
	if !n.leads(to) {
		panic(n.nobody(to))
	}
	k := m.Kind()
	if int(k) >= n.call.kinds {
		panic(n.badKind(m, k))
	}
	n.messages = append(n.messages[:len(n.call.Sends)], m)
	n.call.Sends = append(n.call.Sends, Send{Port: to, Kind: k})
}

// SendTo sends m to the process with an id, on a complete graph.
func (n *Net[M]) SendTo(id ID, m M) { n.Send(Peer(id), m) }

// Sends yields what the handler has sent so far, in order, each message with the
// port by which it leaves.
func (n *Net[M]) Sends(yield func(to Port, m M) bool) {
	for i := range n.call.Sends {
		if !yield(n.call.Sends[i].Port, n.messages[i]) {
			return
		}
	}
}

// SendAll sends m to each process of a set, from the lowest id up: as many
// messages as there are processes.
func (n *Net[M]) SendAll(to Set, m M) {
	for t := to; t != 0; t &= t - 1 {
		n.SendTo(t.Min(), m)
	}
}

// Broadcast sends m to all other processes in one operation, which counts as
// one broadcast and as N-1 messages.
func (n *Net[M]) Broadcast(m M) {
	first := len(n.call.Sends)
	n.SendAll(n.Peers(), m)
	n.call.group++
	for i := first; i < len(n.call.Sends); i++ {
		n.call.Sends[i].Group = n.call.group
	}
}

// Reply sends m to where the message came from that is being received.
func (n *Net[M]) Reply(m M) {
	if n.call.From == 0 {
		panic(Misuse("Reply: no message is being received"))
	}
	n.Send(n.call.From, m)
}

// SetTimer sets timer t to expire in ticks from now, 1 to 250 (fewer where clocks
// drift: none takes more than 250 at the most), whether or not it
// was set before.
func (n *net) SetTimer(t Timer, ticks int) {
	if int(t) >= len(n.call.Timers) || ticks < 1 || ticks > n.call.mostTicks {
		panic(badTimer(int(t), len(n.call.Timers), ticks, n.call.mostTicks))
	}
	n.call.Timers[t] = uint8(ticks)
	n.call.Timed = true
}

// StopTimer makes timer t no longer set, if it was.
func (n *net) StopTimer(t Timer) {
	if int(t) >= len(n.call.Timers) {
		panic(badTimer(int(t), len(n.call.Timers), 1, n.call.mostTicks))
	}
	n.call.Timers[t] = TimerStopped
	n.call.Timed = true
}

// IsSet reports whether timer t is set now: by this handler, or by one before it.
// The timer that has just expired is not.
func (n *net) IsSet(t Timer) bool {
	if int(t) >= len(n.call.Timers) {
		panic(badTimer(int(t), len(n.call.Timers), 1, n.call.mostTicks))
	}
	if did := n.call.Timers[t]; did != TimerKept {
		return did != TimerStopped
	}
	return n.call.WasSet(n.call.first + t)
}

// Left returns in how many ticks timer t expires, and whether it is set, as IsSet has it: 0 of one
// that is not set, and of one that has run down in a pause. Time has to pass in ticks, by clocks
// that do not drift: under timing=async, patient or last-resort, with drift, and outside of
// searches it is a misuse.
func (n *net) Left(t Timer) (ticks int, set bool) {
	if n.call.untimed != "" {
		panic(Misuse("Left: " + n.call.untimed))
	}
	if !n.IsSet(t) {
		return 0, false
	}
	if did := n.call.Timers[t]; did != TimerKept {
		return int(did), true
	}
	if n.call.WasLeft == nil {
		panic(Misuse("Left: no search runs the process, and no ticks pass"))
	}
	n.call.Looked = true
	return n.call.WasLeft(n.call.first + t), true
}

// Choose returns a number from 0 to k-1 (k from 1 to 255): one action with k
// outcomes, all of which are explored. Nothing says how likely they are: whoever
// schedules chooses. (Toss is for chance, and Pick for outcomes with names.)
func (n *net) Choose(k int) int {
	n.call.Freely = n.call.Freely || k > 1
	return n.choice("Choose", k)
}

// Toss returns a number from 0 to k-1 (k from 1 to 255), each with probability 1/k: one
// action with k outcomes, all of which are explored. A coin flip is Toss(2). Package
// checker/chance asks for probabilities; to every other question Toss is Choose.
func (n *net) Toss(k int) int {
	c := n.choice("Toss", k)
	n.tossed(1, uint64(k))
	return c
}

// tossed notes that chance has chosen what so many of so many ways lead to.
func (n *net) tossed(ways, of uint64) {
	odds, ok := n.call.Odds.And(Odds{ways, of})
	if !ok {
		panic(Misuse(fmt.Sprintf("Toss: the outcomes of one handler have a probability of less than 1 in %d; want fewer tosses", uint64(mostOdds))))
	}
	n.call.Odds = odds
}

// choice is the choice of a method of one of k outcomes.
func (n *net) choice(method string, k int) int {
	if k < 1 || k > 255 {
		panic(badChoice(method, k))
	}
	var c uint8
	switch i := len(n.call.Choices); {
	case n.call.choose != nil:
		c = n.chosen(k)
	case n.call.Draw != nil:
		c = n.call.Draw(k)
	case i < len(n.call.Script):
		c = n.call.Script[i]
	}
	n.call.Choices = append(n.call.Choices, c)
	n.call.Widths = append(n.call.Widths, uint8(k))
	n.call.Picked = append(n.call.Picked, 0)
	return int(c)
}

// chosen asks the program that drives a Node for a choice.
func (n *net) chosen(k int) uint8 {
	c := n.call.choose(k)
	if c < 0 || c >= k {
		panic(Misuse(fmt.Sprintf("Choose(%d): the choice is %d; 0 to %d are right", k, c, k-1)))
	}
	return uint8(c)
}

// Rule notes that the handler applies rule r of its source. Traces show it and
// coverage counts it.
func (n *net) Rule(r Rule) {
	if int(r) >= n.call.rules {
		panic(Misuse(fmt.Sprintf("rule %d: the protocol names %d rules, numbered from 0", r, n.call.rules)))
	}
	n.call.Rules |= 1 << r
}

// A Choice names a choice that handlers make: an index into Names().Choices.
type Choice uint8

// A ChoiceName describes a choice. Traces say "chooses timeout=long", where
// Net.Choose has them say "chooses 1".
type ChoiceName struct {
	// Name is what is chosen: "timeout".
	Name string
	// Outcomes are what there is to choose from, 1 to 255 different texts:
	// "short" and "long".
	Outcomes []string
	// Weights say that chance chooses, and how likely each outcome is beside the others:
	// as many numbers, 1 to 1,000,000 each. Without them whoever schedules chooses.
	Weights []int
}

// Pick returns the number of an outcome of choice c: one action with as many
// outcomes as c has, all of which are explored. Chance chooses where the choice has
// Weights.
func (n *net) Pick(c Choice) int {
	if int(c) >= len(n.call.named) {
		panic(Misuse(fmt.Sprintf("choice %d: the protocol names %d choices, numbered from 0", c, len(n.call.named))))
	}
	name := &n.call.named[c]
	i := n.choice("Pick", len(name.Outcomes))
	n.call.Picked[len(n.call.Picked)-1] = uint8(c) + 1
	if name.Weights == nil {
		n.call.Freely = n.call.Freely || len(name.Outcomes) > 1
		return i
	}
	sum := 0
	for _, w := range name.Weights {
		sum += w
	}
	n.tossed(uint64(name.Weights[i]), uint64(sum))
	return i
}

// Outcomes returns what was chosen, a text for each choice: "timeout=long", or
// the number alone where the choice has no name. It is nil if none has one.
func (c *Call) Outcomes() []string {
	if !slices.ContainsFunc(c.Picked, func(p uint8) bool { return p > 0 }) {
		return nil
	}
	texts := make([]string, len(c.Choices))
	for i, choice := range c.Choices {
		texts[i] = fmt.Sprint(choice)
		if p := c.Picked[i]; p > 0 {
			texts[i] = c.named[p-1].Name + "=" + c.named[p-1].Outcomes[choice]
		}
	}
	return texts
}
