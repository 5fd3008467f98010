package linear

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// An Op is what an operation of a history does.
type Op uint8

// The operations. Elect and Reign are the election's own, the others a client's.
const (
	// Ask asks who leads; Value is the answer.
	Ask Op = iota + 1
	// Read reads the register; Value is what was read.
	Read
	// Write writes Value into the register.
	Write
	// Acquire asks for the lock; OK says that it was given, Token is the fencing
	// token that came with it.
	Acquire
	// Release gives the lock back.
	Release
	// Elect is an election of process Value.
	Elect
	// Reign says that process Value is the only one that leads from here on, or
	// with 0 that there is no such process.
	Reign
)

var opNames = []string{"", "ask", "read", "write", "acquire", "release", "elect", "reign"}

// String returns the name of the operation: "ask".
func (o Op) String() string {
	if int(o) < len(opNames) && o > 0 {
		return opNames[o]
	}
	return fmt.Sprintf("Op(%d)", uint8(o))
}

// An Operation is one operation of a history: an interval of time, and what was
// asked and answered at its ends.
type Operation struct {
	// Client is who asked, from 1; 0 for operations of the election.
	Client int
	// Op is what was asked.
	Op Op
	// Value is what was written, read or answered.
	Value uint64
	// Token is the fencing token of an Acquire; 0 where tokens are not in use.
	Token uint64
	// OK says of an Acquire that the lock was given.
	OK bool
	// Via is the process that served it, 0 where that is not known.
	Via int
	// Call and Return are the instants of both ends, in any unit; where two
	// operations share one, either may have been first.
	Call, Return int64
	// Pending says that it has not returned: it may have had its effect, or have it
	// at any time to come, or never. Return and answers mean nothing then.
	Pending bool
}

// String returns the operation as in "client 1: write(3) via 2".
func (o Operation) String() string {
	who := fmt.Sprintf("client %d", o.Client)
	if o.Client == 0 {
		who = "election"
	}
	via := ""
	if o.Via > 0 {
		via = fmt.Sprintf(" via %d", o.Via)
	}
	return who + ": " + o.text() + via
}

// text returns what was asked and answered.
func (o Operation) text() string {
	answer := func(s string) string {
		if o.Pending {
			return " -> ?"
		}
		return " -> " + s
	}
	switch o.Op {
	case Ask, Read:
		return o.Op.String() + answer(fmt.Sprint(o.Value))
	case Acquire:
		switch {
		case !o.OK:
			return "acquire" + answer("refused")
		case o.Token > 0:
			return "acquire" + answer(fmt.Sprintf("given, token %d", o.Token))
		}
		return "acquire" + answer("given")
	case Release:
		return "release" + answer("done")
	case Write:
		return fmt.Sprintf("write(%d)", o.Value) + answer("done")
	}
	return fmt.Sprintf("%v(%d)", o.Op, o.Value)
}

// A History is what clients asked and were answered, and what is to be made of it.
type History struct {
	// Spec says what was asked for.
	Spec *Spec
	// Initial is the value at the beginning, of a register or of who leads; 0 for
	// none.
	Initial uint64
	// Operations are in any order.
	Operations []Operation
}

// MaxOperations is the number of operations that a history may have.
const MaxOperations = 100_000

// Validate reports the first thing that no history can hold.
func (h *History) Validate() error {
	if h.Spec == nil {
		return fmt.Errorf("history: it has no specification; want one of %s", strings.Join(SpecNames(), ", "))
	}
	if len(h.Operations) > MaxOperations {
		return fmt.Errorf("history: %d operations are too many: at most %d", len(h.Operations), MaxOperations)
	}
	for i, o := range h.Operations {
		if err := h.validate(o); err != nil {
			return fmt.Errorf("history: operation %d: %w", i+1, err)
		}
	}
	return nil
}

// maxClient is the highest number of a client.
const maxClient = 10_000

func (h *History) validate(o Operation) error {
	switch {
	case !slices.Contains(h.Spec.ops, o.Op):
		var names []string
		for _, op := range h.Spec.ops {
			names = append(names, op.String())
		}
		return fmt.Errorf("%v is no operation of a %s: want %s", o.Op, h.Spec.Name, strings.Join(names, ", "))
	case o.Client < 0 || o.Client > maxClient:
		return fmt.Errorf("client %d: want 0 to %d", o.Client, maxClient)
	case o.Via < 0:
		return fmt.Errorf("via process %d: want its id, or 0 where it is not known", o.Via)
	case o.Call < 0 || o.Call == math.MaxInt64:
		return fmt.Errorf("call at %d: want 0 to %d", o.Call, int64(math.MaxInt64)-1)
	case !o.Pending && o.Return < o.Call:
		return fmt.Errorf("it returns at %d, before its call at %d", o.Return, o.Call)
	case !o.Pending && o.Return == math.MaxInt64:
		return fmt.Errorf("return at %d: want %d at most", o.Return, int64(math.MaxInt64)-1)
	}
	return nil
}

// Contradiction says which answer came last, in a history that no order explains, and what it
// does not go with: "client 1 reads 0 after its own write of 1 was acknowledged".
func (h *History) Contradiction() string {
	last := -1
	for i := range h.Operations {
		if o := &h.Operations[i]; !o.Pending && o.Client > 0 && (last < 0 || o.Return >= h.Operations[last].Return) {
			last = i
		}
	}
	if last < 0 {
		return "no order explains it"
	}
	o := &h.Operations[last]
	who := fmt.Sprintf("client %d", o.Client)
	switch {
	case o.Op == Read:
		if w := h.before(o, func(w *Operation) bool { return w.Op == Write && w.Return < o.Call }); w != nil && w.Value != o.Value {
			return fmt.Sprintf("%s reads %d after %s write of %d was acknowledged", who, o.Value, whose(w, o), w.Value)
		}
		return fmt.Sprintf("%s reads %d, which no order of the operations explains", who, o.Value)
	case o.Op == Acquire && o.OK:
		if a := h.before(o, func(a *Operation) bool {
			return a.Op == Acquire && a.OK && a.Client != o.Client && a.Return < o.Return && !h.released(a, o.Return)
		}); a != nil {
			return fmt.Sprintf("%s is given the lock while client %d holds it", who, a.Client)
		}
	case o.Op == Ask && o.Value > 0:
		return fmt.Sprintf("%s learns that P%d leads, which no order of the elections explains", who, o.Value)
	case o.Op == Ask:
		return who + " learns that nobody leads, which no order of the elections explains"
	}
	return fmt.Sprintf("no order explains that %v", o)
}

// before returns the latest completed operation that an operation has before it, of those that fit.
func (h *History) before(o *Operation, fits func(*Operation) bool) (best *Operation) {
	for i := range h.Operations {
		if w := &h.Operations[i]; w != o && !w.Pending && fits(w) && (best == nil || w.Return > best.Return) {
			best = w
		}
	}
	return best
}

// released reports whether a client has begun to release what an operation gave it, before an instant.
func (h *History) released(a *Operation, before int64) bool {
	return slices.ContainsFunc(h.Operations, func(r Operation) bool {
		return r.Op == Release && r.Client == a.Client && r.Call >= a.Return && r.Call < before
	})
}

// whose says whose an operation is, for somebody else: "its own", "client 2's".
func whose(w, of *Operation) string {
	if w.Client == of.Client {
		return "its own"
	}
	return fmt.Sprintf("client %d's", w.Client)
}
