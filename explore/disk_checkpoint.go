package explore

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/zeebo/xxh3"

	"bullyproof/explore/internal/frontier"
	"bullyproof/internal/filelock"
	"bullyproof/internal/runfile"
)

// manifestName is the file that makes a checkpoint of the others: a directory
// without it has none.
const manifestName = "checkpoint.json"

const (
	manifestFormat  = "bullyproof checkpoint"
	manifestVersion = 1
)

// A manifest is a checkpoint: which files there are, what they are for, and what
// the search knows beside them.
type manifest struct {
	Format   string `json:"format"`
	Version  int    `json:"version"`
	Identity string `json:"identity"`
	Targets  int    `json:"targets"`
	MaxDepth int    `json:"max_depth"`

	Elapsed   time.Duration `json:"elapsed_ns"`
	Serial    int           `json:"serial"`
	Depth     int           `json:"depth"`
	Begun     bool          `json:"begun"`
	Whole     bool          `json:"whole"`
	States    uint64        `json:"states"`
	Levels    []uint64      `json:"levels"`
	Deepest   int           `json:"deepest"`
	Complete  int           `json:"complete"`
	Initial   uint64        `json:"initial"`
	Counted   uint64        `json:"counted"`
	Dropped   uint64        `json:"dropped"`
	Generated uint64        `json:"generated"`
	Expanded  uint64        `json:"expanded"`
	Cuts      uint64        `json:"cuts"`
	Beyond    bool          `json:"beyond"`

	Hits    []hitRecord  `json:"hits"`
	Visited []runRecord  `json:"visited"`
	Level   []partRecord `json:"level"`
	Found   []runRecord  `json:"found"`
	Next    []partRecord `json:"next"`
	Kept    []byte       `json:"kept,omitempty"`

	Sum hexadecimal `json:"checksum"` // of the manifest with checksum 0
}

type hitRecord struct {
	Target    int         `json:"target"`
	Kind      HitKind     `json:"kind"`
	Depth     int         `json:"depth"`
	Rank      uint32      `json:"rank"`
	State     []byte      `json:"state"`
	Code      hexadecimal `json:"code"`
	Source    hexadecimal `json:"source"`
	Successor hexadecimal `json:"successor"`
	Ordinal   int         `json:"ordinal"`
}

func (h *Hit) record() hitRecord {
	return hitRecord{
		Target: h.Target, Kind: h.Kind, Depth: h.Depth, Rank: h.Rank, State: h.State, Code: hexadecimal(h.Code),
		Source: hexadecimal(h.source), Successor: hexadecimal(h.successor), Ordinal: h.ordinal,
	}
}

func (r *hitRecord) hit() Hit {
	return Hit{
		Target: r.Target, Kind: r.Kind, Depth: r.Depth, Rank: r.Rank, State: r.State, Code: Code(r.Code),
		source: uint64(r.Source), successor: uint64(r.Successor), ordinal: r.Ordinal,
	}
}

type fileRecord struct {
	Name  string      `json:"name"`
	Bytes int64       `json:"bytes"`
	Sum   hexadecimal `json:"checksum"`
}

type runRecord struct {
	Entries uint64      `json:"entries"`
	Keys    fileRecord  `json:"keys"`
	Values  *fileRecord `json:"values,omitempty"`
}

type partRecord struct {
	Logs []logRecord `json:"logs"`
	Skip *runRecord  `json:"skip,omitempty"`
}

type logRecord struct {
	fileRecord
	States uint64 `json:"states"`
	From   int64  `json:"from"`
}

// A hexadecimal is a number of 64 bits, of 16 digits in a manifest: not every
// reader of JSON takes such a number as one.
type hexadecimal uint64

func (h hexadecimal) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%016x", uint64(h)), nil }

func (h *hexadecimal) UnmarshalText(b []byte) error {
	n, err := strconv.ParseUint(string(b), 16, 64)
	if err != nil || len(b) != 16 {
		return fmt.Errorf("%q is not a number of 16 hexadecimal digits", b)
	}
	*h = hexadecimal(n)
	return nil
}

