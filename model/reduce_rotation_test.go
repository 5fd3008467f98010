package model_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/explore"
	"bullyproof/internal/test/anyprotocol"
	"bullyproof/internal/test/casecount"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// ringSuspectOf returns the suspect of a number on an anonymous ring. Its processes name
// nobody but themselves.
func ringSuspectOf(seed uint64) suspect {
	r := rand.New(rand.NewPCG(seed, 21))
	s := calmSuspectOf(seed).setting
	s.N = 2 + r.IntN(3)
	s.Topology = []setting.Topology{setting.Ring, setting.BiRing}[r.IntN(2)]
	s.Anonymous, s.FIFO, s.Detector = true, r.IntN(2) == 0, setting.DetectorOff
	s.ReportsAlways, s.Detectors, s.Suspicions, s.Crashers, s.Joiners = false, 0, 0, 0, 0
	s.Start = []setting.Start{setting.ColdStart, setting.ColdInterleaved}[r.IntN(2)]
	s.Timing = []setting.Timing{
		{Kind: setting.Synchronous, D: 1}, {Kind: setting.Lockstep}, {Kind: setting.Patient}, {Kind: setting.LastResort}, {Kind: setting.Asynchronous},
	}[r.IntN(5)]
	s.Crashes, s.Restarts, s.Joins, s.MidSend, s.Losses, s.Duplications = 0, 0, 0, false, 0, 0
	switch r.IntN(6) {
	case 0:
		s.Crashes, s.Restarts, s.MidSend = 1, r.IntN(2), r.IntN(2) == 0
	case 1:
		s.Joins = 1
	case 2:
		s.Losses, s.Duplications = r.IntN(2), r.IntN(2)
	}
	s.Initiators = setting.Initiators{Which: []setting.Which{setting.Everyone, setting.EachOne, setting.AnySome}[r.IntN(3)], Lazy: r.IntN(2) == 0}
	if s.Initiators.Which == setting.AnySome && r.IntN(2) == 0 {
		s.Initiators.Which, s.Initiators.Set = setting.These, model.SetOf(1) // not every rotation of the start is one
	}
	s = s.Normal()
	t := anyprotocol.Draw(r, s)
	t.Classes, t.Periodic, t.Methods = 1, 0, 0
	for i := range t.Faces {
		f := &t.Faces[i]
		f.Class = 0
		if r.IntN(8) == 0 {
			f.Flip = anyprotocol.FlipMode
		}
		if f.Elect > anyprotocol.Itself {
			f.Elect = anyprotocol.Itself
		}
	}
	return suspect{table: t, setting: s, seed: seed}
}

// readBlindly is read for questions that do not ask for ids.
func readBlindly(reads model.Reads, v *model.View, tell func(value string)) {
	from := func(first int, each bool) string {
		text := ""
		for i := range int(v.N) {
			id := model.ID((first+i)%int(v.N) + 1)
			text += fmt.Sprintf("up %v present %v ", v.Up.Has(id), v.Present.Has(id))
			if reads&model.ReadsLeaders != 0 && !each {
				text += fmt.Sprintf("leader %v ", v.Leaders.Has(id))
			}
			if reads&model.ReadsParticipants != 0 && !each {
				text += fmt.Sprintf("participant %v ", v.Participants.Has(id))
			}
			if reads&model.ReadsElected != 0 && !each || each && i == 0 {
				text += fmt.Sprintf("itself %v none %v ", v.Elected(id) == id, v.Elected(id) == model.None)
			}
		}
		return text
	}
	least := from(0, false)
	for first := range int(v.N) {
		least = min(least, from(first, false))
		if reads&model.ReadsEachElected != 0 {
			tell(from(first, true))
		}
	}
	tell(least)
}

// A blindness is what cannot be told apart by whoever is not told who is who: states of an
// orbit, and what is read of them.
type blindness struct {
	orbit func(w *model.Watched, state []byte) string
	read  func(reads model.Reads, v *model.View, tell func(value string))
}

// onRings is that of a ring.
var onRings = blindness{func(w *model.Watched, state []byte) string { return w.Orbit(state) }, readBlindly}

// orbitsOf searches a system, reduced unless the reduction is nil: findings are of orbits.
// It returns nil where there are more states than the limit.
func orbitsOf(sys *model.System, b blindness, reads model.Reads, r *model.Reduction, limit uint64, workers int) (f *findings, orbits int, err error) {
	f = &findings{ends: map[string]bool{}, values: map[string]bool{}}
	var mu sync.Mutex
	w := sys.Watched(model.Watch{State: func(v *model.View) bool {
		mu.Lock()
		defer mu.Unlock()
		b.read(reads, v, func(value string) { f.values[value] = true })
		return false
	}})
	if r != nil {
		if w, err = w.Reduced(*r); err != nil {
			return nil, 0, err
		}
	}
	all := map[string]bool{}
	c := &collector{Watched: w, collect: func(state []byte, end, _ bool) {
		orbit := b.orbit(w, state)
		all[orbit] = true
		if end {
			f.ends[orbit] = true
		}
	}}
	res, err := explore.Search(context.Background(), c, explore.Options{Targets: w.Targets(), Exhaustive: true, MaxStates: limit, Workers: workers})
	if err != nil || res.Reason != explore.Complete {
		return nil, 0, err
	}
	f.states, f.cuts = int(res.Distinct), res.Cuts
	_, f.misuse = res.Hit(1)
	return f, len(all), nil
}

