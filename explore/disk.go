package explore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"sync/atomic"
	"time"

	"bullyproof/explore/internal/checkpoint"
	"bullyproof/explore/internal/frontier"
	"bullyproof/explore/internal/visited"
	"bullyproof/internal/runfile"
)

// A Disk says where a breadth-first search keeps what does not fit in memory,
// and what it takes to go on after the end of the process.
//
// The search begins in memory. When that is full (see MaxBytes), the visited set
// goes to the disk, as runs of fingerprints in ascending order, and the frontier
// as logs of states. From then on the table in memory holds the latest states. At
// the end of a level, one pass over the runs finds all states of the level that
// were visited before (delayed duplicate detection). States, depths, hits and
// traces are those of a search in memory.
type Disk struct {
	// Dir is the directory, which is made where there is none. One search at a
	// time uses it.
	Dir string

	// Identity says what is searched: a checkpoint is only taken up by a search of
	// the same identity.
	Identity string

	// Resume goes on from the checkpoint in Dir. It is an error if there is none,
	// and without Resume if there is one.
	Resume bool

	// Every is the time between two checkpoints, 0 for five minutes. There is
	// also one when a limit or the context ends the search.
	Every time.Duration

	// InMemory is about how many states are in memory at most before they go to
	// the disk, 0 for as many as MaxBytes allows. It is for tests, which have too
	// few states to fill any memory.
	InMemory int

	// For tests: in place of Dir, and of what calls ask when Every has passed, until
	// the function that it returns is called.
	fs    runfile.FS
	clock func(ask func()) (end func())
}

// A Keeper is a System that gathers, while it is searched, more than a search
// knows of (what has run, what came up): a checkpoint keeps it.
type Keeper interface {
	System

	// Keep returns what was gathered. No expander is at work then.
	Keep() ([]byte, error)

	// Recall adds what Keep returned in an earlier search.
	Recall(kept []byte) error
}

// checkpointEvery is the time between checkpoints.
const checkpointEvery = 5 * time.Minute

// The requests of workers, which wait for the next moment at which none of them
// is at work.
const (
	wantTable      = 1 << iota // room in the table
	wantChunks                 // room for states of the next level
	wantMemory                 // memory
	wantCheckpoint             // a checkpoint
)

// A disk is the part of a search that is on disk. Only the goroutine that called
// Search uses it, and only while no worker is at work; atomic fields are for all.
type disk struct {
	s      *search
	opt    Disk
	unlock func()
	before time.Duration  // that earlier processes took for the search
	runs   []*runfile.Run // states at depths that are complete, and their origins
	presentLevel
	nextLevel
	sharing
	filing

	err    error
	over   bool // the search has ended, and not because of a limit
	closed bool
}

// A presentLevel is the level under expansion.
type presentLevel struct {
	depth   int
	states  uint64
	whole   bool            // none of it is missing
	begun   bool            // its expansion has begun
	parts   []*part         // not yet expanded
	open    *frontier.Level // the part of the first one that is under expansion
	skipped *part           // whose states that are left out the workers know
}

// A nextLevel is what has been found for the next level.
type nextLevel struct {
	found   []*runfile.Run     // candidates, as often as the table was full
	next    []*part            // with their states
	log     *runfile.LogWriter // for further states
	rest    []piece            // logs of the part that is being filled, before log
	dropped atomic.Uint64      // states that were counted and had been visited before
	base    uint64             // states counted when the table was emptied
}

// A sharing is how memory is shared.
type sharing struct {
	spilled    bool  // the table no longer has all that was visited
	tableShare int64 // bytes to which the table grows, once it is spilled
	chunkShare int64 // bytes of states of the next level in memory, likewise
	wanted     atomic.Uint32
	window     atomic.Int64 // bytes of states under expansion that are in memory
	bytes      atomic.Int64 // memory beside table and chunks
	steps      uint
}

// A filing is the files.
type filing struct {
	fs         runfile.FS
	serial     int          // of the latest file
	onDisk     atomic.Int64 // bytes in files
	written    int64        // bytes
	manifested bool         // there is a checkpoint
	unsynced   []syncer
	packed     []byte   // the latest chunk that was read, as it is stored
	trash      []string // files that nothing but a checkpoint may need
}

