// Package redlock is Redis's distributed lock Redlock as an election: a client that holds the
// lock leads.
//
// The two processes with the lowest ids are clients, and the others are independent Redis
// instances. A client sets one key in all instances, and holds the lock if it could do so in a
// majority of them, for as long as the first key surely lives by the client's clock.
//
// Deviations: a random value is the client's id and the parity of its attempt. A handler reads no
// clock, so that the client leads one tick after it has counted the answers, unless a timer says
// that the validity time is over by then (steps 3 and 4). The random delay before a retry is a
// fixed one here, longer for P2 than for P1, and random in the variant drawn. An instance with its
// key on disk that restarts keeps the key for a whole TTL from then, while Redis also counts the time
// in which it was down.
//
// Source: "Distributed Locks with Redis", of the Redis documentation (manual, patterns,
// distributed-locks); the sections are named beside the rules. The program redsync
// (go-redsync/redsync, mutex.go) does the same: its functions are named also.
package redlock

import (
	"fmt"

	"bullyproof/model"
)

// A Value is what a key holds: unique "across all clients and all lock requests".
type Value struct {
	Client  model.ID // None: no key
	Attempt bool
}

// P is the state of an instance or of a client.
type P struct {
	// Key is an instance's, and Sets counts what has been set (Fencing). Silent says that it
	// has restarted and does not answer yet.
	Key    Value
	Sets   uint8
	Silent bool

	// Phase is what a client does, and Attempt numbers its attempts, by turns.
	Phase   Phase
	Attempt bool
	// Yes and No are the instances that have answered, and Token is the highest count among
	// their answers.
	Yes, No model.Set
	Token   uint8
	// Extends says that the leader asks for more time, Extended how often it got some, and
	// Second which of two timers has its validity time.
	Extends  bool
	Extended uint8
	Second   bool
}

// Phase is what a client does.
type Phase uint8

// The phases of a client.
const (
	Idle   Phase = iota // waits, to try again
	Asks                // step 2
	Raises              // its token (Fencing)
	Checks              // steps 3 and 4
	Leads               // holds the lock
)

// String returns the phase's name.
func (p Phase) String() string { return [...]string{"idle", "asks", "raises", "checks", "leads"}[p] }

// The kinds of messages: commands and scripts of clients, and an instance's answers.
const (
	Set    model.Kind = iota // SET resource_name my_random_value NX PX TTL
	Del                      // delete the key if it has the value
	Extend                   // set the TTL of the key anew if it has the value
	Raise                    // raise the count if the key has the value (Fencing)
	Yes
	No
)

// M is a message.
type M struct {
	Type    model.Kind
	Attempt bool
	To      model.Kind // of an answer: to which command
	Token   uint8
}

// Kind returns the kind of m.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as in "Yes(Set)". An apostrophe is for every other attempt.
func (m M) String() string {
	text := kinds[m.Type]
	switch {
	case m.Type >= Yes && m.Token > 0:
		text += fmt.Sprintf("(%s,%d)", kinds[m.To], m.Token)
	case m.Type >= Yes:
		text += "(" + kinds[m.To] + ")"
	case m.Token > 0:
		text += fmt.Sprintf("(%d)", m.Token)
	}
	if m.Attempt {
		text += "'"
	}
	return text
}

// The timers: of clients, and the last two of instances.
const (
	retry     model.Timer = iota // the delay before a retry
	answers                      // answers are no longer waited for
	check                        // the client looks whether the lock is valid
	validity                     // the validity time is over, counted from step 1
	other                        // the same, for the time that an extension gives
	low                          // the validity time approaches a low value: extend
	expiry                       // of the key
	restarted                    // of an instance that has restarted
)

var (
	rules model.Rules

	ask      = rules.Add("steps 1, 2: note the time, set the key in all instances")
	counted  = rules.Add("step 3: a majority has the key")
	acquired = rules.Add("steps 3, 4: the validity time is not over: the lock is acquired")
	failed   = rules.Add("step 3: no majority")
	released = rules.Add("step 5, release: unlock all instances, and try again after a delay")
	set      = rules.Add("SET NX: no key: set it")
	taken    = rules.Add("SET NX: there is a key: refuse")
	deleted  = rules.Add("release script: the value is the same: delete the key")
	notMine  = rules.Add("release script: no key, or another value: nothing")
	expired  = rules.Add("the key expires")
	delayed  = rules.Add("delayed restart: do not answer yet")
	extend   = rules.Add("extend the lock in all instances")
	extended = rules.Add("extended in a majority of instances")
	raise    = rules.Add("raise the counts to the token")
)

