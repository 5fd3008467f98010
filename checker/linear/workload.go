package linear

import (
	"fmt"

	"bullyproof/internal/nearest"
	"bullyproof/internal/quantity"
)

// A Fence is what the store does with the tokens of those who write to it.
type Fence uint8

// The fences.
const (
	// NoFence: whoever asks the store is served.
	NoFence Fence = iota
	// FenceWrites: the store refuses writes with a token lower than one that it
	// has seen.
	FenceWrites
	// FenceAll: it also is asked before a coordinator answers from its copy.
	FenceAll
)

var fenceNames = []string{"none", "writes", "all"}

// String returns "none", "writes" or "all".
func (f Fence) String() string {
	if int(f) < len(fenceNames) {
		return fenceNames[f]
	}
	return fmt.Sprintf("Fence(%d)", uint8(f))
}

// FenceNames returns the names of the fences.
func FenceNames() []string { return append([]string(nil), fenceNames...) }

// ParseFence returns the fence of a name.
func ParseFence(name string) (Fence, error) {
	for i, n := range fenceNames {
		if n == name {
			return Fence(i), nil
		}
	}
	return 0, nearest.Unknown("fence", name, fenceNames)
}

// A Workload is what clients do.
type Workload struct {
	// Spec is what they ask for: of Leader and Instant who leads, otherwise the
	// register or the lock that coordinators serve.
	Spec *Spec
	// Claims has only those answer who leads that believe themselves coordinator.
	// Otherwise whoever is up answers with what it believes.
	Claims bool
	// Settled has clients ask who leads only where nothing is left to happen (see
	// model.View): what they are told then, they are told for good unless
	// something fails.
	Settled bool
	// Clients is the number of clients, 1 to 4, and Operations how many each
	// begins, one after another: 1 to 4 each. 0 stands for what Usual says.
	Clients, Operations int
	// Fence is what the store does with tokens.
	Fence Fence
	// Epochs has coordinators take the epochs of their beliefs for tokens.
	// Otherwise the store gives out tokens, one to each coordinator that takes
	// over.
	Epochs bool
}

// The most clients and operations.
const (
	maxClients    = 4
	maxOperations = 4
)

// Usual returns the workload with numbers in place of zeros. One client suffices
// to learn of a new coordinator and then of the old one, which takes three
// questions where both have just been elected, and to write and not to read it
// again; for a lock it takes two.
func (w Workload) Usual() Workload {
	clients, operations := 1, 2
	switch w.Spec {
	case Leader:
		operations = 3
	case Instant:
		operations = 1
	case Lock:
		clients, operations = 2, 1
	}
	if w.Clients == 0 {
		w.Clients = clients
	}
	if w.Operations == 0 {
		w.Operations = operations
	}
	return w
}

// store reports whether coordinators serve what is in a store.
func (w Workload) store() bool { return w.Spec == Register || w.Spec == Lock }

// Validate says what is wrong with the workload: numbers out of range, and what goes
// with another specification.
func (w Workload) Validate() error {
	switch {
	case w.Spec == nil:
		return fmt.Errorf("workload: it has no specification")
	case w.Clients < 1 || w.Clients > maxClients:
		return fmt.Errorf("workload: %d clients; 1 to %d are possible", w.Clients, maxClients)
	case w.Operations < 1 || w.Operations > maxOperations:
		return fmt.Errorf("workload: %d operations of each client; 1 to %d are possible", w.Operations, maxOperations)
	case w.Claims && w.store():
		return fmt.Errorf("workload: a %s is always served by whoever believes itself coordinator; Claims is for who leads", w.Spec.Name)
	case w.Settled && w.Spec != Instant:
		return fmt.Errorf("workload: Settled is for %s; a %s is asked at any time", Instant.Name, w.Spec.Name)
	case w.Fence > FenceAll:
		return fmt.Errorf("workload: %v is no fence", w.Fence)
	case (w.Fence != NoFence || w.Epochs) && !w.store():
		return fmt.Errorf("workload: fencing is for the register and the lock; who leads has no store")
	case w.Epochs && w.Fence == NoFence:
		return fmt.Errorf("workload: epochs are tokens for a fence, and there is none")
	}
	return nil
}

// String returns the workload in brief: "register, fence=writes tokens=store, 1
// client, 2 operations each".
func (w Workload) String() string {
	text := w.Spec.Name
	if w.Settled {
		text += " once settled"
	}
	switch {
	case w.Claims:
		text += ", coordinators answer"
	case !w.store():
		text += ", everybody answers"
	case w.Fence == NoFence:
		text += ", fence=none"
	case w.Epochs:
		text += fmt.Sprintf(", fence=%v tokens=epoch", w.Fence)
	default:
		text += fmt.Sprintf(", fence=%v tokens=store", w.Fence)
	}
	return fmt.Sprintf("%s, %s, %s each", text, quantity.Plural(w.Clients, "client"), quantity.Plural(w.Operations, "operation"))
}
