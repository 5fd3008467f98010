package cluster

import (
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"bullyproof/explore"
	"bullyproof/explore/internal/visited"
	"bullyproof/internal/runfile"
)

// A Task is a range of a level, which is that of a table.
type Task struct {
	Dir   string `json:"dir"`
	Table string `json:"table"`
	Range
	// Threads is by how many threads it is done, 0 for one.
	Threads int `json:"threads,omitempty"`
	// Dry counts what is new, and does not expand it.
	Dry bool `json:"dry,omitempty"`
	// Bytes is the memory that successors take before they are written.
	Bytes int64 `json:"bytes"`
}

// An Answer is what a task has done.
type Answer struct {
	Parts []Part        `json:"parts,omitempty"` // by each thread
	Took  time.Duration `json:"took_ns"`
	// Fatal says why the search cannot go on, whoever does the task.
	Fatal string `json:"fatal,omitempty"`
}

// A Part is what a thread of a task has done.
type Part struct {
	explore.Findings
	New       uint64     `json:"new"` // states that were not visited before
	Kept      []byte     `json:"kept,omitempty"`
	Runs      []Run      `json:"runs,omitempty"`   // that are there now
	Merged    []string   `json:"merged,omitempty"` // keys of those that are part of them
	Exchanges []Exchange `json:"exchanges,omitempty"`
	Written   int64      `json:"written"`
}

// A Subject is the system of a search, as in a worker.
type Subject struct {
	// New returns the system anew: what it gathers (explore.Keeper) is that of one task.
	New func() (explore.System, error)
	// Targets is the number of its targets.
	Targets int
	// Open opens the directory of its search; nil is Local.
	Open Opener
}

// A Worker carries out tasks, one at a time.
type Worker struct {
	subject Subject
	dir     string
	files   Directory
	name    string
	table   *Table
	runs    map[string]*runfile.Run
	found   *gathering
	threads int // that share it
}

// NewWorker returns a worker for the system of a search.
func NewWorker(subject Subject) *Worker {
	return &Worker{subject: subject, runs: make(map[string]*runfile.Run)}
}

// Close closes the files that the worker has open.
func (w *Worker) Close() {
	for _, r := range w.runs {
		_ = r.Close() // it was only read
	}
	clear(w.runs)
}

// Do carries out a task. An error is one of the files: it may work elsewhere, or later.
func (w *Worker) Do(task Task) (a Answer, err error) {
	begin := time.Now()
	if err := w.take(task); err != nil {
		return a, fmt.Errorf("directory %s: %w", task.Dir, err)
	}
	parts, err := w.parts(task)
	if err == nil {
		err = together(parts, (*part).run)
	}
	if err == nil && !task.Dry {
		err = together(parts, (*part).end)
	}
	a.Took = time.Since(begin)
	if err == nil {
		for _, p := range parts {
			a.Parts = append(a.Parts, p.done)
		}
		return a, nil
	}
	for _, p := range parts {
		p.abandon()
	}
	w.found = nil
	var fault faultError
	var panicked *explore.PanicError
	if errors.As(err, &fault) || errors.As(err, &panicked) {
		said, _, _ := strings.Cut(err.Error(), "\n\n") // behind it comes the stack
		return Answer{Fatal: said}, nil
	}
	return Answer{}, fmt.Errorf("directory %s: %w", task.Dir, err)
}

// parts prepares a task.
func (w *Worker) parts(task Task) (parts []*part, err error) {
	threads := max(1, task.Threads)
	if w.found == nil || w.threads != threads {
		w.found, w.threads = newGathering(threads), threads
	}
	serial := fmt.Sprintf("%06d-%s", w.table.Level, unique())
	for i, within := range task.divided(threads) {
		p := &part{w: w, task: task, within: within, files: w.files, serial: fmt.Sprintf("%s%04x", serial, i), thread: i}
		if p.sys, err = w.subject.New(); err != nil {
			return nil, faultError{err}
		}
		if p.batch, err = (explore.Options{Targets: w.subject.Targets}).Batch(p.sys, w.table.Level); err != nil {
			return nil, faultError{err}
		}
		if p.known, err = p.cursors(); err != nil {
			return nil, err
		}
		p.groups = make([][]found, len(w.found.shards))
		parts = append(parts, p)
	}
	return parts, nil
}

