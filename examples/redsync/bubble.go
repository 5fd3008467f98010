package redsync

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-redsync/redsync/v4"
	"github.com/go-redsync/redsync/v4/redis"
)

// A Method is one of Mutex.
type Method uint8

// The methods that clients call.
const (
	Lock Method = iota
	Extend
	Unlock
)

// A Call is a call of the Mutex with all that has happened to it: as data, since goroutines
// cannot be copied.
type Call struct {
	Method    Method
	Instances int
	// Value is what the Mutex has, or what a Lock draws.
	Value string
	Seen  []Event
}

// An Event is what happens to a call: an answer to a command, or time that passes.
type Event struct {
	To     Command
	Answer int
	After  int // ticks; 0: it is an answer
}

// A Command is one that the code has sent by its connection to an instance.
type Command struct {
	Node, Number int // the instance, and how many commands there were before
	Name         Name
	Value        string
	Expiry       int // in ticks
}

// An Outcome is what a call has come to.
type Outcome struct {
	// Sent are all commands in order, and Open those that wait for an answer.
	Sent, Open []Command
	// Next is when the code goes on if nothing happens, in ticks from now; 0 is never.
	Next int
	// Returned says that the call has, and OK with success.
	Returned, OK bool
	// Value and Until are those of the Mutex then. Until is in ticks from when the last commands
	// that set or touch keys were sent.
	Value string
	Until int
}

// tick is a tick on the bubble's clock, and horizon how far it is looked ahead.
const (
	tick    = time.Second
	horizon = 16
)

// run repeats a call in a bubble of its own, and says what it has come to.
func (m Clients) run(c *Call) (out Outcome) {
	synctest.Test(m.T, func(*testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		b := &bubble{nodes: make([][]*pending, c.Instances)}
		go b.call(ctx, m, c)
		synctest.Wait()
		for _, e := range c.Seen {
			b.happen(e)
		}
		out = b.outcome()
		for ahead := 1; !out.Returned && ahead <= horizon; ahead++ {
			b.pass(1)
			if now := b.outcome(); now.Returned || len(now.Sent) != len(out.Sent) || len(now.Open) != len(out.Open) {
				out.Next = ahead
				break
			}
		}
		cancel() // and so the call ends, and the bubble with it
	})
	return out
}

// A bubble is where a call runs.
type bubble struct {
	mu    sync.Mutex
	nodes [][]*pending
	mutex *redsync.Mutex
	set   time.Time // when the last commands were sent that set or touch keys
	ended bool
	ok    bool
}

// A pending is a command and where its answer goes.
type pending struct {
	Command
	answer chan int
	open   bool
}

// call makes a Mutex and calls it. Unlock and Extend have no time limit but that of their context.
func (b *bubble) call(ctx context.Context, m Clients, c *Call) {
	pools := make([]redis.Pool, c.Instances)
	for i := range pools {
		pools[i] = pool{b, i}
	}
	mutex := redsync.New(pools...).NewMutex("lock", m.options(c)...)
	if c.Method != Lock && !m.Unlimited {
		limited, cancel := context.WithTimeout(ctx, time.Duration(m.Wait)*tick)
		defer cancel()
		ctx = limited
	}
	var ok bool
	switch c.Method {
	case Lock:
		ok = mutex.LockContext(ctx) == nil
	case Extend:
		ok, _ = mutex.ExtendContext(ctx)
	case Unlock:
		ok, _ = mutex.UnlockContext(ctx)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.mutex, b.ended, b.ok = mutex, true, ok
}

// options hand in all that the code would read of clocks and random numbers by itself.
func (m Clients) options(c *Call) []redsync.Option {
	share := func(ticks int) float64 { return float64(ticks) / float64(m.TTL) }
	draws := redsync.WithValue(c.Value)
	if c.Method == Lock {
		draws = redsync.WithGenValueFunc(func() (string, error) { return c.Value, nil })
	}
	return append([]redsync.Option{
		draws,
		redsync.WithExpiry(time.Duration(m.TTL) * tick),
		redsync.WithDriftFactor(share(m.Drift)),
		redsync.WithTimeoutFactor(share(m.Wait)),
		redsync.WithTries(m.Tries),
		redsync.WithRetryDelayFunc(func(int) time.Duration { return time.Duration(m.Delay) * tick }),
	}, m.Options...)
}

// happen has an event happen, and waits until all goroutines wait.
func (b *bubble) happen(e Event) {
	if e.After > 0 {
		b.pass(e.After)
		return
	}
	b.mu.Lock()
	p := b.nodes[e.To.Node][e.To.Number]
	b.mu.Unlock()
	p.answer <- e.Answer
	synctest.Wait()
}

// pass has time pass.
func (b *bubble) pass(ticks int) {
	time.Sleep(time.Duration(ticks) * tick)
	synctest.Wait()
}

// outcome is what the call has come to. Of commands that are sent at once by several goroutines,
// that to the first instance comes first.
func (b *bubble) outcome() Outcome {
	b.mu.Lock()
	defer b.mu.Unlock()
	out := Outcome{Returned: b.ended, OK: b.ok}
	for _, commands := range b.nodes {
		for _, p := range commands {
			out.Sent = append(out.Sent, p.Command)
			if p.open {
				out.Open = append(out.Open, p.Command)
			}
		}
	}
	slices.SortStableFunc(out.Sent, func(a, b Command) int { return cmp.Compare(a.Number, b.Number) })
	if b.ended {
		out.Value, out.Until = b.mutex.Value(), int(b.mutex.Until().Sub(b.set)/tick)
	}
	return out
}

// do sends a command, and waits for its answer.
func (b *bubble) do(ctx context.Context, c Command) (int, error) {
	p := &pending{Command: c, answer: make(chan int, 1), open: true}
	b.mu.Lock()
	p.Number = len(b.nodes[c.Node])
	b.nodes[c.Node] = append(b.nodes[c.Node], p)
	if c.Name != Delete {
		b.set = time.Now()
	}
	b.mu.Unlock()
	defer func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		p.open = false
	}()
	select {
	case answer := <-p.answer:
		return answer, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

// A pool is the way to an instance.
type pool struct {
	bubble *bubble
	node   int
}

// Get returns a connection, whose commands end with the context as they do in drivers.
func (p pool) Get(ctx context.Context) (redis.Conn, error) { return conn{ctx: ctx, way: p}, nil }

// A conn has the commands that redsync sends. The others are nil.
type conn struct {
	redis.Conn
	ctx context.Context
	way pool
}

func (c conn) Close() error { return nil }

func (c conn) SetNX(_, value string, expiry time.Duration) (bool, error) {
	answer, err := c.way.bubble.do(c.ctx, Command{Node: c.way.node, Name: SetNX, Value: value, Expiry: int(expiry / tick)})
	return answer == 1, err
}

// Eval sends one of the scripts of redsync, which are told apart by what they call last.
func (c conn) Eval(script *redis.Script, keysAndArgs ...any) (any, error) {
	command := Command{Node: c.way.node, Name: Delete, Value: keysAndArgs[1].(string)}
	if strings.Contains(script.Src, "PEXPIRE") {
		command.Name, command.Expiry = Touch, keysAndArgs[2].(int)/int(tick/time.Millisecond)
		if strings.Contains(script.Src, `"SET"`) {
			command.Name = TouchOrSet
		}
	}
	answer, err := c.way.bubble.do(c.ctx, command)
	return int64(answer), err
}
