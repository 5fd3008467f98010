package model_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"bullyproof/explore"
	"bullyproof/internal/anyprotocol"
	"bullyproof/model"
	"bullyproof/setting"
	"github.com/stretchr/testify/require"
)

// findings are what a search finds that a reduction must preserve.
type findings struct {
	states int
	ends   map[string]bool // settled states and those in which nothing is enabled, encoded
	values map[string]bool // of what is read, in any state
	misuse bool
}

// read is what a reduction with some reads has to keep of a state: the values that
// are told.
func read(reads model.Reads, v *model.View, tell func(value string)) {
	together := fmt.Sprintf("up %v present %v ", v.Up, v.Present)
	if reads&model.ReadsLeaders != 0 {
		together += fmt.Sprintf("leaders %v ", v.Leaders)
	}
	if reads&model.ReadsParticipants != 0 {
		together += fmt.Sprintf("participants %v ", v.Participants)
	}
	for id := model.ID(1); id <= v.N; id++ {
		if reads&model.ReadsElected != 0 {
			together += fmt.Sprintf("%v ", v.Elected(id))
		}
		if reads&model.ReadsEachElected != 0 {
			tell(fmt.Sprintf("%v names %v, up %v", id, v.Elected(id), v.Up))
		}
	}
	tell(together)
}

// survey searches a system, reduced unless the reduction is nil. It returns nil where
// there are more states than the limit.
func survey(sys *model.System, reads model.Reads, r *model.Reduction, limit uint64, workers int) (*findings, error) {
	f := &findings{ends: map[string]bool{}, values: map[string]bool{}}
	var mu sync.Mutex
	watched := sys.Watched(model.Watch{State: func(v *model.View) bool {
		mu.Lock()
		defer mu.Unlock()
		read(reads, v, func(value string) { f.values[value] = true })
		return false
	}})
	if r != nil {
		var err error
		if watched, err = watched.Reduced(*r); err != nil {
			return nil, err
		}
	}
	c := &collector{Watched: watched, collect: func(state []byte, end bool) {
		if end {
			f.ends[string(state)] = true
		}
	}}
	res, err := explore.Search(context.Background(), c, explore.Options{Targets: watched.Targets(), Exhaustive: true, MaxStates: limit, Workers: workers})
	if err != nil {
		return nil, err
	}
	f.states = int(res.Distinct)
	_, f.misuse = res.Hit(1)
	if res.Reason != explore.Complete {
		return nil, nil
	}
	return f, nil
}

// A collector is told each state, and whether it is one at the end of a run.
type collector struct {
	*model.Watched
	mu      sync.Mutex
	collect func(state []byte, end bool)
}

type collecting struct {
	explore.Expander
	c *collector
}

func (c *collector) NewExpander() explore.Expander { return &collecting{c.Watched.NewExpander(), c} }

func (x *collecting) Expand(state []byte, out *explore.Successors) {
	before := out.Len()
	x.Expander.Expand(state, out)
	end := x.c.View(state).Settled || out.Len() == before
	x.c.mu.Lock()
	defer x.c.mu.Unlock()
	x.c.collect(state, end)
}

// differ says in what a reduced search differs from a plain one, "" if in nothing.
func differ(plain, reduced *findings) string {
	switch {
	case reduced.states > plain.states:
		return "more states"
	case plain.misuse != reduced.misuse:
		return "misuse"
	}
	for _, kind := range []struct {
		name        string
		plain, less map[string]bool
	}{{"ends", plain.ends, reduced.ends}, {"values", plain.values, reduced.values}} {
		for x := range kind.less {
			if !kind.plain[x] {
				return kind.name + ": " + x + " that is not reachable"
			}
		}
		for x := range kind.plain {
			if !kind.less[x] {
				return fmt.Sprintf("%s: %q is missing", kind.name, x)
			}
		}
	}
	return ""
}

