package shipped_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker/shipped"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// safe is code whose methods take its lock.
type safe struct {
	mu      sync.Mutex
	restart int
}

// safeMachine drives it. While believes looks at a process, something else happens.
type safeMachine struct {
	shipped.Passive[safe, *frame]
	meanwhile *func()
	held      *bool // a handler found the lock held
}

func (safeMachine) Init(*safe, *shipped.Net[*frame], model.Boot) {}

func (safeMachine) Receive(*safe, *shipped.Net[*frame], model.Port, *frame) {}

func (m safeMachine) Stable(s *safe) {
	if !s.mu.TryLock() {
		*m.held = true
		return
	}
	defer s.mu.Unlock()
	s.restart++
}

func (m safeMachine) Belief(s *safe) model.Belief {
	s.mu.Lock()
	defer s.mu.Unlock()
	(*m.meanwhile)()
	return model.Belief{Epoch: uint64(s.restart)}
}

func (safeMachine) Names() model.Names { return voting }

func (safeMachine) Kind(*frame) model.Kind { return ask }

func (safeMachine) Text(*frame) string { return "" }

// A function that looks at a process may take its locks, while another goroutine goes on
// from the same state: no copy has a lock that is held.
func TestLooksTakeLocks(t *testing.T) {
	meanwhile, held := func() {}, false
	p := shipped.New(safeMachine{meanwhile: &meanwhile, held: &held})
	crash, ok := model.As[interface{ Stable(*shipped.State) }](p)
	require.True(t, ok)
	node, err := model.NewNode(p, setting.Must("n=2 initiators=none"), 1)
	require.NoError(t, err)
	require.NoError(t, node.Init(model.Cold))
	one, two := node.State, node.State
	crash.Stable(&one)
	meanwhile = func() {
		two = one
		crash.Stable(&two)
	}
	p.Belief(&one)
	require.NotEqual(t, one, two)
	meanwhile = func() {}
	crash.Stable(&two)
	assert.False(t, held)
}