// A Lock is the protocol of the instances and their clients.
type Lock struct {
	model.Passive[P, M]
	// TTL is that of keys, in ticks, and Drift how much sooner a client takes them to expire.
	TTL, Drift int
	// Delay is how long P1 waits before it tries again. P2 waits a tick longer, unless it is the
	// SameDelay, or delays are Drawn: each client waits up to so many ticks less one longer, by chance.
	Delay     int
	SameDelay bool
	Drawn     int
	// Quorum is how many instances are enough; 0 is a majority.
	Quorum int
	// PlainDel has a client release the lock without the value.
	PlainDel bool
	// Disk has an instance keep its key over a crash, as with fsync=always. Delayed has it not
	// answer for that many ticks after a restart.
	Disk    bool
	Delayed int
	// Extensions is how often a leader extends the lock, and Always that it does so without end.
	Extensions uint8
	Always     bool
	// Fencing has instances count what they set, and a client take the highest count of its
	// majority for a token. With Raised it first tells all instances of it. Tokens is how
	// many are explored.
	Fencing, Raised bool
	Tokens          uint8
}

// clients are two processes, and one where there are two in all.
func clients(n model.ID) model.Set { return model.Upto(min(2, n-1)) }

func instances(net *model.Net[M]) model.Set {
	n := model.ID(net.N())
	return model.Upto(n) &^ clients(n)
}

// Init has a client ask for the lock soon, and an instance that restarts keep away from locks
// that may be active ("delayed restarts").
func (l *Lock) Init(p *P, net *model.Net[M], why model.Boot) {
	switch {
	case !instances(net).Has(net.Self()):
		net.SetTimer(retry, 1)
	case why == model.Restart && l.Delayed > 0:
		net.Rule(delayed)
		p.Silent = true
		net.SetTimer(restarted, l.Delayed)
	case p.Key != Value{}:
		net.SetTimer(expiry, l.TTL)
	}
}

// Stable keeps the key and the count where they are on disk, and the number of a client's attempt, which is
// new each time.
func (l *Lock) Stable(p *P) {
	*p = P{Attempt: p.Attempt, Key: p.Key, Sets: p.Sets}
	if !l.Disk {
		p.Key = Value{}
	}
}

// Timeout is what time does.
func (l *Lock) Timeout(p *P, net *model.Net[M], t model.Timer) {
	switch t {
	case retry:
		l.acquire(p, net)
	case answers:
		l.count(p, net)
	case check: // steps 3 and 4: "the lock is considered to be acquired"
		net.Rule(acquired)
		p.Phase = Leads
		l.setLow(p, net)
	case validity, other:
		if (t == other) == p.Second { // otherwise it was that of an extension
			l.unlock(p, net)
		}
	case low:
		l.extend(p, net)
	case expiry: // "the key will expire"
		net.Rule(expired)
		p.Key = Value{}
	case restarted:
		p.Silent = false
	}
}

// acquire is steps 1 and 2: it notes the time, and "tries to acquire the lock in all the N
// instances", at the same time ("using multiplexing"). (acquire)
func (l *Lock) acquire(p *P, net *model.Net[M]) {
	net.Rule(ask)
	*p = P{Phase: Asks, Attempt: !p.Attempt}
	net.SetTimer(validity, l.TTL-l.Drift)
	l.send(p, net, M{Type: Set})
}

// send sends a command to all instances, and waits for the answers for a time "which is small
// compared to the total lock auto-release time". (actOnPoolsAsync)
func (l *Lock) send(p *P, net *model.Net[M], m M) {
	m.Attempt, p.Yes, p.No = p.Attempt, 0, 0
	net.SendAll(instances(net), m)
	net.SetTimer(answers, 2*net.Bound()) // a round trip
}

// Receive is the instance's side of commands, and the client's of answers.
func (l *Lock) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if instances(net).Has(net.Self()) {
		l.serve(p, net, from.ID(), m)
		return
	}
	if m.Attempt != p.Attempt || !p.waits(m.To) {
		return
	}
	if m.Type == Yes {
		p.Yes = p.Yes.With(from.ID())
		p.Token = max(p.Token, m.Token)
	} else {
		p.No = p.No.With(from.ID())
	}
	if p.Yes|p.No == instances(net) {
		l.count(p, net)
	}
}

// waits reports whether a client waits for answers to a command.
func (p *P) waits(command model.Kind) bool {
	switch command {
	case Set:
		return p.Phase == Asks
	case Raise:
		return p.Phase == Raises
	}
	return p.Phase == Leads && p.Extends
}

// count is the end of step 2 and the beginning of step 3: whether a majority said yes.
func (l *Lock) count(p *P, net *model.Net[M]) {
	net.StopTimer(answers)
	majority := p.Yes.Len() >= l.quorum(net)
	switch {
	case p.Extends:
		l.extended(p, net, majority)
	case !majority:
		net.Rule(failed)
		l.unlock(p, net)
	case l.Raised && p.Phase == Asks:
		net.Rule(raise)
		p.Phase = Raises
		l.send(p, net, M{Type: Raise, Token: p.Token})
	default:
		net.Rule(counted)
		p.Phase, p.Yes, p.No = Checks, 0, 0
		net.SetTimer(check, 1)
	}
}