// readings are combinations of what properties read.
var readings = []model.Reads{
	0, model.ReadsLeaders, model.ReadsElected, model.ReadsParticipants, model.ReadsEachElected,
	model.ReadsLeaders | model.ReadsEachElected, model.ReadsLeaders | model.ReadsElected | model.ReadsParticipants | model.ReadsEachElected,
}

// A match is a plain search and a reduced one of one system.
type match struct {
	refused        bool
	plain, reduced int    // states; 0 if there are too many
	differ         string // in what the reduced one is wrong
}

// attack compares a search of a system with a reduced one.
func attack(t require.TestingT, x suspect, r model.Reduction, limit uint64) match {
	r.Reads = readings[x.seed%uint64(len(readings))]
	sys := x.system(t)
	tooLarge := func(err error) bool { return err != nil && strings.Contains(err.Error(), "states have at most") }
	want, err := survey(sys, r.Reads, nil, limit, 1)
	if tooLarge(err) || err == nil && want == nil {
		return match{} // its messages pile up, or it has more states
	}
	require.NoError(t, err, "%v", x)
	less, err := survey(sys, r.Reads, &r, limit, 1)
	var why *model.IrreducibleError
	switch {
	case errors.As(err, &why):
		return match{refused: true}
	case tooLarge(err):
		return match{}
	}
	require.NoError(t, err, "%v", x)
	if less == nil {
		return match{plain: want.states, differ: "more states"}
	}
	return match{plain: want.states, reduced: less.states, differ: differ(want, less)}
}

// calmSuspectOf returns the suspect of a number, with what no reduction is known for
// mended, and with faults rarely.
func calmSuspectOf(seed uint64) suspect {
	x := suspectOf(seed)
	s, r := &x.setting, rand.New(rand.NewPCG(seed, 17))
	s.Losses, s.Duplications, s.Cuts, s.Heals, s.Pauses, s.Drift, s.Repaired = 0, 0, 0, 0, 0, 0, false
	if !s.Timing.Kind.Discrete() && !(s.Topology == setting.Ring && s.FIFO) {
		s.Timing = setting.Timing{Kind: setting.Synchronous, D: 1 + r.IntN(2)}
	}
	if r.IntN(4) > 0 {
		s.Crashes, s.Joins, s.MidSend, s.Crashers = 0, 0, false, 0
		if s.Start != setting.CoordinatorDown {
			s.Restarts = 0
		}
	}
	s.N = min(s.N, 2+r.IntN(2))
	x.table.Periodic = 0
	x.setting = s.Normal()
	return x
}

// fallingSuspectOf returns the suspect of a number, with crashes and hardly any other
// fault.
func fallingSuspectOf(seed uint64) suspect {
	x := calmSuspectOf(seed)
	s, r := &x.setting, rand.New(rand.NewPCG(seed, 18))
	if s.Start == setting.CoordinatorDown {
		s.Start = setting.ColdStart
	}
	s.Crashes, s.Restarts, s.Joins, s.MidSend, s.Crashers = 1+r.IntN(2), 0, 0, r.IntN(8) == 0, 0
	s.Suspicions, s.Timing.Premature = 0, 0
	x.setting = s.Normal()
	return x
}

// lockedSuspectOf returns the suspect of a number in lockstep, with crashes and restarts.
func lockedSuspectOf(seed uint64) suspect {
	x := fallingSuspectOf(seed)
	s, r := &x.setting, rand.New(rand.NewPCG(seed, 20))
	s.Timing, s.MidSend = setting.Timing{Kind: setting.Lockstep}, false
	s.Crashes, s.Restarts = 1+r.IntN(2), r.IntN(3)
	s.MailDownLost, s.MailOldLost = s.MailDownLost && r.IntN(4) == 0, s.MailOldLost && r.IntN(4) == 0
	x.setting = s.Normal()
	return x
}