// together has each part do something, all at once, and returns the error of the first
// one that has one.
func together(parts []*part, do func(*part) error) error {
	errs := make([]error, len(parts))
	var all sync.WaitGroup
	for i, p := range parts {
		all.Go(func() { errs[i] = p.batch.Guard(func() error { return do(p) }) })
	}
	all.Wait()
	return cmp.Or(errs...)
}

// unique returns digits that no other attempt has.
func unique() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // it does not fail
	return fmt.Sprintf("%x", b)
}

// A faultError is an error of the system.
type faultError struct{ error }

// take reads the table of a task, and forgets runs that it does not name.
func (w *Worker) take(task Task) error {
	if w.dir == task.Dir && w.name == task.Table {
		return nil
	}
	files := w.files
	if files == nil || w.dir != task.Dir {
		var err error
		if files, err = w.subject.Open.open(task.Dir); err != nil {
			return err
		}
	}
	t, err := readTable(files, task.Table)
	if err != nil {
		return err
	}
	names := t.names()
	for name, r := range w.runs {
		if w.dir != task.Dir || !names[name] {
			_ = r.Close()
			delete(w.runs, name)
		}
	}
	w.dir, w.files, w.name, w.table = task.Dir, files, task.Table, t
	return nil
}

// open opens a run, once.
func (w *Worker) open(r *Run) (*runfile.Run, error) {
	if old := w.runs[r.Keys.Name]; old != nil {
		return old, nil
	}
	opened, err := runfile.OpenRunUnread(w.files, r.Keys, r.Values, r.Entries)
	if err == nil {
		w.runs[r.Keys.Name] = opened
	}
	return opened, err
}

// A part is what a thread does of a task.
type part struct {
	w      *Worker
	task   Task
	thread int
	within Range
	files  runfile.FS
	sys    explore.System
	batch  *explore.Batch
	known  []*runfile.Cursor // in what was visited in the range
	groups [][]found         // for each shard
	serial string
	sent   int
	fresh  *runfile.Writer
	done   Part
}

const (
	readAhead = 1 << 18
	mostRuns  = 12 // of a range, before some become one
)

// run expands what is new.
func (p *part) run() (err error) {
	all, err := p.receivers()
	defer func() {
		for _, r := range all {
			_ = r.log.Close() // it was only read
		}
	}()
	if err != nil {
		return err
	}
	if !p.task.Dry {
		if p.fresh, err = runfile.NewWriter(p.files, "visited-"+p.serial, true); err != nil {
			return err
		}
	}
	err = merge(slices.Clone(all), func(fp, prefix uint64, state []byte) error {
		for _, k := range p.known {
			if has, err := k.Has(fp); err != nil || has {
				return err
			}
		}
		if p.done.New++; p.task.Dry {
			return nil
		}
		p.fresh.Add(fp, visited.Origin(p.w.table.Level, prefix<<16))
		if p.batch.Expand(state, fp) {
			return p.combine()
		}
		return nil
	})
	if err != nil || p.task.Dry {
		return err
	}
	return p.combine()
}

// end writes what is left, when all threads have run.
func (p *part) end() (err error) {
	if err := p.send(p.w.found.share(p.thread, p.w.threads)); err != nil {
		return err
	}
	if err := p.endRun(); err != nil {
		return err
	}
	p.done.Findings = p.batch.Findings()
	if k, ok := p.sys.(explore.Keeper); ok {
		if p.done.Kept, err = k.Keep(); err != nil {
			return faultError{err}
		}
	}
	return nil
}

// cursors returns cursors in what was visited in the range.
func (p *part) cursors() (all []*runfile.Cursor, err error) {
	for i := range p.w.table.Runs {
		if r := &p.w.table.Runs[i]; r.meets(p.within) {
			run, err := p.w.open(r)
			if err != nil {
				return nil, err
			}
			all = append(all, run.Cursor(readAhead))
		}
	}
	return all, nil
}

