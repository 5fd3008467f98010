package model

import (
	"fmt"
	"slices"
)

// Net is what a handler sees of the world, and the only way in which it acts
// on it. It is good during the handler's call.
type Net[M Message] struct {
	net
	messages []M // of the sends
}

// net is what of a Net does not depend on the type of messages.
type net struct {
	surroundings
	choosing
	from Port

	sends  []send
	timers []uint8            // what the handler did to each: see timerKept
	timed  bool               // whether it did anything to one
	wasSet func(t Timer) bool // before the handler; false of the one that expired
	asked  bool               // whether the handler asked it
	rules  uint64
	group  uint8
}

// surroundings are what stays as it is from one handler to the next.
type surroundings struct {
	self      ID
	n         ID
	ring      bool
	oneWay    bool // a ring on which messages leave by Next only
	ids       bool // processes know their ids
	bound     int
	kinds     int
	ruleCount int
	mostTicks int // to which a timer can be set
	named     []ChoiceName
}

// choosing is what a handler chooses, and who says so.
type choosing struct {
	script  []uint8           // choices to take, in order
	choices []uint8           // choices taken
	widths  []uint8           // of how many each was
	picked  []uint8           // which named one each was, from 1; 0 if it has no name
	choose  func(k int) int   // makes the choices outside of searches
	draw    func(k int) uint8 // makes the choices of a Walker's step
}

// A send is one message to one port, as a handler asked for it.
type send struct {
	port  Port
	group uint8 // sends of one Broadcast share a number above 0
	kind  Kind
}

// What a handler did to a timer: left it alone, stopped it, or set it to a
// number of ticks, which is stored as it is.
const (
	timerKept    = 255
	timerStopped = 0
)

// A misuse is a handler's call that no network could obey. It is raised as a
// panic and reported as a finding, with its trace.
type misuse string

func (m misuse) Error() string { return string(m) }

// leads reports whether messages leave by a port.
func (n *net) leads(by Port) bool {
	if n.ring {
		return by >= Next && !(n.oneWay && by == Prev)
	}
	return by > 0 && ID(by) <= n.n && ID(by) != n.self
}

// nobody describes a send to a port that does not exist.
func (n *net) nobody(to Port) misuse {
	switch {
	case n.oneWay:
		return misuse(fmt.Sprintf("send by port %v: messages of a unidirectional ring leave by next", to))
	case n.ring:
		return misuse(fmt.Sprintf("send by port %v: a ring has the ports next and prev", to))
	case ID(to) == n.self:
		return misuse(fmt.Sprintf("send to %v: a process has no channel to itself", to))
	}
	return misuse(fmt.Sprintf("send to %v: nobody is there, the processes are 1 to %d", to, n.n))
}

func (n *net) badKind(m any, k Kind) misuse {
	return misuse(fmt.Sprintf("send of %#v, of kind %d: the protocol names %d kinds, numbered from 0", m, k, n.kinds))
}

func badTimer(t, timers, ticks, most int) misuse {
	if t >= timers {
		return misuse(fmt.Sprintf("timer %d: the protocol names %d timers, numbered from 0", t, timers))
	}
	return misuse(fmt.Sprintf("timer of %d ticks: 1 to %d are right", ticks, most))
}

func badChoice(k int) misuse {
	return misuse(fmt.Sprintf("Choose(%d): 1 to 255 outcomes are right", k))
}

// Self returns the id of the process. Processes of an anonymous ring have none:
// there it is a misuse.
func (n *net) Self() ID {
	if !n.ids {
		panic(misuse("Self: processes of an anonymous ring have no id"))
	}
	return n.self
}

// N returns the number of processes, those that are down and those that have
// yet to join included.
func (n *net) N() int { return int(n.n) }

// Bound returns D, the delay bound in ticks: a message arrives at most D ticks
// after it was sent. Where the timing is not synchronous it is 1, and timers
// made from it keep their order.
func (n *net) Bound() int { return n.bound }

// Peers returns all processes but this one.
func (n *net) Peers() Set { return Upto(n.n).Without(n.self) }

// Higher returns the processes with higher ids.
func (n *net) Higher() Set { return Upto(n.n) &^ Upto(n.self) }

// Lower returns the processes with lower ids.
func (n *net) Lower() Set { return Upto(n.self - 1) }

// Send sends m by a port.
func (n *Net[M]) Send(to Port, m M) {
	if !n.leads(to) {
		panic(n.nobody(to))
	}
	k := m.Kind()
	if int(k) >= n.kinds {
		panic(n.badKind(m, k))
	}
	n.messages = append(n.messages[:len(n.sends)], m)
	n.sends = append(n.sends, send{port: to, kind: k})
}

// SendTo sends m to the process with an id, on a complete graph.
func (n *Net[M]) SendTo(id ID, m M) { n.Send(Peer(id), m) }