// pilesUp reports whether a system is none, or none that can be searched, since it has
// too many messages.
func pilesUp(err error) bool {
	return err != nil && strings.Contains(err.Error(), "more than links hold")
}

// attackOrbits compares a search with one by a symmetry, which has to have as many
// states as there are orbits, and with one by all reductions.
func attackOrbits(t *testing.T, x suspect, b blindness, by model.Reductions, limit uint64, flaw model.Flaw) match {
	t.Helper()
	reads := readings[x.seed%uint64(len(readings))]
	sys, err := x.full().System()
	if pilesUp(err) {
		return match{}
	}
	require.NoError(t, err, "%v", x)
	want, orbits, err := orbitsOf(sys, b, reads, nil, limit, 1)
	if pilesUp(err) || err == nil && want == nil {
		return match{}
	}
	require.NoError(t, err, "%v", x)
	m := match{plain: want.states}
	for _, only := range []model.Reductions{by, model.AllReductions &^ model.WholeTicks} {
		r := model.Reduction{Reads: reads, Blind: true, Only: only}.Flawed(flaw)
		got, _, err := orbitsOf(sys, b, reads, &r, limit, 1+int(x.seed%2))
		var refused *model.IrreducibleError
		if errors.As(err, &refused) {
			return match{refused: true}
		}
		require.NoError(t, err, "%v", x)
		if got == nil {
			return match{plain: want.states, differ: "more states"}
		}
		m.reduced = got.states
		if m.differ = differ(want, got); m.differ == "" && only == by && got.states != orbits {
			m.differ = fmt.Sprintf("%d states, and there are %d orbits", got.states, orbits)
		}
		if m.differ != "" {
			return m
		}
	}
	return m
}

// TestRotationsFindAll has searches of random protocols on anonymous rings visit each orbit
// once, and find all that plain searches find, except for rotations.
func TestRotationsFindAll(t *testing.T) {
	var n score
	for seed := range casecount.Numbers(t, *deep, 40, 1_500) {
		x := ringSuspectOf(seed)
		m := attackOrbits(t, x, onRings, model.Rotations, uint64(cases(300, 1_000)), 0)
		require.Empty(t, m.differ, "%v", x)
		require.False(t, m.refused, "%v", x)
		n.add(m)
	}
	t.Logf("flavour of rotations: %v", &n)
	require.NotZero(t, n.smaller)
}

// TestFlawedRotationsAreCaught rotates a part of states only.
func TestFlawedRotationsAreCaught(t *testing.T) {
	for _, name := range []string{"mail", "pending"} {
		t.Run(name, func(t *testing.T) {
			requireShown(t, 0, 400, func(seed uint64) match {
				return attackOrbits(t, ringSuspectOf(seed), onRings, model.Rotations, 300, model.Flaws[name])
			})
		})
	}
}

// TestRotatedRunsAreRunsOfTheSystem follows runs from orbit to orbit with one of the system,
// from an initial state to what was asked for.
func TestRotatedRunsAreRunsOfTheSystem(t *testing.T) {
	followed := 0
	for seed := range casecount.Numbers(t, *deep, 30, 2_000) {
		x := ringSuspectOf(seed)
		sys := x.system(t)
		goal := func(v *model.View) bool { return v.Settled && v.Leaders.Len() > 0 }
		w, err := sys.Watched(model.Watch{State: goal}).Reduced(model.Reduction{Blind: true, Only: model.AllReductions &^ model.WholeTicks})
		require.NoError(t, err)
		run, _ := restoredTo(t, x, sys, w, 300)
		if run == nil {
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

func TestRotationsAreRefused(t *testing.T) {
	for change, why := range map[string]string{
		"topology=complete":                                         "rotations are of anonymous rings",
		"topology=ring":                                             "rotations are of anonymous rings",
		"topology=ring:anonymous start=settled":                     "tells processes whom to name",
		"topology=ring:anonymous crashes=1":                         "the detector reports processes",
		"topology=ring:anonymous crashes=1 detector=off crashers=1": "by id who may crash",
	} {
		s, err := setting.Must("n=3 start=cold timing=patient").With(change)
		require.NoError(t, err)
		sys, err := model.New((&anyprotocol.Table{Classes: 1, Anonymous: true}).Protocol(), s)
		require.NoError(t, err, change)
		_, err = sys.Watched().Reduced(model.Reduction{Blind: true, Only: model.Rotations})
		assert.ErrorContains(t, err, why, change)
	}
	sys := ringSuspectOf(1).system(t)
	_, err := sys.Watched().Reduced(model.Reduction{Only: model.Rotations})
	assert.ErrorContains(t, err, "tells processes apart")
}

// TestRotationsOfNobodyNamed has a process on an anonymous ring name another by its id.
func TestRotationsOfNobodyNamed(t *testing.T) {
	x := suspect{setting: setting.Must("n=3 start=cold topology=ring:anonymous timing=patient"), table: &anyprotocol.Table{
		Classes: 1, Topology: setting.Ring, Anonymous: true,
		Faces: []anyprotocol.Face{{Trigger: anyprotocol.Start, Mode: -1, Elect: anyprotocol.First + 1}},
	}}
	_, _, err := orbitsOf(x.system(t), onRings, 0, &model.Reduction{Blind: true}, 100, 1)
	var named *model.NamedError
	require.ErrorAs(t, err, &named)
	assert.ErrorContains(t, err, "P1 names P2 by id on an anonymous ring")
}