// receivers returns what was found for the range, those before an error too.
func (p *part) receivers() (all []*receiver, err error) {
	for i := range p.w.table.Exchanges {
		r, err := receive(p.files, &p.w.table.Exchanges[i], p.within)
		if err != nil {
			return all, err
		}
		if r != nil {
			all = append(all, r)
		}
	}
	return all, nil
}

// combine takes what follows the states of the batch.
func (p *part) combine() error {
	g := p.w.found
	if err := p.batch.End(func(state []byte, fp, origin uint64) {
		i := g.of(fp)
		p.groups[i] = append(p.groups[i], found{state, fp, origin})
	}); err != nil {
		return faultError{err}
	}
	// Threads begin at different shards.
	first := p.thread * len(p.groups) / p.w.threads
	for k := range p.groups {
		i := (first + k) % len(p.groups)
		if err := p.add(g.shards[i:i+1], p.groups[i]); err != nil {
			return err
		}
		p.groups[i] = p.groups[i][:0]
	}
	return nil
}

// add adds states to a shard, and writes it if it is large then.
func (p *part) add(to []shard, all []found) error {
	s := &to[0]
	s.Lock()
	defer s.Unlock()
	s.addAll(all)
	if s.bytes() > p.task.Bytes/int64(len(p.groups)) {
		return p.send(to)
	}
	return nil
}

// send writes the successors that there are in shards, which nobody else uses then.
func (p *part) send(from []shard) error {
	n := 0
	for i := range from {
		n += from[i].n
	}
	if n == 0 {
		return nil
	}
	p.sent++
	s, err := newSender(p.files, fmt.Sprintf("states-%s%02x", p.serial, p.sent))
	if err != nil {
		return err
	}
	for i := range from {
		if err := from[i].drain(s.add); err != nil {
			s.log.Abandon()
			return err
		}
	}
	x, err := s.end()
	if err != nil {
		return err
	}
	p.done.Exchanges = append(p.done.Exchanges, x)
	p.done.Written += x.File.Bytes
	return nil
}

// endRun finishes the run of what is new, and makes one of several where there are
// many.
func (p *part) endRun() error {
	if p.done.New == 0 {
		p.fresh.Abandon()
		p.fresh = nil
		return nil
	}
	if err := p.keep(p.fresh); err != nil {
		return err
	}
	var own []*Run
	for i := range p.w.table.Runs {
		if r := &p.w.table.Runs[i]; p.within.holds(r.Range) {
			own = append(own, r)
		}
	}
	if len(own) < mostRuns {
		return nil
	}
	slices.SortStableFunc(own, func(a, b *Run) int { return cmp.Compare(a.Entries, b.Entries) })
	own = own[:len(own)*2/3]
	runs := make([]*runfile.Run, len(own))
	for i, r := range own {
		var err error
		if runs[i], err = p.w.open(r); err != nil {
			return err
		}
		p.done.Merged = append(p.done.Merged, r.Keys.Name)
	}
	out, err := runfile.NewWriter(p.files, "visited-"+p.serial+"ff", true)
	if err != nil {
		return err
	}
	p.fresh = out
	if err := runfile.Merge(runs, readAhead, func(fp, origin uint64, _ []int) error {
		out.Add(fp, origin)
		return out.Err()
	}); err != nil {
		return err
	}
	return p.keep(out)
}

// keep finishes a run.
func (p *part) keep(w *runfile.Writer) error {
	r, err := w.Close()
	p.fresh = nil
	if err != nil {
		return err
	}
	p.done.Runs = append(p.done.Runs, Run{p.within, r.Entries, r.Keys, r.Values})
	p.done.Written += r.Length()
	return r.Close()
}

// abandon removes what a task has written that failed.
func (p *part) abandon() {
	if p.fresh != nil {
		p.fresh.Abandon()
	}
	for _, r := range p.done.Runs {
		_, _ = p.files.Remove(r.Keys.Name), p.files.Remove(r.Values.Name) // they harm nobody
	}
	for _, x := range p.done.Exchanges {
		_ = p.files.Remove(x.File.Name)
	}
}
