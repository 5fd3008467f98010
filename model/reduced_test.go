package model_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"bullyproof/explore"
	"bullyproof/internal/test/anyprotocol"
	"bullyproof/internal/test/casecount"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// findings are what a search finds that a reduction must preserve.
type findings struct {
	states int
	ends   map[string]bool // settled states and those in which nothing is enabled, encoded
	quiet  map[string]bool // states in which nothing is owed, encoded
	values map[string]bool // of what is read, in any state
	cuts   uint64
	misuse bool
}

// read is what a reduction with some reads has to keep of a state: the values that
// are told.
func read(reads model.Reads, v *model.View, tell func(value string)) {
	together := fmt.Sprintf("up %v present %v ", v.Up, v.Present)
	for id := range v.Up.All() {
		if reads&model.ReadsEpochs != 0 && v.Leaders.Has(id) {
			together += fmt.Sprintf("%v leads in %d ", id, v.Epoch(id))
		}
		if reads&model.ReadsStates != 0 {
			together += fmt.Sprintf("%v is %v ", id, *model.State[anyprotocol.State](v, id))
		}
	}
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
	f := &findings{ends: map[string]bool{}, quiet: map[string]bool{}, values: map[string]bool{}}
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
	c := &collector{Watched: watched, collect: func(state []byte, end, quiet bool) {
		if end {
			f.ends[string(state)] = true
		}
		if quiet {
			f.quiet[string(state)] = true
		}
	}}
	res, err := explore.Search(context.Background(), c, explore.Options{Targets: watched.Targets(), Exhaustive: true, MaxStates: limit, Workers: workers})
	if err != nil {
		return nil, err
	}
	f.states, f.cuts = int(res.Distinct), res.Cuts
	_, f.misuse = res.Hit(1)
	if res.Reason != explore.Complete {
		return nil, nil
	}
	return f, nil
}

// A collector is told each state, whether it is one at the end of a run, and whether
// something is owed in it.
type collector struct {
	*model.Watched
	mu      sync.Mutex
	collect func(state []byte, end, quiet bool)
}

type collecting struct {
	explore.Expander
	c *collector
}

func (c *collector) NewExpander() explore.Expander { return &collecting{c.Watched.NewExpander(), c} }

func (x *collecting) Expand(state []byte, out *explore.Successors) {
	before := out.Len()
	x.Expander.Expand(state, out)
	v := x.c.View(state)
	x.c.mu.Lock()
	defer x.c.mu.Unlock()
	x.c.collect(state, v.Settled || out.Len() == before, v.Quiet)
}