// patientSuspectOf returns the suspect of a number, where timers wait for messages
// but for few exceptions, and there are no ticks.
func patientSuspectOf(seed uint64) suspect {
	x, r := calmSuspectOf(seed), rand.New(rand.NewPCG(seed, 19))
	x.setting.Timing = []setting.Timing{{Kind: setting.LastResort}, {Kind: setting.Patient}, {Kind: setting.Asynchronous, Premature: 1}, {Kind: setting.Asynchronous}}[r.IntN(4)]
	x.setting = x.setting.Normal()
	return x
}

// hastySuspectOf returns the suspect of a number without ticks and without faults.
func hastySuspectOf(seed uint64) suspect {
	x := patientSuspectOf(seed)
	s := &x.setting
	s.Crashes, s.Joins, s.MidSend, s.Crashers, s.Suspicions, s.Timing.Premature = 0, 0, false, 0, 0, 0
	if s.Restarts = 0; s.Start == setting.CoordinatorDown {
		s.Crashes = 1
	}
	x.setting = s.Normal()
	return x
}

// losingSuspectOf returns the suspect of a number with messages that may be lost.
func losingSuspectOf(seed uint64) suspect {
	x, r := hastySuspectOf(seed), rand.New(rand.NewPCG(seed, 22))
	s := &x.setting
	if r.IntN(3) > 0 {
		s.Timing = []setting.Timing{{Kind: setting.Synchronous, D: 1}, {Kind: setting.Synchronous, D: 2}, {Kind: setting.Lockstep}}[r.IntN(3)]
	}
	s.Losses = 1 + r.IntN(2)
	x.setting = s.Normal()
	return x
}

// risingSuspectOf returns the suspect of a number under synchronous timing, with processes that
// crash and restart.
func risingSuspectOf(seed uint64) suspect {
	x := fallingSuspectOf(seed)
	s, r := &x.setting, rand.New(rand.NewPCG(seed, 23))
	s.Timing = setting.Timing{Kind: setting.Synchronous, D: 1 + r.IntN(2)}
	s.Crashes, s.Restarts, s.MidSend = 1+r.IntN(2), 1+r.IntN(2), r.IntN(8) == 0
	s.MailDownLost, s.MailOldLost = s.MailDownLost && r.IntN(4) == 0, s.MailOldLost && r.IntN(4) == 0
	x.setting = s.Normal()
	return x
}

// smallest returns a suspect that has little more than it takes for a difference.
func smallest(t require.TestingT, x suspect, r model.Reduction, limit uint64) suspect {
	for again := true; again; {
		again = false
		for table := range x.table.Smaller {
			if y := (suspect{table, x.setting, x.seed}); attack(t, y, r, limit).differ != "" {
				x, again = y, true
				break
			}
		}
	}
	return x
}

// TestReducedFindsAll has reduced searches of random protocols find all that plain
// searches find.
func TestReducedFindsAll(t *testing.T) {
	full, less, fewer, compared := 0, 0, 0, 0
	limit := uint64(400)
	if *deep {
		limit = 5000
	}
	for seed := range cases(60, 6_000) {
		x := calmSuspectOf(uint64(seed))
		m := attack(t, x, model.Reduction{}, limit)
		if m.differ != "" {
			x = smallest(t, x, model.Reduction{}, limit)
			m = attack(t, x, model.Reduction{}, limit)
			require.Fail(t, m.differ, "%v: %d states, reduced %d", x, m.plain, m.reduced)
		}
		if m.plain > 0 {
			compared++
		}
		if m.reduced < m.plain {
			fewer++
		}
		full, less = full+m.plain, less+m.reduced
	}
	t.Logf("%d compared, %d of them reduced: %d states instead of %d", compared, fewer, less, full)
	require.Greater(t, fewer, compared/10)
}

