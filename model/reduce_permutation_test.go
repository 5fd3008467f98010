package model_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/test/anyprotocol"
	"bullyproof/internal/test/casecount"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// symmetricSuspectOf returns the suspect of a number in which ids decide nothing.
func symmetricSuspectOf(seed uint64) suspect {
	r := rand.New(rand.NewPCG(seed, 33))
	s := calmSuspectOf(seed).setting
	s.N = []int{2, 2, 3, 3, 3, 3, 3, 4}[r.IntN(8)]
	s.Topology, s.Anonymous, s.Repaired, s.FIFO = setting.Complete, false, false, r.IntN(3) == 0
	s.Start = []setting.Start{setting.ColdStart, setting.ColdInterleaved, setting.SettledStart, setting.CoordinatorDown}[r.IntN(4)]
	s.Timing = []setting.Timing{
		{Kind: setting.Synchronous, D: 1}, {Kind: setting.Synchronous, D: 1}, {Kind: setting.Lockstep}, {Kind: setting.Patient}, {Kind: setting.LastResort}, {Kind: setting.Asynchronous},
	}[r.IntN(6)]
	s.Detector = []setting.Detector{setting.DetectorDefault, setting.DetectorOff}[r.IntN(2)]
	s.Detectors, s.Suspicions, s.Crashers, s.Joiners = 0, 0, 0, 0
	s.Crashes, s.Restarts, s.Joins, s.MidSend, s.Losses, s.Duplications, s.Cuts, s.Heals = 0, 0, 0, false, 0, 0, 0, 0
	s.Pauses, s.Drift, s.Capacity = 0, 0, 0
	switch r.IntN(11) {
	case 0, 1:
		s.Crashes, s.Restarts, s.MidSend = 1, r.IntN(2), r.IntN(2) == 0
	case 2:
		s.Crashes, s.Crashers = 1, model.SetOf(1)
	case 3:
		s.Joins = 1
	case 4:
		s.Losses, s.Duplications = r.IntN(2), r.IntN(2)
	case 5:
		s.Cuts, s.Heals, s.CutBy = 1, r.IntN(2), []setting.CutBy{setting.CutSides, setting.CutLinks, setting.CutOneWay}[r.IntN(3)]
	case 6:
		s.Pauses = 1
	case 7:
		s.Capacity = 1 + r.IntN(2)
	case 8:
		if s.Timing.Kind == setting.Synchronous {
			s.Drift = 50
		}
	case 9:
		s.Crashes, s.Restarts, s.LostWrites = 1, 1, 1
	}
	s.ReportsAlways = s.Detector != setting.DetectorOff && s.ReportsAlways
	if s.Detector != setting.DetectorOff && s.Crashes > 0 && r.IntN(4) == 0 {
		s.Detectors = model.SetOf(2)
	}
	s.Initiators = setting.Initiators{}
	if s.Start <= setting.ColdInterleaved {
		s.Initiators = setting.Initiators{Which: []setting.Which{setting.Everyone, setting.EachOne, setting.AnySome}[r.IntN(3)], Lazy: r.IntN(2) == 0}
		if r.IntN(4) == 0 {
			s.Initiators.Which, s.Initiators.Set = setting.These, model.SetOf(1)
		}
	}
	s = s.Normal()
	t := anyprotocol.Draw(r, s)
	t.Classes, t.Symmetric = 1, true
	for i := range t.Faces {
		t.Faces[i].Class = 0
	}
	return suspect{table: t, setting: s, seed: seed}
}

// permutationsOf returns the permutations of processes by id, from index 1 on, that keep
// what the setting says of them.
func permutationsOf(s setting.Setting) (all [][]model.ID) {
	var extend func(to []model.ID)
	extend = func(to []model.ID) {
		if len(to) > s.N {
			all = append(all, slices.Clone(to))
			return
		}
		for id := model.ID(1); int(id) <= s.N; id++ {
			from, keeps := model.ID(len(to)), !slices.Contains(to, id)
			for _, named := range []model.Set{s.Crashers, s.Detectors, s.Joiners, s.Pausers} {
				keeps = keeps && named.Has(from) == named.Has(id)
			}
			if keeps {
				extend(append(slices.Clone(to), id))
			}
		}
	}
	extend([]model.ID{0})
	return all
}

// inverse returns which id goes to each.
func inverse(to []model.ID) []model.ID {
	from := slices.Clone(to)
	for id, at := range to {
		from[at] = model.ID(id)
	}
	return from
}

func renamedSet(to []model.ID, s model.Set) (renamed model.Set) {
	for id := range s.All() {
		renamed = renamed.With(to[id])
	}
	return renamed
}

func renamedID(to []model.ID, id model.ID) model.ID {
	if int(id) < len(to) {
		return to[id]
	}
	return id
}

