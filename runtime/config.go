package runtime

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"time"

	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/runtime/eventlog"
)

// A Config says where and how a process runs. Self, Addresses, Key and Tick are
// needed. Without Dir, sessions are told apart by the clock: one that is put back
// between two boots keeps a process out until it has caught up.
type Config struct {
	// Self is the process, 1 to N of the system's setting.
	Self model.ID
	// Network is "tcp" (or ""), or "udp".
	Network string
	// Addresses are where the processes are found, as host:port, in the order of
	// their ids; that of Self is where it listens, unless Listen says otherwise.
	Addresses []string
	// Listen is where the process listens; "": at its own of Addresses.
	Listen string
	// Key is shared by all processes and nobody else, at least MinKey bytes.
	Key []byte

	// Tick is how long a tick of the model is, MinTick at the least.
	Tick time.Duration
	// Heartbeat is the time between two heartbeats, and Silence how long a process
	// is silent that the failure detector takes to be down. 0: a tick, and ten
	// heartbeats.
	Heartbeat, Silence time.Duration

	// Start has the process begin an election as it comes up for the first time
	// (Cold or Join), as an initiator does.
	Start bool
	// Boot is why the process comes up where Dir does not tell.
	Boot model.Boot
	// Dir is the directory of stable storage, which several processes may share.
	// With what is in it the process restarts. "": it has none, and a protocol that
	// needs it is refused.
	Dir string

	// Choose makes the choices of Net.Choose: a number from 0 to k-1. Nil: at
	// random.
	Choose func(k int) int
	// Believes is told what the process believes whenever that changes, one change
	// after another, and of nothing (the zero value) when Run ends. The process
	// waits for it: it returns soon. Nil: nobody is told.
	Believes func(b model.Belief)
	// Log is told what the process believes, and at level debug all that goes
	// wrong on the network. Nil: nobody is told.
	Log *slog.Logger
	// EventFile is the file of the event log, which is made or continued. It is of
	// this process alone. With Dir it misses nothing at a crash: an event that was
	// stored and not logged yet is logged when the process is back. "": there is
	// none.
	EventFile string
	// Events is where the event log goes besides. Nil: nowhere.
	Events *eventlog.Writer
}

const (
	// MinKey is the length of a key at the least, in bytes.
	MinKey = 16
	// MinTick is the shortest tick.
	MinTick = time.Millisecond
	// maxTick is the longest.
	maxTick = time.Hour
)

// complete fills in what is left out of a configuration for a system. It fails
// where something cannot be, or cannot be run.
func (c *Config) complete(s setting.Setting) error {
	if err := c.validate(s); err != nil {
		return err
	}
	if c.Network == "" {
		c.Network = "tcp"
	}
	if c.Listen == "" {
		c.Listen = c.Addresses[c.Self-1]
	}
	if c.Heartbeat == 0 {
		c.Heartbeat = c.Tick
	}
	if c.Silence == 0 {
		c.Silence = 10 * c.Heartbeat
	}
	if c.Silence < 2*c.Heartbeat {
		return fmt.Errorf("silence %v: two heartbeats (%v) or more are right", c.Silence, 2*c.Heartbeat)
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	c.Log = c.Log.With("process", int(c.Self))
	return nil
}

func (c *Config) validate(s setting.Setting) error {
	switch {
	case s.Requests > 0:
		return fmt.Errorf("requests=%d: nobody asks a process of a cluster for anything yet; want requests=0", s.Requests)
	case c.Self == model.None || int(c.Self) > s.N:
		return fmt.Errorf("process %v: the processes are 1 to %d", c.Self, s.N)
	case len(c.Addresses) != s.N:
		return fmt.Errorf("%d addresses for %d processes: want one for each, in the order of their ids", len(c.Addresses), s.N)
	case c.Network != "" && c.Network != "tcp" && c.Network != "udp":
		return fmt.Errorf("network %q: want \"tcp\" or \"udp\"", c.Network)
	case c.Network == "udp" && s.FIFO:
		return errors.New("network \"udp\" with channels=fifo: datagrams overtake each other; want \"tcp\"")
	case len(c.Key) < MinKey:
		return fmt.Errorf("key of %d bytes: want %d or more", len(c.Key), MinKey)
	case c.Tick < MinTick || c.Tick > maxTick:
		return fmt.Errorf("tick %v: want %v to %v", c.Tick, MinTick, maxTick)
	case c.Heartbeat < 0 || c.Silence < 0:
		return fmt.Errorf("heartbeat %v and silence %v: want no negative times", c.Heartbeat, c.Silence)
	case c.Boot > model.Restart:
		return fmt.Errorf("boot %d: want cold, join or restart", c.Boot)
	case s.Repaired:
		return errors.New("topology with repaired rings: who repairs a ring is no part of the protocol, and not run; want ring or biring")
	case s.Anonymous:
		return errors.New("anonymous ring: its processes have no ids to authenticate; want one with ids")
	}
	for i, a := range slices.Concat(c.Addresses, []string{c.Listen}) {
		if a == "" && i == s.N {
			continue // Listen
		}
		if _, _, err := net.SplitHostPort(a); err != nil {
			return fmt.Errorf("address %q: want host:port (%w)", a, err)
		}
	}
	return nil
}
