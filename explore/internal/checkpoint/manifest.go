package checkpoint

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"time"

	"github.com/zeebo/xxh3"

	"bullyproof/explore/internal/visited"
	"bullyproof/internal/runfile"
)

// Name is the file that makes a checkpoint of the others: a directory
// without it has none.
const Name = "checkpoint.json"

const (
	format  = "bullyproof checkpoint"
	version = 1
)

// A Manifest is a checkpoint: which files there are, what they are for, and what
// the search knows beside them.
type Manifest struct {
	Head
	Counts
	Files
	Sum Hexadecimal `json:"checksum"` // of the manifest with checksum 0
}

// New returns a manifest that says only what is searched.
func New(identity string, targets, maxDepth int) *Manifest {
	return &Manifest{Head: Head{format, version, identity, targets, maxDepth}}
}

// A Head says what is searched. A search takes up the checkpoint of one with the same.
type Head struct {
	Format   string `json:"format"`
	Version  int    `json:"version"`
	Identity string `json:"identity"`
	Targets  int    `json:"targets"`
	MaxDepth int    `json:"max_depth"`
}

// Counts say how far the search is.
type Counts struct {
	Elapsed   time.Duration `json:"elapsed_ns"`
	Serial    int           `json:"serial"` // of the latest file
	Depth     int           `json:"depth"`  // of the level under expansion
	Begun     bool          `json:"begun"`  // its expansion has begun
	Whole     bool          `json:"whole"`  // none of it is missing
	States    uint64        `json:"states"` // of it
	Levels    []uint64      `json:"levels"`
	Deepest   int           `json:"deepest"`
	Complete  int           `json:"complete"`
	Initial   uint64        `json:"initial"`
	Counted   uint64        `json:"counted"`
	Dropped   uint64        `json:"dropped"` // of those counted, what had been visited before
	Generated uint64        `json:"generated"`
	Expanded  uint64        `json:"expanded"`
	Cuts      uint64        `json:"cuts"`
	Beyond    bool          `json:"beyond"`
}

// Files have what the search has found.
type Files struct {
	Hits    []Hit  `json:"hits"`
	Visited []Run  `json:"visited"`
	Level   []Part `json:"level"` // under expansion
	Found   []Run  `json:"found"` // candidates for the next level
	Next    []Part `json:"next"`  // with their states
	Kept    []byte `json:"kept,omitempty"`
}

// A Hit is the best hit of a target.
type Hit struct {
	Target    int         `json:"target"`
	Kind      uint8       `json:"kind"`
	Depth     int         `json:"depth"`
	Rank      uint32      `json:"rank"`
	State     []byte      `json:"state"`
	Code      Hexadecimal `json:"code"`
	Source    Hexadecimal `json:"source"`
	Successor Hexadecimal `json:"successor"`
	Ordinal   int         `json:"ordinal"`
}

// A File is a file with its length and the checksum of what is in it.
type File struct {
	Name  string      `json:"name"`
	Bytes int64       `json:"bytes"`
	Sum   Hexadecimal `json:"checksum"`
}

// A Run is a run of fingerprints, with values or without.
type Run struct {
	Entries uint64 `json:"entries"`
	Keys    File   `json:"keys"`
	Values  *File  `json:"values,omitempty"`
}

// A Part is a part of a level: logs of states, and a run of those that it leaves out.
type Part struct {
	Logs []Log `json:"logs"`
	Skip *Run  `json:"skip,omitempty"`
}

// A Log is a log of states, from an offset on.
type Log struct {
	File
	States uint64 `json:"states"`
	From   int64  `json:"from"`
}

// A Hexadecimal is a number of 64 bits, of 16 digits in a manifest: not every
// reader of JSON takes such a number as one.
type Hexadecimal uint64

// MarshalText returns the digits.
func (h Hexadecimal) MarshalText() ([]byte, error) { return fmt.Appendf(nil, "%016x", uint64(h)), nil }

// UnmarshalText reads the digits.
func (h *Hexadecimal) UnmarshalText(b []byte) error {
	n, err := strconv.ParseUint(string(b), 16, 64)
	if err != nil || len(b) != 16 {
		return fmt.Errorf("%q is not a number of 16 hexadecimal digits", b)
	}
	*h = Hexadecimal(n)
	return nil
}

