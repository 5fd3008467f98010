package linear

import (
	"fmt"

	"github.com/anishathalye/porcupine"

	"bullyproof/internal/nearest"
)

// A Spec is a sequential specification: what the answers would be if operations
// were done one after another. A history is linearizable if its operations can be
// put in an order in which the specification gives the same answers, and which
// keeps the order of those that do not overlap.
type Spec struct {
	// Name is its name: "register".
	Name string
	// Doc says what an answer means.
	Doc string

	ops  []Op
	step func(s state, o *Operation) (state, bool)
}

// A state is the state of any of the specifications.
type state struct {
	value  uint64 // of the register; who leads
	holder int    // the client that has the lock
	token  uint64 // the highest one given
}

// The specifications.
var (
	// Register is a register that clients read and write.
	Register = &Spec{
		Name: "register", Doc: "A read returns what was written last.",
		ops: []Op{Read, Write}, step: stepRegister,
	}
	// Leader is a register that elections write and clients read. An election is a
	// write that begins when a process comes to believe itself coordinator, and of
	// which nobody learns when it is over: it has its effect later, or never. So
	// whatever the clients are told, there is one order of elections that all of
	// it agrees with: if somebody learned of a new coordinator, nobody learns of
	// an old one afterwards, unless that was elected anew.
	Leader = &Spec{
		Name: "leader", Doc: "All answers agree with one order of the elections.",
		ops: []Op{Ask, Elect}, step: stepRegister,
	}
	// Instant is a register of who is the only one that leads, and clients read
	// it: at some instant of each question its answer was up, believed itself
	// coordinator, and was alone in that.
	Instant = &Spec{
		Name: "instant", Doc: "Who is named leads alone at some instant between question and answer.",
		ops: []Op{Ask, Reign}, step: stepRegister,
	}
	// Lock is a lock with fencing tokens.
	Lock = &Spec{
		Name: "lock", Doc: "One client at a time has the lock, and tokens never go down.",
		ops: []Op{Acquire, Release}, step: stepLock,
	}
)

var specs = []*Spec{Leader, Instant, Register, Lock}

// SpecNames returns the names of the specifications.
func SpecNames() []string {
	names := make([]string, len(specs))
	for i, s := range specs {
		names[i] = s.Name
	}
	return names
}

// FindSpec returns the specification of a name. The error suggests the name that
// was probably meant.
func FindSpec(name string) (*Spec, error) {
	for _, s := range specs {
		if s.Name == name {
			return s, nil
		}
	}
	return nil, nearest.Unknown("specification", name, SpecNames())
}

// stepRegister does an operation on a register. A pending write that is never
// read does no harm at the end, where it can always stand.
func stepRegister(s state, o *Operation) (state, bool) {
	switch o.Op {
	case Write, Elect, Reign:
		s.value = o.Value
	case Read, Ask:
		return s, o.Pending || o.Value == s.value
	}
	return s, true
}

// stepLock does an operation on the lock. An operation that has not returned
// has its effect where it can have one.
func stepLock(s state, o *Operation) (state, bool) {
	switch {
	case o.Op == Release && s.holder == o.Client:
		s.holder = 0
		return s, true
	case o.Op == Release:
		return s, o.Pending
	case o.Pending:
		if s.holder == 0 {
			s.holder = o.Client
		}
		return s, true
	case !o.OK:
		return s, s.holder != 0
	case s.holder != 0 || o.Token < s.token:
		return s, false
	}
	s.holder, s.token = o.Client, o.Token
	return s, true
}

// porcupine returns the specification as porcupine takes it.
func (s *Spec) porcupine(initial uint64) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return state{value: initial} },
		Step: func(st, in, _ any) (bool, any) {
			o := in.(Operation)
			next, ok := s.step(st.(state), &o)
			return ok, next
		},
		DescribeOperation: func(in, _ any) string { return in.(Operation).text() },
		DescribeState: func(st any) string {
			return s.describe(st.(state))
		},
		DescribeOperationMetadata: func(m any) string {
			if via, _ := m.(int); via > 0 {
				return fmt.Sprintf("via process %d", via)
			}
			return ""
		},
	}
}

// describe returns a state in words.
func (s *Spec) describe(st state) string {
	switch {
	case s == Register:
		return fmt.Sprint(st.value)
	case s == Lock && st.holder == 0:
		return fmt.Sprintf("free, token %d", st.token)
	case s == Lock:
		return fmt.Sprintf("client %d has it, token %d", st.holder, st.token)
	case st.value == 0:
		return "nobody leads"
	}
	return fmt.Sprintf("%d leads", st.value)
}
