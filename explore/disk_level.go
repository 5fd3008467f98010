package explore

import (
	"cmp"
	"errors"
	"slices"

	"bullyproof/explore/internal/frontier"
	"bullyproof/explore/internal/visited"
	"bullyproof/internal/runfile"
)

const (
	// readAhead is how many bytes of a run are read at a time at most.
	readAhead = 1 << 20

	// maxRuns is how many runs of visited states there are before some become one.
	maxRuns = 24

	// stepsMeasured is after how many keys the process is measured.
	stepsMeasured = 1 << 17
)

// endLevel makes the states that were found the level to be expanded next,
// except for those that were visited before.
func (d *disk) endLevel() {
	var states uint64
	var err error
	switch {
	case len(d.found) > 0:
		states, err = d.mergeFound()
	case d.spilled:
		states, err = d.sift()
	default:
		p := d.endPart()
		d.next = append(d.next, p)
		states = p.records()
	}
	if d.check(err) {
		return
	}
	if d.depth >= d.s.opt.MaxDepth {
		// These are beyond it: all that counts is whether there are any.
		if states > 0 {
			d.s.beyond.Store(true)
		}
		d.dropped.Add(states)
		for _, p := range d.next {
			d.discardPart(p)
		}
		d.next, states = nil, 0
	}
	for _, w := range d.s.workers {
		w.skip = nil
	}
	d.skipped = nil
	d.bytes.Store(0)
	d.parts, d.next, d.found = d.next, nil, nil
	d.depth, d.states, d.begun = d.depth+1, states, false
	d.check(d.compact())
}

// endPart takes what the workers have found for the next level.
func (d *disk) endPart() *part {
	p := &part{pieces: d.rest}
	d.rest = nil
	for _, w := range d.s.workers {
		p.chunks = append(p.chunks, w.next.Chunks...)
		w.next.Clear()
	}
	return p
}

// records returns how many states there are in a part, those left out among them.
func (p *part) records() (n uint64) {
	for _, at := range p.pieces {
		n += at.log.Records
	}
	for _, c := range p.chunks {
		_, states := c.Records()
		n += uint64(states)
	}
	return n
}

// sift ends a level all of whose candidates are in the table.
func (d *disk) sift() (states uint64, err error) {
	if err := d.endLog(); err != nil {
		return 0, err
	}
	p := d.endPart()
	d.next = append(d.next, p)
	if n := p.records(); len(p.pieces) == 0 && n < d.s.table.Entries()/32 {
		p.skip, err = d.knownOf(p)
	} else {
		p.skip, err = d.known()
	}
	if err != nil {
		return 0, err
	}
	for fp := range p.skip.All() {
		d.s.table.Mark(fp)
	}
	d.dropped.Add(uint64(p.skip.N))
	return p.records() - uint64(p.skip.N), nil
}

// known returns the candidates in the table that are in the runs, ascending.
func (d *disk) known() (keys visited.KeyList, err error) {
	runs := d.cursors(d.runs)
	err = d.ascending(func(fp, meta uint64) error {
		if visited.Depth(meta) != d.depth+1 {
			return nil
		}
		has, err := runs.has(fp)
		if has {
			d.leaveOut(&keys, fp)
		}
		return err
	})
	return keys, err
}

// knownOf is known where the candidates, which are the states of a part, are few
// in a large table.
func (d *disk) knownOf(p *part) (keys visited.KeyList, err error) {
	fps := make([]uint64, 0, p.records())
	for _, c := range p.chunks {
		for state := range c.States() {
			fps = append(fps, d.s.fingerprint(state))
		}
	}
	slices.Sort(fps)
	runs := d.cursors(d.runs)
	for _, fp := range fps {
		has, err := runs.has(fp)
		if err != nil {
			return visited.KeyList{}, err
		}
		if has {
			d.leaveOut(&keys, fp)
		}
	}
	return keys, nil
}

// readKeys returns the keys of a run.
func (d *disk) readKeys(r *runfile.Run) (keys visited.KeyList, err error) {
	for c := r.Cursor(d.ahead(1)); ; {
		more, err := c.Next()
		if err != nil || !more {
			return keys, err
		}
		d.leaveOut(&keys, c.Key())
	}
}

