// Package place says in which directories the searches of a check have their files: each of
// several has one of its own below that of the check.
package place

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"

	"bullyproof/explore"
	"bullyproof/explore/cluster"
	"bullyproof/internal/filelock"
)

// A Place is where a search goes that does not fit in memory.
type Place struct {
	// Dir is the directory, empty for none.
	Dir string
	// Resume says that the search goes on from the checkpoint there.
	Resume bool
}

// Nth returns the place of one of several searches. Those that were over when a check was
// interrupted are made again.
func (p Place) Nth(i, of int) Place {
	if p.Dir == "" || of == 1 {
		return p
	}
	return p.below(strconv.Itoa(i + 1))
}

func (p Place) below(name string) Place {
	dir := filepath.Join(p.Dir, name)
	return Place{dir, p.Resume && hasCheckpoint(dir)}
}

const reducedDir, plainDir = "reduced", "plain"

// Reduced returns the place of the search of a reduced system that another one follows, of
// the system as it is.
func (p Place) Reduced() Place {
	if p.Dir == "" || p.Resume && !p.hasPart() {
		return p // what cannot be resumed is refused there
	}
	return p.below(reducedDir)
}

// Plain returns the place of the search that follows one of a reduced system.
func (p Place) Plain() Place {
	if p.Dir == "" {
		return p
	}
	dir := filepath.Join(p.Dir, plainDir)
	return Place{dir, p.Resume && hasCheckpoints(dir)}
}

// Begun reports whether there is a checkpoint of a search, or of one of several.
func (p Place) Begun() bool { return hasCheckpoints(p.Dir) || p.hasPart() }

// hasPart reports whether one of the searches of a check that reduces has left a
// checkpoint.
func (p Place) hasPart() bool {
	return hasCheckpoints(filepath.Join(p.Dir, reducedDir)) || hasCheckpoints(filepath.Join(p.Dir, plainDir))
}

// hasCheckpoints reports whether there is a checkpoint in a directory, or in one of
// those of several searches below it.
func hasCheckpoints(dir string) bool {
	below, err := filepath.Glob(filepath.Join(dir, "[0-9]*"))
	return hasCheckpoint(dir) || err == nil && slices.ContainsFunc(below, hasCheckpoint)
}

// hasCheckpoint reports whether a search has left a checkpoint in a directory.
func hasCheckpoint(dir string) bool {
	return explore.Disk{Dir: dir}.HasCheckpoint() || cluster.HasCheckpoint(dir)
}

// Prepare refuses a directory in which no search can begin. Without it that would come out
// when memory is full, and cost all that was found until then. It keeps other checks out
// of the directory until it is released: the searches of a check lock it too, each while
// it is on disk. An engine has a lock of its own, and leaves nothing where it cannot begin.
func (p Place) Prepare(engine bool) (release func(), err error) {
	if p.Dir == "" {
		return func() {}, nil
	}
	if !p.Resume { // resuming reads the directory first
		if !engine {
			if err := (explore.Disk{Dir: p.Dir}).Prepare(); err != nil {
				return nil, err
			}
		}
		if p.Begun() {
			return nil, fmt.Errorf("checker: Disk %s: there is a checkpoint of an earlier search below it, which Resume goes on from; for another search take another directory, or remove it", p.Dir)
		}
	}
	if engine {
		return func() {}, nil
	}
	lock, err := filelock.Make(filepath.Join(p.Dir, checkLock))
	switch {
	case p.Resume && errors.Is(err, fs.ErrNotExist):
		return func() {}, nil // the search says that there is nothing to resume
	case errors.Is(err, filelock.ErrLocked):
		return nil, fmt.Errorf("checker: Disk %s: another check is using it (%w)", p.Dir, err)
	case err != nil:
		return nil, fmt.Errorf("checker: Disk %s: %w", p.Dir, err)
	}
	return func() { _ = lock.Close() }, nil
}

// checkLock is the file that a check locks as long as it lasts.
const checkLock = "check.lock"

// Resumable says how a search that ended early goes on; empty where it does not, as where
// it never left memory.
func (p Place) Resumable(reason explore.Reason) string {
	switch {
	case p.Dir == "" || !p.Begun():
	case reason.Resumable():
		return fmt.Sprintf("go on from the checkpoint in %s (Resume, --resume)", p.Dir)
	case reason == explore.DiskFailure:
		return fmt.Sprintf("go on from the last checkpoint in %s (Resume, --resume)", p.Dir)
	}
	return ""
}
