package protocol

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"

	"bullyproof/internal/flat"
)

// A Machine is one process of a system outside of any search, as a Node is, for
// a driver that knows the types neither of states nor of messages: both are
// bytes. A program that runs the processes of a protocol over a network drives
// Machines. The handlers' errors are those of a Node; besides, a handler that
// panics is an error.
//
// A Machine is not safe for use by several goroutines at once.
type Machine interface {
	// Init has the process come up. On Restart stored is what Stored returned
	// last, or nil if nothing was stored; it has to be nil otherwise.
	Init(why Boot, stored []byte) error
	// Start has the process begin an election.
	Start() error
	// Suspect has the failure detector report that process who is down.
	Suspect(who ID) error
	// Receive has a message arrive by a port. It fails, and runs nothing, if the
	// bytes are no message of the protocol.
	Receive(from Port, message []byte) error
	// Expire has timer t expire. It fails if t is not set.
	Expire(t Timer) error

	// Sends yields what the last handler sent, in order.
	Sends(yield func(to Port, m Letter) bool)
	// Changes yields what the last handler did to timers, as Node.Changes does.
	Changes(yield func(t Timer, ticks int) bool)
	// Rules yields the rules of the source that the last handler applied.
	Rules(yield func(r Rule) bool)
	// Changed reports whether the last handler did anything: to the state, to a
	// timer, or by a message.
	Changed() bool

	// Belief says what the process believes of the coordinator.
	Belief() Belief
	// State describes the state of the process as snapshots do.
	State() []Field
	// Watched returns the processes whose failure the detector is to report:
	// those that the protocol watches in this state.
	Watched() Set
	// Stored returns what has to be in stable storage before anything is sent
	// that the last handler sent; nil of a protocol that has none.
	Stored() []byte
	// Read returns a message as a Letter. It fails where Receive does.
	Read(message []byte) (Letter, error)
	// Layout describes what the bytes of states and messages mean: machines of
	// one layout understand each other.
	Layout() string
	// MaxMessage returns the size of a message in bytes.
	MaxMessage() int
}

// A Letter is a message outside of any search.
type Letter struct {
	// Bytes is the message for Machine.Receive.
	Bytes []byte
	// Kind is its kind, and Text the message as the source writes it.
	Kind, Text string
}

// NewMachine returns process self of a protocol; nothing has come up yet (Init).
// Choose is that of a Node; nil always chooses 0. It fails if self is not one of the
// processes.
func NewMachine(c Code, call Call, self ID, choose func(k int) int) (Machine, error) {
	if choose == nil {
		choose = func(int) int { return 0 }
	}
	m := &machine{code: c, hands: c.Hands(), names: c.Names()}
	err := m.node.begin(m.hands.net(), call, self, choose)
	if err != nil {
		return nil, err
	}
	if m.has, err = c.Optional(); err != nil {
		return nil, err
	}
	// A process outside of searches keeps all of its state.
	m.typeP, m.typeM = c.Types()
	m.state, m.message = reflect.New(m.typeP), reflect.New(m.typeM)
	if m.planP, err = flat.StrictOf(m.typeP); err != nil {
		return nil, err
	}
	if m.planM, err = flat.StrictOf(m.typeM); err != nil {
		return nil, err
	}
	return m, nil
}

// A machine is a Machine: what a Node is, without its types.
type machine struct {
	node
	code         Code
	hands        Hands
	has          Optionals
	names        Names
	typeP, typeM reflect.Type
	state        reflect.Value // where that of the process is
	message      reflect.Value // where one is that is read
	planP, planM flat.Strict
	before       []byte // the state before the handler that ran last
}

// at returns where the state of the process is.
func (b *machine) at() unsafe.Pointer { return b.state.UnsafePointer() }

// run runs a handler, and makes an error of a panic.
func (b *machine) run(what string, handler func() error) (err error) {
	b.before = b.planP.Append(b.before[:0], b.at())
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the handler of %s panics: %v", what, r)
		}
	}()
	return handler()
}