// openDisk prepares the directory of a search, and takes up the checkpoint in it
// if there is to be one.
func openDisk(s *search) (*disk, error) {
	opt := s.opt.Disk
	d := &disk{s: s, opt: opt, fs: opt.fs, depth: -1, unlock: func() {}}
	if d.fs == nil {
		if opt.Resume && !HasCheckpoint(opt.Dir) {
			return nil, fmt.Errorf("explore: Disk.Dir %s: %w", opt.Dir, errNoCheckpoint)
		}
		lock, err := lockDir(opt.Dir)
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

// lockDir makes the directory of a search where there is none, and takes it for
// this search alone.
func lockDir(dir string) (io.Closer, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("explore: Disk.Dir: %w", err)
	}
	lock, err := filelock.Make(filepath.Join(dir, "lock"))
	if errors.Is(err, filelock.ErrLocked) {
		err = fmt.Errorf("another search is using it (%w)", err)
	}
	if err != nil {
		return nil, fmt.Errorf("explore: Disk.Dir %s: %w", dir, err)
	}
	return lock, nil
}

// PrepareDisk makes a directory for Disk.Dir, and says why no search could begin
// in it: it cannot be made or written, another search is using it, or it holds a
// checkpoint. For a search that goes there only when memory is full.
func PrepareDisk(dir string) error {
	lock, err := lockDir(dir)
	if err != nil {
		return err
	}
	if err := lock.Close(); err != nil {
		return fmt.Errorf("explore: Disk.Dir %s: %w", dir, err)
	}
	if HasCheckpoint(dir) {
		return fmt.Errorf("explore: Disk.Dir %s: %w", dir, errCheckpoint)
	}
	return nil
}

var errCheckpoint = errors.New("there is a checkpoint (" + manifestName + ") of an earlier search, which Resume goes on from; for another search take another directory, or remove it")

var errNoCheckpoint = errors.New("there is no checkpoint (" + manifestName + ") to resume")

// HasCheckpoint reports whether there is a checkpoint in a directory, whatever it
// is of.
func HasCheckpoint(dir string) bool {
	info, err := os.Stat(filepath.Join(dir, manifestName))
	return err == nil && info.Mode().IsRegular()
}

// begin takes up the checkpoint, or sees that there is none.
func (d *disk) begin() error {
	_, err := d.fs.Size(manifestName)
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	case err == nil && !d.opt.Resume:
		return errCheckpoint
	case err != nil && d.opt.Resume:
		return errNoCheckpoint
	case err != nil:
		return d.sweep(nil)
	}
	m, err := readManifest(d.fs)
	if err != nil {
		return err
	}
	if err := m.suits(&d.s.opt); err != nil {
		return err
	}
	if err := d.sweep(m.names()); err != nil {
		return err
	}
	return d.restore(m)
}

// readManifest reads the checkpoint.
func readManifest(files runfile.FS) (*manifest, error) {
	size, err := files.Size(manifestName)
	if err != nil {
		return nil, err
	}
	const most = 1 << 28
	if size > most {
		return nil, fmt.Errorf("%s has %d bytes; a checkpoint has at most %d", manifestName, size, most)
	}
	f, err := files.Open(manifestName)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data := make([]byte, size)
	if n, err := f.ReadAt(data, 0); n < len(data) {
		return nil, fmt.Errorf("read %s: %w", manifestName, err)
	}
	return parseManifest(data)
}

// parseManifest takes a manifest apart, and refuses one that is not whole.
func parseManifest(data []byte) (*manifest, error) {
	var kind struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(data, &kind); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", manifestName, err)
	}
	if kind.Format != manifestFormat || kind.Version != manifestVersion {
		return nil, fmt.Errorf("%s is a %q of version %d; this program reads a %q of version %d", manifestName, kind.Format, kind.Version, manifestFormat, manifestVersion)
	}
	m := new(manifest)
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(m); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", manifestName, err)
	}
	if sum := m.sum(); sum != m.Sum {
		return nil, fmt.Errorf("%s is damaged: its checksum is %016x, and was %016x when it was written", manifestName, uint64(sum), uint64(m.Sum))
	}
	for _, name := range m.names() {
		if !ownName.MatchString(name) {
			return nil, fmt.Errorf("%s names the file %q, which no search makes", manifestName, name)
		}
	}
	return m, nil
}

// encode returns the manifest as it is written, with its checksum.
func (m *manifest) encode() []byte {
	m.Sum = m.sum()
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		panic(err) // a manifest has nothing that cannot be written
	}
	return append(data, '\n')
}

func (m *manifest) sum() hexadecimal {
	c := *m
	c.Sum = 0
	data, err := json.Marshal(&c)
	if err != nil {
		panic(err) // as in encode
	}
	return hexadecimal(xxh3.Hash(data))
}

// suits returns why a search cannot take up the checkpoint.
func (m *manifest) suits(opt *Options) error {
	switch {
	case m.Identity != opt.Disk.Identity:
		return fmt.Errorf("%s is of another search: of %q, and not of %q", manifestName, m.Identity, opt.Disk.Identity)
	case m.Targets != opt.Targets:
		return fmt.Errorf("%s is of a search with %d targets, and not with %d", manifestName, m.Targets, opt.Targets)
	case m.MaxDepth != opt.MaxDepth:
		return fmt.Errorf("%s is of a search to depth %d, and not to %d", manifestName, m.MaxDepth, opt.MaxDepth)
	case len(m.Hits) != m.Targets || len(m.Found) != len(m.Next) || m.Depth < 0 || m.Depth > maxDepth:
		return fmt.Errorf("%s makes no sense, although it is not damaged", manifestName)
	}
	return nil
}

// names returns the files that a manifest names.
func (m *manifest) names() (names []string) {
	run := func(r *runRecord) {
		if r == nil {
			return
		}
		if names = append(names, r.Keys.Name); r.Values != nil {
			names = append(names, r.Values.Name)
		}
	}
	for _, runs := range [][]runRecord{m.Visited, m.Found} {
		for i := range runs {
			run(&runs[i])
		}
	}
	for _, parts := range [][]partRecord{m.Level, m.Next} {
		for _, p := range parts {
			run(p.Skip)
			for _, l := range p.Logs {
				names = append(names, l.Name)
			}
		}
	}
	return names
}

