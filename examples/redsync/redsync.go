// Package redsync explores github.com/go-redsync/redsync/v4 as it ships: clients that call a
// Mutex, over connections that are ours, and Redis instances.
//
// A call of redsync blocks, and runs a goroutine for each instance. Goroutines cannot be copied. So
// a client is plain data: a call, and all that has happened to it since it began. Each handler
// repeats the call in a new bubble of testing/synctest. There all goroutines run until they wait,
// the clock is the bubble's, and a command that waits at its connection becomes a message. Between
// two calls the code has nothing but the Mutex, and of its fields it reads the value only, which the
// next call gets.
//
// This is deterministic. The options hand in what the code draws at random (WithGenValueFunc,
// WithRetryDelayFunc), and make each time limit a number of ticks (WithExpiry, WithDriftFactor,
// WithTimeoutFactor). Goroutines that send at once send to different instances, and their commands
// are sorted by instance. shipped.Test checks it.
//
// The bubble looks ahead to see when the call goes on by itself, and the client sets an alarm for
// that. Its clock passes by alarms only, so that in a pause it stands still, and the code reads a
// time that is too early. So a client looks at Until a tick after it has got the lock, as those of
// algorithms/redlock do, and has a timer for Until that runs from when the commands were sent.
package redsync

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-redsync/redsync/v4"

	"bullyproof/checker/shipped"
	"bullyproof/model"
)

// A Process is a client or an instance.
type Process struct {
	Client   *Client
	Instance *Instance
}

// A Client uses the lock: it locks, leads while Until says so, unlocks, and begins again.
type Client struct {
	Phase Phase
	// Attempt numbers its attempts, by turns: each has a value of its own.
	Attempt int
	// Value is that of the Mutex.
	Value string
	// Call is what runs, nil for nothing.
	Call *Call
	// Open are the commands that wait for an answer, and Next is in how many ticks from the last
	// of them the alarm rings.
	Open []Command
	Next int
	// Sent is how many commands the call has sent.
	Sent int
	// Extended is how often the leader got more time, and Second which of two timers has Until.
	Extended int
	Second   bool
}

// Phase is what a client does.
type Phase uint8

// The phases of a client.
const (
	Idle    Phase = iota // waits, to try again
	Locks                // waits for Lock
	Checks               // has the lock, and looks at the clock
	Leads                // has the lock, and may wait for Extend
	Unlocks              // waits for Unlock
)

// String returns the phase's name.
func (p Phase) String() string { return [...]string{"idle", "locks", "checks", "leads", "unlocks"}[p] }

// An Instance is a Redis with one key.
type Instance struct {
	Key string // its value; "" is no key
	// Silent says that it has restarted and does not answer yet.
	Silent bool
}

// A Name is that of a command, and Answer that of its answer.
type Name = model.Kind

// The commands.
const (
	SetNX Name = iota
	Delete
	Touch
	TouchOrSet
	Answer
)

var kinds = []string{"SetNX", "Delete", "Touch", "TouchOrSet", "Answer"}

// A Message is a command to an instance or its answer.
type Message struct {
	Command Command
	// Answers says that it is an answer: 1, 0 or -1.
	Answers bool
	Answer  int
}

// The timers: of clients, and the last two of instances.
const (
	Retry    model.Timer = iota // the delay before a new attempt
	Alarm                       // the call goes on by itself
	Check                       // the client looks at Until
	Validity                    // Until, counted from when the commands were sent
	Other                       // the same, for the time that Extend gives
	Low                         // extend
	Expiry                      // of the key
	Silence                     // of an instance that has restarted
)

// Clients drives clients of redsync, P1 and P2, and instances, the others.
type Clients struct {
	shipped.Passive[Process, Message]
	// T is what synctest needs to make a bubble.
	T *testing.T
	// TTL is that of keys, in ticks, Drift how much sooner a lock is over, and Wait how long a call
	// waits for answers.
	TTL, Drift, Wait int
	// Values is how many values a client has, by turns: one more than those that can still be in
	// flight. Random ones differ from all before.
	Values int
	// Tries is how often Lock tries, with Delay in between. After an attempt that failed and
	// after an Unlock, P1 waits for Delay also, and P2 for a tick more.
	Tries, Delay int
	// Unlimited has Extend and Unlock wait for answers without a limit, as with no deadline in
	// their context and none in the driver.
	Unlimited bool
	// Extensions is how often a leader extends the lock.
	Extensions int
	// Disk has an instance keep its key over a crash, and Delayed has it not answer for that many
	// ticks after a restart.
	Disk    bool
	Delayed int
	// Options are more options of the Mutex.
	Options []redsync.Option
}

// Short has short times: keys live for 8 ticks, which are redsync's 8 seconds.
// Limits that are parts of a second there are 2 ticks, for messages that take up to one.
func Short(t *testing.T) Clients {
	return Clients{T: t, TTL: 8, Drift: 2, Wait: 2, Values: 2, Tries: 1, Delay: 2}
}

