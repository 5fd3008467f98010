package reduce

import (
	"bullyproof/explore"
	"bullyproof/model/internal/layout"
	"bullyproof/model/internal/renaming"
	"bullyproof/model/process"
	"bullyproof/model/setting"
)

// Short names of what states speak of.
type (
	// ID identifies a process.
	ID = process.ID
	// Set is a set of processes, or of positions: bit i for position i.
	Set = process.Set
	// Port is an end of a channel as in a record.
	Port = uint8
	// Timer is a timer by its number.
	Timer = uint8
)

// MaxID is the highest id.
const MaxID = process.MaxID

// Kind is a kind of actions, as far as an argument speaks of it.
type Kind uint8

// Kinds of actions of package model. Other is of all that no argument speaks of: a state in
// which such an action is enabled is expanded in full.
const (
	Other Kind = iota
	Starts
	Delivers
	Drops
	Expires
	Suspects
	Ticks
	Crashes
	Restarts
	Loses
)

// Facts are what does not change about a world.
type Facts struct {
	*layout.Layout
	Setting  setting.Setting
	IDs      []ID // by position; where they vary, those of the first initial state
	Bound    int  // how many ticks a message is under way at most
	Detector setting.Detector

	Timers   []string // by name
	Periodic uint16   // timers
	Stable   bool     // a crash leaves something of a process
	Monitor  string   // one that sees the order of steps, or empty

	// Symmetric says whether ids decide nothing; nil where the protocol does not say.
	Symmetric interface{ Symmetric(setting.Setting) bool }
	// Asymmetry says why states are not permuted, as far as trying shows.
	Asymmetry func() string
	// Names says where encoded states of processes, and messages, name processes.
	Names func() (state, message *renaming.Names)
}

// Ring reports whether the processes are on a ring.
func (w *Facts) Ring() bool { return w.Setting.Topology != setting.Complete }

// Ticking reports whether time passes in ticks.
func (w *Facts) Ticking() bool { return w.Setting.Timing.Kind.Discrete() }

// An Act is an action that is enabled in a state.
type Act struct {
	Kind  Kind
	Pos   int // position of the process, or -1
	Msg   int // message that leaves the network, or -1
	Port  Port
	Timer Timer
	Who   ID
}

// An Event is an action as its process sees it: of a message that is delivered,
// the port and the text, and not how long it has been under way.
type Event struct {
	Kind    Kind
	Timer   Timer
	Who     ID
	Message string // its record from the port on, without its delay
}

// A Look is what a world says of the state of a process that is up.
type Look struct {
	Elected     ID // whom it names
	Participant bool
	Epoch       uint64
	Watches     Set // whose crash the detector would report to it, by id
}

// Handlers run the handlers of a world ahead of the search. A local state is given by
// its key: what a state has of the process, whether it has yet to begin, and its id.
// Keys are good until the next call.
type Handlers interface {
	// At has the handlers see a state of the system; ids are by position.
	At(state []byte, ids []ID)
	// Key returns the key of the local state of a position in that state.
	Key(pos int) []byte
	// Look looks at a local state of a process that is up.
	Look(pos int, key string) Look
	// Run runs the handler of an event. It tells what is sent, but to positions that are
	// unreachable, and returns the local state that follows, and whether a timer is set.
	// It is not ok if the handler fails, chooses, goes beyond a bound, or asks how much of a timer
	// is left: what it does then depends on when it runs.
	Run(pos int, key string, ev *Event, unreachable Set, send func(to int, message []byte)) (next []byte, sets, ok bool)
	// Text returns the text of the message of an event.
	Text(ev *Event) string
}

// A World is what a reduction asks of the world while a search goes on.
type World interface {
	// Enabled returns what is enabled in the state under expansion, in order: what is no
	// fault, and of the faults those that are asked for.
	Enabled(crashes, restarts, losses bool) []Act
	// Fault appends where a fault of a position leads from a state.
	Fault(state []byte, kind Kind, pos int, to *explore.Successors)
	// Hits returns which questions a state hits, in order. If something is owed in it, as
	// the caller knows, only those about states by themselves are asked.
	Hits(state []byte, owing bool) []int
}

// A scene is a state that is looked at.
type scene struct {
	*Facts
	state       []byte
	up, down    Set // positions
	unreachable Set // what is sent to them is dropped at once
	ids         []ID
	area        []byte // the records of the messages in flight
}

// look looks at a state.
func (s *scene) look(state []byte) {
	s.state, s.area = state, state[s.MsgOff:]
	s.up, s.down = s.UpAndDown(state)
	s.unreachable = 0
	if s.Setting.MailDownLost || s.Left(state, layout.BudgetRestarts) == 0 {
		s.unreachable = s.down
	}
	s.ids = append(s.ids[:0], s.IDs...)
	if s.IDsOff >= 0 {
		for pos := range s.N {
			s.ids[pos] = ID(state[s.IDsOff+pos])
		}
	}
}

// record returns record i of the messages in flight.
func (s *scene) record(i int) []byte { return s.area[i*s.Width : (i+1)*s.Width] }

// toIDs turns a set of positions into the set of the ids there.
func (s *scene) toIDs(positions Set) (ids Set) {
	for pos, id := range s.ids {
		if positions>>pos&1 != 0 {
			ids = ids.With(id)
		}
	}
	return ids
}

// mayCrash reports whether the process at a position is one that crashes.
func (s *scene) mayCrash(pos int) bool {
	return s.Setting.Crashers == 0 || s.Setting.Crashers.Has(s.ids[pos])
}