// TestReducedFindsAllElsewhere is TestReducedFindsAll where crashes may happen at any
// time, and without ticks.
func TestReducedFindsAllElsewhere(t *testing.T) {
	limit := uint64(600)
	if *deep {
		limit = 1500
	}
	for name, draw := range map[string]func(seed uint64) suspect{"crashes": fallingSuspectOf, "no ticks": patientSuspectOf, "no ticks and no faults": hastySuspectOf, "losses": losingSuspectOf, "lockstep": lockedSuspectOf, "restarts": risingSuspectOf} {
		t.Run(name, func(t *testing.T) {
			full, less, fewer, few := 0, 0, 0, 12
			if name == "lockstep" || name == "restarts" {
				few = 5 // restarts have more states
			}
			if name == "losses" {
				few = 20
			}
			for seed := range cases(few, 2_000) {
				x := draw(uint64(seed))
				m := attack(t, x, model.Reduction{}, limit)
				if m.differ != "" {
					x = smallest(t, x, model.Reduction{}, limit)
					m = attack(t, x, model.Reduction{}, limit)
					require.Fail(t, m.differ, "%v: %d states, reduced %d", x, m.plain, m.reduced)
				}
				if m.reduced < m.plain {
					fewer++
				}
				full, less = full+m.plain, less+m.reduced
			}
			t.Logf("%d reduced: %d states instead of %d", fewer, less, full)
			require.NotZero(t, fewer)
		})
	}
}

// flawShows has a case shortly before the first one that shows a flaw, where it takes
// hundreds or thousands of others to come to it.
var flawShows = map[string]int{
	"again": 815, "blocked": 1210, "heard": 239, "idle": 3690, "on the way": 95, "past": 206, "prefix": 43, "reports": 974, "surplus": 244, "unsent": 160, "visible": 312,
}

// shownBy has the tests of protocols made for flaws that hardly show among random ones.
var shownBy = map[string]string{
	"talk": "TestACrashComesBetweenTwoMessages", "cycle": "TestChatterPutsNothingOff", "ranks": "TestTimersExpireInTheOrderInWhichTheyWereSet", "dropped": "TestTheLastRestartLosesWhatIsDue",
	"mail": "TestFlawedRotationsAreCaught", "pending": "TestFlawedRotationsAreCaught",
}

// TestFlawedReductionsAreCaught drops conditions of the reductions one at a time:
// a random protocol has to show the lack of each.
func TestFlawedReductionsAreCaught(t *testing.T) {
	for name, flaw := range model.Flaws {
		t.Run(name, func(t *testing.T) {
			draw, first, seeds := calmSuspectOf, 0, 400
			if shown := shownBy[name]; shown != "" {
				t.Skip(shown + " shows it")
			}
			if slices.Contains([]string{"reports", "blocked", "idle"}, name) {
				draw, seeds = fallingSuspectOf, 4000
			}
			if slices.Contains([]string{"witness", "prefix", "heard", "kept", "on the way", "unsent"}, name) {
				draw = lockedSuspectOf
			}
			if name == "loss" {
				draw = losingSuspectOf
			}
			if name == "back" || name == "again" {
				draw = risingSuspectOf
			}
			if name == "kept" || name == "again" {
				seeds = 4000
			}
			if !*deep {
				first = flawShows[name]
				if name == "kept" {
					t.Skip("its searches are long: -deep")
				}
			}
			if name == "faults" {
				draw = suspectOf
				if seeds = 20_000; !*deep {
					t.Skip("it takes thousands of random protocols: -deep")
				}
			}
			requireShown(t, first, seeds, func(seed uint64) match { return attack(t, draw(seed), model.Reduction{}.Flawed(flaw), 400) })
		})
	}
}

// requireShown requires that one of the cases from first on shows a flaw.
func requireShown(t *testing.T, first, end int, attacked func(seed uint64) match) {
	t.Helper()
	for seed := uint64(first); seed < uint64(end); seed++ {
		if m := attacked(seed); m.differ != "" {
			t.Logf("case %d: %s", seed, m.differ)
			return
		}
	}
	require.Fail(t, "nothing shows the flaw")
}

