package anyprotocol

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"bullyproof/model"
	"bullyproof/model/plain"
	"bullyproof/model/process"
	"bullyproof/model/roles"
	"bullyproof/model/setting"
)

// A Case is a random protocol in a random setting.
type Case struct {
	Table *Table
	// Other is what the processes of Second do, where there are two roles; nil without.
	Other  *Table
	Second process.Set
	// Dated processes read clocks.
	Dated   bool
	Setting setting.Setting
	Seed    uint64
}

// String tells all of it.
func (c Case) String() string {
	text := fmt.Sprintf("case %d: %v of %+v", c.Seed, c.Setting, *c.Table)
	if c.Other != nil {
		text += fmt.Sprintf(", and for %v %+v", c.Second, *c.Other)
	}
	if c.Dated {
		text += ", with clocks"
	}
	return text
}

// Plain returns the protocol as the plain world calls it.
func (c Case) Plain() plain.Protocol {
	switch {
	case c.Other != nil:
		return plain.Of(roles.Two(
			roles.Role[State, Message]{Name: "one", Protocol: c.Table.Protocol()},
			roles.Role[State, Message]{Name: "other", Protocol: c.Other.Protocol()}, c.Second))
	case c.Dated:
		return plain.Of(c.Table.Dated())
	}
	return plain.Of(c.Table.Protocol())
}

// System returns the protocol in the setting.
func (c Case) System() (*model.System, error) { return c.Plain().System(c.Setting) }

// A Flavour is a kind of cases.
type Flavour struct {
	Name string
	// Reduced says that some of its systems are reduced.
	Reduced bool
	// Sees has what a comparison with the plain world counts where it is more than a name
	// (plain.Compare).
	Sees []string

	in func(r *rand.Rand, s *setting.Setting) // the setting
	of func(r *rand.Rand, t *Table)           // the table
}

// Draw returns the case of a number.
func (f *Flavour) Draw(seed uint64) Case {
	r := rand.New(rand.NewPCG(seed, 50))
	s := Setting(r)
	calm(r, &s)
	f.in(r, &s)
	c := Case{Seed: seed, Setting: withoutContradictions(s).Normal(), Dated: f.Name == Clocks}
	draw := func() *Table {
		t := Draw(r, c.Setting)
		t.Periodic = 0
		if f.of != nil {
			f.of(r, t)
		}
		return t
	}
	c.Table = draw()
	if f.Name == Roles {
		c.Other, c.Second = draw(), process.Set(1+r.IntN(1<<c.Setting.N-2))
		c.Other.Hops = c.Table.Hops
	}
	return c
}

// The names of flavours that a test asks for.
const (
	Rings           = "rings without timers"
	Periodic        = "periodic timers"
	Roles           = "roles"
	Clocks          = "clocks with skew"
	SymmetricCases  = "symmetric"
	SymmetricFaults = "symmetric with faults"
	Requests        = "requests"
	Looks           = "what is left of timers"
)

// Flavours returns all of them. Reductions and worlds act differently in each of them.
func Flavours() []Flavour {
	return []Flavour{
		{Name: "general", Reduced: true, in: func(*rand.Rand, *setting.Setting) {}},
		{Name: Rings, Reduced: true, in: ring, of: timerless},
		{Name: "no timers", Reduced: true, in: anyTiming, of: timerless},
		{Name: "bounds", Reduced: true, Sees: []string{"beyond"}, in: anyTiming, of: bounds},
		{Name: Periodic, Reduced: true, Sees: []string{"timeout"}, in: ticking, of: periodic},
		{Name: "cuts", Reduced: true, Sees: []string{"cut", "heal"}, in: cut, of: perhapsPeriodic},
		{Name: "mid-send", Reduced: true, Sees: []string{"mid-send"}, in: midSend},
		{Name: Roles, Reduced: true, in: identified, of: perhapsBounded},
		{Name: SymmetricCases, Reduced: true, in: alike, of: symmetrical},
		{Name: SymmetricFaults, Reduced: true, Sees: []string{"cut", "pause", "forget", "wipe", "request"}, in: alikeWithFaults, of: symmetrical},
		{Name: "disks", Reduced: true, Sees: []string{"restart", "forget", "wipe"}, in: disks, of: stored},
		{Name: Clocks, Sees: []string{"clock", "tick"}, in: skewed},
		{Name: "pauses and drift", Sees: []string{"pause", "resume", "drift"}, in: slow},
		{Name: "capacity, repaired rings", in: narrow},
		{Name: Looks, Reduced: true, in: ticking, of: Looking},
		{Name: Requests, Sees: []string{"request"}, in: requested, of: perhapsPeriodic},
	}
}

// FlavourOf returns the flavour of a name.
func FlavourOf(name string) *Flavour {
	all := Flavours()
	return &all[slices.IndexFunc(all, func(f Flavour) bool { return f.Name == name })]
}

// calm takes most faults out of a setting.
func calm(r *rand.Rand, s *setting.Setting) {
	s.Losses, s.Duplications, s.Cuts, s.Heals, s.Pauses, s.Drift, s.Repaired = 0, 0, 0, 0, 0, 0, false
	s.N = 2 + r.IntN(2)
	if r.IntN(4) > 0 {
		s.Crashes, s.Joins, s.MidSend, s.Restarts = 0, 0, false, 0
	}
}

// patiences are timings without ticks.
var patiences = []setting.Timing{{Kind: setting.LastResort}, {Kind: setting.Patient}, {Kind: setting.Asynchronous, Premature: 1}, {Kind: setting.Asynchronous}}

