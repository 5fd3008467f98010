package checker

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"

	"bullyproof/explore"
	"bullyproof/internal/quantity"
	"bullyproof/model"
)

// nth returns the options of one of several searches: each has a directory of its
// own below Disk. Those that were over when a check was interrupted are made
// again.
func (o Options) nth(i, of int) Options {
	if o.Disk == "" || of == 1 {
		return o
	}
	return o.below(strconv.Itoa(i + 1))
}

// below returns the options of a search in a directory of its own below Disk.
func (o Options) below(name string) Options {
	o.Disk = filepath.Join(o.Disk, name)
	o.Resume = o.Resume && explore.HasCheckpoint(o.Disk)
	return o
}

const reducedDir, plainDir = "reduced", "plain"

// reducedPart returns the options of the search of a reduced system. Where another
// one follows, of the system as it is, each has a directory of its own.
func (o Options) reducedPart(another bool) Options {
	if o.Disk == "" || !another || o.Resume && !o.hasPart() {
		return o // what cannot be resumed is refused there
	}
	return o.below(reducedDir)
}

// plainPart returns the options of the search that follows one of a reduced system.
func (o Options) plainPart() Options {
	if o.Disk == "" {
		return o
	}
	o.Disk = filepath.Join(o.Disk, plainDir)
	o.Resume = o.Resume && hasCheckpoints(o.Disk)
	return o
}

// hasPart reports whether one of the searches of a check that reduces has left a
// checkpoint.
func (o *Options) hasPart() bool {
	return hasCheckpoints(filepath.Join(o.Disk, reducedDir)) || hasCheckpoints(filepath.Join(o.Disk, plainDir))
}

// hasCheckpoints reports whether there is a checkpoint in a directory, or in one of
// those of several searches below it.
func hasCheckpoints(dir string) bool {
	below, err := filepath.Glob(filepath.Join(dir, "[0-9]*"))
	return explore.HasCheckpoint(dir) || err == nil && slices.ContainsFunc(below, explore.HasCheckpoint)
}

// identity says what a check searches, for checkpoints: a search goes on only
// from one of its own. The states with which it begins stand for how states are
// encoded.
func (c *check) identity() string {
	names := make([]string, len(c.props))
	for i, p := range c.props {
		names[i] = p.Name
	}
	subject := c.opt.Algorithm
	if c.opt.Variant != "" {
		subject += "/" + c.opt.Variant
	}
	const some = 1000
	hash, n := xxh3.New(), 0
	c.watched.System.Initial(func(state []byte) bool {
		_, _ = hash.Write(state) // a hasher does not fail
		n++
		return n < some
	})
	reduced := ""
	if r := c.watched.Reductions(); r != 0 {
		reduced = fmt.Sprintf("; reduced by %s, reading %d", strings.Join(r.Names(), ","), c.watched.Reads())
	}
	return fmt.Sprintf("%s, %s; %s; exhaustive=%t%s; layout %016x", subject, c.watched.Setting(), strings.Join(names, " "), c.opt.Exhaustive, reduced, hash.Sum64())
}

// gathered is what a check gathers beside what the search knows.
type gathered struct {
	Ran   json.RawMessage `json:"ran"`
	Met   []bool          `json:"met"`
	Steps []bool          `json:"steps"`
}

// Keep returns what ran and which occasions came up (explore.Keeper).
func (c *check) Keep() ([]byte, error) {
	ran, err := c.watched.Keep()
	if err != nil {
		return nil, err
	}
	return json.Marshal(gathered{ran, met(c.occasions.list), met(c.occasions.steps)})
}

func met(list []*meeting) []bool {
	out := make([]bool, len(list))
	for i, m := range list {
		out[i] = m.met.Load()
	}
	return out
}

// Recall adds what Keep returned (explore.Keeper).
func (c *check) Recall(kept []byte) error {
	var g gathered
	if err := json.Unmarshal(kept, &g); err != nil {
		return fmt.Errorf("what a check gathered: %w", err)
	}
	o := c.occasions
	if len(g.Met) != len(o.list) || len(g.Steps) != len(o.steps) {
		return fmt.Errorf("it has the occasions of %d properties, and %d are asked", len(g.Met)+len(g.Steps), len(o.list)+len(o.steps))
	}
	for i, m := range o.list {
		if g.Met[i] && m.met.CompareAndSwap(false, true) {
			o.missing.Add(-1)
		}
	}
	for i, m := range o.steps {
		if g.Steps[i] {
			m.met.Store(true)
		}
	}
	return c.watched.Recall(g.Ran)
}

var _ explore.Keeper = (*check)(nil)
var _ explore.Keeper = (*model.Watched)(nil)

// resumable says how a search that ended early goes on; empty where it does not.
func (o *Options) resumable(reason explore.Reason) string {
	switch {
	case o.Disk == "":
	case reason.Resumable():
		return fmt.Sprintf("go on from the checkpoint in %s (Resume, --resume)", o.Disk)
	case reason == explore.DiskFailure:
		return fmt.Sprintf("go on from the last checkpoint in %s, if there is one (Resume, --resume)", o.Disk)
	}
	return ""
}

// beyondMemory reports whether a search that keeps the graph ended where one on
// disk goes on.
func (o *Options) beyondMemory(reason explore.Reason) bool {
	return o.Disk != "" && (reason == explore.ByteLimit || reason == explore.MachineLimit)
}

// graphSize says how large the graph of a search would have been, where the search
// was on disk since memory did not do.
func (c *check) graphSize(r *explore.Result) string {
	if c.opt.Disk == "" || r.Reason != explore.Complete || c.noGraph == "" {
		return ""
	}
	bytes := 8*float64(r.Generated) + 20*float64(r.Distinct)
	return fmt.Sprintf("; that of these %s would take about %s of memory, beside the search", quantity.Plural(r.Distinct, "state"), quantity.Bytes(int64(bytes)))
}
