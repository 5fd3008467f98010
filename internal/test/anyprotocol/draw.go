package anyprotocol

import (
	"math/rand/v2"
	"reflect"
	"slices"

	"bullyproof/model"
	"bullyproof/model/process"
	"bullyproof/model/setting"
)

// A Protocol is one of this package: a Table or a table with more methods.
type Protocol = model.Protocol[State, Message]

// Draw draws a table for a setting. (It does not use package rapid, whose draws
// favour what is small: of a table that is nearly empty nothing can be seen.)
func Draw(r *rand.Rand, s setting.Setting) *Table {
	t := &Table{
		Classes:   one(r, 1, 1, 2, 3),
		Hops:      one[uint8](r, 1, 2, 3, 0),
		Part:      one[uint8](r, 0, 2, 4, 5),
		Periodic:  one[uint8](r, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 3),
		Methods:   one(r, 0, 0, 0, 0, KeepsElected, KeepsTerm, WatchesAll, WantsLow),
		Topology:  s.Topology,
		Anonymous: s.Anonymous,
		Stubborn:  r.IntN(3) == 0,
		Counts:    r.IntN(4) == 0,
		Terms:     r.IntN(6) == 0,
		Bounded:   r.IntN(3) == 0,
	}
	h := habits{
		chooses: r.IntN(6) == 0,
		texts:   one(r, messages, messages, messages, 2, 1),
		idle:    one(r, 4, 4, 4, 2),
		still:   r.IntN(2) * r.IntN(1<<t.Classes),
	}
	for range one(r, 10, 20, 30, 50) * t.Classes {
		t.Faces = append(t.Faces, t.face(r, h))
	}
	return t
}

// habits are what the faces of a table have in common.
type habits struct {
	chooses bool // some of them choose
	texts   int  // how many messages there are: of few there are often copies
	idle    int  // one in so many does something to a timer
	still   int  // the classes in which most of them leave the process as it is: events commute
}

func (t *Table) face(r *rand.Rand, h habits) Face {
	f := Face{
		Class:   r.IntN(t.Classes),
		Trigger: one(r, triggersOften...),
		Row:     one(r, 0, 0, 0, 1, 1, 2, modes),
		Mode:    one(r, -1, -1, -1, 0, 1, 2),
		Elect:   one(r, Keep, Keep, Keep, Nobody, Itself, Sender, First, First+1, First+2),
		Mark:    one[uint8](r, 0, 0, 1, 2),
	}
	f.Next = t.Terms && f.Trigger > Comes && r.IntN(4) == 0
	if h.chooses && r.IntN(4) == 0 {
		f.Flip = 1 + Flip(r.IntN(int(flips)-1))
	}
	if f.Trigger >= Receive && f.Trigger < Timeout {
		f.Trigger = Receive + (f.Trigger-Receive)%h.texts
	}
	if f.Trigger == Suspect && t.Counts && r.IntN(2) == 0 {
		f.Trigger = Again
	}
	if f.Elect == Sender && (f.Trigger < Receive || f.Trigger >= Timeout) {
		f.Elect = Itself
	}
	if h.still>>f.Class&1 != 0 && r.IntN(4) > 0 {
		f.Mode, f.Elect, f.Mark = -1, Keep, 0
	}
	for range one(r, 0, 1, 1, 2) {
		f.Sends = append(f.Sends, Send{To(r.IntN(int(destinations))), uint8(r.IntN(h.texts))})
	}
	if r.IntN(h.idle) == 0 {
		f.Timer, f.Ticks = SetTimer+r.IntN(setUnless), 1+r.IntN(4)
	}
	return f
}