// unnamed is what is said of a system whose processes change places.
func unnamed(s setting.Setting) blindness {
	all := permutationsOf(s)
	least := func(text func(to []model.ID) string) (least string) {
		for i, to := range all {
			if x := text(to); i == 0 || x < least {
				least = x
			}
		}
		return least
	}
	return blindness{
		func(w *model.Watched, state []byte) string {
			snapshot := w.Snapshot(state)
			return least(func(to []model.ID) string { return renamedState(w, state, &snapshot, to) })
		},
		func(reads model.Reads, v *model.View, tell func(value string)) {
			if reads&model.ReadsEachElected != 0 {
				for id := model.ID(1); id <= v.N; id++ {
					tell(least(func(to []model.ID) string {
						return fmt.Sprint(to[id], " names ", renamedID(to, v.Elected(id)), " up ", renamedSet(to, v.Up))
					}))
				}
			}
			tell(least(func(to []model.ID) string {
				text := fmt.Sprint(renamedSet(to, v.Up), renamedSet(to, v.Present))
				if reads&model.ReadsLeaders != 0 {
					text += fmt.Sprint(" leaders ", renamedSet(to, v.Leaders))
				}
				if reads&model.ReadsParticipants != 0 {
					text += fmt.Sprint(" participants ", renamedSet(to, v.Participants))
				}
				from := inverse(to)
				for id := model.ID(1); id <= v.N && reads&model.ReadsElected != 0; id++ {
					text += fmt.Sprint(" ", renamedID(to, v.Elected(from[id])))
				}
				return text
			}))
		},
	}
}

var (
	number   = regexp.MustCompile(`\d+`)
	announce = regexp.MustCompile(`of P\d+`)
	element  = regexp.MustCompile(`\d+: \d+`)
)

// renamedState tells all of a state with its processes renamed.
func renamedState(w *model.Watched, state []byte, s *model.Snapshot, to []model.ID) string {
	from, n := inverse(to), len(to)-1
	rename := func(text string) string {
		return number.ReplaceAllStringFunc(text, func(id string) string {
			i, _ := strconv.Atoi(id)
			return renamedID(to, model.ID(i)).String()
		})
	}
	side := renamedSet(to, s.Side)
	if side.Has(1) {
		side = model.Upto(model.ID(n)) &^ side
	}
	text := fmt.Sprint(s.Budgets, side)
	var links []string
	for _, l := range s.Links {
		a, b := to[l.From], to[l.To]
		if l.Both {
			a, b = min(a, b), max(a, b)
		}
		links = append(links, fmt.Sprint(a, b))
	}
	slices.Sort(links)
	text += fmt.Sprint(links)
	for id := 1; id <= n; id++ {
		p := s.Processes[from[id]-1]
		besides, _ := w.Besides(state, int(from[id])-1)
		text += fmt.Sprintf("\n%d %v %v %s", id, p.Status, p.Paused, besides)
		for _, f := range slices.Concat(p.Fields, w.BeforeWrite(state, int(from[id])-1)) {
			switch f.Name {
			case "Elected":
				f.Value = rename(f.Value)
			case "Heard":
				ids := strings.Fields(number.ReplaceAllString(rename(f.Value), " $0 "))
				slices.Sort(ids)
				f.Value = fmt.Sprint(ids)
			case "Texts":
				var each []string
				for _, text := range element.FindAllString(f.Value, -1) {
					id, value, _ := strings.Cut(text, ":")
					each = append(each, rename(id)+value)
				}
				slices.Sort(each)
				f.Value = fmt.Sprint(each)
			}
			text += fmt.Sprint(" ", f.Name, f.Value)
		}
	}
	links = nil
	_, due := w.Besides(state, 0)
	for i, m := range s.InFlight {
		m.Text = announce.ReplaceAllStringFunc(m.Text, rename)
		mail := fmt.Sprint("\n", to[m.From], "->", to[m.To], m.Text)
		if len(due) > 0 {
			mail += fmt.Sprint(" ", due[i])
		}
		links = append(links, mail)
	}
	if w.Setting().FIFO {
		const link = len("\n1->2") // on which the order counts
		slices.SortStableFunc(links, func(a, b string) int { return strings.Compare(a[:link], b[:link]) })
	} else {
		slices.Sort(links)
	}
	return text + fmt.Sprint(links)
}

// attackPermutations compares a search of a system in which ids decide nothing with one by
// permutations.
func attackPermutations(t *testing.T, x suspect, limit uint64, flaw model.Flaw) match {
	t.Helper()
	return attackOrbits(t, x, unnamed(x.setting), model.Permutations, limit, flaw)
}

// TestPermutationsFindAll has searches of random protocols in which ids decide nothing visit
// each orbit once, and find all that plain searches find, except for permutations.
func TestPermutationsFindAll(t *testing.T) {
	var n score
	for seed := range casecount.Numbers(t, *deep, 60, 1_500) {
		x := symmetricSuspectOf(seed)
		m := attackPermutations(t, x, uint64(cases(200, 1_000)), 0)
		require.Empty(t, m.differ, "%v", x)
		n.add(m)
	}
	t.Logf("flavour of permutations: %v", &n)
	require.NotZero(t, n.smaller)
}