func (b *machine) Init(why Boot, stored []byte) error {
	if stored != nil {
		if why != Restart {
			return fmt.Errorf("Init(%v) with what is stored: only a restart has it", why)
		}
		if !b.has.Stable {
			return fmt.Errorf("Init(%v) with what is stored: the protocol has no stable storage", why)
		}
		p := reflect.New(b.typeP)
		if err := b.planP.Read(p.UnsafePointer(), stored); err != nil {
			return fmt.Errorf("what is stored: %w", err)
		}
		b.state = p
	}
	return b.run("boot", func() error {
		return b.node.init(why, func() { b.hands.Init(b.at(), why) })
	})
}

func (b *machine) Start() error {
	return b.run("start", func() error {
		return b.do(0, func() { b.hands.Start(b.at()) })
	})
}

func (b *machine) Suspect(who ID) error {
	return b.run(fmt.Sprintf("a report of %v", who), func() error {
		return b.suspect(who, func() { b.hands.Suspect(b.at(), who) })
	})
}

func (b *machine) Receive(from Port, message []byte) error {
	text, err := b.read(message)
	if err != nil {
		return err
	}
	return b.run(text, func() error {
		return b.receive(from, func() { b.hands.Receive(b.at(), from, b.message.UnsafePointer()) })
	})
}

func (b *machine) Expire(t Timer) error {
	return b.run(fmt.Sprintf("timer %d", t), func() error {
		return b.expire(t, func() { b.hands.Timeout(b.at(), t) })
	})
}

// read makes bytes the message that is read, and returns its text.
func (b *machine) read(message []byte) (text string, err error) {
	m := b.message.UnsafePointer()
	b.message.Elem().SetZero()
	if err = b.planM.Read(m, message); err != nil {
		return "", fmt.Errorf("message: %w", err)
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("message %x has no text: %v", message, r)
		}
	}()
	if k := b.code.Kind(m); int(k) >= len(b.names.Kinds) {
		return "", fmt.Errorf("message %x is of kind %d: the protocol names %d kinds, numbered from 0", message, k, len(b.names.Kinds))
	}
	return b.code.Text(m), nil
}

func (b *machine) Read(message []byte) (Letter, error) {
	text, err := b.read(message)
	if err != nil {
		return Letter{}, err
	}
	return Letter{message, b.names.Kinds[b.code.Kind(b.message.UnsafePointer())], text}, nil
}

func (b *machine) Sends(yield func(to Port, m Letter) bool) {
	for i, s := range b.call.Sends {
		m := b.hands.Sent(i)
		letter := Letter{b.planM.Append(nil, m), b.names.Kinds[s.Kind], b.code.Text(m)}
		if !yield(s.Port, letter) {
			return
		}
	}
}

func (b *machine) Changed() bool {
	for range b.Changes {
		return true
	}
	return len(b.call.Sends) > 0 || string(b.before) != string(b.planP.Append(nil, b.at()))
}

func (b *machine) Belief() Belief { return b.node.belief(b.code, b.at()) }

func (b *machine) State() []Field {
	return Fields(b.code, b.state, int(b.call.n))
}

func (b *machine) Watched() Set {
	return b.has.Watched(b.code, b.at(), b.call.Self, b.Belief().Elected) & b.net.Peers()
}

func (b *machine) Stored() []byte {
	if !b.has.Stable {
		return nil
	}
	p := reflect.New(b.typeP)
	p.Elem().Set(b.state.Elem())
	b.code.Stable(p.UnsafePointer())
	return b.planP.Append(nil, p.UnsafePointer())
}

func (b *machine) MaxMessage() int { return b.planM.Size() }

func (b *machine) Layout() string {
	var s strings.Builder
	names := b.names
	fmt.Fprintf(&s, "state\n%smessage\n%skinds %q\ntimers %v\nrules %q\n", b.planP.Layout(), b.planM.Layout(), names.Kinds, names.Timers, names.Rules)
	return s.String()
}