// leaveOut adds a key to the states that the level leaves out.
func (d *disk) leaveOut(keys *visited.KeyList, key uint64) {
	if d.step(); keys.N%visited.PageKeys == 0 {
		d.bytes.Store(keys.Bytes())
	}
	keys.Add(key)
}

// A cursors is a cursor in each of several runs.
type cursors []*runfile.Cursor

func (d *disk) cursors(runs []*runfile.Run) cursors {
	c := make(cursors, len(runs))
	for i, r := range runs {
		c[i] = r.Cursor(d.ahead(len(runs) + len(d.found)))
	}
	return c
}

// ahead returns how many bytes of each of so many runs are read at a time.
func (d *disk) ahead(runs int) int {
	return int(min(readAhead, max(d.chunkShare/8/int64(max(1, runs)), 1<<14)))
}

// step is called for each key of what goes through many of them. Now and then it
// has the process measured, and garbage collected where there is too much of it.
func (d *disk) step() {
	if d.steps++; d.steps%stepsMeasured == 0 && d.opt.InMemory == 0 && d.s.bytes() >= minMeasured {
		d.s.meter.fits(0)
	}
}

// ascending goes through the table.
func (d *disk) ascending(f func(fp, meta uint64) error) error {
	return d.s.table.Ascending(func(fp, meta uint64) error {
		d.step()
		return f(fp, meta)
	})
}

// merge goes through runs.
func (d *disk) merge(runs []*runfile.Run, f func(fp, meta uint64, in []int) error) error {
	return runfile.Merge(runs, d.ahead(len(d.runs)+len(runs)), func(fp, meta uint64, in []int) error {
		d.step()
		return f(fp, meta, in)
	})
}

// has reports whether one of the runs has a key, no less than those asked before.
func (c cursors) has(key uint64) (bool, error) {
	for _, at := range c {
		if has, err := at.Has(key); has || err != nil {
			return has, err
		}
	}
	return false, nil
}

// mergeFound ends a level with candidates on disk.
func (d *disk) mergeFound() (states uint64, err error) {
	if err := d.generation(); err != nil {
		return 0, err
	}
	w, err := runfile.NewWriter(d.fs, d.name("visited"), true)
	if err != nil {
		return 0, err
	}
	skips, err := d.skipWriters(len(d.found))
	if err != nil {
		w.Abandon()
		return 0, err
	}
	runs := d.cursors(d.runs)
	err = d.merge(d.found, func(fp, meta uint64, in []int) error {
		had, err := runs.has(fp)
		if err != nil {
			return err
		}
		if !had {
			w.Add(fp, meta)
			in = in[1:] // the first one has the state
		}
		for _, i := range in {
			skips[i].Add(fp, 0)
		}
		return w.Err()
	})
	if err != nil {
		w.Abandon()
		abandon(skips)
		return 0, err
	}
	if err := d.endSkips(skips); err != nil {
		w.Abandon()
		return 0, err
	}
	if states = w.Len(); states > 0 && d.depth < d.s.opt.MaxDepth {
		r, err := d.endRun(w)
		if err != nil {
			return 0, err
		}
		d.runs = append(d.runs, r)
	} else {
		w.Abandon()
	}
	for _, r := range d.found {
		d.discard(r)
	}
	return states, nil
}

// skipWriters begins the runs of what each of n parts leaves out.
func (d *disk) skipWriters(n int) (skips []*runfile.Writer, err error) {
	for range n {
		w, err := runfile.NewWriter(d.fs, d.name("skip"), false)
		if err != nil {
			abandon(skips)
			return nil, err
		}
		skips = append(skips, w)
	}
	return skips, nil
}

func abandon(writers []*runfile.Writer) {
	for _, w := range writers {
		w.Abandon()
	}
}

// endSkips gives the parts of the next level what they leave out.
func (d *disk) endSkips(skips []*runfile.Writer) error {
	for i, w := range skips {
		if w.Len() == 0 {
			w.Abandon()
			continue
		}
		d.dropped.Add(w.Len())
		r, err := d.endRun(w)
		if err != nil {
			abandon(skips[i+1:])
			return err
		}
		d.next[i].skips = r
	}
	return nil
}

