package protocol_test

import (
	"reflect"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"

	"bullyproof/model/protocol"
)

// phase has a name of its own.
type phase uint8

func (p phase) String() string { return [...]string{"asleep", "active"}[p] }

type note struct {
	Phase phase
	_     uint8
	From  protocol.ID
	held  bool
}

// plain is the code of a protocol that says nothing of its own about states.
type plain struct{ protocol.Code }

func (plain) Shown(unsafe.Pointer) ([]protocol.Field, bool) { return nil, false }

// The states of processes are told in words, without zero fields.
func TestText(t *testing.T) {
	type state struct {
		Phase  phase
		Number uint8
		Left   protocol.ID
		List   protocol.Set
		Queue  [3]protocol.ID
		Bits   [3]uint8
		Notes  [2]note
		Of     protocol.ByID[note]
		Marks  protocol.ByID[bool]
		Nested note
	}
	var empty, full state
	full = state{
		Phase: 1, Number: 7, Left: 3, List: protocol.Set(0).With(1).With(3), Queue: [3]protocol.ID{2, 1}, Bits: [3]uint8{0, 1},
		Notes: [2]note{1: {Phase: 1, held: true}}, Nested: note{From: 2},
	}
	full.Of.Set(2, note{From: 4})
	full.Marks.Set(1, true)
	for _, c := range []struct {
		state state
		want  []string
	}{
		{empty, []string{"asleep", "0", "⊥", "{}", "[]", "[]", "{}", "{}", "{}", "{}"}},
		{full, []string{"active", "7", "3", "{1,3}", "[2 1]", "[0 1]", "{1: {Phase active, held true}}", "{2: {From 4}}", "{1: true}", "{From 2}"}},
	} {
		var got []string
		for _, f := range protocol.Fields(plain{}, reflect.ValueOf(&c.state), 3) {
			got = append(got, f.Value)
		}
		assert.Equal(t, c.want, got)
	}
}