// quorum is how many instances are enough, "N/2+1". (NewMutex)
func (l *Lock) quorum(net *model.Net[M]) int {
	if l.Quorum > 0 {
		return l.Quorum
	}
	return instances(net).Len()/2 + 1
}

// unlock is step 5 where the lock was not acquired, and "Releasing the Lock" where its validity
// time is over: it unlocks "all the instances", and tries again after a delay ("Retry on
// Failure"). (release)
func (l *Lock) unlock(p *P, net *model.Net[M]) {
	net.Rule(released)
	net.SendAll(instances(net), M{Type: Del, Attempt: p.Attempt})
	l.rest(p, net)
}

// rest ends an attempt, and waits before the next one.
func (l *Lock) rest(p *P, net *model.Net[M]) {
	for _, t := range []model.Timer{answers, check, validity, other, low} {
		net.StopTimer(t)
	}
	*p = P{Attempt: p.Attempt}
	delay := l.Delay
	switch {
	case l.Drawn > 0:
		delay += net.Toss(l.Drawn)
	case net.Self() == 2 && !l.SameDelay:
		delay++
	}
	net.SetTimer(retry, delay)
}

// setLow waits until the lock is to be extended.
func (l *Lock) setLow(p *P, net *model.Net[M]) {
	if p.Extended < l.Extensions || l.Always {
		net.SetTimer(low, 1)
	}
}

// extend begins what "Making the algorithm more reliable: Extending the lock" says: the client
// "may extend the lock by sending a Lua script to all the instances". (ExtendContext)
func (l *Lock) extend(p *P, net *model.Net[M]) {
	net.Rule(extend)
	p.Extends = true
	net.SetTimer(p.timer(!p.Second), l.TTL-l.Drift)
	l.send(p, net, M{Type: Extend})
}

// timer is one of the two for validity times.
func (p *P) timer(second bool) model.Timer {
	if second {
		return other
	}
	return validity
}

// extended considers "the lock re-acquired if it was able to extend the lock into the majority
// of instances, and within the validity time".
func (l *Lock) extended(p *P, net *model.Net[M], majority bool) {
	p.Extends, p.Yes, p.No = false, 0, 0
	if !majority {
		net.StopTimer(p.timer(!p.Second))
		return
	}
	net.Rule(extended)
	net.StopTimer(p.timer(p.Second))
	p.Second = !p.Second
	if !l.Always {
		p.Extended++
	}
	l.setLow(p, net)
}

// serve is what an instance does.
func (l *Lock) serve(p *P, net *model.Net[M], client model.ID, m M) {
	if p.Silent {
		return
	}
	mine := p.Key == Value{client, m.Attempt}
	answer := M{Type: No, To: m.Type, Attempt: m.Attempt}
	switch m.Type {
	case Set: // "only if it does not already exist (NX option), with an expire"
		if p.Key != (Value{}) {
			net.Rule(taken)
			break
		}
		net.Rule(set)
		p.Key = Value{client, m.Attempt}
		net.SetTimer(expiry, l.TTL)
		answer.Type = Yes
		if l.Fencing {
			p.Sets++
			answer.Token = p.Sets
		}
	case Del: // "only if it exists and the value stored at the key is exactly the one I expect to be"
		if !mine && !l.PlainDel {
			net.Rule(notMine)
			return
		}
		net.Rule(deleted)
		p.Key = Value{}
		net.StopTimer(expiry)
		return
	case Extend: // "if the key exists and its value is still the random value"
		if mine {
			net.SetTimer(expiry, l.TTL)
			answer.Type = Yes
		}
	case Raise:
		if mine {
			p.Sets = max(p.Sets, m.Token)
			answer.Type = Yes
		}
	}
	net.Reply(answer)
}

// Role is "client" or "Redis".
func (*Lock) Role(id model.ID, n int) string {
	if clients(model.ID(n)).Has(id) {
		return "client"
	}
	return "Redis"
}

// Beyond bounds the tokens.
func (l *Lock) Beyond(p *P) string {
	if l.Tokens > 0 && p.Sets > l.Tokens {
		return fmt.Sprintf("token %d", p.Sets)
	}
	return ""
}

// Belief says who leads: a client that takes the lock to be its own.
func (l *Lock) Belief(p *P) model.Belief {
	if p.Phase == Leads {
		return model.Belief{Elected: model.Me, Epoch: uint64(p.Token)}
	}
	return model.Belief{}
}
