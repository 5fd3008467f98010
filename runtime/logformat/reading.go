package logformat

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"bullyproof/internal/nearest"
	"bullyproof/internal/prose"
	"bullyproof/model"
)

// maxName is the length of a name of a process, in bytes.
const maxName = 256

// A Reading reads the logs of one system, which are in one format. It knows which name is
// which process. It may be used by several goroutines at once.
type Reading struct {
	format *Format
	group  string

	mu     sync.Mutex
	names  map[string]model.ID
	closed bool                // names were given, and there are no others
	files  map[string]model.ID // whose file it is
	used   model.Set           // processes that have a name or a file
	taken  [model.MaxID + 1][]string
	up     [model.MaxID + 1]state
	counts Counts
	lowest uint64
	terms  bool // some line told one
}

// state is what the lines of a process told last of its being up.
type state uint8

const (
	unseen state = iota
	running
	stopped
)

// Counts says what was read.
type Counts struct {
	// Lines is how many lines there were; Events how many told something of a process.
	Lines, Events int
	// Groups is how many events were of another group, and Torn how many last lines had no
	// end and were left out.
	Groups, Torn int
}

// New returns a reading of one group of a format: "" is the one of the format, if it has
// one. It fails if the format has no groups, and one is asked for.
func New(f *Format, group string) (*Reading, error) {
	if group != "" && !f.grouped {
		return nil, fmt.Errorf("lines of the format %s tell no group: want none", f.Name)
	}
	if group == "" {
		group = f.group
	}
	return &Reading{format: f, group: group, names: make(map[string]model.ID), files: make(map[string]model.ID)}, nil
}

// Name says which process has a name. Once one was given, a line with any other name
// is an error.
func (r *Reading) Name(id model.ID, name string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	return r.bind(id, name)
}

// File says whose log a file is: lines of it are of that process, whatever it is called.
func (r *Reading) File(id model.ID, file string) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if old, ok := r.files[file]; ok && old != id {
		return fmt.Errorf("the log %s is that of %s: it is not that of %s as well", file, old.Name(), id.Name())
	}
	r.files[file] = id
	r.used = r.used.With(id)
	return nil
}

// bind gives a name to a process.
func (r *Reading) bind(id model.ID, name string) error {
	if old, ok := r.names[name]; ok && old != id {
		return fmt.Errorf("the name %q is that of %s: it is not that of %s as well", nearest.Clip(name), old.Name(), id.Name())
	}
	const most = 8
	switch _, ok := r.names[name]; {
	case ok:
		return nil
	case len(r.taken[id]) == most:
		return fmt.Errorf("%s has more than %d names, and one more is %q", id.Name(), most, nearest.Clip(name))
	}
	r.names[name] = id
	r.taken[id] = append(r.taken[id], name)
	r.used = r.used.With(id)
	return nil
}

// process returns who has a name that a line of a file has of itself, or of another
// process.
func (r *Reading) process(file, name string, own bool) (model.ID, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(name) > maxName || strings.ContainsFunc(name, prose.Unprintable) {
		return 0, fmt.Errorf("%q is no name of a process: want at most %d bytes that can be printed", nearest.Clip(name), maxName)
	}
	if id, ok := r.files[file]; ok && own {
		return id, r.bind(id, name)
	}
	if id, ok := r.names[name]; ok {
		return id, nil
	}
	if r.closed {
		return 0, nearest.Unknown("process", name, r.known())
	}
	for id := model.ID(1); id <= model.MaxID; id++ {
		if !r.used.Has(id) {
			return id, r.bind(id, name)
		}
	}
	return 0, fmt.Errorf("%q is one process too many: at most %d", nearest.Clip(name), model.MaxID)
}

func (r *Reading) known() (list []string) {
	for _, names := range r.taken {
		list = append(list, names...)
	}
	slices.Sort(list)
	return list
}

// Names says who is called how, a line for each process that has a name: "P1 is
// 8e9e05c52164694d".
func (r *Reading) Names() (list []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for id, names := range r.taken {
		if len(names) > 0 {
			list = append(list, fmt.Sprintf("%s is %s", model.ID(id).Name(), strings.Join(names, ", ")))
		}
	}
	return list
}

// Counts returns what was read so far.
func (r *Reading) Counts() Counts {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.counts
}

// Base returns the last term before all those that lines tell of: from there on a model
// whose terms begin at 0 can tell what happened. It is 0 if no line tells a term.
func (r *Reading) Base() uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lowest
}

// Learn gives a log's names to processes, in the order in which they appear, and keeps
// nothing else of it. It ends at the first fault, which a Reader reports.
func (r *Reading) Learn(in io.Reader, file string) {
	reader := r.Reader(in, file)
	reader.learns = true
	for {
		if _, err := reader.Next(); err != nil {
			return
		}
	}
}

// term notes a term that a line tells; before is one that an election leads to it from.
func (r *Reading) term(term uint64) {
	if !r.terms || term < r.lowest {
		r.lowest = term
	}
	r.terms = true
}