// ownName is what files of a search are called.
var ownName = regexp.MustCompile(`^(visited|found|skip|states)-[0-9]{8,}\.(keys|values|log)$`)

// sweep removes the files of a search but for some: a process that was killed
// leaves them.
func (d *disk) sweep(but []string) error {
	names, err := d.fs.Names()
	if err != nil {
		return err
	}
	for _, name := range names {
		if ownName.MatchString(name) && !slices.Contains(but, name) {
			if err := d.fs.Remove(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// restore makes the search what it was at the checkpoint.
func (d *disk) restore(m *manifest) (err error) {
	s := d.s
	if m.Kept != nil {
		k, ok := s.sys.(Keeper)
		if !ok {
			return fmt.Errorf("%s has what a system gathered, and this one gathers nothing", manifestName)
		}
		if err := k.Recall(m.Kept); err != nil {
			return fmt.Errorf("%s: %w", manifestName, err)
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
		s.hits[i] = m.Hits[i].hit()
		s.hits[i].Target = i
	}
	d.spill()
	d.base = m.Counted
	return nil
}

// addRun opens a run and appends it.
func (d *disk) addRun(runs *[]*runfile.Run, m *runRecord) error {
	var values runfile.Info
	if m.Values != nil {
		values = m.Values.info()
	}
	r, err := runfile.OpenRun(d.fs, m.Keys.info(), values, m.Entries)
	if err != nil {
		return err
	}
	d.onDisk.Add(r.Length())
	*runs = append(*runs, r)
	return nil
}

// openParts opens parts of a level, and returns those before an error too.
func (d *disk) openParts(parts []*part, records []partRecord) ([]*part, error) {
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
			log, err := runfile.OpenLog(d.fs, l.info(), l.States)
			if err != nil {
				return parts, err
			}
			d.onDisk.Add(log.Length())
			p.pieces = append(p.pieces, piece{log, l.From})
		}
	}
	return parts, nil
}

func (f *fileRecord) info() runfile.Info {
	return runfile.Info{Name: f.Name, Bytes: f.Bytes, Sum: uint64(f.Sum)}
}

func recordFile(i runfile.Info) fileRecord {
	return fileRecord{Name: i.Name, Bytes: i.Bytes, Sum: hexadecimal(i.Sum)}
}

func recordRun(r *runfile.Run) runRecord {
	out := runRecord{Entries: r.Entries, Keys: recordFile(r.Keys)}
	if r.Values.Name != "" {
		values := recordFile(r.Values)
		out.Values = &values
	}
	return out
}

func recordRuns(runs []*runfile.Run) []runRecord {
	out := make([]runRecord, len(runs))
	for i, r := range runs {
		out[i] = recordRun(r)
	}
	return out
}

func (p *part) record() partRecord {
	out := partRecord{Logs: make([]logRecord, len(p.pieces))}
	for i, at := range p.pieces {
		out.Logs[i] = logRecord{recordFile(at.log.Info), at.log.Records, at.off}
	}
	if p.skips != nil {
		skip := recordRun(p.skips)
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
		first := logRecord{recordFile(rest.Info), rest.Records, rest.Start()}
		m.Level[0].Logs = slices.Insert(m.Level[0].Logs, 0, first)
	}
	if table != nil {
		m.Found = append(m.Found, recordRun(table))
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
	if p.skip.n == 0 || p.skips != nil {
		return nil
	}
	w, err := runfile.NewWriter(d.fs, d.name("skip"), false)
	if err != nil {
		return err
	}
	for fp := range p.skip.all() {
		w.Add(fp, 0)
	}
	p.skips, err = d.endRun(w)
	return err
}

// manifest returns the manifest of the search, with what is in logs and runs.
func (d *disk) manifest() (*manifest, error) {
	s := d.s
	m := &manifest{
		Format: manifestFormat, Version: manifestVersion, Identity: d.opt.Identity,
		Targets: s.opt.Targets, MaxDepth: s.opt.MaxDepth,
		Elapsed: d.before + time.Since(s.start), Serial: d.serial,
		Depth: d.depth, Begun: d.begun, Whole: d.whole, States: d.states,
		Levels: s.levels, Deepest: s.deepest, Complete: s.complete, Initial: s.initial,
		Counted: s.distinct() + d.dropped.Load(), Dropped: d.dropped.Load(), Generated: s.generated(),
		Cuts: s.cuts.Load(), Beyond: s.beyond.Load(),
		Hits: make([]hitRecord, len(s.hits)), Visited: recordRuns(d.runs), Found: recordRuns(d.found),
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
func (d *disk) commit(m *manifest) error {
	for _, f := range d.unsynced {
		if err := f.Sync(); err != nil && !errors.Is(err, fs.ErrClosed) { // those closed are needed no more
			return err
		}
	}
	if err := d.fs.Sync(); err != nil {
		return err
	}
	if err := d.fs.Replace(manifestName, m.encode()); err != nil {
		return err
	}
	d.unsynced, d.manifested = d.unsynced[:0], true
	d.empty()
	return nil
}
