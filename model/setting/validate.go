package setting

import (
	"errors"
	"fmt"
	"slices"

	"bullyproof/internal/nearest"
	"bullyproof/model/process"
)

// MaxExhaustive is the highest N of which a search tries to see every state.
// Random walks go to MaxID.
const MaxExhaustive = 16

const (
	maxD     = 16 // the highest delay bound, in ticks
	maxDrift = 50 // the highest rate of drift, in percent
	maxSkew  = 60 // the highest difference of clocks, in ticks (clock.MostSkew)
)

// Normal returns s with one value for each meaning: D 1 for 0, sets that hold
// everybody written as the default, no arrangement where there is only one.
// Settings of one meaning have one normal form, but that DetectorPerfect stays
// where no cut tells it from the default: there may be cuts one day (With).
func (s Setting) Normal() Setting {
	all := process.Set(0)
	if s.N >= 0 && s.N <= int(process.MaxID) {
		all = process.Upto(process.ID(s.N))
	}
	if s.Timing.Kind == Synchronous && s.Timing.D == 0 {
		s.Timing.D = 1
	}
	if s.RestartsOwed {
		s.Restarts = restartsOwed(&s)
	}
	if s.Joiners == all {
		s.Joiners = 0
	}
	if s.Crashers == all {
		s.Crashers = 0
	}
	if s.Pausers == all {
		s.Pausers = 0
	}
	if s.Detectors == all {
		s.Detectors = 0
	}
	if s.Detector == DetectorReach { // without cuts it is as good as perfect
		s.Detector = DetectorDefault
	}
	if in := &s.Initiators; in.Which == These {
		switch in.Set {
		case 0:
			in.Lazy = false
		case all:
			in.Which, in.Set = Everyone, 0
		}
	}
	if s.Topology != Complete && s.Anonymous && slices.Equal(s.Arrangement, straight(s.N)) {
		s.Arrangement = nil
	}
	s.Arrangement, s.Ahead = only(s.Arrangement), only(s.Ahead)
	if s.Skew == 0 && len(s.Ahead) == s.N && !slices.ContainsFunc(s.Ahead, func(ticks int) bool { return ticks != 0 }) {
		s.Ahead = nil
	}
	return s
}

// only returns a copy of a list, nil of one that is empty.
func only[T any](list []T) []T {
	if len(list) == 0 {
		return nil
	}
	return slices.Clone(list)
}

// straight returns the arrangement 1 to n.
func straight(n int) []process.ID {
	ids := make([]process.ID, max(n, 0))
	for i := range ids {
		ids[i] = process.ID(i + 1)
	}
	return ids
}

// Validate returns an error if s is out of range or contradicts itself: one
// line that names the thing, its value and what would be right.
func (s Setting) Validate() error {
	if errs := s.contradictions(); len(errs) > 0 {
		return errs[0]
	}
	return nil
}

// contradictions returns what is out of range or contradicts itself, one thing of each kind.
func (s Setting) contradictions() (errs []error) {
	for _, check := range []func(*Setting) error{
		validNumbers, validNames, validTopology, validStart, validTiming, validClocks, validFaults, validJoins, validDetector,
	} {
		if err := check(&s); err != nil {
			errs = append(errs, fmt.Errorf("setting: %w", err))
		}
	}
	return errs
}

func validNumbers(s *Setting) error {
	for _, w := range settingWords {
		if w.number == nil {
			continue
		}
		if n := *w.number(s); n < w.min || n > w.max {
			return fmt.Errorf("%s=%d: %s", w.key, n, w.want)
		}
	}
	return nil
}

// Exhaustive returns an error if s has more processes than a search can see
// every state of. It is quick: ask it before a system is made.
func (s Setting) Exhaustive() error {
	if s.N < 2 || s.N > MaxExhaustive {
		return fmt.Errorf("n=%d: an exhaustive search takes from 2 to %d processes", s.N, MaxExhaustive)
	}
	return nil
}

func validNames(s *Setting) error {
	for _, name := range []struct {
		key   string
		value uint8
		names []string
	}{
		{"topology", uint8(s.Topology), topologyNames},
		{"start", uint8(s.Start), startNames},
		{"timing", uint8(s.Timing.Kind), timingNames},
		{"detector", uint8(s.Detector), detectorNames},
		{"cut-by", uint8(s.CutBy), cutByNames},
	} {
		if int(name.value) >= len(name.names) {
			return nearest.Unknown(name.key, nameOf(name.names, name.value), name.names)
		}
	}
	return nil
}

func validTopology(s *Setting) error {
	given := idsText(s.Arrangement, "-")
	if s.Topology == Complete {
		switch {
		case len(s.Arrangement) > 0:
			return fmt.Errorf("arrangement=%s on a complete graph: only a ring has one (topology=ring or biring)", given)
		case s.Repaired:
			return fmt.Errorf("topology=complete:repaired: only a ring is repaired (topology=ring:repaired)")
		case s.Anonymous:
			return fmt.Errorf("topology=complete:anonymous: only a ring is anonymous (topology=ring:anonymous)")
		}
		return nil
	}
	if len(s.Arrangement) == 0 {
		return nil
	}
	sorted := slices.Sorted(slices.Values(s.Arrangement))
	if !slices.Equal(sorted, straight(s.N)) {
		return fmt.Errorf("arrangement=%s: want each process from 1 to %d once, like %s",
			given, s.N, idsText(straight(s.N), "-"))
	}
	if s.Anonymous && !slices.Equal(s.Arrangement, straight(s.N)) {
		return fmt.Errorf("arrangement=%s on an anonymous ring: its processes have no ids to arrange", given)
	}
	return nil
}