// TestReducedRemembersRightly holds reduced searches against those that compute all
// that can happen anew for each state.
func TestReducedRemembersRightly(t *testing.T) {
	compared := 0
	for seed := range cases(8, 1_000) {
		for _, draw := range []func(seed uint64) suspect{calmSuspectOf, fallingSuspectOf, patientSuspectOf, lockedSuspectOf, risingSuspectOf} {
			x := draw(uint64(500_000 + seed))
			reads := readings[x.seed%uint64(len(readings))]
			search := func(r model.Reduction) *findings {
				r.Reads = reads
				f, err := survey(x.system(t), reads, &r, 400, 1)
				if err != nil {
					return nil // refused, or its messages pile up
				}
				return f
			}
			if all, err := survey(x.system(t), reads, nil, 400, 1); err != nil || all == nil {
				continue // its messages pile up, or it has more states
			}
			want := search(model.Reduction{}.Forgetful())
			require.Equal(t, want, search(model.Reduction{}), "%v", x)
			if want != nil {
				compared++
			}
		}
	}
	require.NotZero(t, compared)
}

// TestACrashComesBetweenTwoMessages has process 1 receive two messages that commute, and
// send another one on each: a crash may come before either. Among random protocols the
// flaw hardly shows.
func TestACrashComesBetweenTwoMessages(t *testing.T) {
	in, err := setting.Parse("n=3 start=cold timing=sync:1 detector=off crashes=1")
	require.NoError(t, err)
	x := suspect{setting: in, table: &anyprotocol.Table{Classes: 3, Hops: 3, Faces: []anyprotocol.Face{
		{Class: 2, Trigger: anyprotocol.Start, Mode: -1, Sends: []anyprotocol.Send{{To: anyprotocol.Lowers, Text: 0}}},
		{Class: 0, Trigger: anyprotocol.Start, Mode: -1, Sends: []anyprotocol.Send{{To: anyprotocol.Lowers, Text: 1}}},
		{Class: 1, Trigger: anyprotocol.Receive, Mode: -1, Sends: []anyprotocol.Send{{To: anyprotocol.Successor, Text: 2}}},
		{Class: 1, Trigger: anyprotocol.Receive + 1, Mode: -1, Sends: []anyprotocol.Send{{To: anyprotocol.Back, Text: 3}}},
		{Class: 2, Trigger: anyprotocol.Receive + 2, Mode: -1, Elect: anyprotocol.Itself},
		{Class: 0, Trigger: anyprotocol.Receive + 3, Mode: -1, Elect: anyprotocol.Itself},
	}}}
	requireFlawShows(t, x, "talk")
}

// TestTheLastRestartLosesWhatIsDue has an answer fall due to a process that is down, which the
// restart of another process loses: then time passes. Of 30,000 random protocols two showed
// that.
func TestTheLastRestartLosesWhatIsDue(t *testing.T) {
	in := setting.Must("n=3 channels=unordered timing=sync:2 crashes=2 restarts=1 reports=always")
	requireFlawShows(t, suspect{seed: 34298, setting: in, table: &anyprotocol.Table{Classes: 1, Hops: 1, Faces: []anyprotocol.Face{
		{Trigger: anyprotocol.Start, Mode: -1, Elect: anyprotocol.First + 1},
		{Trigger: anyprotocol.Suspect, Mode: -1, Mark: 1, Sends: []anyprotocol.Send{{To: anyprotocol.Successor, Text: 1}}, Timer: 7, Ticks: 3},
		{Trigger: anyprotocol.Receive + 1, Mode: -1, Elect: anyprotocol.Sender, Mark: 2},
		{Trigger: anyprotocol.Timeout + 1, Row: 3, Mode: -1, Elect: anyprotocol.Nobody},
	}}}, "dropped")
}