// differ says in what a reduced search differs from a plain one, "" if in nothing.
func differ(plain, reduced *findings) string {
	switch {
	case reduced.states > plain.states:
		return "more states"
	case plain.misuse != reduced.misuse:
		return "misuse"
	case plain.cuts != reduced.cuts:
		return "cuts"
	}
	for _, kind := range []struct {
		name        string
		plain, less map[string]bool
	}{{"ends", plain.ends, reduced.ends}, {"quiet states", plain.quiet, reduced.quiet}, {"values", plain.values, reduced.values}} {
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
	if r.Reads == 0 {
		r.Reads = readings[x.seed%uint64(len(readings))]
	}
	sys := x.system(t)
	want, err := survey(sys, r.Reads, nil, limit, 1)
	if pilesUp(err) || err == nil && want == nil {
		return match{} // its messages pile up, or it has more states
	}
	require.NoError(t, err, "%v", x)
	less, err := survey(sys, r.Reads, &r, limit, 1)
	var why *model.IrreducibleError
	switch {
	case errors.As(err, &why):
		return match{refused: true}
	case pilesUp(err):
		return match{}
	}
	require.NoError(t, err, "%v", x)
	if less == nil {
		return match{plain: want.states, differ: "more states"}
	}
	m := match{plain: want.states, reduced: less.states, differ: differ(want, less)}
	if m.differ == "" && (m.reduced < m.plain || x.table.Counts) {
		m.differ = lost(x, sys, r)
	}
	return m
}

// lost says which run of a reduced system, to a settled state or to a value of what is
// read, is turned back into none of the system, "" if each one is turned back. The ends of
// the runs depend on the number of the suspect.
func lost(x suspect, sys *model.System, r model.Reduction) string {
	const goals = 4
	marked := func(text string, goal uint64) bool {
		h := fnv.New32a()
		fmt.Fprint(h, text, x.seed, goal)
		return h.Sum32()%3 == 0
	}
	var watches []model.Watch
	for i := range uint64(goals) {
		watches = append(watches, model.Watch{State: func(v *model.View) (hit bool) {
			if i%2 == 0 {
				return v.Quiet && marked(outcome(v), i)
			}
			read(r.Reads, v, func(value string) { hit = hit || marked(value, i) })
			return hit
		}})
	}
	w, err := sys.Watched(watches...).Reduced(r)
	if err != nil {
		return err.Error()
	}
	result, err := explore.Search(context.Background(), w, explore.Options{Targets: w.Targets(), Workers: 1, Exhaustive: true})
	if err != nil {
		return err.Error()
	}
	for i := range watches {
		if _, hit := result.Hit(i); !hit {
			continue
		}
		path, err := result.Path(i)
		if err != nil {
			return err.Error()
		}
		run, err := w.Restored(path)
		if err == nil {
			err = noRun(sys, run)
		}
		if err == nil && !watches[i].State(sys.View(run[len(run)-1].State)) {
			err = errors.New("it ends elsewhere")
		}
		if err != nil {
			return fmt.Sprintf("the run of %d steps to goal %d: %v", len(path)-1, i, err)
		}
	}
	return ""
}

// noRun says which step of a path is none of the system.
func noRun(sys *model.System, path []explore.PathStep) error {
	for i, step := range path[1:] {
		if !slices.ContainsFunc(sys.Transitions(path[i].State), func(t model.Transition) bool {
			return t.Code == step.Code && bytes.Equal(t.Next, step.State)
		}) {
			return fmt.Errorf("step %d is none", i+1)
		}
	}
	return nil
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
// Its processes often count what is reported to them.
func lockedSuspectOf(seed uint64) suspect {
	x := fallingSuspectOf(seed)
	s, r := &x.setting, rand.New(rand.NewPCG(seed, 20))
	s.Timing, s.MidSend = setting.Timing{Kind: setting.Lockstep}, false
	s.Crashes, s.Restarts = 1+r.IntN(2), r.IntN(3)
	s.MailDownLost, s.MailOldLost = s.MailDownLost && r.IntN(4) == 0, s.MailOldLost && r.IntN(4) == 0
	x.table.Stubborn = x.table.Stubborn || r.IntN(2) == 0
	x.table.Counts = x.table.Counts || r.IntN(2) == 0
	x.setting = s.Normal()
	return x
}

// queuedSuspectOf returns the suspect of a number in lockstep on FIFO channels.
func queuedSuspectOf(seed uint64) suspect {
	x := calmSuspectOf(seed)
	x.setting.Timing, x.setting.FIFO = setting.Timing{Kind: setting.Lockstep}, true
	x.setting = x.setting.Normal()
	return x
}

// circlingSuspectOf returns the suspect of a number in lockstep without faults, in which
// messages may go round without end, and say who leads.
func circlingSuspectOf(seed uint64) suspect {
	x, r := calmSuspectOf(seed), rand.New(rand.NewPCG(seed, 26))
	s := &x.setting
	if s.Start == setting.CoordinatorDown {
		s.Start = setting.ColdStart
	}
	s.Timing = setting.Timing{Kind: setting.Lockstep}
	s.Crashes, s.Restarts, s.Joins, s.MidSend, s.Crashers, s.Suspicions = 0, 0, 0, false, 0, 0
	s.Anonymous = false
	table := &anyprotocol.Table{Classes: 1 + r.IntN(2), Topology: s.Topology}
	sends := func(most int) (list []anyprotocol.Send) {
		for range r.IntN(most + 1) {
			list = append(list, anyprotocol.Send{To: []anyprotocol.To{anyprotocol.Successor, anyprotocol.Successor, anyprotocol.Back}[r.IntN(3)], Text: uint8(r.IntN(2))})
		}
		return list
	}
	for class := range table.Classes {
		table.Faces = append(table.Faces, anyprotocol.Face{Class: class, Trigger: anyprotocol.Start, Mode: -1, Sends: sends(2)})
		for text := range 2 {
			table.Faces = append(table.Faces, anyprotocol.Face{
				Class: class, Trigger: anyprotocol.Receive + text, Mode: -1, Sends: sends(2),
				Elect: []anyprotocol.Elect{anyprotocol.Keep, anyprotocol.Nobody, anyprotocol.Itself}[r.IntN(3)],
			})
		}
	}
	x.table, x.setting = table, s.Normal()
	return x
}

// patientSuspectOf returns the suspect of a number, where timers wait for messages
// except for few exceptions, and there are no ticks.
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

// beatingSuspectOf returns the suspect of a number with periodic timers, where time passes
// in ticks.
func beatingSuspectOf(seed uint64) suspect {
	x, r := fallingSuspectOf(seed), rand.New(rand.NewPCG(seed, 24))
	s := &x.setting
	s.Timing = []setting.Timing{{Kind: setting.Synchronous, D: 1}, {Kind: setting.Synchronous, D: 2}, {Kind: setting.Lockstep}}[r.IntN(3)]
	s.Crashes, s.Restarts, s.MidSend = r.IntN(2), r.IntN(3)/2, false
	s.Crashes = max(s.Crashes, s.Restarts)
	x.table.Periodic = uint8(1 + r.IntN(3))
	x.setting = s.Normal()
	return x
}

// dividedSuspectOf returns the suspect of a number with a cut, which may heal.
func dividedSuspectOf(seed uint64) suspect {
	x, r := calmSuspectOf(seed), rand.New(rand.NewPCG(seed, 25))
	s := &x.setting
	s.Cuts, s.Heals, s.MailOldLost = 1, r.IntN(2), false
	if s.Topology == setting.Complete {
		s.CutBy = []setting.CutBy{setting.CutSides, setting.CutLinks, setting.CutOneWay}[r.IntN(3)]
	}
	s.N = 2 + r.IntN(2)
	if r.IntN(3) == 0 && s.Timing.Kind.Discrete() {
		x.table.Periodic = uint8(1 + r.IntN(3))
	}
	x.setting = s.Normal()
	return x
}

// smallest returns a suspect that has little more than it takes for a difference.
func smallest(t require.TestingT, x suspect, r model.Reduction, limit uint64) suspect {
	for again := true; again; {
		again = false
		for table := range x.table.Smaller {
			if y := (suspect{table, x.setting, x.seed, x.like}); attack(t, y, r, limit).differ != "" {
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
	var n score
	limit := uint64(400)
	if *deep {
		limit = 5000
	}
	for seed := range casecount.Numbers(t, *deep, 200, 6_000) {
		x := calmSuspectOf(seed)
		m := attack(t, x, model.Reduction{}, limit)
		if m.differ != "" {
			x = smallest(t, x, model.Reduction{}, limit)
			m = attack(t, x, model.Reduction{}, limit)
			require.Fail(t, m.differ, "%v: %d states, reduced %d", x, m.plain, m.reduced)
		}
		n.add(m)
	}
	t.Logf("flavour calm: %v", &n)
	require.Greater(t, n.smaller, n.compared/10)
}

// TestReducedFindsAllElsewhere is TestReducedFindsAll where crashes may happen at any
// time, and without ticks.
func TestReducedFindsAllElsewhere(t *testing.T) {
	limit := uint64(600)
	if *deep {
		limit = 1500
	}
	for name, draw := range map[string]func(seed uint64) suspect{"crashes": fallingSuspectOf, "no ticks": patientSuspectOf, "no ticks and no faults": hastySuspectOf, "losses": losingSuspectOf, "lockstep": lockedSuspectOf, "restarts": risingSuspectOf, "periodic timers": beatingSuspectOf, "circles": circlingSuspectOf, "cuts": dividedSuspectOf} {
		t.Run(name, func(t *testing.T) {
			var n score
			few := uint64(24)
			if name == "lockstep" || name == "restarts" {
				few = 10 // restarts have more states
			}
			if name == "losses" {
				few = 40
			}
			for seed := range casecount.Numbers(t, *deep, few, 2_000) {
				x := draw(seed)
				m := attack(t, x, model.Reduction{}, limit)
				if m.differ != "" {
					x = smallest(t, x, model.Reduction{}, limit)
					m = attack(t, x, model.Reduction{}, limit)
					require.Fail(t, m.differ, "%v: %d states, reduced %d", x, m.plain, m.reduced)
				}
				n.add(m)
			}
			t.Logf("flavour of %s: %v", name, &n)
			require.NotZero(t, n.smaller)
		})
	}
}

// A showing says among which random protocols one shows a flaw, and shortly before which
// one the quick test begins.
type showing struct {
	draw func(seed uint64) suspect
	near uint64
}

// showings has the flaws of reductions by name, except for those that have a test of
// their own (shownBy).
var showings = map[string]showing{
	"again":      {risingSuspectOf, 90},
	"back":       {risingSuspectOf, 90},
	"blocked":    {fallingSuspectOf, 779},
	"choice":     {calmSuspectOf, 38},
	"closure":    {calmSuspectOf, 293},
	"commute":    {calmSuspectOf, 438},
	"cycle":      {hastySuspectOf, 8716},
	"echo":       {calmSuspectOf, 17},
	"elsewhere":  {calmSuspectOf, 293},
	"enabled":    {calmSuspectOf, 438},
	"ends":       {circlingSuspectOf, 345},
	"expiry":     {calmSuspectOf, 1223},
	"faults":     {suspectOf, 75},
	"heard":      {lockedSuspectOf, 90},
	"idle":       {fallingSuspectOf, 2993},
	"kept":       {lockedSuspectOf, 827},
	"later":      {calmSuspectOf, 17},
	"loss":       {losingSuspectOf, 4},
	"on the way": {circlingSuspectOf, 690},
	"order":      {queuedSuspectOf, 1842},
	"past":       {calmSuspectOf, 438},
	"periodic":   {beatingSuspectOf, 0},
	"beat":       {beatingSuspectOf, 0},
	"severed":    {dividedSuspectOf, 970},
	"prefix":     {lockedSuspectOf, 90},
	"ranks":      {patientSuspectOf, 4588},
	"reports":    {fallingSuspectOf, 775},
	"spent":      {losingSuspectOf, 0},
	"surplus":    {calmSuspectOf, 15},
	"twice":      {lockedSuspectOf, 278},
	"unsent":     {lockedSuspectOf, 79},
	"visible":    {calmSuspectOf, 206},
	"waits":      {calmSuspectOf, 7057},
	"witness":    {lockedSuspectOf, 15},
}

// shownBy has the tests of protocols made for flaws that hardly show among random ones,
// and of those that need other protocols.
var shownBy = map[string]string{
	"passed": "TestPlantedFaultsAreFound",
	"talk":   "TestACrashComesBetweenTwoMessages", "alone": "TestNobodyElseActsBeforeACrash", "dropped": "TestTheLastRestartLosesWhatIsDue",
	"mail": "TestFlawedRotationsAreCaught", "pending": "TestFlawedRotationsAreCaught",
	"names": "TestFlawedPermutationsAreCaught", "divided": "TestFlawedPermutationsAreCaught", "disks": "TestFlawedPermutationsAreCaught", "named": "TestFlawedPermutationsAreCaught",
}

// TestFlawedReductionsAreCaught drops conditions of the reductions one at a time:
// a random protocol has to show the lack of each.
func TestFlawedReductionsAreCaught(t *testing.T) {
	for name, flaw := range model.Flaws {
		if shownBy[name] != "" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			by, known := showings[name]
			require.True(t, known, "nothing is said of how it shows")
			first, end := by.near, by.near+400
			if *deep {
				first, end = 0, 60_000
			}
			requireShown(t, first, end, func(seed uint64) match { return attack(t, by.draw(seed), model.Reduction{}.Flawed(flaw), 400) })
		})
	}
}

// requireShown requires that one of the cases from first on shows a flaw.
func requireShown(t *testing.T, first, end uint64, attacked func(seed uint64) match) {
	t.Helper()
	for seed := first; seed < end; seed++ {
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
	for seed := range casecount.Numbers(t, *deep, 8, 1_000) {
		for _, draw := range []func(seed uint64) suspect{calmSuspectOf, fallingSuspectOf, patientSuspectOf, lockedSuspectOf, risingSuspectOf} {
			x := draw(500_000 + seed)
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

// TestChatterPutsNothingOff has processes 1 and 2 send each other a message again and
// again, while one is under way that makes 3 a leader.
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

// TestWhatIsReadAtTheEndOfATickIsSeen has a token go round a ring without end: whoever has it
// names itself or nobody, as it likes. So all can lead at once, at the end of a tick whose
// next state has another stand for it, and so on. (An attack found this: case 3100205.)
func TestWhatIsReadAtTheEndOfATickIsSeen(t *testing.T) {
	in := setting.Must("n=3 topology=biring initiators=1 timing=lockstep")
	requireFlawShows(t, suspect{seed: 1, setting: in, table: &anyprotocol.Table{Classes: 1, Topology: in.Topology, Faces: []anyprotocol.Face{
		{Trigger: anyprotocol.Start, Mode: -1, Sends: []anyprotocol.Send{{To: anyprotocol.Successor, Text: 1}}},
		{Trigger: anyprotocol.Receive + 1, Mode: -1, Elect: anyprotocol.Nobody, Sends: []anyprotocol.Send{{To: anyprotocol.Successor, Text: 0}, {To: anyprotocol.Successor, Text: 1}}},
		{Trigger: anyprotocol.Receive, Mode: -1, Elect: anyprotocol.Itself},
	}}}, "ends")
}

// TestNobodyElseActsBeforeACrash has 1 and 2 each receive a message in the tick in which 1
// crashes. A state on the way is kept for who leads; 2 hears of the crash before its message,
// or after it.
func TestNobodyElseActsBeforeACrash(t *testing.T) {
	requireFlawShows(t, suspect{seed: 1, setting: setting.Must("n=2 timing=lockstep crashes=2 restarts=1"), table: &anyprotocol.Table{Classes: 1, Hops: 3, Faces: []anyprotocol.Face{
		{Trigger: anyprotocol.Start, Mode: 1, Elect: anyprotocol.First + 2, Sends: []anyprotocol.Send{{To: anyprotocol.Successor, Text: 3}}},
		{Trigger: anyprotocol.Receive + 3, Row: 1, Mode: -1, Elect: anyprotocol.Nobody, Sends: []anyprotocol.Send{{To: anyprotocol.Successor, Text: 1}}},
		{Trigger: anyprotocol.Suspect, Row: 1, Mode: -1, Timer: anyprotocol.SetTimer + 1, Ticks: 1},
		{Trigger: anyprotocol.Receive + 1, Row: 1, Mode: 2},
		{Trigger: anyprotocol.Timeout + 1, Row: 2, Mode: 0},
	}}}, "alone")
}

// TestTimersExpireInTheOrderInWhichTheyWereSet has 2 and 3 each set a timer on a message
// from 1: whoever has done it first is first to expire, and stops the other.
func TestTimersExpireInTheOrderInWhichTheyWereSet(t *testing.T) {
	in := setting.Must("n=3 start=cold initiators=1 timing=last-resort detector=off")
	requireFlawShows(t, suspect{seed: 1, setting: in, table: &anyprotocol.Table{Classes: 3, Faces: []anyprotocol.Face{
		{Class: 1, Trigger: anyprotocol.Start, Mode: -1, Sends: []anyprotocol.Send{{To: anyprotocol.Successor, Text: 0}, {To: anyprotocol.Back, Text: 0}}},
		{Class: 2, Trigger: anyprotocol.Receive, Mode: -1, Timer: anyprotocol.SetTimer, Ticks: 1},
		{Class: 0, Trigger: anyprotocol.Receive, Mode: -1, Timer: anyprotocol.SetTimer, Ticks: 1},
		{Class: 2, Trigger: anyprotocol.Timeout, Mode: -1, Elect: anyprotocol.Itself, Sends: []anyprotocol.Send{{To: anyprotocol.Successor, Text: 1}, {To: anyprotocol.Successor, Text: 2}, {To: anyprotocol.Back, Text: 3}}},
		{Class: 0, Trigger: anyprotocol.Timeout, Mode: -1, Elect: anyprotocol.Itself, Sends: []anyprotocol.Send{{To: anyprotocol.Back, Text: 1}, {To: anyprotocol.Back, Text: 2}, {To: anyprotocol.Successor, Text: 3}}},
		{Class: 2, Trigger: anyprotocol.Receive + 1, Mode: 1},
		{Class: 0, Trigger: anyprotocol.Receive + 1, Mode: 1},
		{Class: 1, Trigger: anyprotocol.Receive + 3, Mode: -1, Elect: anyprotocol.Nobody},
	}}}, "ranks")
}

// TestReducedForEpochsAndStates has reduced searches of random protocols find all pairs of
// leaders and epochs, and all states of processes together. One for leaders alone misses
// some.
func TestReducedForEpochsAndStates(t *testing.T) {
	compared, missed := 0, 0
	for seed := range casecount.Numbers(t, *deep, 150, 4_000) {
		x := calmSuspectOf(seed)
		if x.table.Terms = true; seed%3 == 0 {
			x = fallingSuspectOf(seed)
		}
		for _, reads := range []model.Reads{model.ReadsEpochs, model.ReadsStates} {
			m := attack(t, x, model.Reduction{Reads: reads}, 300)
			require.Empty(t, m.differ, "%v", x)
			if m.reduced < m.plain {
				compared++
			}
		}
		plain, err := survey(x.system(t), model.ReadsStates, nil, 300, 1)
		if err != nil || plain == nil {
			continue
		}
		less, err := survey(x.system(t), model.ReadsStates, &model.Reduction{Reads: model.ReadsLeaders}, 300, 1)
		if err == nil && less != nil && len(less.values) < len(plain.values) {
			missed++
		}
	}
	require.NotZero(t, compared)
	require.NotZero(t, missed)
}
