package protocol

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"
)

// phase has a name of its own.
type phase uint8

func (p phase) String() string { return [...]string{"asleep", "active"}[p] }

type note struct {
	Phase phase
	_     uint8
	From  ID
	held  bool
}

// The states of processes are told in words, without zero fields.
func TestText(t *testing.T) {
	type state struct {
		Phase  phase
		Number uint8
		Left   ID
		List   Set
		Queue  [3]ID
		Bits   [3]uint8
		Notes  [2]note
		Of     ByID[note]
		Marks  ByID[bool]
		Nested note
	}
	var empty, full state
	full = state{
		Phase: 1, Number: 7, Left: 3, List: Set(0).With(1).With(3), Queue: [3]ID{2, 1}, Bits: [3]uint8{0, 1},
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
		for _, f := range fields(reflect.ValueOf(&c.state).Elem(), 3) {
			got = append(got, f.Value)
		}
		assert.Equal(t, c.want, got)
	}
}
