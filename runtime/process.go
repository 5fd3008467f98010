package runtime

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"bullyproof/internal/filelock"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A Process is one process of a system that runs. Its methods may be called by
// several goroutines.
type Process struct {
	config  Config
	setting setting.Setting
	names   model.Names
	machine model.Machine
	boot    model.Boot
	revived []byte // stable storage, on a restart

	lock *os.File // on the process's part of the directory, or nil
	disk *disk    // or nil
	wire
	asked chan chan error // to begin an election

	timers  []time.Time // by timer, when it expires; zero: not set
	beat    time.Time   // when the next heartbeat is due
	choices []int       // of the handler that ran last
	posted  uint64      // messages sent in this session
	record  recorder

	count  counts
	belief atomic.Pointer[model.Belief]
	ran    atomic.Bool
	once   sync.Once
	done   chan struct{}
}

// A wire is a process's end of the network.
type wire struct {
	session uint64
	seal    *sealer
	net     network
	notices chan notice
	peers   []*peer    // by id-1; nil of the process itself
	order   []model.ID // of a ring, in the direction of Next
}

// New returns a process of a system that has yet to run (Run); it listens
// already. It fails if the configuration cannot be, if its address is taken, if
// another process of this machine uses its part of Dir or its event log, and if
// its stable storage is torn or somebody else's. For want of its address or of its
// directory it fails before it has changed any file.
func New(sys *model.System, c Config) (*Process, error) {
	setting := sys.Setting()
	if err := c.complete(setting); err != nil {
		return nil, fmt.Errorf("runtime: %w", err)
	}
	p := &Process{
		config: c, setting: setting, names: sys.Names(), boot: c.Boot,
		wire: wire{notices: make(chan notice, 1024)}, asked: make(chan chan error), done: make(chan struct{}),
		timers: make([]time.Time, len(sys.Names().Timers)),
	}
	p.belief.Store(&model.Belief{})
	p.record = recorder{p: p, to: c.Events}
	if err := p.load(sys); err != nil {
		p.release()
		return nil, fmt.Errorf("runtime: process %v: %w", c.Self, err)
	}
	return p, nil
}

// load makes what the process consists of.
func (p *Process) load(sys *model.System) (err error) {
	c := &p.config
	if sys.Dated() {
		return errors.New("the protocol reads clocks (model/clock), which a search gives it and no machine yet; one without them runs")
	}
	if p.machine, err = sys.Machine(c.Self, p.choose); err != nil {
		return err
	}
	if size := p.machine.MaxMessage(); size > maxMessage {
		return fmt.Errorf("messages of %d bytes; at most %d are right", size, maxMessage)
	}
	p.order = p.setting.Arrangement
	if len(p.order) == 0 {
		for id := range model.Upto(model.ID(p.setting.N)).All() {
			p.order = append(p.order, id)
		}
	}
	at, err := p.claim()
	if err != nil {
		return err
	}
	if err := p.mount(); err != nil {
		return errors.Join(err, at.Close())
	}
	for id := model.ID(1); int(id) <= p.setting.N; id++ {
		var other *peer
		if id != c.Self {
			other = &peer{id: id}
		}
		p.peers = append(p.peers, other)
	}
	meaning := fmt.Sprintf("n=%d topology=%v ids=%v\n%s", p.setting.N, p.setting.Topology, p.order, p.machine.Layout())
	p.seal = newSealer(c.Key, meaning)
	return p.connect(at)
}

// claim takes what no two processes of this machine may have: the process's part
// of the directory, and its address. A second one that was started by mistake
// gets no further, and has touched neither stable storage nor the event log.
func (p *Process) claim() (at endpoint, err error) {
	c := &p.config
	switch {
	case c.Dir != "":
		if err := os.MkdirAll(c.Dir, 0o777); err != nil {
			return nil, err
		}
		p.lock, err = filelock.Make(filepath.Join(c.Dir, fmt.Sprintf("process-%v.lock", c.Self)))
		if errors.Is(err, filelock.ErrLocked) {
			err = fmt.Errorf("it runs already with this directory: want another Dir, or an end of the other (%w)", err)
		}
		if err != nil {
			return nil, err
		}
	case stable(p.machine):
		return nil, errors.New("the protocol has stable storage, and there is no directory for it: want Dir")
	}
	return listen(c.Network, c.Listen)
}

// mount opens the event log and stable storage, and has the log tell what is
// stored.
func (p *Process) mount() (err error) {
	if p.config.EventFile != "" {
		if p.record.file, err = openEventFile(p.config.EventFile); err != nil {
			return fmt.Errorf("event log: %w", err)
		}
	}
	p.session = uint64(time.Now().UnixNano())
	if p.config.Dir == "" {
		return nil
	}
	d, was, err := openDisk(p.config.Dir, p.config.Self, p.machine.Layout())
	if err != nil {
		return err
	}
	p.disk = d
	if was != nil {
		if p.revived, err = was.state(); err != nil {
			return fmt.Errorf("stable storage %s: %w", d.file, err)
		}
		if p.record.file != nil {
			if err := p.record.file.redo(was.At, []byte(was.Unlogged)); err != nil {
				return fmt.Errorf("event log: %w", err)
			}
		}
		p.boot = model.Restart
		p.session = max(p.session, was.Session+1) // the clock may have been put back
	}
	return nil
}

// stable reports whether the protocol of a machine has stable storage.
func stable(m model.Machine) bool { return m.Stored() != nil }

// connect begins to listen, and to send.
func (p *Process) connect(at endpoint) (err error) {
	c := &p.config
	ctx, cancel := context.WithCancel(context.Background())
	in := &inbound{ctx: ctx, cancel: cancel, self: c.Self, n: p.setting.N, seal: p.seal, count: &p.count, to: p.notices}
	if l, ok := at.(net.Listener); ok {
		p.net = newTCP(in, l, c.Addresses)
	} else if p.net, err = newUDP(in, at.(net.PacketConn), c.Addresses); err != nil {
		cancel()
		err = errors.Join(err, at.Close())
	}
	return err
}

// Addr returns where the process listens.
func (p *Process) Addr() net.Addr { return p.net.addr() }

// Close ends a process that does not run, or makes Run return.
func (p *Process) Close() error {
	p.once.Do(func() {
		close(p.done)
		p.net.close()
		if !p.ran.Load() {
			p.release()
		}
	})
	return nil
}

// release gives up what other processes may have then.
func (p *Process) release() {
	p.record.close()
	if p.lock != nil {
		_ = p.lock.Close()
	}
}

// Belief returns what the process believes of the coordinator, by its own id
// where it names itself; nothing before it has come up.
func (p *Process) Belief() model.Belief { return *p.belief.Load() }

// Counters returns what has come and gone so far.
func (p *Process) Counters() Counters { return p.count.read() }

// Start asks the process to begin an election, and returns when its handler has
// run. It fails if ctx is done before, or if the process does not run any more.
func (p *Process) Start(ctx context.Context) error {
	answer := make(chan error, 1)
	select {
	case p.asked <- answer:
		return <-answer
	case <-ctx.Done():
		return ctx.Err()
	case <-p.done:
		return errors.New("runtime: the process does not run any more")
	}
}

// choose makes a choice of a handler, and notes it.
func (p *Process) choose(k int) int {
	choose := p.config.Choose
	if choose == nil {
		choose = rand.IntN
	}
	i := choose(k)
	p.choices = append(p.choices, i)
	return i
}
