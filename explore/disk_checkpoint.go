package explore

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"bullyproof/explore/internal/checkpoint"
	"bullyproof/explore/internal/frontier"
	"bullyproof/internal/runfile"
)

// openDisk prepares the directory of a search, and takes up the checkpoint in it
// if there is to be one.
func openDisk(s *search) (*disk, error) {
	opt := s.opt.Disk
	d := &disk{s: s, opt: opt, unlock: func() {}}
	d.depth = -1
	if d.fs = opt.fs; d.fs == nil {
		if opt.Resume && !opt.HasCheckpoint() {
			return nil, fmt.Errorf("explore: Disk.Dir %s: %w", opt.Dir, checkpoint.ErrMissing)
		}
		lock, err := checkpoint.Lock(opt.Dir)
		if err != nil {
			return nil, err
		}
		d.fs, d.unlock = runfile.Dir(opt.Dir), func() { _ = lock.Close() }
	}
	s.disk = d // for what restoring asks of the search
	if err := d.begin(); err != nil {
		d.close()
		return nil, fmt.Errorf("explore: Disk.Dir %s: %w", opt.Dir, err)
	}
	return d, nil
}

// Prepare makes the directory, and says why no search could begin in it: it cannot
// be made or written, another search is using it, or it holds a checkpoint. For
// a search that goes there only when memory is full.
func (d Disk) Prepare() error {
	lock, err := checkpoint.Lock(d.Dir)
	if err != nil {
		return err
	}
	if err := lock.Close(); err != nil {
		return fmt.Errorf("explore: Disk.Dir %s: %w", d.Dir, err)
	}
	if d.HasCheckpoint() {
		return fmt.Errorf("explore: Disk.Dir %s: %w", d.Dir, checkpoint.ErrThere)
	}
	return nil
}

// HasCheckpoint reports whether there is a checkpoint in the directory, whatever it
// is of.
func (d Disk) HasCheckpoint() bool { return checkpoint.IsIn(d.Dir) }

// begin takes up the checkpoint, or sees that there is none.
func (d *disk) begin() error {
	_, err := d.fs.Size(checkpoint.Name)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case err == nil && !d.opt.Resume:
		return checkpoint.ErrThere
	case err != nil && d.opt.Resume:
		return checkpoint.ErrMissing
	case err != nil:
		return checkpoint.Sweep(d.fs, nil)
	}
	m, err := checkpoint.Read(d.fs)
	if err != nil {
		return err
	}
	if err := m.Suits(d.opt.Identity, d.s.opt.Targets, d.s.opt.MaxDepth); err != nil {
		return err
	}
	if err := checkpoint.Sweep(d.fs, m.Names()); err != nil {
		return err
	}
	return d.restore(m)
}

// restore makes the search what it was at the checkpoint.
func (d *disk) restore(m *checkpoint.Manifest) (err error) {
	s := d.s
	if m.Kept != nil {
		k, ok := s.sys.(Keeper)
		if !ok {
			return fmt.Errorf("%s has what a system gathered, and this one gathers nothing", checkpoint.Name)
		}
		if err := k.Recall(m.Kept); err != nil {
			return fmt.Errorf("%s: %w", checkpoint.Name, err)
		}
	}
	for i := range m.Visited {
		if err := d.addRun(&d.runs, &m.Visited[i]); err != nil {
			return err
		}
	}
	for i := range m.Found {
		if err := d.addRun(&d.found, &m.Found[i]); err != nil {
			return err
		}
	}
	if d.parts, err = d.openParts(d.parts, m.Level); err != nil {
		return err
	}
	if d.next, err = d.openParts(d.next, m.Next); err != nil {
		return err
	}
	d.before, d.serial, d.manifested = m.Elapsed, m.Serial, true
	d.depth, d.states, d.begun, d.whole = m.Depth, m.States, m.Begun, m.Whole
	d.dropped.Store(m.Dropped)
	s.levels, s.deepest, s.complete, s.initial = m.Levels, m.Deepest, m.Complete, m.Initial
	s.cuts.Store(m.Cuts)
	s.beyond.Store(m.Beyond)
	w := s.workers[0]
	w.distinct.Store(m.Counted)
	w.generated.Store(m.Generated)
	w.expanded = m.Expanded
	for i := range m.Hits {
		s.hits[i] = hitOfRecord(&m.Hits[i])
		s.hits[i].Target = i
	}
	d.spill()
	d.base = m.Counted
	return nil
}

// addRun opens a run and appends it.
func (d *disk) addRun(runs *[]*runfile.Run, m *checkpoint.Run) error {
	r, err := m.Open(d.fs)
	if err != nil {
		return err
	}
	d.onDisk.Add(r.Length())
	*runs = append(*runs, r)
	return nil
}

// openParts opens parts of a level, and returns those before an error too.
func (d *disk) openParts(parts []*part, records []checkpoint.Part) ([]*part, error) {
	for i := range records {
		p := new(part)
		parts = append(parts, p)
		if skip := records[i].Skip; skip != nil {
			var runs []*runfile.Run
			if err := d.addRun(&runs, skip); err != nil {
				return parts, err
			}
			p.skips = runs[0]
		}
		for _, l := range records[i].Logs {
			log, err := l.Open(d.fs)
			if err != nil {
				return parts, err
			}
			d.onDisk.Add(log.Length())
			p.pieces = append(p.pieces, piece{log, l.From})
		}
	}
	return parts, nil
}

