// Package anysetting draws settings, for tests.
package anysetting

import (
	"slices"
	"strings"

	"pgregory.net/rapid"

	"bullyproof/model/process"
	"bullyproof/model/setting"
)

// Draw draws a valid setting in normal form for n processes.
func Draw(t *rapid.T, n int) setting.Setting {
	budget := rapid.IntRange(0, 3)
	s := setting.Setting{
		N: n,
		Needs: setting.Needs{
			Topology: setting.Topology(rapid.IntRange(0, 2).Draw(t, "topology")),
			Start:    setting.Start(rapid.IntRange(0, 3).Draw(t, "start")),
			FIFO:     rapid.Bool().Draw(t, "fifo"),
			Capacity: budget.Draw(t, "capacity"),
			Timing:   setting.Timing{Kind: rapid.SampledFrom(timings).Draw(t, "timing")},
			Detector: setting.Detector(rapid.IntRange(0, 3).Draw(t, "detector")),
		},
		World: setting.World{
			Losses:       budget.Draw(t, "losses"),
			Duplications: budget.Draw(t, "duplications"),
			Cuts:         budget.Draw(t, "cuts"),
			Heals:        budget.Draw(t, "heals"),
			CutBy:        setting.CutBy(rapid.IntRange(0, 2).Draw(t, "cut-by")),
			HealsOwed:    rapid.Bool().Draw(t, "heals owed"),
			MailDownLost: rapid.IntRange(0, 1).Draw(t, "mail-down") == 1,
			MailOldLost:  rapid.IntRange(0, 1).Draw(t, "mail-old") == 1,
			Crashes:      budget.Draw(t, "crashes"),
			Restarts:     budget.Draw(t, "restarts"),
			RestartsOwed: rapid.IntRange(0, 3).Draw(t, "restarts owed") == 0,
			Joins:        rapid.IntRange(0, n-1).Draw(t, "joins"),
			Pauses:       budget.Draw(t, "pauses"),
			MidSend:      rapid.Bool().Draw(t, "mid-send"),
		},
	}
	switch s.Timing.Kind {
	case setting.Synchronous:
		s.Timing.D = rapid.IntRange(1, 2).Draw(t, "D")
		s.Drift = rapid.SampledFrom([]int{0, 0, 1, 33, 50}).Draw(t, "drift")
	case setting.Asynchronous:
		s.Timing.Premature = budget.Draw(t, "premature")
	}
	if s.Topology != setting.Complete {
		s.Repaired = rapid.Bool().Draw(t, "repaired")
		s.Anonymous = rapid.Bool().Draw(t, "anonymous")
		if rapid.Bool().Draw(t, "arranged") && !s.Anonymous {
			s.Arrangement = rapid.Permutation(slices.Collect(process.Upto(process.ID(n)).All())).Draw(t, "arrangement")
		}
	}
	set := rapid.Map(rapid.Uint64Range(0, uint64(process.Upto(process.ID(n)))), func(bits uint64) process.Set { return process.Set(bits) })
	if s.Start < setting.SettledStart {
		s.Initiators.Which = setting.Which(rapid.IntRange(0, 3).Draw(t, "which"))
		s.Initiators.Lazy = rapid.Bool().Draw(t, "lazy")
		if s.Initiators.Which == setting.These {
			s.Initiators.Set = set.Draw(t, "initiators")
		}
	}
	if joiners := set.Draw(t, "joiners"); s.Joins > 0 && joiners.Len() >= s.Joins {
		s.Joiners = joiners
	}
	drawWho(t, &s, set)
	if s.Detector != setting.DetectorOff {
		s.ReportsAlways = rapid.IntRange(0, 1).Draw(t, "reports") == 1
		s.Detectors = set.Draw(t, "detectors")
		s.Suspicions = budget.Draw(t, "suspicions")
	}
	drawLinks(t, &s)
	drawNew(t, &s, budget)
	if s.Timing.Kind.Discrete() {
		s.Skew = rapid.SampledFrom([]int{0, 0, 1, 2}).Draw(t, "skew")
	}
	s.Requests = rapid.SampledFrom([]int{0, 0, 0, 0, 0, 0, 1}).Draw(t, "requests")
	return withoutContradictions(s).Normal()
}

