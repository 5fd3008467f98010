// Package vault is the election of HashiCorp Vault with DynamoDB behind it: an item in a table, which
// the active node has to renew, says who that is.
//
// The process with the highest id is the table. The others are nodes. A standby attempts each second
// to write the item: if there is none, if it has the standby's own identity, or if it has expired by
// the clock of the standby. The node that has written it is active. The active node renews the
// item every five seconds, and reads it as often: if the item has another identity, it is standby
// again.
//
// A tick is a second. Clocks may differ (package clock): what a node writes into the item is an instant
// of its own clock, and another node compares it with one of its own.
//
// Deviations: a call without an answer fails at the next tick of its ticker. An identity is the number
// of an attempt, where Vault draws a UUID. Nodes do nothing but elect: sealing takes no time.
//
// Source: github.com/hashicorp/vault, physical/dynamodb/dynamodb.go and vault/ha.go, as of version 1.2
// (2019); functions are named beside the rules.
package vault

import (
	"fmt"

	"bullyproof/model"
	"bullyproof/model/clock"
)

// P is the state of the table or of a node.
type P struct {
	Clock clock.Clock
	// Item is the lock: the table's.
	Item Item

	// Active says that the node is no standby.
	Active bool
	// Until is how long the node trusts its lock, where it does so by its own clock (Margin).
	Until clock.Instant
	// Number is that of its last identity, modulo 4.
	Number uint8
	// Locks are those of its last two identities, by Number modulo 2. A node that steps down forgets
	// its lock, whose goroutines go on.
	Locks [2]Lock
	// Stepped says that the node has been asked to step down.
	Stepped bool
	// Tangled says that a third lock would run: that is beyond the bound.
	Tangled bool
}

// Item is an item of the table (DynamoDBLockRecord).
type Item struct {
	Holder  model.ID // None: there is none
	Number  uint8    // of the holder's identity
	Expires clock.Instant
}

// A Lock is what runs for an identity that has had the item: periodicallyRenewLock and watch.
type Lock struct {
	Runs    bool
	Asked   bool  // GetItem has no answer yet
	Retries uint8 // of watch
}

// The kinds of messages: calls of the table, and what it says.
const (
	Acquire model.Kind = iota // UpdateItem(createIfMissing)
	Renew                     // UpdateItem
	Get
	Delete
	Updated
	Renewed // of Renew, where the node waits for that
	Refused // the condition failed
	Got
)

// M is a message.
type M struct {
	Type   model.Kind
	Number uint8         // of the identity
	Now    clock.Instant // by the clock of whoever asks, which Renewed repeats
	Mine   bool          // of Got: the item has the identity
}

// Kind returns the kind of m.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as in "Acquire(1: in 2)", with the instant by the time of the world.
func (m M) String() string {
	switch {
	case !m.Now.IsZero():
		return fmt.Sprintf("%s(%d: %v)", kinds[m.Type], m.Number, m.Now)
	case m.Type == Got && !m.Mine:
		return fmt.Sprintf("GotNone(%d)", m.Number)
	}
	return fmt.Sprintf("%s(%d)", kinds[m.Type], m.Number)
}

// The timers of a node: tickers, and the sleep of one that has stepped down.
const (
	retry model.Timer = iota
	even              // of the locks with even numbers
	odd
	sleep
)

var (
	rules model.Rules

	tryRule       = rules.Add("tryToLock: attempt to write the item")
	acquiredRule  = rules.Add("Lock: acquired")
	renewRule     = rules.Add("periodicallyRenewLock: renew the item")
	watchRule     = rules.Add("watch: read the item")
	failedRule    = rules.Add("watch: the call failed")
	lostRule      = rules.Add("waitForLeadership: leadership lost, stop active operation")
	stepRule      = rules.Add("waitForLeadership: step down from active operation to standby")
	unlockRule    = rules.Add("Unlock: delete the item")
	writeRule     = rules.Add("updateItem: write the item")
	conditionRule = rules.Add("updateItem, Unlock: the condition failed")
	deleteRule    = rules.Add("Unlock: the item is gone")
)

