package linear

import (
	"errors"
	"fmt"
	"sync"

	"bullyproof/model"
)

// A Store is that of a World for a system that runs: a register or a lock that
// never fails, and a fence. It may be used by many goroutines.
type Store struct {
	fence Fence

	mu    sync.Mutex
	value uint64 // of the register; the client that has the lock, 0 if none
	seen  uint64 // the highest token
}

// NewStore returns a store with a fence and an initial value.
func NewStore(f Fence, initial uint64) *Store { return &Store{fence: f, value: initial} }

// The errors of Server.Do. Others are about the call itself.
var (
	// ErrNotLeading: the process does not believe itself coordinator. Nothing
	// happened.
	ErrNotLeading = errors.New("the process does not believe itself coordinator")
	// ErrFenced: the store has seen a higher token. Nothing happened.
	ErrFenced = errors.New("the store has seen a higher token")
	// ErrUnanswered: the process was deposed on the way, and answers no more.
	// Whether the operation took place the client does not learn.
	ErrUnanswered = errors.New("the process was deposed before it could answer")
)

// open tells whoever takes over the value and its token: the next one where it has
// none of its own (0).
func (s *Store) open(token uint64) (value, its uint64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.fence == NoFence:
		return s.value, 0, nil
	case token == 0:
		token = s.seen + 1
	case token < s.seen:
		return 0, 0, ErrFenced
	}
	s.seen = token
	return s.value, token, nil
}

// write changes the value, unless the fence refuses the token.
func (s *Store) write(token, value uint64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fence != NoFence && token < s.seen {
		return ErrFenced
	}
	s.value = value
	return nil
}

// answers reports whether the store lets a coordinator answer from its copy. Only
// that of FenceAll is asked.
func (s *Store) answers(token uint64) error {
	if s.fence != FenceAll {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if token < s.seen {
		return ErrFenced
	}
	return nil
}

// A Server serves the clients of a process that runs, as the coordinators of a
// World do: when the process comes to believe itself coordinator it takes over,
// reads the store, and answers from that copy until it is deposed. It may be used
// by many goroutines.
type Server struct {
	self   model.ID
	store  *Store
	epochs bool

	serial sync.Mutex // one operation at a time is on its way to the store

	mu       sync.Mutex
	leads    bool
	fenced   error // why it could not take over
	reign    int   // how often it has taken over
	copy     uint64
	token    uint64
	onTheWay func() // for tests: what happens while something is on its way
}

// NewServer returns a server of the process self. With epochs it takes the epochs of
// beliefs for its tokens; otherwise the store gives them out.
func NewServer(self model.ID, store *Store, epochs bool) *Server {
	return &Server{self: self, store: store, epochs: epochs}
}

// Believes tells the server what its process believes: runtime.Config.Believes.
func (s *Server) Believes(b model.Belief) {
	s.mu.Lock()
	defer s.mu.Unlock()
	leads := b.Elected == s.self || b.Elected == model.Me
	if leads == s.leads && !(leads && s.epochs && b.Epoch != s.token) {
		return
	}
	if s.leads = leads; !leads {
		return
	}
	s.reign++
	token := uint64(0)
	if s.epochs {
		token = b.Epoch
	}
	s.copy, s.token, s.fenced = s.store.open(token)
}

// Do serves an operation of a client, from 1, and notes in r what the client asks
// and is told. The value is what a Write writes. Operations that have had no effect
// are no part of the history; ErrUnanswered leaves one without an answer.
func (s *Server) Do(r *Recorder, client int, op Op, value uint64) error {
	switch op {
	case Read:
		return s.read(r, client)
	case Write, Acquire, Release:
		return s.change(r, client, op, value)
	}
	return fmt.Errorf("operation %v: want a read or a write of a register, or to acquire or release a lock", op)
}

// read answers from the copy.
func (s *Server) read(r *Recorder, client int) error {
	c := s.call(r, client, Read, 0)
	s.mu.Lock()
	value, err := s.copy, s.mayAnswer()
	s.mu.Unlock()
	if err != nil {
		c.Failed()
		return err
	}
	c.Return(value)
	return nil
}

// call notes that a client calls an operation here.
func (s *Server) call(r *Recorder, client int, op Op, value uint64) Call {
	c := r.Call(client, op, value)
	c.Via(int(s.self))
	return c
}

// serves says why the server does not serve anything. It holds the lock.
func (s *Server) serves() error {
	if !s.leads {
		return ErrNotLeading
	}
	return s.fenced
}

// mayAnswer says why the server does not answer from its copy. It holds the lock.
func (s *Server) mayAnswer() error {
	if err := s.serves(); err != nil {
		return err
	}
	return s.store.answers(s.token)
}

// change writes to the store what a client asks for.
func (s *Server) change(r *Recorder, client int, op Op, value uint64) error {
	if op != Write {
		value = 0
	}
	c := s.call(r, client, op, value)
	if op == Acquire {
		value = uint64(client)
	}
	s.serial.Lock()
	defer s.serial.Unlock()
	s.mu.Lock()
	reign, token := s.reign, s.token
	taken, err := s.may(client, op)
	s.mu.Unlock()
	switch {
	case err != nil:
		c.Failed()
		return err
	case taken:
		c.Refused()
		return nil
	}
	if s.onTheWay != nil {
		s.onTheWay()
	}
	if err := s.store.write(token, value); err != nil {
		c.Failed()
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.leads || s.reign != reign {
		return ErrUnanswered
	}
	s.copy = value
	if op == Acquire {
		c.Granted(token)
	} else {
		c.Return(0)
	}
	return nil
}

// may says why a change is not sent to the store, and whether that is because
// somebody has the lock. It holds the lock of the server.
func (s *Server) may(client int, op Op) (taken bool, err error) {
	if err := s.serves(); err != nil {
		return false, err
	}
	switch {
	case op == Acquire && s.copy != 0:
		return true, s.mayAnswer()
	case op == Release && s.copy != uint64(client):
		return false, fmt.Errorf("client %d does not have the lock: client %d has, as far as %s knows", client, s.copy, s.self.Name())
	}
	return false, nil
}
