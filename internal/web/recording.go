package web

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"sync"

	"bullyproof/internal/nearest"
	"bullyproof/model"
	"bullyproof/trace"
)

// Of the traces that somebody opened in the browser so many are kept, of so many
// bytes in files together, and the last one in any case.
const (
	maxOpened      = 32
	maxOpenedBytes = 2 * trace.MaxBytes
)

// recordings are the runs that can be followed: those that the server was made
// with, and those that were opened since, of which the oldest are forgotten.
type recordings struct {
	mu     sync.Mutex
	fixed  []Recording
	opened []opened
}

// An opened recording is one that came in a file.
type opened struct {
	Recording
	size int      // of the file
	sum  [32]byte // that tells files apart
}

func newRecordings(list []Recording) *recordings {
	return &recordings{fixed: slices.Clone(list)}
}

// lists returns the recordings that the server was made with, and those that
// were opened since, the last one first.
func (r *recordings) lists() (fixed, since []Recording) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i := range r.opened {
		since = append(since, r.opened[i].Recording)
	}
	return r.fixed, since
}

// find returns the recording of a name. The error suggests the name that was
// probably meant.
func (r *recordings) find(name string) (*trace.Trace, error) {
	fixed, since := r.lists()
	var names []string
	for _, rec := range append(since, fixed...) {
		if rec.Name == name {
			return rec.Trace, nil
		}
		names = append(names, rec.Name)
	}
	return nil, nearest.Unknown("recording", name, names)
}

// add keeps a trace under a name, or under one like it if that is taken by
// another run, and returns the name.
func (r *recordings) add(name string, t *trace.Trace) (string, error) {
	data, err := t.Encode()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, o := range r.opened {
		if o.sum == sum && (o.Name == name || strings.HasPrefix(o.Name, name+"-")) {
			return o.Name, nil
		}
	}
	try := name
	for n := 2; ; n++ {
		taken := slices.ContainsFunc(r.opened, func(o opened) bool { return o.Name == try })
		if !taken && !slices.ContainsFunc(r.fixed, func(o Recording) bool { return o.Name == try }) {
			break
		}
		try = fmt.Sprintf("%s-%d", name, n)
	}
	r.opened = append([]opened{{Recording{try, t}, len(data), sum}}, r.opened...)
	r.forget()
	return try, nil
}

// forget drops the oldest of what is too much.
func (r *recordings) forget() {
	bytes := 0
	for i := range r.opened {
		bytes += r.opened[i].size
		if i > 0 && (i >= maxOpened || bytes > maxOpenedBytes) {
			r.opened = slices.Clone(r.opened[:i])
			return
		}
	}
}

// A follow is a recorded run beside the one that is explored.
type follow struct {
	*trace.Trace
	name    string
	actions []model.Action
}

func newFollow(name string, t *trace.Trace) *follow {
	f := &follow{Trace: t, name: name}
	for i := range t.Steps {
		f.actions = append(f.actions, t.Steps[i].Action)
	}
	return f
}

// action returns the action of step i, counted from 0, and whether there is
// one. A run without end has steps without end.
func (f *follow) action(i int) (model.Action, bool) {
	switch n := len(f.actions); {
	case i < n:
		return f.actions[i], true
	case f.Lasso == 0:
		return model.Action{}, false
	default:
		return f.actions[f.Lasso-1+(i-n)%(n-f.Lasso+1)], true
	}
}

// along returns how many steps of a path are those of the recording.
func (f *follow) along(path []model.Action) int {
	for i := range path {
		if a, ok := f.action(i); !ok || !trace.SameAction(a, path[i]) {
			return i
		}
	}
	return len(path)
}

// belongs reports whether the recording is of what a link is about.
func (f *follow) belongs(l *link) bool {
	return f.Algorithm == l.algorithm && (f.Variant == l.variant || f.Variant == "") && f.Setting.Equal(l.setting) &&
		f.Origin.Equal(l.origin) && slices.Equal(f.Choices, l.choices)
}