func validStart(s *Setting) error {
	in := s.Initiators
	switch {
	case in.Which > These:
		return fmt.Errorf("initiators: Which is %d: want Everyone, EachOne, AnySome or These", in.Which)
	case in.Which != These && !in.Set.Empty():
		return fmt.Errorf("initiators=%s, yet the set %s is given: want Which to be These", in, in.Set)
	case s.Start >= SettledStart && in != (Initiators{}):
		return fmt.Errorf("initiators=%s with start=%s: they count at a cold start only", in, s.Start)
	}
	return validSet("initiators", in.Set, s.N)
}

func validTiming(s *Setting) error {
	t := s.Timing
	switch {
	case t.Kind != Asynchronous && t.Premature != 0:
		return fmt.Errorf("%d premature expiries with timing=%s: only timing=async:K has them", t.Premature, t)
	case t.Premature < 0 || t.Premature > maxBudget:
		return fmt.Errorf("timing=%s: want async, or async:1 to async:%d", t, maxBudget)
	case t.Kind != Synchronous && t.D != 0:
		return fmt.Errorf("a delay bound of %d with timing=%s: only timing=sync:D has one", t.D, t)
	case s.Drift > 0 && t.Kind != Synchronous:
		return fmt.Errorf("drift=%d with timing=%s: only clocks of timing=sync:D drift", s.Drift, t)
	case t.D < 0 || t.D > maxD:
		return fmt.Errorf("timing=%s: want sync:1 to sync:%d", t, maxD)
	}
	return nil
}

func validClocks(s *Setting) error {
	switch {
	case s.Skew > 0 && !s.Timing.Kind.Discrete():
		return fmt.Errorf("skew=%d with timing=%s: clocks show ticks (want timing=sync:D or timing=lockstep)", s.Skew, s.Timing)
	case s.ClockSteps > 0 && s.Skew == 0:
		return fmt.Errorf("clock-steps=%d without skew: all clocks are right (add skew=1)", s.ClockSteps)
	case len(s.Ahead) == 0:
		return nil
	case len(s.Ahead) != s.N:
		return fmt.Errorf("clocks=%s: %d clocks with n=%d", printClocks(s), len(s.Ahead), s.N)
	case slices.Min(s.Ahead) != 0 || slices.Max(s.Ahead) > s.Skew:
		return fmt.Errorf("clocks=%s with skew=%d: want numbers from 0 to %[2]d, and one of them 0", printClocks(s), s.Skew)
	}
	return nil
}