// endRun finishes a run.
func (d *disk) endRun(w *runfile.Writer) (*runfile.Run, error) {
	r, err := w.Close()
	if err != nil {
		return nil, err
	}
	d.keep(r.Length(), r)
	return r, nil
}

// flush makes room in the table: states at depths that are complete go to a run.
// If candidates for the next level were most of it, they go to another one, and
// the states found so far become a part of the next level.
func (d *disk) flush() error {
	if err := d.save(); err != nil {
		return err
	}
	taken := d.s.table.Entries()
	r, err := d.candidates()
	if err != nil || r == nil {
		if err == nil {
			d.clearTable()
		}
		return err
	}
	if r.Entries > taken/2 {
		return d.endGeneration(r)
	}
	d.clearTable()
	q := &d.s.workers[0].quota
	c := r.Cursor(d.ahead(1))
	for {
		more, err := c.Next()
		if err != nil || !more {
			d.discard(r)
			return err
		}
		meta, err := c.Value()
		if err != nil {
			return err
		}
		for d.s.table.Insert(c.Key(), meta, q) == visited.Full {
			if !d.s.grow(c.Key()) {
				return errNoRoom
			}
		}
	}
}

// generation makes the candidates in the table a run, and what was found a part
// of the next level.
func (d *disk) generation() error {
	if err := d.save(); err != nil {
		return err
	}
	r, err := d.candidates()
	if err != nil {
		return err
	}
	if r == nil {
		return nil
	}
	return d.endGeneration(r)
}

func (d *disk) endGeneration(r *runfile.Run) error {
	d.found = append(d.found, r)
	if err := d.spillChunks(); err != nil {
		return err
	}
	if err := d.endLog(); err != nil {
		return err
	}
	d.next = append(d.next, d.endPart())
	d.clearTable()
	return nil
}

// save writes the states of the table whose depths are complete to a run, and
// marks them.
func (d *disk) save() error {
	r, err := d.writeRun("visited", func(depth int) bool { return depth >= 0 && depth <= d.depth })
	if err != nil || r == nil {
		return err
	}
	d.runs = append(d.runs, r)
	d.s.table.MarkUpTo(d.depth)
	return d.compact()
}

// candidates writes the candidates in the table to a run, nil where there are
// none.
func (d *disk) candidates() (*runfile.Run, error) {
	return d.writeRun("found", func(depth int) bool { return depth == d.depth+1 })
}

// writeRun writes the entries of the table at some depths to a run, nil where
// there are none.
func (d *disk) writeRun(kind string, wanted func(depth int) bool) (*runfile.Run, error) {
	w, err := runfile.NewWriter(d.fs, d.name(kind), true)
	if err != nil {
		return nil, err
	}
	err = d.ascending(func(fp, meta uint64) error {
		if wanted(visited.Depth(meta)) {
			w.Add(fp, meta)
		}
		return w.Err()
	})
	if err != nil || w.Len() == 0 {
		w.Abandon()
		return nil, err
	}
	return d.endRun(w)
}

// clearTable empties the table.
func (d *disk) clearTable() {
	d.s.table.Clear()
	for _, w := range d.s.workers {
		w.quota = visited.Quota{}
	}
	d.base = d.s.distinct() + d.dropped.Load()
}

// spillChunks writes the states found for the next level to the log.
func (d *disk) spillChunks() error {
	for _, w := range d.s.workers {
		for i, c := range w.next.Chunks {
			if err := d.logChunk(c); err != nil {
				w.next.Chunks = slices.Delete(w.next.Chunks, 0, i)
				return err
			}
		}
		w.next.Clear()
	}
	return nil
}

// logChunk writes a chunk to the log, and gives it back.
func (d *disk) logChunk(c *frontier.Chunk) (err error) {
	if d.log == nil {
		if d.log, err = runfile.NewLogWriter(d.fs, d.name("states")); err != nil {
			return err
		}
	}
	if err := d.log.Add(c.Records()); err != nil {
		return err
	}
	d.s.pool.Put(c)
	return nil
}