type syncer interface{ Sync() error }

// A part is a part of a level: states in logs, and behind them those in memory.
// Some had been visited before, and are left out.
type part struct {
	pieces []piece
	chunks []*frontier.Chunk
	skip   visited.KeyList // fingerprints of those left out
	skips  *runfile.Run    // or the same on disk
}

// A piece is a log from an offset on.
type piece struct {
	log *runfile.Log
	off int64
}

// search is the breadth-first search.
func (d *disk) search(ctx context.Context) {
	s := d.s
	defer d.ticking()()
	if !d.opt.Resume {
		s.addInitial()
		d.depth = -1
		d.endLevel()
	}
	s.searching.Store(true)
	for d.err == nil {
		if d.states > 0 && len(s.levels) == d.depth {
			s.levels = append(s.levels, d.states)
			s.deepest = d.depth
		}
		// Within a level, after a checkpoint, what was hit is not judged yet.
		if s.checkContext(ctx); !s.running() || !d.begun && s.ended(ctx, d.states) {
			break
		}
		s.depth.Store(int64(d.depth))
		s.falling.Store(d.states < s.frontier.Swap(d.states))
		if !d.begun {
			d.begun, d.whole = true, s.cuts.Load() == 0
		}
		d.expandLevel()
		if !s.running() {
			break
		}
		if d.whole {
			s.complete = d.depth
		}
		d.endLevel()
		s.excerpts.show(d.depth-1, s)
	}
	d.finish()
}

// ticking asks for a checkpoint now and then, until the function that it returns
// is called.
func (d *disk) ticking() (end func()) {
	ask := func() { d.want(wantCheckpoint) }
	if d.opt.clock != nil {
		return d.opt.clock(ask)
	}
	done, ended := make(chan struct{}), make(chan struct{})
	every := d.opt.Every
	if every == 0 {
		every = checkpointEvery
	}
	go func() {
		defer close(ended)
		t := time.NewTicker(every)
		defer t.Stop()
		for {
			select {
			case <-done:
				return
			case <-t.C:
				ask()
			}
		}
	}()
	return func() { close(done); <-ended }
}

// want has the workers pause for something.
func (d *disk) want(what uint32) {
	d.wanted.Or(what)
	d.s.paused.Store(true)
}

// check ends the search where the disk has failed, and reports whether it has.
func (d *disk) check(err error) bool {
	if err == nil {
		return false
	}
	if d.err == nil {
		d.err = fmt.Errorf("explore: %s: %w", d.opt.Dir, err)
	}
	d.s.stop(DiskFailure)
	return true
}

// expandLevel expands the parts of the level, one after the other.
func (d *disk) expandLevel() {
	s := d.s
	for len(d.parts) > 0 && s.running() {
		p := d.parts[0]
		if d.open == nil && !d.openWindow(p) {
			if d.err == nil {
				d.parts = d.parts[1:]
				d.discardPart(p)
			}
			continue
		}
		if !d.skipping(p) {
			return
		}
		s.expand(d.open)
		d.window.Store(int64(d.open.Left()) * d.window.Load() / int64(max(1, d.open.Blocks())))
		if d.open.Left() == 0 {
			d.open = nil
		}
		d.relieve()
	}
}

// skipping has the workers leave out what part p leaves out.
func (d *disk) skipping(p *part) bool {
	if d.skipped == p {
		return true
	}
	if p.skips != nil && p.skip.N == 0 {
		var err error
		if p.skip, err = d.readKeys(p.skips); d.check(err) {
			return false
		}
	}
	var skip *visited.KeySet
	if p.skip.N > 0 {
		skip = visited.NewKeySet(p.skip)
	}
	for _, w := range d.s.workers {
		w.skip = skip
	}
	d.bytes.Store(skip.Bytes())
	d.skipped = p
	return true
}