func (p *part) record() checkpoint.Part {
	out := checkpoint.Part{Logs: make([]checkpoint.Log, len(p.pieces))}
	for i, at := range p.pieces {
		out.Logs[i] = checkpoint.LogOf(at.log, at.off)
	}
	if p.skips != nil {
		skip := checkpoint.RunOf(p.skips)
		out.Skip = &skip
	}
	return out
}

// checkpoint writes all that the search needs to go on from here.
func (d *disk) checkpoint() error {
	if err := d.save(); err != nil {
		return err
	}
	table, err := d.candidates()
	if err != nil {
		return err
	}
	if err := d.spillChunks(); err != nil {
		return err
	}
	if err := d.endLog(); err != nil {
		return err
	}
	rest, err := d.logLevel()
	if err != nil {
		return err
	}
	m, err := d.manifest()
	if err != nil {
		return err
	}
	if rest != nil {
		first := checkpoint.LogOf(rest, rest.Start())
		m.Level[0].Logs = slices.Insert(m.Level[0].Logs, 0, first)
	}
	if table != nil {
		m.Found = append(m.Found, checkpoint.RunOf(table))
		p := part{pieces: d.rest}
		m.Next = append(m.Next, p.record())
	}
	if err := d.commit(m); err != nil {
		return err
	}
	// From here on these are only for the checkpoint.
	if rest != nil {
		d.discard(rest)
	}
	if table != nil {
		d.discard(table)
	}
	return nil
}

// logLevel writes to logs what is in memory of the level under expansion. The
// rest of what is being expanded is in the one returned, if there is a rest.
func (d *disk) logLevel() (rest *runfile.Log, err error) {
	for _, p := range d.parts {
		if err := d.logPart(p); err != nil {
			return nil, err
		}
	}
	if d.open == nil || d.open.Left() == 0 {
		return nil, nil
	}
	w, err := runfile.NewLogWriter(d.fs, d.name("states"))
	if err != nil {
		return nil, err
	}
	l := d.open
	at := 0
	for n := range l.Unclaimed() {
		_, block := l.At(n, &at)
		if err := w.Add(block, frontier.Count(block)); err != nil {
			w.Abandon()
			return nil, err
		}
	}
	return d.closeLog(w)
}

// logPart writes the states of a part that are in memory to a log, and what it
// leaves out to a run.
func (d *disk) logPart(p *part) error {
	if len(p.chunks) > 0 {
		w, err := runfile.NewLogWriter(d.fs, d.name("states"))
		if err != nil {
			return err
		}
		for _, c := range p.chunks {
			if err := w.Add(c.Records()); err != nil {
				w.Abandon()
				return err
			}
		}
		l, err := d.closeLog(w)
		if err != nil {
			return err
		}
		p.pieces = append(p.pieces, piece{l, l.Start()})
		for _, c := range p.chunks {
			d.s.pool.Put(c)
		}
		p.chunks = nil
	}
	if p.skip.N == 0 || p.skips != nil {
		return nil
	}
	w, err := runfile.NewWriter(d.fs, d.name("skip"), false)
	if err != nil {
		return err
	}
	for fp := range p.skip.All() {
		w.Add(fp, 0)
	}
	p.skips, err = d.endRun(w)
	return err
}

// manifest returns the manifest of the search, with what is in logs and runs.
func (d *disk) manifest() (*checkpoint.Manifest, error) {
	s := d.s
	m := checkpoint.New(d.opt.Identity, s.opt.Targets, s.opt.MaxDepth)
	m.Counts = checkpoint.Counts{
		Elapsed: d.before + time.Since(s.start), Serial: d.serial,
		Depth: d.depth, Begun: d.begun, Whole: d.whole, States: d.states,
		Levels: s.levels, Deepest: s.deepest, Complete: s.complete, Initial: s.initial,
		Counted: s.distinct() + d.dropped.Load(), Dropped: d.dropped.Load(), Generated: s.generated(),
		Cuts: s.cuts.Load(), Beyond: s.beyond.Load(),
	}
	m.Files = checkpoint.Files{
		Hits: make([]checkpoint.Hit, len(s.hits)), Visited: checkpoint.RunsOf(d.runs), Found: checkpoint.RunsOf(d.found),
	}
	for _, w := range s.workers {
		m.Expanded += w.expanded
	}
	for i := range s.hits {
		m.Hits[i] = s.hits[i].record()
	}
	for _, p := range d.parts {
		m.Level = append(m.Level, p.record())
	}
	for _, p := range d.next {
		m.Next = append(m.Next, p.record())
	}
	if k, ok := s.sys.(Keeper); ok {
		var err error
		if m.Kept, err = k.Keep(); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// commit makes a manifest the checkpoint: the files first, then their list.
func (d *disk) commit(m *checkpoint.Manifest) error {
	for _, f := range d.unsynced {
		if err := f.Sync(); err != nil && !errors.Is(err, fs.ErrClosed) { // those closed are needed no more
			return err
		}
	}
	if err := d.fs.Sync(); err != nil {
		return err
	}
	if err := d.fs.Replace(checkpoint.Name, m.Encode()); err != nil {
		return err
	}
	d.unsynced, d.manifested = d.unsynced[:0], true
	d.empty()
	return nil
}