// one returns one of several.
func one[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// rarely returns 1 rarely, and 0 otherwise.
func rarely(r *rand.Rand) int {
	return one(r, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
}

// triggersOften has the triggers, those more often that come up more often.
var triggersOften = []int{
	Cold, Comes, Comes, Start, Start, Start, Suspect, Suspect,
	Receive, Receive, Receive + 1, Receive + 1, Receive + 2, Receive + 3, Timeout, Timeout, Timeout + 1,
}

// Setting draws a setting in which reductions have something to do: few faults,
// time in ticks more often than not. It is one that Validate accepts, in normal
// form.
func Setting(r *rand.Rand) setting.Setting {
	s := setting.Setting{
		N: one(r, 2, 3, 3, 3, 3, 4),
		Needs: setting.Needs{
			Topology: one(r, 0, 0, 0, 0, 0, setting.Ring, setting.BiRing),
			Start:    one(r, 0, 0, setting.ColdInterleaved, setting.SettledStart, setting.CoordinatorDown),
			FIFO:     r.IntN(4) == 0,
			Timing:   one(r, timings...),
		},
		World: setting.World{
			Losses:       rarely(r),
			Duplications: rarely(r),
			Cuts:         rarely(r),
			Heals:        1,
			Pauses:       rarely(r),
			MailDownLost: r.IntN(2) == 0,
			MailOldLost:  r.IntN(2) == 0,
			Crashes:      one(r, 0, 0, 0, 1, 1, 2),
			Restarts:     r.IntN(2),
			Joins:        one(r, 0, 0, 0, 0, 0, 1),
			MidSend:      r.IntN(8) == 0,
		},
	}
	if s.Timing.Kind == setting.Synchronous {
		s.Drift = 50 * rarely(r)
	}
	if s.Start < setting.SettledStart {
		s.Initiators.Which = one(r, setting.Everyone, setting.Everyone, setting.EachOne, setting.AnySome)
		s.Initiators.Lazy = r.IntN(2) == 0
	}
	if s.Topology != setting.Complete {
		s.Anonymous = r.IntN(4) == 0
		s.Repaired = rarely(r) == 1
	}
	if r.IntN(4) == 0 {
		s.Detector = setting.DetectorOff
	} else {
		s.ReportsAlways = r.IntN(3) == 0
		s.Suspicions = rarely(r)
		if r.IntN(8) == 0 {
			s.Detectors = process.SetOf(1)
		}
	}
	return withoutContradictions(s).Normal()
}

// timings has those most often in which most is reduced.
var timings = []setting.Timing{
	{Kind: setting.Synchronous, D: 1}, {Kind: setting.Lockstep}, {Kind: setting.Synchronous, D: 2},
	{Kind: setting.Synchronous, D: 1}, {Kind: setting.Lockstep}, {Kind: setting.Synchronous, D: 2},
	{Kind: setting.Synchronous, D: 1}, {Kind: setting.Lockstep}, {Kind: setting.Synchronous, D: 2},
	{Kind: setting.LastResort}, {Kind: setting.Patient}, {Kind: setting.Asynchronous},
}

// withoutContradictions drops what Validate would refuse.
func withoutContradictions(s setting.Setting) setting.Setting {
	if s.Crashes == 0 {
		s.MidSend = false
		if s.Start != setting.CoordinatorDown {
			s.Restarts = 0
		}
	}
	if s.Repaired {
		s.Cuts, s.MailOldLost = 0, false
	}
	if s.Cuts == 0 {
		s.Heals = 0
	}
	if s.Crashes == 0 || s.Restarts == 0 {
		s.LostWrites, s.LostDisks = 0, 0
	}
	return s
}

// Smaller returns the tables that have a little less than t, and nothing else: a
// test that has found one to be bad looks for a smaller one.
func (t *Table) Smaller(yield func(*Table) bool) {
	for _, change := range []func(*Table){
		func(t *Table) { t.Terms = false },
		func(t *Table) { t.Bounded = false },
		func(t *Table) { t.Counts = false },
		func(t *Table) { t.Stubborn = false },
		func(t *Table) { t.Methods = 0 },
		func(t *Table) { t.Part = 0 },
	} {
		less := *t
		if change(&less); !reflect.DeepEqual(less, *t) && !yield(&less) {
			return
		}
	}
	for i := range t.Faces {
		less := *t
		less.Faces = slices.Delete(slices.Clone(t.Faces), i, i+1)
		if !yield(&less) {
			return
		}
	}
	for i, f := range t.Faces {
		for j := range f.plainer {
			less := *t
			less.Faces = slices.Clone(t.Faces)
			less.Faces[i] = j
			if !yield(&less) {
				return
			}
		}
	}
}

// plainer yields what a face can be without one of the things that it does.
func (f Face) plainer(yield func(Face) bool) {
	var all []Face
	for i := range f.Sends {
		less := f
		less.Sends = slices.Delete(slices.Clone(f.Sends), i, i+1)
		all = append(all, less)
	}
	for _, change := range []func(*Face){
		func(f *Face) { f.Timer = keepTimer },
		func(f *Face) { f.Mark = 0 },
		func(f *Face) { f.Mode = -1 },
		func(f *Face) { f.Elect = Keep },
		func(f *Face) { f.Flip = FlipNothing },
		func(f *Face) { f.Next = false },
	} {
		less := f
		if change(&less); !reflect.DeepEqual(less, f) {
			all = append(all, less)
		}
	}
	for _, less := range all {
		if !yield(less) {
			return
		}
	}
}