// openWindow makes a level of the next states of a part, and reports whether
// there are any.
func (d *disk) openWindow(p *part) bool {
	l := frontier.NewLevel(d.depth)
	var size int64
	for len(p.pieces) > 0 && size < max(d.chunkShare/2, 1) {
		at := &p.pieces[0]
		c, next, err := d.readChunk(at)
		if d.check(err) {
			return false
		}
		if c == nil {
			d.discard(at.log)
			p.pieces = p.pieces[1:]
			continue
		}
		at.off = next
		l.Add(c)
		size += c.Bytes()
	}
	if len(p.pieces) == 0 {
		for _, c := range p.chunks {
			l.Add(c)
			size += c.Bytes()
		}
		p.chunks = nil
	}
	d.window.Store(size)
	if l.States == 0 {
		return false
	}
	d.open = l
	return true
}

// readChunk returns the chunk at a place, nil at the end of the log, and where the
// next one is.
func (d *disk) readChunk(at *piece) (*frontier.Chunk, int64, error) {
	c := d.s.pool.Empty()
	records, _ := c.Records()
	records, states, next, err := at.log.Read(at.off, records, &d.packed)
	if err != nil || states == 0 {
		d.s.pool.Put(c)
		return nil, 0, err
	}
	switch n, err := d.s.pool.Fill(c, records); {
	case err != nil:
		return nil, 0, fmt.Errorf("%s is damaged: the block at byte %d: %w", at.log.Name, at.off, err)
	case n != states:
		return nil, 0, fmt.Errorf("%s is damaged: the block at byte %d has %d states, and should have %d", at.log.Name, at.off, n, states)
	}
	return c, next, nil
}

// relieve does what the workers wait for.
func (d *disk) relieve() {
	s := d.s
	s.paused.Store(false)
	want := d.wanted.Swap(0)
	if want == 0 || !s.running() {
		return
	}
	if want&wantMemory != 0 {
		want |= wantChunks
	}
	if want&(wantTable|wantChunks) != 0 && !d.spilled {
		d.spill()
	}
	if want&wantChunks != 0 {
		d.check(d.spillChunks())
	}
	if want&wantTable != 0 && d.err == nil {
		d.check(d.flush())
	}
	if want&wantMemory != 0 && d.err == nil {
		d.findMemory()
	}
	if want&wantCheckpoint != 0 && d.err == nil {
		d.check(d.checkpoint())
	}
}

// spill sets how the memory is shared from now on.
func (d *disk) spill() {
	all := d.s.bytes()
	if d.opt.InMemory == 0 {
		d.s.meter.free() // garbage would make all shares smaller
		all = d.share()
	}
	all = max(all, leastShared)
	d.tableShare = max(all/tablePart*tableParts, d.s.table.Bytes())
	d.chunkShare = max(all/12, 4<<10)
	if d.opt.InMemory > 0 {
		d.chunkShare = int64(d.opt.InMemory)
	}
	d.spilled = true
}

// share returns the bytes that the search may take: what it has, and what is left
// to the process.
func (d *disk) share() int64 {
	left, _ := d.s.meter.fits(0)
	return d.s.bytes() + min(left, math.MaxInt64/2)
}

// Of the memory that a search may take, the table takes 9/16. A third of what it
// takes can become necessary for states to be left out, and a twelfth of all each
// for states of the next level and of this one.
const tableParts, tablePart = 9, 16

// leastShared is what a search takes at least: with less it would write all the
// time.
const leastShared = 1 << 20

// findMemory ends the search where the process takes a tenth more than it may although
// all is on disk that can be: the meter keeps a sixteenth for reading and writing.
func (d *disk) findMemory() {
	s := d.s
	s.pool.Release()
	left, reason := s.meter.fits(0)
	if bound := s.opt.MaxBytes; left < 0 && (reason == MachineLimit || -left > bound/6) {
		s.stop(reason)
	}
	s.nextLook.Store(s.bytes() + max(minStride, left/16))
}