// A Backend is the protocol of the table and its nodes. Times are in ticks.
type Backend struct {
	model.Passive[P, M]
	// Retry is DynamoDBLockRetryInterval, Interval is DynamoDBLockRenewInterval and
	// DynamoDBWatchRetryInterval, TTL is DynamoDBLockTTL, and Sleep is manualStepDownSleepPeriod.
	Retry, Interval, TTL, Sleep int
	// Retries is DynamoDBWatchRetryMax.
	Retries uint8
	// StepsDown has somebody ask each node once to step down, when its lock renews.
	StepsDown bool
	// Recreates is the program before pull request 6512: a renewal writes an item where there is none.
	Recreates bool
	// DeletesAny is the program before pull request 6637: Unlock deletes the item, whoever's it is.
	DeletesAny bool
	// Endless is the program before pull request 2141: the item never expires.
	Endless bool
	// EndsLock has a node that steps down end the renewals of its lock, and the watch. No version of the program does.
	EndsLock bool
	// Margin, if it is not 0, ends the trust in a lock so many ticks before it expires, by the node's own
	// clock and counted from when it asked. No version of the program does.
	Margin int
}

func table(net *model.Net[M]) model.ID { return model.ID(net.N()) }

func (p *P) lock() *Lock { return &p.Locks[p.Number%2] }

func ticker(number uint8) model.Timer { return even + model.Timer(number%2) }

// Oldest is how long a call is under way at most, with timing=sync:2: nobody compares older instants.
func (*Backend) Oldest() int { return 2 }

// Init has a node wait for leadership. (waitForLeadership)
func (b *Backend) Init(p *P, net *model.Net[M], _ model.Boot) {
	if net.Self() != table(net) {
		b.standBy(p, net)
	}
}

// Stable keeps the item of the table, and which identities a node has had: a new one is another one.
func (b *Backend) Stable(p *P) { *p = P{Item: p.Item, Number: p.Number} }

// standBy is "Create a lock": a new identity, and attempts to acquire the item with it. (LockWith, tryToLock)
func (b *Backend) standBy(p *P, net *model.Net[M]) {
	p.Number = (p.Number + 1) % 4
	p.Tangled = p.lock().Runs
	net.SetTimer(retry, b.Retry)
}

// stepDown is a request to step down. (manualStepDownCh)
func (b *Backend) stepDown(p *P, net *model.Net[M]) {
	net.Rule(stepRule)
	p.Stepped = true
	b.leave(p, net)
	net.SetTimer(sleep, b.Sleep) // "Give the other nodes a chance."
}

// leave is "Stop Active Duty": the node is standby, and unlocks.
func (b *Backend) leave(p *P, net *model.Net[M]) {
	net.Rule(unlockRule)
	p.Active, p.Until = false, clock.Instant{}
	net.SendTo(table(net), M{Type: Delete, Number: p.Number})
	if b.EndsLock {
		*p.lock() = Lock{}
		net.StopTimer(ticker(p.Number))
	}
}

// Timeout is what time does.
func (b *Backend) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch t {
	case retry:
		net.Rule(tryRule)
		net.SendTo(table(net), M{Type: Acquire, Number: p.Number, Now: p.Clock.Now()})
		net.SetTimer(retry, b.Retry)
	case sleep:
		b.standBy(p, net)
	default:
		number := p.Number
		if ticker(number) != t {
			number = (number + 3) % 4
		}
		b.tick(p, net, number)
	}
}

// tick is that of a lock: it renews the item, and reads it, in either order.
func (b *Backend) tick(p *P, net *model.Net[M], number uint8) {
	l := &p.Locks[number%2]
	if l.Asked {
		net.Rule(failedRule)
		if l.Retries--; l.Retries == 0 {
			b.lose(p, net, number)
			return
		}
	}
	renew := func() {
		if !b.Endless {
			net.Rule(renewRule)
			net.SendTo(table(net), M{Type: Renew, Number: number, Now: p.Clock.Now()})
		}
	}
	if b.StepsDown && p.Active && number == p.Number && !p.Stepped && net.Pick(request) == toStepDown {
		if b.stepDown(p, net); !l.Runs {
			return
		}
	}
	first := net.Pick(order) == renewsFirst
	if first {
		renew()
	}
	net.Rule(watchRule)
	net.SendTo(table(net), M{Type: Get, Number: number})
	if !first {
		renew()
	}
	l.Asked = true
	net.SetTimer(ticker(number), b.Interval)
}