// ticks are timings with them.
var ticks = []setting.Timing{{Kind: setting.Synchronous, D: 1}, {Kind: setting.Synchronous, D: 2}, {Kind: setting.Lockstep}}

func ticking(r *rand.Rand, s *setting.Setting) { s.Timing = one(r, ticks...) }

func anyTiming(r *rand.Rand, s *setting.Setting) {
	s.Timing = one(r, patiences...)
	if r.IntN(2) == 0 {
		s.Timing = one(r, ticks...)
	}
}

func ring(r *rand.Rand, s *setting.Setting) {
	s.Topology, s.FIFO, s.Timing = setting.Ring, true, one(r, patiences...)
	s.Anonymous = r.IntN(8) == 0
	s.N = 2 + r.IntN(3)
	if s.Start == setting.CoordinatorDown || r.IntN(2) == 0 {
		s.Start, s.Initiators.Which = setting.ColdStart, one(r, setting.Everyone, setting.EachOne, setting.AnySome)
	}
	s.Losses = rarely(r)
}

func cut(r *rand.Rand, s *setting.Setting) {
	if anyTiming(r, s); r.IntN(2) == 0 {
		s.N = 2
	}
	s.Cuts, s.Heals, s.MailOldLost = 1, r.IntN(2), false
	if s.Topology == setting.Complete {
		s.CutBy = one(r, setting.CutSides, setting.CutLinks, setting.CutOneWay)
	}
}

func midSend(r *rand.Rand, s *setting.Setting) {
	s.Crashes, s.MidSend, s.Joins, s.Restarts = 1+r.IntN(2), true, 0, one(r, 0, 0, 1)
}

func identified(_ *rand.Rand, s *setting.Setting) { s.Anonymous = false }

// alike has nothing said of a process by its id.
func alike(r *rand.Rand, s *setting.Setting) {
	anyTiming(r, s)
	s.N = one(r, 2, 3, 3, 3, 3, 4)
	s.Topology, s.Anonymous, s.MidSend, s.Detectors = setting.Complete, false, false, 0
}

func alikeWithFaults(r *rand.Rand, s *setting.Setting) {
	alike(r, s)
	switch r.IntN(6) {
	case 0:
		cut(r, s)
	case 1:
		s.Pauses = 1
	case 2:
		s.Capacity = 1 + r.IntN(2)
	case 3:
		s.Crashes, s.Restarts, s.LostWrites = 1, 1, 1
	case 4:
		s.Crashes, s.Restarts, s.LostDisks = 1, 1, 1
	case 5:
		s.Requests = 1
	}
}

func requested(r *rand.Rand, s *setting.Setting) {
	anyTiming(r, s)
	if s.Requests = 1 + r.IntN(2); r.IntN(2) == 0 {
		s.Start = setting.SettledStart
		s.Initiators = setting.Initiators{}
	}
	s.Crashes = r.IntN(2)
}

func disks(r *rand.Rand, s *setting.Setting) {
	s.Crashes, s.Restarts, s.Joins = 1+r.IntN(2), 1+r.IntN(2), 0
	if s.N = one(r, 2, 2, 3); r.IntN(2) == 0 {
		s.LostWrites, s.LostDisks = r.IntN(2), r.IntN(2)
	}
}

func skewed(r *rand.Rand, s *setting.Setting) {
	ticking(r, s)
	s.Anonymous, s.Skew, s.ClockSteps = false, 1+r.IntN(2), r.IntN(2)
}

func slow(r *rand.Rand, s *setting.Setting) {
	s.Timing = setting.Timing{Kind: setting.Synchronous, D: 1 + r.IntN(2)}
	s.Pauses = r.IntN(3)
	if s.Drift = one(r, 33, 50); s.Pauses > 0 {
		s.Drift *= r.IntN(2)
	}
}

func narrow(r *rand.Rand, s *setting.Setting) {
	if s.Capacity = 1 + r.IntN(2); r.IntN(2) == 0 {
		s.Capacity, s.Topology, s.Repaired = r.IntN(2), one(r, setting.Ring, setting.BiRing), true
		s.Crashes = 1 + r.IntN(2)
	}
}

// Looking has a handler in two ask what is left of a timer as it sets it.
func Looking(r *rand.Rand, t *Table) {
	t.Looks = true
	for i := range t.Faces {
		if f := &t.Faces[i]; f.Timer >= SetTimer && r.IntN(2) == 0 {
			f.Timer = setUnless + f.Timer%timers
		}
	}
}

func timerless(_ *rand.Rand, t *Table) { t.Timerless = true }

func bounds(r *rand.Rand, t *Table) {
	if t.Terms = r.IntN(2) == 0; t.Terms {
		t.Bounded = true
		for i := range t.Faces {
			t.Faces[i].Next = t.Faces[i].Trigger > Comes && r.IntN(3) == 0
		}
	} else {
		t.Most = uint8(2 + r.IntN(2))
	}
}

func perhapsBounded(r *rand.Rand, t *Table) {
	if r.IntN(2) == 0 {
		bounds(r, t)
	}
}

func periodic(r *rand.Rand, t *Table) { t.Periodic = uint8(1 + r.IntN(3)) }

func perhapsPeriodic(r *rand.Rand, t *Table) { t.Periodic = one[uint8](r, 0, 0, 0, 1, 3) }

// symmetrical has ids decide nothing.
func symmetrical(_ *rand.Rand, t *Table) {
	t.Classes, t.Symmetric = 1, true
	for i := range t.Faces {
		t.Faces[i].Class = 0
	}
}

func stored(r *rand.Rand, t *Table) { t.Methods = one(r, KeepsElected, KeepsTerm, WantsLow) }
