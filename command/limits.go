package command

import (
	"time"

	"github.com/spf13/pflag"

	"bullyproof/explore"
)

// limits are the flags of every search: how far it goes, by how many workers,
// and whether it tells how far it is.
type limits struct {
	workers   workers
	maxStates count
	maxBytes  size
	maxTime   span
	exact     bool
	quiet     bool
}

// add declares the flags.
func (l *limits) add(flags *pflag.FlagSet) {
	flags.Var(&l.workers, "workers", "goroutines; 0 is one per processor")
	flags.Var(&l.maxStates, "max-states", "end after this many states, incomplete; 0 is no limit")
	flags.Var(&l.maxBytes, "max-bytes", "end when this much memory is in use, like 2GiB, incomplete; 0 is what the machine has left")
	flags.Var(&l.maxTime, "max-time", "end after this time, like 90s, incomplete; 0 is no limit")
	flags.BoolVar(&l.exact, "exact", false, "compare whole states, not fingerprints: no collisions, but several times the memory")
	flags.BoolVarP(&l.quiet, "quiet", "q", false, "report no progress")
}

// report returns where a search reports how far it is, and how often.
func (l *limits) report(a *app, p *progress) (show func(explore.Progress), every time.Duration) {
	switch {
	case l.quiet:
		return nil, 0
	case a.live:
		return p.show, a.often
	}
	return p.show, a.slow
}