// New makes the protocol.
func New(m Clients, opts ...shipped.Option) *shipped.Protocol[Process, Message] {
	return shipped.New(m, opts...)
}

const clients = 2

// Init has a client ask for the lock soon.
func (m Clients) Init(s *Process, net *shipped.Net[Message], why model.Boot) {
	if net.Self() <= clients {
		if s.Client == nil {
			s.Client = &Client{}
		}
		net.SetTimer(Retry, 1)
		return
	}
	if s.Instance == nil {
		s.Instance = &Instance{}
	}
	switch {
	case why == model.Restart && m.Delayed > 0:
		s.Instance.Silent = true
		net.SetTimer(Silence, m.Delayed)
	case s.Instance.Key != "":
		net.SetTimer(Expiry, m.TTL)
	}
}

// Stable leaves the key if it is on disk. A client's next value is a new one.
func (m Clients) Stable(s *Process) {
	switch {
	case s.Client != nil:
		s.Client = &Client{Attempt: s.Client.Attempt}
	case s.Instance != nil && !m.Disk:
		s.Instance = nil
	case s.Instance != nil:
		s.Instance.Silent = false
	}
}

// Receive is the instance's side of commands, and the client's of answers. A driver drops an
// answer that nobody waits for.
func (m Clients) Receive(s *Process, net *shipped.Net[Message], from model.Port, msg Message) {
	if s.Instance != nil {
		m.serve(s.Instance, net, msg.Command)
		return
	}
	msg.Command.Node = int(from.ID()) - clients - 1
	if c := s.Client; slices.Contains(c.Open, msg.Command) {
		m.goOn(c, net, Event{To: msg.Command, Answer: msg.Answer})
	}
}

// Timeout is what time does.
func (m Clients) Timeout(s *Process, net *shipped.Net[Message], t model.Timer) {
	c := s.Client
	switch t {
	case Expiry:
		s.Instance.Key = ""
	case Silence:
		s.Instance.Silent = false
	case Retry:
		c.Phase, c.Attempt = Locks, (c.Attempt+1)%m.Values
		m.begin(c, net, Lock, net.Self().Name()+strings.Repeat("'", c.Attempt))
	case Alarm:
		m.goOn(c, net, Event{After: c.Next})
	case Check:
		c.Phase = Leads
		m.setLow(c, net)
	case Validity, Other:
		m.over(c, net, (t == Other) == c.Second)
	case Low:
		m.begin(c, net, Extend, c.Value)
	}
}

// over is the end of the time of what a client has, or of what it asks for. The code that asks sees by
// its clock that so much time is over.
func (m Clients) over(c *Client, net *shipped.Net[Message], has bool) {
	if c.Phase == Locks || !has {
		m.goOn(c, net, Event{After: m.TTL - m.Drift})
		return
	}
	for _, t := range []model.Timer{Check, Low, validity(!c.Second)} {
		net.StopTimer(t)
	}
	// An Extend that waits is given up: its context ends.
	c.Phase = Unlocks
	m.begin(c, net, Unlock, c.Value)
}

// validity is one of the two timers.
func validity(second bool) model.Timer {
	if second {
		return Other
	}
	return Validity
}

// begin begins a call.
func (m Clients) begin(c *Client, net *shipped.Net[Message], method Method, value string) {
	c.Call, c.Open, c.Sent, c.Next = &Call{Method: method, Instances: net.N() - clients, Value: value}, nil, 0, 0
	m.after(c, net)
}

// goOn has an event happen to a call.
func (m Clients) goOn(c *Client, net *shipped.Net[Message], e Event) {
	c.Call.Seen = append(c.Call.Seen, e)
	m.after(c, net)
}

// after does what the code does by now: it sends commands, sets the alarm, and returns.
func (m Clients) after(c *Client, net *shipped.Net[Message]) {
	out := m.run(c.Call)
	sent := out.Sent[c.Sent:]
	for _, command := range sent {
		to := model.ID(clients + 1 + command.Node)
		command.Node = 0 // the connection says it
		net.SendTo(to, Message{Command: command})
	}
	if len(sent) > 0 {
		m.mind(c, net, sent[0].Name)
	}
	last := c.Call.Seen[max(0, len(c.Call.Seen)-1):]
	switch {
	case out.Next == 0:
		net.StopTimer(Alarm)
	case len(sent) > 0, len(out.Open) == 0, len(last) > 0 && last[0].After > 0: // the code waits for something new
		net.SetTimer(Alarm, out.Next)
	}
	c.Sent, c.Open, c.Next = len(out.Sent), out.Open, out.Next
	if out.Returned {
		m.returned(c, net, &out)
	}
}