func validFaults(s *Setting) error {
	for _, word := range []struct {
		key   string
		links Links
	}{{"cut-links", s.CutLinks}, {"lossy", s.Lossy}} {
		if l, beyond := word.links.beyond(s.N); beyond {
			return fmt.Errorf("%s=%s: the link %s is of a process that is not there (n=%d)", word.key, word.links, l, s.N)
		}
	}
	switch {
	case s.RestartsOwed && s.Crashes == 0 && s.Start != CoordinatorDown:
		return errors.New("restarts=owed without crashes: nobody is ever down (add crashes=1)")
	case s.Restarts > 0 && s.Crashes == 0 && s.Start != CoordinatorDown:
		return fmt.Errorf("restarts=%d without crashes: nobody is ever down (add crashes=1)", s.Restarts)
	case s.MidSend && s.Crashes == 0:
		return fmt.Errorf("mid-send=yes without crashes: it is a way to crash (add crashes=1)")
	case s.LostWrites > 0 && s.Crashes == 0:
		return fmt.Errorf("lost-writes=%d without crashes: a crash is what loses them (add crashes=1)", s.LostWrites)
	case s.LostWrites > 0 && s.Restarts == 0:
		return fmt.Errorf("lost-writes=%d without restarts: nobody reads a disk again (add restarts=1)", s.LostWrites)
	case s.LostDisks > 0 && s.Crashes == 0:
		return fmt.Errorf("lost-disks=%d without crashes: a disk is lost in a crash (add crashes=1)", s.LostDisks)
	case s.LostDisks > 0 && s.Restarts == 0:
		return fmt.Errorf("lost-disks=%d without restarts: nobody reads a disk again (add restarts=1)", s.LostDisks)
	case s.MidSend && s.N > MaxExhaustive: // any subset of a broadcast
		return fmt.Errorf("mid-send=yes with n=%d: want at most %d processes", s.N, MaxExhaustive)
	case s.Cuts > 0 && s.CutBy == CutSides && s.N > MaxExhaustive: // any subset of the processes
		return fmt.Errorf("cuts=%d with n=%d: want at most %d processes", s.Cuts, s.N, MaxExhaustive)
	case !s.Crashers.Empty() && s.Crashers != process.Upto(process.ID(s.N)) && s.Crashes == 0:
		return fmt.Errorf("crashers=%s without crashes: nobody crashes (add crashes=1)", setText(s.Crashers))
	case !s.Pausers.Empty() && s.Pausers != process.Upto(process.ID(s.N)) && s.Pauses == 0:
		return fmt.Errorf("pausers=%s without pauses: nobody pauses (add pauses=1)", setText(s.Pausers))
	case s.Heals > 0 && s.HealsOwed:
		return fmt.Errorf("heals=%d and heals that are owed: want one of them", s.Heals)
	case s.Heals > 0 && s.Cuts == 0:
		return fmt.Errorf("heals=%d without cuts: there is nothing to heal (add cuts=1)", s.Heals)
	case s.HealsOwed && s.Cuts == 0:
		return fmt.Errorf("heals=owed without cuts: there is nothing to heal (add cuts=1)")
	case len(s.CutLinks) > 0 && s.Cuts == 0:
		return fmt.Errorf("cut-links=%s without cuts: nothing is cut (add cuts=1)", s.CutLinks)
	case len(s.CutLinks) > 0 && s.CutBy == CutSides:
		return fmt.Errorf("cut-links=%s with cut-by=side: a cut takes all links between two sides (want cut-by=link or cut-by=one-way)", s.CutLinks)
	case s.CutBy == CutLinks && slices.ContainsFunc(s.CutLinks, func(l CutLink) bool { return !l.Both }):
		return fmt.Errorf("cut-links=%s with cut-by=link: it takes both directions (want links like 1-2, or cut-by=one-way)", s.CutLinks)
	case len(s.Lossy) > 0 && s.Losses == 0:
		return fmt.Errorf("lossy=%s without losses: nothing is lost (add losses=1)", s.Lossy)
	case len(s.Lossy) > 0 && s.Topology != Complete:
		return fmt.Errorf("lossy=%s with topology=%s: links have names on a complete graph only", s.Lossy, printTopology(s))
	case !s.Crashers.Empty() && s.Crashes > s.Crashers.Len()+s.Restarts:
		return fmt.Errorf("crashes=%d with crashers=%s and restarts=%d: these crash %d times at most (want crashes=%[4]d, more crashers or more restarts)",
			s.Crashes, setText(s.Crashers), s.Restarts, s.Crashers.Len()+s.Restarts)
	case s.CutBy != CutSides && s.Cuts == 0:
		return fmt.Errorf("cut-by=%s without cuts: nothing is cut (add cuts=1)", s.CutBy)
	case s.CutBy != CutSides && s.Topology != Complete:
		return fmt.Errorf("cut-by=%s with topology=%s: links are cut one by one on a complete graph only (want cut-by=side)", s.CutBy, printTopology(s))
	case s.Cuts > 0 && s.Repaired:
		return fmt.Errorf("cuts=%d on a repaired ring: a message there does not name its sender, so a cut has no meaning (want cuts=0)", s.Cuts)
	case s.MailOldLost && s.Repaired:
		return fmt.Errorf("mail-old=lost on a repaired ring: a message there does not name its sender, so there is no old mail (want mail-old=stays)")
	}
	if err := validSet("pausers", s.Pausers, s.N); err != nil {
		return err
	}
	return validSet("crashers", s.Crashers, s.N)
}

func validJoins(s *Setting) error {
	if s.Joins >= s.N {
		return fmt.Errorf("joins=%d with n=%d: want at most joins=%d, so that somebody is there at the start", s.Joins, s.N, s.N-1)
	}
	switch all := process.Upto(process.ID(s.N)); {
	case s.Joiners.Empty() || s.Joiners == all:
		return nil
	case s.Joins == 0:
		return fmt.Errorf("joiners=%s without joins: nobody joins (add joins=1)", setText(s.Joiners))
	case s.Joiners.Len() < s.Joins:
		return fmt.Errorf("joiners=%s with joins=%d: want at least %d of them", setText(s.Joiners), s.Joins, s.Joins)
	}
	return validSet("joiners", s.Joiners, s.N)
}

func validDetector(s *Setting) error {
	switch {
	case s.Detector != DetectorOff:
	case !s.Detectors.Empty():
		return fmt.Errorf("detectors=%s with detector=off: want detector=perfect or reach", setText(s.Detectors))
	case s.ReportsAlways:
		return fmt.Errorf("reports=always with detector=off: want detector=perfect or reach")
	case s.Suspicions > 0:
		return fmt.Errorf("suspicions=%d with detector=off: want detector=perfect or reach", s.Suspicions)
	}
	return validSet("detectors", s.Detectors, s.N)
}

func validSet(key string, set process.Set, n int) error {
	if beyond := set &^ process.Upto(process.ID(n)); !beyond.Empty() {
		return fmt.Errorf("%s=%s: there is no process %d: want ids from 1 to %d", key, setText(set), beyond.Min(), n)
	}
	return nil
}
