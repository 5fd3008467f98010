package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"bullyproof/explore"
	"bullyproof/explore/internal/fingerprint"
	"bullyproof/explore/internal/visited"
)

// Options say where a search has its files and who works for it.
type Options struct {
	// Dir is the directory of the files, which all that work for the search reach by
	// this name (Subject.Open). It is made where there is none.
	Dir string
	// Identity says what is searched: a checkpoint is taken up by the same search alone.
	Identity string
	// Resume goes on from the last level that is complete in Dir. It is an error if there
	// is none, and without Resume if there is one.
	Resume bool
	// Small is the number of states of a level up to which the search does it itself, 0
	// for DefaultSmall; negative: never.
	Small int
	// TaskBytes is the memory that a thread of a task takes for successors before it
	// writes them, 0 for 256 MiB.
	TaskBytes int64
	// Scheduler has tasks carried out; nil: the search does all itself.
	Scheduler Scheduler
	// Subject is the system that is searched, for tasks.
	Subject Subject
}

// DefaultSmall is Options.Small where that is 0: one process does so many states in
// about the time that a job takes which does nothing.
const DefaultSmall = 50_000

const defaultTaskBytes = 256 << 20

// A Scheduler has the tasks of a level carried out.
type Scheduler interface {
	// Parts returns into how many tasks levels are divided, and how many threads each
	// has. It is asked when there is something to do for the first time.
	Parts(ctx context.Context) (tasks, threads int, err error)
	// Run has each task of a level carried out at least once, and returns an answer for
	// each. It calls told when one more is done.
	Run(ctx context.Context, level int, tasks []Task, told func(done int)) ([]Answer, error)
}

// A search is one that is under way.
type search struct {
	Options
	e        *explore.Elsewhere
	sys      explore.System
	files    Directory
	unlock   func()
	made     bool // the directory
	own      *Worker
	table    *Table
	on       bool // there is a table in the directory
	over     bool // and it is not to be gone on from
	worked   bool // a level was done that is not small
	progress time.Duration
	runs     *origins
}

// Search makes a breadth-first search in files. It finds the states, depths, hits and
// paths of explore.Search. An error says that it was misused, or that its files or its
// scheduler have failed; what was found until then is a checkpoint.
func Search(ctx context.Context, sys explore.System, opt explore.Options, on Options) (*explore.Result, error) {
	s := &search{Options: on, sys: sys, own: NewWorker(on.Subject)}
	s.TaskBytes = cmp.Or(s.TaskBytes, defaultTaskBytes)
	s.Small = cmp.Or(s.Small, DefaultSmall)
	s.runs = &origins{s: s}
	var err error
	if s.files, err = on.Subject.Open.open(on.Dir); err != nil {
		return nil, err
	}
	if s.e, err = opt.Elsewhere(sys, s.runs); err != nil {
		return nil, err
	}
	s.progress = s.e.Options().ProgressEvery
	if err := s.lock(); err != nil {
		return nil, err
	}
	if err = s.begin(); err == nil {
		err = s.levels(ctx)
	}
	if err != nil {
		err = s.explained(err)
		return nil, errors.Join(err, s.end())
	}
	r := s.e.Result(s.table.Bytes, nil)
	s.over = !r.Reason.Resumable()
	return r, nil
}

// explained adds how a search goes on that has failed.
func (s *search) explained(err error) error {
	var fault faultError
	if s.table == nil && s.on {
		return err
	}
	if s.over = errors.As(err, &fault) || !s.on || !s.Resume && !s.worked; s.over {
		return err
	}
	return fmt.Errorf("%w; all levels before level %d are in %s (Resume, --resume)", err, s.table.Level, s.Dir)
}

// lock makes the directory, and takes it for this search alone.
func (s *search) lock() error {
	if s.Resume {
		if name, err := latest(s.files); err != nil || name == "" {
			return fmt.Errorf("directory %s: there is no checkpoint to resume", s.Dir)
		}
	}
	var err error
	if s.made, err = s.files.Make(); err != nil {
		return fmt.Errorf("directory %s cannot be made: %w", s.Dir, err)
	}
	if s.unlock, err = s.files.Lock(); err != nil {
		return fmt.Errorf("directory %s: %w", s.Dir, err)
	}
	return nil
}

