package anyprotocol

import (
	"pgregory.net/rapid"

	"bullyproof/model"
	"bullyproof/process"
	"bullyproof/setting"
)

// A Protocol is one of this package: a Table or a table with more methods.
type Protocol = model.Protocol[State, Message]

// Draw draws a protocol for a setting.
func Draw(t *rapid.T, s setting.Setting) Protocol {
	table := &Table{
		Classes:   rapid.IntRange(1, 3).Draw(t, "classes"),
		Fuel:      rapid.SampledFrom([]uint8{0, 1, 2, 2, 3}).Draw(t, "fuel"),
		Part:      rapid.SampledFrom([]uint8{0, 2, 4, 5}).Draw(t, "part"),
		Periodic:  rapid.SampledFrom([]uint8{0, 0, 0, 1, 3}).Draw(t, "periodic"),
		Topology:  s.Topology,
		Anonymous: s.Anonymous,
		faces:     map[place]*Face{},
	}
	flips := rapid.IntRange(0, 15).Draw(t, "flips") == 15
	table.Faces = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Face { return drawFace(t, table.Classes, flips) }), 4, 60).Draw(t, "faces")
	for i := range table.Faces {
		f := &table.Faces[i]
		table.faces[place{f.Class, f.Trigger, f.Row}] = f
	}
	switch rapid.IntRange(0, 7).Draw(t, "methods") {
	case 7:
		return Watchful{table}
	case 6:
		return Low{table}
	case 5:
		return Stable{table}
	}
	return table
}

func drawFace(t *rapid.T, classes int, flips bool) Face {
	f := Face{
		Class:   rapid.IntRange(0, classes-1).Draw(t, "class"),
		Trigger: rapid.SampledFrom(triggersOften).Draw(t, "trigger"),
		Row:     rapid.SampledFrom([]int{0, 0, 0, 1, 1, 2, modes}).Draw(t, "row"),
		Mode:    rapid.SampledFrom([]int{-1, -1, -1, 0, 1, 2}).Draw(t, "mode"),
		Elect:   rapid.SampledFrom([]Elect{Keep, Keep, Keep, Nobody, Itself, Sender, First, First + 1, First + 2}).Draw(t, "elect"),
		Mark:    rapid.SampledFrom([]uint8{0, 0, 1, 2}).Draw(t, "mark"),
		Flip:    flips && rapid.Bool().Draw(t, "flip"),
	}
	if f.Trigger < Receive && f.Elect == Sender {
		f.Elect = Itself
	}
	if f.Trigger >= Timeout && f.Elect == Sender {
		f.Elect = Itself
	}
	send := rapid.Custom(func(t *rapid.T) Send {
		return Send{To(rapid.IntRange(0, int(destinations)-1).Draw(t, "to")), Message(rapid.IntRange(0, messages-1).Draw(t, "message"))}
	})
	f.Sends = rapid.SliceOfN(send, 0, 2).Draw(t, "sends")
	if rapid.IntRange(0, 2).Draw(t, "timers") == 2 {
		f.Timer = rapid.IntRange(setTimer, setUnless+1).Draw(t, "timer")
		f.Ticks = rapid.IntRange(1, 4).Draw(t, "ticks")
	}
	return f
}

// triggersOften has the triggers, those more often that come up more often.
var triggersOften = []int{
	Cold, Comes, Comes, Start, Start, Start, Suspect, Suspect,
	Receive, Receive, Receive + 1, Receive + 1, Receive + 2, Receive + 3, Timeout, Timeout, Timeout + 1,
}

// Setting draws a setting in which reductions have something to do: few faults,
// time in ticks more often than not. It is one that Validate accepts, in normal
// form.
func Setting(t *rapid.T) setting.Setting {
	rarely := func(label string) int {
		if rapid.IntRange(0, 19).Draw(t, label) == 19 {
			return 1
		}
		return 0
	}
	s := setting.Setting{
		N: rapid.SampledFrom([]int{3, 3, 3, 2, 2, 4}).Draw(t, "n"),
		Needs: setting.Needs{
			Topology: rapid.SampledFrom([]setting.Topology{0, 0, 0, 0, 0, setting.Ring, setting.BiRing}).Draw(t, "topology"),
			Start:    setting.Start(rapid.IntRange(0, 3).Draw(t, "start")),
			FIFO:     rapid.IntRange(0, 3).Draw(t, "fifo") == 3,
			Capacity: 2 * rarely("capacity"),
			Timing:   rapid.SampledFrom(timings).Draw(t, "timing"),
		},
		World: setting.World{
			Losses:       rarely("losses"),
			Duplications: rarely("duplications"),
			Cuts:         rarely("cuts"),
			Heals:        1,
			Pauses:       rarely("pauses"),
			MailDownLost: rapid.Bool().Draw(t, "mail-down"),
			MailOldLost:  rapid.Bool().Draw(t, "mail-old"),
			Crashes:      rapid.SampledFrom([]int{0, 1, 1, 2}).Draw(t, "crashes"),
			Restarts:     rapid.SampledFrom([]int{0, 0, 1}).Draw(t, "restarts"),
			Joins:        rapid.SampledFrom([]int{0, 0, 0, 1}).Draw(t, "joins"),
			MidSend:      rapid.IntRange(0, 7).Draw(t, "mid-send") == 7,
		},
	}
	if s.Timing.Kind == setting.Synchronous {
		s.Drift = 50 * rarely("drift")
	}
	if s.Start < setting.SettledStart {
		s.Initiators.Which = rapid.SampledFrom([]setting.Which{setting.Everyone, setting.EachOne, setting.AnySome}).Draw(t, "which")
		s.Initiators.Lazy = rapid.Bool().Draw(t, "lazy")
	}
	if s.Topology != setting.Complete {
		s.Anonymous = rapid.IntRange(0, 3).Draw(t, "anonymous") == 3
		s.Repaired = rarely("repaired") == 1
	}
	if rapid.IntRange(0, 3).Draw(t, "detector") == 3 {
		s.Detector = setting.DetectorOff
	} else {
		s.ReportsAlways = rapid.IntRange(0, 2).Draw(t, "reports") == 2
		s.Suspicions = rarely("suspicions")
		if rapid.IntRange(0, 7).Draw(t, "detectors") == 7 {
			s.Detectors = process.SetOf(1)
		}
	}
	return withoutContradictions(s).Normal()
}

// timings has those most often in which most is reduced.
var timings = []setting.Timing{
	{Kind: setting.Synchronous, D: 1}, {Kind: setting.Lockstep}, {Kind: setting.Synchronous, D: 2},
	{Kind: setting.Synchronous, D: 1}, {Kind: setting.Lockstep}, {Kind: setting.Synchronous, D: 2},
	{Kind: setting.LastResort}, {Kind: setting.Patient}, {Kind: setting.Asynchronous, Premature: 1}, {Kind: setting.Asynchronous},
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
	return s
}