// requireFlawShows requires that a protocol is reduced rightly, and wrongly with a flaw.
func requireFlawShows(t *testing.T, x suspect, flaw string) {
	t.Helper()
	m := attack(t, x, model.Reduction{}, 10_000)
	require.Empty(t, m.differ)
	require.Less(t, m.reduced, m.plain)
	flawed := attack(t, x, model.Reduction{}.Flawed(model.Flaws[flaw]), 10_000)
	require.NotEmpty(t, flawed.differ, "%d states, reduced %d", flawed.plain, flawed.reduced)
}

// TestChatterPutsNothingOff has processes 1 and 2 send each other a message for ever,
// while one is under way that makes 3 a leader.
func TestChatterPutsNothingOff(t *testing.T) {
	in := setting.Must("n=3 start=cold initiators=1 timing=patient detector=off")
	requireFlawShows(t, suspect{seed: 1, setting: in, table: &anyprotocol.Table{Classes: 3, Faces: []anyprotocol.Face{
		{Class: 1, Trigger: anyprotocol.Start, Mode: -1, Sends: []anyprotocol.Send{{To: anyprotocol.Successor, Text: 0}, {To: anyprotocol.Back, Text: 1}, {To: anyprotocol.Back, Text: 2}}},
		{Class: 1, Trigger: anyprotocol.Receive, Mode: -1, Sends: []anyprotocol.Send{{To: anyprotocol.Back, Text: 0}}},
		{Class: 2, Trigger: anyprotocol.Receive, Mode: -1, Sends: []anyprotocol.Send{{To: anyprotocol.Back, Text: 0}}},
		{Class: 0, Trigger: anyprotocol.Receive + 1, Mode: 1},
		{Class: 0, Trigger: anyprotocol.Receive + 2, Row: 1, Mode: -1, Elect: anyprotocol.Itself},
		{Class: 0, Trigger: anyprotocol.Receive + 2, Row: 0, Mode: -1, Elect: anyprotocol.Itself},
	}}}, "cycle")
}

// TestTimersExpireInTheOrderInWhichTheyWereSet has 2 and 3 each set a timer on a message
// from 1: whoever has done it first is first to expire, and stops the other.
func TestTimersExpireInTheOrderInWhichTheyWereSet(t *testing.T) {
	in := setting.Must("n=3 start=cold initiators=1 timing=last-resort detector=off")
	const setTimer = 2
	requireFlawShows(t, suspect{seed: 1, setting: in, table: &anyprotocol.Table{Classes: 3, Faces: []anyprotocol.Face{
		{Class: 1, Trigger: anyprotocol.Start, Mode: -1, Sends: []anyprotocol.Send{{To: anyprotocol.Successor, Text: 0}, {To: anyprotocol.Back, Text: 0}}},
		{Class: 2, Trigger: anyprotocol.Receive, Mode: -1, Timer: setTimer, Ticks: 1},
		{Class: 0, Trigger: anyprotocol.Receive, Mode: -1, Timer: setTimer, Ticks: 1},
		{Class: 2, Trigger: anyprotocol.Timeout, Mode: -1, Elect: anyprotocol.Itself, Sends: []anyprotocol.Send{{To: anyprotocol.Successor, Text: 1}, {To: anyprotocol.Successor, Text: 2}, {To: anyprotocol.Back, Text: 3}}},
		{Class: 0, Trigger: anyprotocol.Timeout, Mode: -1, Elect: anyprotocol.Itself, Sends: []anyprotocol.Send{{To: anyprotocol.Back, Text: 1}, {To: anyprotocol.Back, Text: 2}, {To: anyprotocol.Successor, Text: 3}}},
		{Class: 2, Trigger: anyprotocol.Receive + 1, Mode: 1},
		{Class: 0, Trigger: anyprotocol.Receive + 1, Mode: 1},
		{Class: 1, Trigger: anyprotocol.Receive + 3, Mode: -1, Elect: anyprotocol.Nobody},
	}}}, "ranks")
}