// begin takes up a checkpoint, or writes the initial states.
func (s *search) begin() error {
	name, err := latest(s.files)
	if err != nil {
		return fmt.Errorf("directory %s: %w", s.Dir, err)
	}
	if !s.Resume {
		if name != "" {
			s.on = true
			return fmt.Errorf("directory %s: there is a checkpoint (%s) of an earlier search, which --resume goes on from: take another directory, or remove it", s.Dir, name)
		}
		return s.initial()
	}
	s.on = true
	if s.table, err = readTable(s.files, name); err != nil {
		return fmt.Errorf("directory %s: %w", s.Dir, err)
	}
	targets := s.e.Options().Targets
	if s.table.Identity != s.Identity || s.table.Targets != targets {
		return fmt.Errorf("directory %s: the checkpoint is of another search: of %q, and not of %q", s.Dir, s.table.Identity, s.Identity)
	}
	if err := s.e.UnmarshalJSON(s.table.Search); err != nil {
		return err
	}
	if k, ok := s.sys.(explore.Keeper); ok && s.table.Kept != nil {
		if err := k.Recall(s.table.Kept); err != nil {
			return err
		}
	}
	return s.tidy()
}

// initial writes the initial states.
func (s *search) initial() error {
	if err := sweep(s.files, nil); err != nil {
		return fmt.Errorf("directory %s: %w", s.Dir, err)
	}
	var found combiner
	var n uint64
	s.sys.Initial(func(state []byte) bool {
		found.add(state, fingerprint.Of(state), visited.Origin(0, 0))
		n++
		return true
	})
	s.e.Begin(n)
	to, err := newSender(s.files, "states-000000-"+unique())
	if err != nil {
		return fmt.Errorf("directory %s: %w", s.Dir, err)
	}
	if err := found.drain(to.add); err != nil {
		to.log.Abandon()
		return fmt.Errorf("directory %s: %w", s.Dir, err)
	}
	x, err := to.end()
	if err != nil {
		return fmt.Errorf("directory %s: %w", s.Dir, err)
	}
	return s.commit(&Table{
		Format: tableFormat, Version: tableVersion, Identity: s.Identity, Targets: s.e.Options().Targets,
		Exchanges: []Exchange{x}, Bytes: x.File.Bytes,
	})
}

// commit makes a table the checkpoint.
func (s *search) commit(t *Table) (err error) {
	if t.Search, err = s.e.MarshalJSON(); err != nil {
		return err
	}
	if k, ok := s.sys.(explore.Keeper); ok {
		if t.Kept, err = k.Keep(); err != nil {
			return err
		}
	}
	switch err := t.write(s.files); {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("directory %s: another search is using it: level %d is there", s.Dir, t.Level)
	case err != nil:
		return fmt.Errorf("directory %s: %w", s.Dir, err)
	}
	s.table, s.on = t, true
	return s.tidy()
}

// tidy removes what the table does not name.
func (s *search) tidy() error {
	names := s.table.names()
	names[tableName(s.table.Level)] = true
	if err := sweep(s.files, names); err != nil {
		return fmt.Errorf("directory %s: %w", s.Dir, err)
	}
	return nil
}

// levels does level after level.
func (s *search) levels(ctx context.Context) error {
	defer s.e.Watch(ctx)()
	for {
		pending := s.table.pending()
		counted := false
		if s.table.Level > s.e.Options().MaxDepth || !s.e.Undecided(pending) {
			n, err := s.count(ctx)
			if err != nil {
				return s.interrupted(ctx, err)
			}
			if s.table.Level > s.e.Options().MaxDepth {
				if n > 0 {
					s.e.Beyond()
				}
				n = 0
			}
			s.e.Level(n)
			if counted = true; s.e.Ended(ctx, n) {
				return nil
			}
		} else if s.e.Ended(ctx, pending) {
			return nil
		}
		answers, err := s.run(ctx, false)
		if err != nil {
			return s.interrupted(ctx, err)
		}
		if err := s.advance(answers, counted); err != nil {
			return err
		}
	}
}

// interrupted judges the error of a level that was cut short. It returns nil if a limit
// or the context has ended the search.
func (s *search) interrupted(ctx context.Context, err error) error {
	var fault faultError
	if errors.As(err, &fault) {
		return err
	}
	if s.e.Ended(ctx, 1) {
		return nil
	}
	return err
}

// count returns how many states of the level were not visited before.
func (s *search) count(ctx context.Context) (n uint64, err error) {
	answers, err := s.run(ctx, true)
	for i := range answers {
		for _, p := range answers[i].Parts {
			n += p.New
		}
	}
	return n, err
}

