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
	"strings"

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
	// Open opens the directory where an engine makes the search, nil where none does.
	Open cluster.Opener

	begun []checkpoint // here and below, if Resume is set; see Look
}

// A checkpoint is one that a search has left in a directory, as one of those of a place.
type checkpoint struct{ dir, of string }

// Look returns the place with the checkpoints that there are, if the search goes on from
// one. The places below it have them too.
func (p Place) Look() Place {
	if p.Resume && p.Dir != "" {
		p.begun = p.checkpoints()
	}
	return p
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
	at := p.in(name)
	at.Resume = at.Resume && slices.ContainsFunc(at.begun, func(c checkpoint) bool { return c.dir == at.Dir })
	return at
}

// in returns a place below this one.
func (p Place) in(name string) Place {
	if p.Open == nil {
		p.Dir = filepath.Join(p.Dir, name)
	} else {
		p.Dir = strings.TrimRight(p.Dir, "/") + "/" + name // a path or a URI
	}
	return p
}

const reducedDir, plainDir = "reduced", "plain"

// Reduced returns the place of the search of a reduced system that another one follows, of
// the system as it is.
func (p Place) Reduced() Place {
	if p.Dir == "" || p.Resume && !p.in(reducedDir).anyBegun() && !p.in(plainDir).anyBegun() {
		return p // what cannot be resumed is refused there
	}
	return p.below(reducedDir)
}

// Plain returns the place of the search that follows one of a reduced system.
func (p Place) Plain() Place {
	if p.Dir == "" {
		return p
	}
	at := p.in(plainDir)
	at.Resume = at.Resume && at.anyBegun()
	return at
}

// anyBegun reports whether there was a checkpoint in the directory, or in one of those of
// several searches below it.
func (p Place) anyBegun() bool {
	return slices.ContainsFunc(p.begun, func(c checkpoint) bool { return c.of == p.Dir })
}

// Begun reports whether there is a checkpoint of a search, or of one of several.
func (p Place) Begun() bool { return len(p.checkpoints()) > 0 }

// checkpoints returns those of the searches of a check, whose places are this one and two below.
func (p Place) checkpoints() (list []checkpoint) {
	for _, at := range []Place{p, p.in(reducedDir), p.in(plainDir)} {
		if at.hasCheckpoint() {
			list = append(list, checkpoint{dir: at.Dir, of: at.Dir})
		}
		d, err := at.directory()
		if err != nil {
			continue
		}
		below, _ := d.Directories() // none where they cannot be read
		for _, name := range below {
			if one := at.in(name); name[0] >= '0' && name[0] <= '9' && one.hasCheckpoint() {
				list = append(list, checkpoint{dir: one.Dir, of: at.Dir})
			}
		}
	}
	return list
}

// hasCheckpoint reports whether a search has left a checkpoint in the directory.
func (p Place) hasCheckpoint() bool {
	if p.Open == nil && (explore.Disk{Dir: p.Dir}).HasCheckpoint() {
		return true
	}
	d, err := p.directory()
	return err == nil && cluster.HasCheckpoint(d)
}

func (p Place) directory() (cluster.Directory, error) {
	if p.Open == nil {
		return cluster.Local(p.Dir)
	}
	return p.Open(p.Dir)
}

// Prepare refuses a directory in which no search can begin. Without it that would come out
// when memory is full, and cost all that was found until then. It keeps other checks out
// of the directory until it is released: the searches of a check lock it too, each while
// it is on disk. An engine has a lock of its own, and leaves nothing where it cannot begin.
func (p Place) Prepare() (release func(), err error) {
	if p.Dir == "" {
		return func() {}, nil
	}
	if p.Open != nil {
		if _, err := p.directory(); err != nil {
			return nil, err
		}
	}
	if !p.Resume { // resuming reads the directory first
		if p.Open == nil {
			if err := (explore.Disk{Dir: p.Dir}).Prepare(); err != nil {
				return nil, err
			}
		}
		if p.Begun() {
			return nil, fmt.Errorf("checker: Disk %s: there is a checkpoint of an earlier search below it, which Resume goes on from; for another search take another directory, or remove it", p.Dir)
		}
	}
	if p.Open != nil {
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
