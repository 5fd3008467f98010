package model_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/model"
)

// A keeping protocol has a state or a message of some type.
type keeping[P any, M comparable] struct{ model.Passive[P, carrying[M]] }

type carrying[M comparable] struct{ What M }

var _ model.Message = carrying[int]{}

func (carrying[M]) Kind() model.Kind           { return 0 }
func (carrying[M]) String() string             { return "it" }
func (keeping[P, M]) Names() model.Names       { return model.Names{Kinds: []string{"it"}} }
func refusal(_ *model.System, err error) error { return err }

// The error about a state or a message that is not flat says where, and what is flat instead.
func TestErrorNamesWhatIsNotFlat(t *testing.T) {
	assert.ErrorContains(t, refusal(model.NewFrom(keeping[struct{ Votes map[int]bool }, int]{}, "n=2")), "state of a process: field Votes: maps are not flat; use integers, bools, arrays and structs of them: a model.ByID has ")
	assert.ErrorContains(t, refusal(model.NewFrom(keeping[struct{}, string]{}, "n=2")), "message: field What: strings are not flat; use integers, bools, arrays and structs of them: a number with a method String is ")
}

// speechless messages and states panic where they should say what they are.
type (
	speechless struct{ model.Passive[mute, muted] }
	mute       struct{ Phase phase }
	phase      uint8
	muted      struct{ Type model.Kind }
)

func (m muted) Kind() model.Kind      { return 0 }
func (m muted) String() string        { return [...]string{"A"}[m.Type] }
func (p phase) String() string        { return [...]string{"idle"}[p] }
func (speechless) Names() model.Names { return model.Names{Kinds: []string{"A"}} }
func (speechless) Start(p *mute, net *model.Net[muted]) {
	p.Phase = 7
	net.Broadcast(muted{3})
}

// A run is shown although a method for texts panics, and says which one does.
func TestTextsOfMethodsThatPanic(t *testing.T) {
	sys, err := model.NewFrom(speechless{}, "n=2 initiators=1:lazy")
	assert.NoError(t, err)
	steps := sys.Transitions(firstState(sys))
	assert.Len(t, steps, 1)
	assert.Equal(t, "method String of model_test.muted panics: runtime error: index out of range [3] with length 1", steps[0].Sent[0].Text)
	assert.Equal(t, "method String of model_test.phase panics: runtime error: index out of range [7] with length 1",
		sys.Snapshot(steps[0].Next).Processes[0].Fields[0].Value)
}