// run has the level done.
func (s *search) run(ctx context.Context, dry bool) ([]Answer, error) {
	whole := Task{Dir: s.Dir, Table: tableName(s.table.Level), Range: everything, Dry: dry, Bytes: s.TaskBytes}
	if s.Scheduler == nil || s.Small >= 0 && s.table.pending() <= uint64(s.Small) {
		s.e.Tell("", s.table.bytes())
		a, err := s.own.Do(whole)
		return []Answer{a}, errors.Join(err, a.fault())
	}
	n, threads, err := s.Scheduler.Parts(ctx)
	if err != nil {
		return nil, err
	}
	whole.Threads, whole.Bytes = threads, s.TaskBytes*int64(threads)
	tasks := make([]Task, n)
	for i, r := range everything.divided(n) {
		tasks[i] = whole
		tasks[i].Range = r
	}
	return s.scheduled(ctx, tasks)
}

// scheduled has tasks carried out, and tells meanwhile how far they are.
func (s *search) scheduled(ctx context.Context, tasks []Task) (answers []Answer, err error) {
	ended, told := make(chan struct{}), make(chan int, len(tasks))
	go func() {
		defer close(ended)
		answers, err = s.Scheduler.Run(ctx, s.table.Level, tasks, func(done int) {
			select {
			case told <- done:
			default: // a later one says it
			}
		})
	}()
	ticker := time.NewTicker(s.progress)
	defer ticker.Stop()
	for done := 0; ; {
		select {
		case done = <-told:
		case <-ticker.C:
			s.e.Tell(explore.Phase(fmt.Sprintf("%d of %d tasks", done, len(tasks))), s.table.bytes())
		case <-ended:
			if err == nil && len(answers) != len(tasks) {
				err = fmt.Errorf("%d tasks have %d answers", len(tasks), len(answers))
			}
			for i := range answers {
				err = cmp.Or(err, answers[i].fault())
			}
			s.worked = s.worked || err == nil
			return answers, err
		}
	}
}

// fault returns why the search cannot go on.
func (a *Answer) fault() error {
	if a.Fatal == "" {
		return nil
	}
	return faultError{errors.New(a.Fatal)}
}

// advance makes the answers of a level the table of the next one.
func (s *search) advance(answers []Answer, counted bool) error {
	old := s.table
	t := &Table{
		Format: old.Format, Version: old.Version, Identity: old.Identity, Targets: old.Targets,
		Level: old.Level + 1, Bytes: old.Bytes,
	}
	var parts []Part
	for i := range answers {
		parts = append(parts, answers[i].Parts...)
	}
	var fresh uint64
	merged := make(map[string]bool)
	findings := make([]explore.Findings, len(parts))
	keeper, _ := s.sys.(explore.Keeper)
	for i := range parts {
		p := &parts[i]
		fresh += p.New
		findings[i] = p.Findings
		for _, name := range p.Merged {
			merged[name] = true
		}
		t.Runs, t.Exchanges, t.Bytes = append(t.Runs, p.Runs...), append(t.Exchanges, p.Exchanges...), t.Bytes+p.Written
		if keeper != nil && p.Kept != nil {
			if err := keeper.Recall(p.Kept); err != nil {
				return err
			}
		}
	}
	t.Runs = slices.Concat(slices.DeleteFunc(slices.Clone(old.Runs), func(r Run) bool { return merged[r.Keys.Name] }), t.Runs)
	if !counted {
		s.e.Level(fresh)
	}
	if fresh > 0 {
		if err := s.e.Add(findings); err != nil {
			return faultError{err}
		}
	}
	return s.commit(t)
}

// end lets go of the directory. A search that is over leaves nothing there.
func (s *search) end() error {
	if s.unlock == nil {
		return nil
	}
	s.own.Close()
	var err error
	if s.over {
		if err = sweep(s.files, nil); err == nil && s.made {
			s.files.Drop()
		}
	}
	s.unlock()
	s.unlock = nil
	return err
}

// origins are the origins of what a search has visited.
type origins struct {
	s   *search
	err error
}

// Find returns the origin of a fingerprint (explore.Origins). A run that cannot be read
// counts as one without it: then no path is found.
func (o *origins) Find(fp uint64) (origin uint64) {
	o.Range(fp, fp, func(_, found uint64) { origin = found })
	return origin
}

// Range calls f with each fingerprint from lo to hi (explore.Origins).
func (o *origins) Range(lo, hi uint64, f func(fp, origin uint64)) {
	s := o.s
	s.own.dir, s.own.files = s.Dir, s.files
	for i := range s.table.Runs {
		if r := &s.table.Runs[i]; r.meets(Range{lo, hi}) {
			run, err := s.own.open(r)
			if err == nil {
				err = run.Range(lo, hi, f)
			}
			o.err = cmp.Or(o.err, err)
		}
	}
}

// Close lets go of the directory (explore.Origins).
func (o *origins) Close() error { return errors.Join(o.err, o.s.end()) }