// Sends yields what the handler has sent so far, in order, each message with the
// port by which it leaves.
func (n *Net[M]) Sends(yield func(to Port, m M) bool) {
	for i := range n.sends {
		if !yield(n.sends[i].port, n.messages[i]) {
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
	first := len(n.sends)
	n.SendAll(n.Peers(), m)
	n.group++
	for i := first; i < len(n.sends); i++ {
		n.sends[i].group = n.group
	}
}

// Reply sends m to where the message came from that is being received.
func (n *Net[M]) Reply(m M) {
	if n.from == 0 {
		panic(misuse("Reply: no message is being received"))
	}
	n.Send(n.from, m)
}

// SetTimer sets timer t to expire in ticks from now, 1 to 250 (fewer where clocks
// drift: none takes more than 250 at the most), whether or not it
// was set before.
func (n *net) SetTimer(t Timer, ticks int) {
	if int(t) >= len(n.timers) || ticks < 1 || ticks > n.mostTicks {
		panic(badTimer(int(t), len(n.timers), ticks, n.mostTicks))
	}
	n.timers[t] = uint8(ticks)
	n.timed = true
}

// StopTimer makes timer t no longer set, if it was.
func (n *net) StopTimer(t Timer) {
	if int(t) >= len(n.timers) {
		panic(badTimer(int(t), len(n.timers), 1, n.mostTicks))
	}
	n.timers[t] = timerStopped
	n.timed = true
}

// IsSet reports whether timer t is set now: by this handler, or by one before it.
// The timer that has just expired is not.
func (n *net) IsSet(t Timer) bool {
	if int(t) >= len(n.timers) {
		panic(badTimer(int(t), len(n.timers), 1, n.mostTicks))
	}
	if did := n.timers[t]; did != timerKept {
		return did != timerStopped
	}
	return n.wasSet(t)
}

// Choose returns a number from 0 to k-1 (k from 1 to 255): one action with k
// outcomes, all of which are explored. A coin flip is Choose(2). (Pick is for
// outcomes with names.)
func (n *net) Choose(k int) int {
	if k < 1 || k > 255 {
		panic(badChoice(k))
	}
	var c uint8
	switch i := len(n.choices); {
	case n.choose != nil:
		c = n.chosen(k)
	case n.draw != nil:
		c = n.draw(k)
	case i < len(n.script):
		c = n.script[i]
	}
	n.choices = append(n.choices, c)
	n.widths = append(n.widths, uint8(k))
	n.picked = append(n.picked, 0)
	return int(c)
}

// chosen asks the program that drives a Node for a choice.
func (n *net) chosen(k int) uint8 {
	c := n.choose(k)
	if c < 0 || c >= k {
		panic(misuse(fmt.Sprintf("Choose(%d): the choice is %d; 0 to %d are right", k, c, k-1)))
	}
	return uint8(c)
}

// Rule notes that the handler applies rule r of its source. Traces show it and
// coverage counts it.
func (n *net) Rule(r Rule) {
	if int(r) >= n.ruleCount {
		panic(misuse(fmt.Sprintf("rule %d: the protocol names %d rules, numbered from 0", r, n.ruleCount)))
	}
	n.rules |= 1 << r
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
}

// Pick returns the number of an outcome of choice c: one action with as many
// outcomes as c has, all of which are explored.
func (n *net) Pick(c Choice) int {
	if int(c) >= len(n.named) {
		panic(misuse(fmt.Sprintf("choice %d: the protocol names %d choices, numbered from 0", c, len(n.named))))
	}
	i := n.Choose(len(n.named[c].Outcomes))
	n.picked[len(n.picked)-1] = uint8(c) + 1
	return i
}

// outcomes returns what was chosen, a text for each choice: "timeout=long", or
// the number alone where the choice has no name. It is nil if none has one.
func (n *net) outcomes() []string {
	if !slices.ContainsFunc(n.picked, func(c uint8) bool { return c > 0 }) {
		return nil
	}
	texts := make([]string, len(n.choices))
	for i, c := range n.choices {
		texts[i] = fmt.Sprint(c)
		if p := n.picked[i]; p > 0 {
			texts[i] = n.named[p-1].Name + "=" + n.named[p-1].Outcomes[c]
		}
	}
	return texts
}

// checkChoices checks the choices that a vocabulary names.
func (w *world) checkChoices() error {
	if n := len(w.names.Choices); n > 255 {
		return fmt.Errorf("protocol %T names %d choices; at most 255 are right", w.protocol.protocol(), n)
	}
	var names []string
	for i, c := range w.names.Choices {
		if c.Name == "" {
			return fmt.Errorf("protocol %T: choice %d has no name", w.protocol.protocol(), i)
		}
		if slices.Contains(names, c.Name) {
			return fmt.Errorf("protocol %T names two choices %q", w.protocol.protocol(), c.Name)
		}
		names = append(names, c.Name)
		if n := len(c.Outcomes); n < 1 || n > 255 {
			return fmt.Errorf("protocol %T: choice %q has %d outcomes; 1 to 255 are right", w.protocol.protocol(), c.Name, n)
		}
		for j, text := range c.Outcomes {
			if text == "" || slices.Contains(c.Outcomes[:j], text) {
				return fmt.Errorf("protocol %T: outcome %d of choice %q is %q; want different texts", w.protocol.protocol(), j, c.Name, text)
			}
		}
	}
	return nil
}

// outcomeLabels returns the named outcomes of the transition under way, each
// with where it comes to be: "timeout=long of position 2".
func (e *expander) outcomeLabels() []string {
	var labels []string
	for i, text := range e.net.outcomes() {
		if e.net.picked[i] > 0 {
			labels = append(labels, fmt.Sprintf("%s of position %d", text, e.act.pos+1))
		}
	}
	return labels
}