// mind has a timer run for the time that commands give if they succeed.
func (m Clients) mind(c *Client, net *shipped.Net[Message], name Name) {
	switch {
	case name == Touch || name == TouchOrSet:
		net.SetTimer(validity(!c.Second), m.TTL-m.Drift)
	case name == SetNX:
		net.SetTimer(Validity, m.TTL-m.Drift)
	case c.Phase == Locks:
		net.StopTimer(Validity)
	}
}

// returned is what a client does after a call.
func (m Clients) returned(c *Client, net *shipped.Net[Message], out *Outcome) {
	method := c.Call.Method
	c.Call, c.Open, c.Next, c.Sent = nil, nil, 0, 0
	if out.OK && method != Unlock && out.Until != m.TTL-m.Drift {
		panic(fmt.Sprintf("Until is %d ticks after the commands were sent: a client has a timer for %d", out.Until, m.TTL-m.Drift))
	}
	switch {
	case method == Lock && out.OK:
		c.Phase, c.Value = Checks, out.Value
		net.SetTimer(Check, 1)
	case method == Extend && out.OK:
		net.StopTimer(validity(c.Second))
		c.Second = !c.Second
		c.Extended++
		m.setLow(c, net)
	case method == Extend:
		net.StopTimer(validity(!c.Second))
	default:
		*c = Client{Attempt: c.Attempt}
		net.SetTimer(Retry, m.Delay+int(net.Self())-1)
	}
}

// setLow waits until the lock is to be extended.
func (m Clients) setLow(c *Client, net *shipped.Net[Message]) {
	if c.Extended < m.Extensions {
		net.SetTimer(Low, 1)
	}
}

// serve is what Redis does, and redsync's scripts in it.
func (m Clients) serve(s *Instance, net *shipped.Net[Message], c Command) {
	if s.Silent {
		return
	}
	answer := 0
	switch mine := s.Key == c.Value; {
	case c.Name == Delete && s.Key == "":
		answer = -1
	case c.Name == Delete && mine:
		s.Key = ""
		net.StopTimer(Expiry)
		answer = 1
	case c.Name == Touch && mine, c.Name == TouchOrSet && (mine || s.Key == ""), c.Name == SetNX && s.Key == "":
		s.Key = c.Value
		net.SetTimer(Expiry, c.Expiry)
		answer = 1
	}
	net.Reply(Message{Command: c, Answers: true, Answer: answer})
}

// Belief says that a client leads while it has the lock by Until.
func (m Clients) Belief(s *Process) model.Belief {
	if s.Client != nil && s.Client.Phase == Leads {
		return model.Belief{Elected: model.Me}
	}
	return model.Belief{}
}

// Names are those of redsync, and of the timers.
func (m Clients) Names() model.Names {
	return model.Names{
		Kinds: kinds,
		Timers: []model.TimerName{
			{Name: "retry", Periodic: true}, {Name: "alarm"}, {Name: "check"}, {Name: "validity"}, {Name: "extended validity"}, {Name: "low"},
			{Name: "expiry"}, {Name: "silence"},
		},
	}
}

// Kind is the name of a command, or that of answers.
func (m Clients) Kind(msg Message) model.Kind {
	if msg.Answers {
		return Answer
	}
	return msg.Command.Name
}

// Text has the value, the number of the command among those of its call to that instance, and of
// an answer what it is.
func (m Clients) Text(msg Message) string {
	c := msg.Command
	text := fmt.Sprintf("%s(%s) #%d", kinds[c.Name], c.Value, c.Number+1)
	if msg.Answers {
		text = fmt.Sprintf("Answer %d to %s", msg.Answer, text)
	}
	return text
}

// Show has the phase of a client and what its call has seen, and the key of an instance.
func (m Clients) Show(s *Process) []model.Field {
	if s.Instance != nil {
		return []model.Field{{Name: "Key", Value: s.Instance.Key, Zero: s.Instance.Key == ""}, {Name: "Silent", Value: fmt.Sprint(s.Instance.Silent), Zero: !s.Instance.Silent}}
	}
	if s.Client == nil {
		return nil
	}
	fields := []model.Field{{Name: "Phase", Value: s.Client.Phase.String()}, {Name: "Value", Value: s.Client.Value, Zero: s.Client.Value == ""}}
	if s.Client.Call != nil {
		fields = append(fields, model.Field{Name: "Call", Value: s.Client.Call.String()})
	}
	return fields
}

// String has what the call has seen: "lock: P3 1, P4 0, 2 ticks".
func (c *Call) String() string {
	var seen []string
	for _, e := range c.Seen {
		if e.After > 0 {
			seen = append(seen, fmt.Sprintf("%d ticks", e.After))
		} else {
			seen = append(seen, fmt.Sprintf("%s %d", model.ID(clients+1+e.To.Node).Name(), e.Answer))
		}
	}
	return [...]string{"lock: ", "extend: ", "unlock: "}[c.Method] + strings.Join(seen, ", ")
}