// endLog finishes the log, which becomes a piece of the part that is being
// filled.
func (d *disk) endLog() error {
	if d.log == nil {
		return nil
	}
	l, err := d.closeLog(d.log)
	d.log = nil
	if err != nil {
		return err
	}
	d.rest = append(d.rest, piece{l, l.Start()})
	return nil
}

// closeLog finishes a log.
func (d *disk) closeLog(w *runfile.LogWriter) (*runfile.Log, error) {
	l, err := w.Close()
	if err != nil {
		return nil, err
	}
	d.keep(l.Length(), l)
	return l, nil
}

// compact makes one run of the smallest ones where there are too many.
func (d *disk) compact() error {
	if len(d.runs) <= maxRuns {
		return nil
	}
	slices.SortStableFunc(d.runs, func(a, b *runfile.Run) int { return cmp.Compare(a.Entries, b.Entries) })
	old := d.runs[:maxRuns/2]
	w, err := runfile.NewWriter(d.fs, d.name("visited"), true)
	if err != nil {
		return err
	}
	err = d.merge(old, func(fp, meta uint64, _ []int) error {
		w.Add(fp, meta)
		return w.Err()
	})
	if err != nil {
		w.Abandon()
		return err
	}
	r, err := d.endRun(w)
	if err != nil {
		return err
	}
	for _, r := range old {
		d.discard(r)
	}
	d.runs = append(slices.Clone(d.runs[maxRuns/2:]), r)
	return nil
}

// Find returns the meta of a fingerprint, or 0 where it was not visited. A run
// that cannot be read counts as one without it: then no path is found.
func (d *disk) Find(fp uint64, _ []byte) uint64 {
	for _, r := range d.runs {
		if meta, has, err := r.Find(fp); has && err == nil {
			return meta
		}
	}
	meta := d.s.table.Find(fp, nil)
	if meta == visited.OnDisk {
		meta = 0
	}
	for _, r := range d.found {
		if m, has, err := r.Find(fp); has && err == nil && (meta == 0 || m < meta) {
			meta = m
		}
	}
	if visited.Depth(meta) > d.s.opt.MaxDepth {
		return 0
	}
	return meta
}

// WithPrefix calls f with each entry whose fingerprint has the prefix.
func (d *disk) WithPrefix(prefix uint64, f func(fp, meta uint64)) {
	lo := prefix << visited.PrefixShift
	for _, r := range append(slices.Clone(d.runs), d.found...) {
		_ = r.Range(lo, lo|(1<<visited.PrefixShift-1), f) // see Find
	}
	d.s.table.WithPrefix(prefix, func(fp, meta uint64) {
		if meta != visited.OnDisk {
			f(fp, meta)
		}
	})
}

// tally takes the candidates that were visited before off the count, or all where they
// are beyond the depth limit, where the search has ended within a level.
func (d *disk) tally() {
	if d == nil || !d.spilled || d.states == 0 {
		return
	}
	if d.depth >= d.s.opt.MaxDepth {
		beyond := d.s.distinct()
		for _, states := range d.s.levels {
			beyond -= states
		}
		d.dropped.Add(beyond)
		return
	}
	known, err := d.known()
	d.check(err)
	d.dropped.Add(uint64(known.N))
	if len(d.found) == 0 {
		return
	}
	runs, found := d.cursors(d.runs), d.cursors(d.found)
	_ = d.ascending(func(fp, meta uint64) error { // those of both are counted already
		if visited.Depth(meta) != d.depth+1 {
			return nil
		}
		if had, err := runs.has(fp); had || err != nil {
			return err
		}
		had, err := found.has(fp)
		if had {
			d.dropped.Add(1)
		}
		return err
	})
	runs = d.cursors(d.runs)
	d.check(d.merge(d.found, func(fp, _ uint64, in []int) error {
		n := len(in) - 1
		had, err := runs.has(fp)
		if had {
			n++
		}
		d.dropped.Add(uint64(n))
		return err
	}))
}

var errNoRoom = errors.New("the system gives no memory for what was in memory before")