// TestFlawedPermutationsAreCaught permutes a part of states only, or processes that the
// setting tells apart.
func TestFlawedPermutationsAreCaught(t *testing.T) {
	for name, near := range map[string]uint64{"mail": 11, "pending": 9, "names": 11, "divided": 25, "disks": 317, "named": 4} {
		t.Run(name, func(t *testing.T) {
			if *deep {
				near = 0
			}
			requireShown(t, near, 400, func(seed uint64) match {
				return attackPermutations(t, symmetricSuspectOf(seed), 300, model.Flaws[name])
			})
		})
	}
}

// An attack leaves out a protocol that sends more than links hold before anything has
// happened, as case 2100249 does: an hour of attacks once ended with it.
func TestPermutationsLeaveOutWhatPilesUp(t *testing.T) {
	x := symmetricSuspectOf(2100249)
	_, err := model.New(x.table.Protocol(), x.setting)
	require.ErrorContains(t, err, "it sends more than links hold")
	assert.Equal(t, match{}, attackPermutations(t, x, 1_000, 0))
}

// A crash between sends leaves out those to the highest ids, so what permutations lead to may
// not be reachable, as in case 4100200, which an attack found. So none are made.
func TestPermutationsAreNotMadeBetweenSends(t *testing.T) {
	x := symmetricSuspectOf(4100200)
	require.True(t, x.setting.MidSend)
	assert.True(t, attackPermutations(t, x, 1_000, 0).refused)
	x.setting.MidSend = false
	m := attackPermutations(t, x, 1_000, 0)
	assert.Empty(t, m.differ)
	assert.Less(t, m.reduced, m.plain)
}

// TestPermutedRunsAreRunsOfTheSystem follows runs from orbit to orbit with one of the system,
// from an initial state to what was asked for.
func TestPermutedRunsAreRunsOfTheSystem(t *testing.T) {
	followed := 0
	for seed := range casecount.Numbers(t, *deep, 15, 2_000) {
		x := symmetricSuspectOf(seed)
		sys, err := x.full().System()
		if pilesUp(err) {
			continue
		}
		require.NoError(t, err, "%v", x)
		goal := func(v *model.View) bool { return v.Settled && v.Leaders.Len() > 0 }
		w, err := sys.Watched(model.Watch{State: goal}).Reduced(model.Reduction{Blind: true, Only: model.AllReductions &^ model.WholeTicks})
		var refused *model.IrreducibleError
		if errors.As(err, &refused) {
			continue
		}
		require.NoError(t, err)
		run, _ := restoredTo(t, x, sys, w, 300)
		if run == nil || w.Reductions()&model.Permutations == 0 {
			continue
		}
		initial := false
		sys.Initial(func(state []byte) bool {
			initial = string(state) == string(run[0].State)
			return !initial
		})
		assert.True(t, initial, "%v", x)
		assert.True(t, goal(sys.View(run[len(run)-1].State)), "%v", x)
		followed++
	}
	require.NotZero(t, followed)
}

func TestPermutationsAreRefused(t *testing.T) {
	symmetric := &anyprotocol.Table{Classes: 1, Symmetric: true}
	for _, c := range []struct {
		table *anyprotocol.Table
		in    string
		why   string
	}{
		{symmetric, "topology=ring", "permutations are of complete graphs"},
		{&anyprotocol.Table{Classes: 1}, "", "does not say that ids decide nothing"},
		{symmetric, "n=2 crashes=1 crashers=1", "something else of each process"},
	} {
		s, err := setting.Must("n=3 start=cold timing=patient").With(c.in)
		require.NoError(t, err)
		sys, err := model.New(c.table.Protocol(), s)
		require.NoError(t, err, c.in)
		_, err = sys.Watched().Reduced(model.Reduction{Blind: true, Only: model.Permutations})
		assert.ErrorContains(t, err, c.why, c.in)
	}
	sys := symmetricSuspectOf(1).system(t)
	_, err := sys.Watched().Reduced(model.Reduction{Only: model.Permutations})
	assert.ErrorContains(t, err, "tells processes apart")
}

// pretender says that ids decide nothing, and begins where its own is the highest.
type pretender struct{ anyprotocol.Protocol }

func (pretender) Symmetric(setting.Setting) bool { return true }

// TestFalseSymmetryIsRefused has the higher of two processes write to the lower alone: no
// permutation is made of it, and the two are named.
func TestFalseSymmetryIsRefused(t *testing.T) {
	table := &anyprotocol.Table{Classes: 1, Faces: []anyprotocol.Face{
		{Trigger: anyprotocol.Start, Mode: -1, Sends: []anyprotocol.Send{{To: anyprotocol.Lowers}}},
	}}
	sys, err := model.New(pretender{table.Protocol()}, setting.Must("n=3 start=cold initiators=any:lazy timing=patient"))
	require.NoError(t, err)
	_, err = sys.Watched().Reduced(model.Reduction{Blind: true, Only: model.Permutations})
	assert.ErrorContains(t, err, "if P1 and P2 change places in a state that can be reached, ")
	assert.Error(t, err)
	w, err := sys.Watched().Reduced(model.Reduction{Blind: true})
	require.NoError(t, err)
	assert.Zero(t, w.Reductions()&model.Permutations)
}