// lose is the end of watch, which ends the renewals too, and if the node is active with this lock, its duty.
func (b *Backend) lose(p *P, net *model.Net[M], number uint8) {
	p.Locks[number%2] = Lock{}
	net.StopTimer(ticker(number))
	if p.Active && number == p.Number {
		net.Rule(lostRule)
		b.leave(p, net)
		b.standBy(p, net)
	}
}

// Receive is the table's side of calls, and the node's of answers.
func (b *Backend) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	l := &p.Locks[m.Number%2]
	switch {
	case net.Self() == table(net):
		b.serve(p, net, from.ID(), m)
	case m.Type == Updated:
		if m.Number == p.Number && !l.Runs && net.IsSet(retry) {
			net.Rule(acquiredRule)
			net.StopTimer(retry)
			p.Active, *l = true, Lock{Runs: true, Retries: b.Retries}
			b.trust(p, m.Now)
			net.SetTimer(ticker(m.Number), b.Interval)
		}
	case m.Type == Renewed:
		if p.Active && m.Number == p.Number {
			b.trust(p, m.Now)
		}
	case m.Type == Refused || !l.Runs: // the next attempt comes by itself
	case !m.Mine:
		b.lose(p, net, m.Number)
	default:
		l.Asked, l.Retries = false, b.Retries
	}
}

// trust has a node trust its lock, which it has asked for at an instant.
func (b *Backend) trust(p *P, asked clock.Instant) {
	if b.Margin > 0 {
		p.Until = asked.Plus(b.TTL - b.Margin)
	}
}

// serve is what the table does with a call.
func (b *Backend) serve(p *P, net *model.Net[M], node model.ID, m M) {
	there := p.Item.Holder != model.None
	mine := p.Item.Holder == node && p.Item.Number == m.Number
	free := mine || !b.Endless && !m.Now.Before(p.Item.Expires)
	switch m.Type {
	case Acquire:
		if there && !free {
			net.Rule(conditionRule)
			net.Reply(M{Type: Refused, Number: m.Number})
			return
		}
		b.write(p, net, node, m)
		net.Reply(b.answer(Updated, m))
	case Renew:
		if there && free || !there && b.Recreates {
			b.write(p, net, node, m)
			if b.Margin > 0 {
				net.Reply(b.answer(Renewed, m))
			}
		} else {
			net.Rule(conditionRule)
		}
	case Get:
		net.Reply(M{Type: Got, Number: m.Number, Mine: mine})
	case Delete:
		if mine || b.DeletesAny {
			net.Rule(deleteRule)
			p.Item = Item{}
		} else {
			net.Rule(conditionRule)
		}
	}
}

// answer returns what the table says to a node that has written the item.
func (b *Backend) answer(kind model.Kind, asked M) M {
	m := M{Type: kind, Number: asked.Number}
	if b.Margin > 0 {
		m.Now = asked.Now
	}
	return m
}

// write sets identity and expires.
func (b *Backend) write(p *P, net *model.Net[M], node model.ID, m M) {
	net.Rule(writeRule)
	p.Item = Item{Holder: node, Number: m.Number}
	if !b.Endless {
		p.Item.Expires = m.Now.Plus(b.TTL)
	}
}

// Role is "table" or "node".
func (*Backend) Role(id model.ID, n int) string {
	if int(id) == n {
		return "table"
	}
	return "node"
}

// Beyond bounds the locks that run.
func (b *Backend) Beyond(p *P) string {
	if p.Tangled {
		return "three locks that run"
	}
	return ""
}

// Belief says who is active. A standby does not learn here who is.
func (b *Backend) Belief(p *P) model.Belief {
	if p.Active && (b.Margin == 0 || !p.Clock.Passed(p.Until)) {
		return model.Belief{Elected: model.Me}
	}
	return model.Belief{}
}