// within asks for room where there is too little memory for so many bytes more.
// There is always enough for what the workers have in hand.
func (d *disk) within(more int64) bool {
	s := d.s
	if d.opt.InMemory > 0 {
		if s.distinct()+d.dropped.Load()-d.base >= uint64(d.opt.InMemory) {
			d.want(wantTable | wantChunks)
		}
		return true
	}
	if d.spilled && s.pool.Used() > d.chunkShare+d.window.Load() {
		d.want(wantChunks)
	}
	if s.lacks(more) != 0 {
		if d.spilled {
			d.want(wantMemory)
		} else {
			d.want(wantTable)
		}
	}
	return true
}

// full reports that the segment of fp is not to grow by so many bytes. Its last
// free slots do for what the workers have in hand.
func (d *disk) full(fp uint64, more int64) bool {
	s := d.s
	table := s.table.Bytes()
	switch {
	case d.spilled && table+more <= d.tableShare:
		return false
	case !d.spilled && s.lacks(more) == 0 && !d.tooLarge(table+more):
		return false
	}
	d.want(wantTable)
	return s.table.Stretch(fp)
}

// tooLarge reports whether a table of so many bytes leaves too little for the
// rest of the search.
func (d *disk) tooLarge(table int64) bool {
	bound := d.s.opt.MaxBytes
	switch {
	case bound > 0 && table > bound/tablePart*tableParts:
		return true
	case bound > 0 && table < bound/4 || table < minMeasured && bound == 0:
		return false // far below
	}
	if table <= d.share()/tablePart*tableParts {
		return false
	}
	d.s.meter.free()
	return table > d.share()/tablePart*tableParts
}

// tooManyToPeek reports that whether the states behind the limit on depth are new
// cannot be told from the table alone.
func (s *search) tooManyToPeek() bool { return s.disk != nil && s.disk.spilled }

// finish ends the search: with a checkpoint if it can go on.
func (d *disk) finish() {
	s := d.s
	if d.err != nil || s.err != nil || s.panicked != nil {
		return
	}
	if d.over = !Reason(s.stopped.Load()).Resumable(); !d.over {
		d.check(d.checkpoint())
	}
}

// name returns the name of a further file.
func (d *disk) name(kind string) string {
	d.serial++
	return fmt.Sprintf("%s-%08d", kind, d.serial)
}

// keep counts a file that is there now.
func (d *disk) keep(bytes int64, f syncer) {
	d.written += bytes
	d.onDisk.Add(bytes)
	d.unsynced = append(d.unsynced, f)
}

// discard closes files that are needed no more. They are removed as soon as no
// checkpoint names them.
func (d *disk) discard(f interface {
	Names() []string
	Length() int64
	Close() error
}) {
	_ = f.Close() // it was only read
	d.onDisk.Add(-f.Length())
	d.trash = append(d.trash, f.Names()...)
	if !d.manifested {
		d.empty()
	}
}

// empty removes what was discarded.
func (d *disk) empty() {
	for _, name := range d.trash {
		_ = d.fs.Remove(name) // what stays there harms nobody
	}
	d.trash = d.trash[:0]
}

// discardPart frees what a part takes, on disk and in memory.
func (d *disk) discardPart(p *part) {
	p.skip = visited.KeyList{}
	for _, at := range p.pieces {
		d.discard(at.log)
	}
	if p.skips != nil {
		d.discard(p.skips)
	}
}

// close closes all files and leaves them where they are.
func (d *disk) close() {
	if d == nil || d.closed {
		return
	}
	d.closed = true
	if d.log != nil {
		d.log.Abandon()
	}
	for _, p := range append(d.parts, d.next...) {
		for _, at := range p.pieces {
			_ = at.log.Close()
		}
		if p.skips != nil {
			_ = p.skips.Close()
		}
	}
	for _, at := range d.rest {
		_ = at.log.Close()
	}
	for _, r := range append(d.runs, d.found...) {
		_ = r.Close()
	}
	d.unlock()
}

// end is close, and removes the files of a search that is over.
func (d *disk) end() error {
	if d == nil || d.closed {
		return nil
	}
	var err error
	if d.over {
		if d.manifested { // first of all: without it the rest is nothing
			err = d.fs.Remove(checkpoint.Name)
		}
		if err == nil {
			err = checkpoint.Sweep(d.fs, nil)
		}
	}
	d.close()
	if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	return err
}