// parse takes a manifest apart, and refuses one that is not whole.
func parse(data []byte) (*Manifest, error) {
	var kind struct {
		Format  string `json:"format"`
		Version int    `json:"version"`
	}
	if err := json.Unmarshal(data, &kind); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", Name, err)
	}
	if kind.Format != format || kind.Version != version {
		return nil, fmt.Errorf("%s is a %q of version %d; this program reads a %q of version %d", Name, kind.Format, kind.Version, format, version)
	}
	m := new(Manifest)
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(m); err != nil {
		return nil, fmt.Errorf("%s is damaged: %w", Name, err)
	}
	if sum := m.sum(); sum != m.Sum {
		return nil, fmt.Errorf("%s is damaged: its checksum is %016x, and was %016x when it was written", Name, uint64(sum), uint64(m.Sum))
	}
	for _, name := range m.Names() {
		if !ownName.MatchString(name) {
			return nil, fmt.Errorf("%s names the file %q, which no search makes", Name, name)
		}
	}
	return m, nil
}

// Encode returns the manifest as it is written, with its checksum.
func (m *Manifest) Encode() []byte {
	m.Sum = m.sum()
	data, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		panic(err) // a manifest has nothing that cannot be written
	}
	return append(data, '\n')
}

func (m *Manifest) sum() Hexadecimal {
	c := *m
	c.Sum = 0
	data, err := json.Marshal(&c)
	if err != nil {
		panic(err) // as in Encode
	}
	return Hexadecimal(xxh3.Hash(data))
}

// Suits returns why a search cannot take up the checkpoint.
func (m *Manifest) Suits(identity string, targets, maxDepth int) error {
	switch {
	case m.Identity != identity:
		return fmt.Errorf("%s is of another search: of %q, and not of %q", Name, m.Identity, identity)
	case m.Targets != targets:
		return fmt.Errorf("%s is of a search with %d targets, and not with %d", Name, m.Targets, targets)
	case m.MaxDepth != maxDepth:
		return fmt.Errorf("%s is of a search to depth %d, and not to %d", Name, m.MaxDepth, maxDepth)
	case len(m.Hits) != m.Targets || len(m.Found) != len(m.Next) || m.Depth < 0 || m.Depth > visited.MaxDepth:
		return fmt.Errorf("%s makes no sense, although it is not damaged", Name)
	}
	return nil
}

// Names returns the files that a manifest names.
func (m *Manifest) Names() (names []string) {
	run := func(r *Run) {
		if r == nil {
			return
		}
		if names = append(names, r.Keys.Name); r.Values != nil {
			names = append(names, r.Values.Name)
		}
	}
	for _, runs := range [][]Run{m.Visited, m.Found} {
		for i := range runs {
			run(&runs[i])
		}
	}
	for _, parts := range [][]Part{m.Level, m.Next} {
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

func (f *File) info() runfile.Info {
	return runfile.Info{Name: f.Name, Bytes: f.Bytes, Sum: uint64(f.Sum)}
}

func fileOf(i runfile.Info) File {
	return File{Name: i.Name, Bytes: i.Bytes, Sum: Hexadecimal(i.Sum)}
}

// RunOf returns the record of a run.
func RunOf(r *runfile.Run) Run {
	out := Run{Entries: r.Entries, Keys: fileOf(r.Keys)}
	if r.Values.Name != "" {
		values := fileOf(r.Values)
		out.Values = &values
	}
	return out
}

// RunsOf returns the records of runs.
func RunsOf(runs []*runfile.Run) []Run {
	out := make([]Run, len(runs))
	for i, r := range runs {
		out[i] = RunOf(r)
	}
	return out
}

// LogOf returns the record of a log from an offset on.
func LogOf(l *runfile.Log, from int64) Log { return Log{fileOf(l.Info), l.Records, from} }

// Open opens the run.
func (r *Run) Open(files runfile.FS) (*runfile.Run, error) {
	var values runfile.Info
	if r.Values != nil {
		values = r.Values.info()
	}
	return runfile.OpenRun(files, r.Keys.info(), values, r.Entries)
}

// Open opens the log.
func (l *Log) Open(files runfile.FS) (*runfile.Log, error) {
	return runfile.OpenLog(files, l.info(), l.States)
}