// drawWho draws to which processes faults happen.
func drawWho(t *rapid.T, s *setting.Setting, set *rapid.Generator[process.Set]) {
	if s.Pauses > 0 {
		s.Pausers = set.Draw(t, "pausers")
	}
	if s.Crashes > 0 {
		s.Crashers = set.Draw(t, "crashers")
	}
}

// drawLinks draws to which links faults happen.
func drawLinks(t *rapid.T, s *setting.Setting) {
	links := func(name string, both bool) (all setting.Links) {
		for range rapid.SampledFrom([]int{0, 0, 1, 2}).Draw(t, name) {
			from := rapid.IntRange(1, s.N).Draw(t, "from")
			to := (from+rapid.IntRange(0, s.N-2).Draw(t, "to"))%s.N + 1
			l := setting.CutLink{From: process.ID(from), To: process.ID(to), Both: both || rapid.Bool().Draw(t, "both")}
			if l.Both && l.From > l.To {
				l.From, l.To = l.To, l.From
			}
			all = append(all, l)
		}
		slices.SortFunc(all, func(a, b setting.CutLink) int { return strings.Compare(a.String(), b.String()) })
		return slices.Compact(all)
	}
	if s.Losses > 0 && s.Topology == setting.Complete {
		s.Lossy = links("lossy", false)
	}
	if s.Cuts > 0 && s.CutBy != setting.CutSides {
		s.CutLinks = links("cut-links", s.CutBy == setting.CutLinks)
	}
}

// drawNew draws the budgets that Draw does not: of a fault that is new.
func drawNew(t *rapid.T, s *setting.Setting, budget *rapid.Generator[int]) {
	drawn := []string{"crashes", "restarts", "joins", "losses", "duplications", "cuts", "heals", "premature", "suspicions", "pauses", "requests"}
	for _, b := range setting.Budgets() {
		if !slices.Contains(drawn, b.Key) {
			*b.Of(s) = budget.Draw(t, b.Key)
		}
	}
}

// timings has asynchrony more than once: it takes some luck to see a timer too
// early.
var timings = []setting.TimingKind{setting.Synchronous, setting.Asynchronous, setting.LastResort, setting.Asynchronous, setting.Lockstep, setting.Asynchronous, setting.Patient}

// withoutContradictions drops what Validate would refuse in a drawn setting.
func withoutContradictions(s setting.Setting) setting.Setting {
	if s.Crashes == 0 {
		s.MidSend = false
		if s.Start != setting.CoordinatorDown {
			s.Restarts, s.RestartsOwed = 0, false
		}
	}
	s.Restarts = s.Normal().Restarts
	if s.Crashes == 0 || s.Restarts == 0 {
		s.LostWrites, s.LostDisks = 0, 0
	}
	if s.Skew == 0 {
		s.ClockSteps = 0
	}
	if s.Repaired {
		s.Cuts, s.MailOldLost = 0, false
	}
	if s.N > setting.MaxExhaustive {
		s.Cuts, s.MidSend = 0, false
	}
	if s.HealsOwed {
		s.Heals = 0
	}
	if s.Cuts == 0 {
		s.Heals, s.HealsOwed = 0, false
	}
	if s.Cuts == 0 || s.Topology != setting.Complete {
		s.CutBy = setting.CutSides
	}
	if s.CutBy == setting.CutSides {
		s.CutLinks = nil
	}
	if most := s.Crashers.Len() + s.Restarts; !s.Crashers.Empty() && s.Crashes > most {
		s.Crashes = most
	}
	return s
}
