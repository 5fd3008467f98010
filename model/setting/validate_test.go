package setting_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/model/process"
	"bullyproof/model/setting"
)

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		in  setting.Setting
		err string // "" if it is good
	}{
		{setting.Setting{N: 2}, ""},
		{setting.Setting{N: 64}, ""},
		{setting.Setting{}, "n=0: want 2 to 16 processes (to 64 in random walks)"},
		{setting.Setting{N: 1}, "n=1: want 2 to 16 processes (to 64 in random walks)"},
		{setting.Setting{N: 65}, "n=65: want 2 to 16 processes (to 64 in random walks)"},
		{setting.Setting{N: -1}, "n=-1: want 2 to 16 processes (to 64 in random walks)"},
		{setting.Setting{N: 16, World: setting.World{Crashes: 1, MidSend: true, Cuts: 1}}, ""},
		{setting.Setting{N: 17, World: setting.World{Crashes: 1, MidSend: true}}, "mid-send=yes with n=17: want at most 16 processes"},
		{setting.Setting{N: 17, World: setting.World{Cuts: 1}}, "cuts=1 with n=17: want at most 16 processes"},
		{setting.Setting{N: 3, World: setting.World{Crashes: -1}}, "crashes=-1: want a number from 0 to 255"},
		{setting.Setting{N: 3, World: setting.World{Losses: 256}}, "losses=256: want a number from 0 to 255"},
		{setting.Setting{N: 3, Needs: setting.Needs{Capacity: -1}}, "capacity=-1: want a number from 0 to 255"},

		{setting.Setting{N: 3, Needs: setting.Needs{Topology: 9}}, `unknown topology "9": want complete, ring or biring`},
		{setting.Setting{N: 3, Needs: setting.Needs{Start: 9}}, `unknown start "9"`},
		{setting.Setting{N: 3, Needs: setting.Needs{Timing: setting.Timing{Kind: 9}}}, `unknown timing "9"`},

		{setting.Setting{N: 3, Needs: setting.Needs{Topology: setting.Ring, Arrangement: []process.ID{3, 1, 2}}}, ""},
		{setting.Setting{N: 3, Needs: setting.Needs{Topology: setting.Ring, Arrangement: []process.ID{3, 1}}}, "arrangement=3-1: want each process from 1 to 3 once, like 1-2-3"},
		{setting.Setting{N: 3, Needs: setting.Needs{Topology: setting.BiRing, Arrangement: []process.ID{3, 1, 1}}}, "arrangement=3-1-1: want each process"},
		{setting.Setting{N: 3, Needs: setting.Needs{Topology: setting.Ring, Arrangement: []process.ID{4, 1, 2}}}, "arrangement=4-1-2: want each process"},
		{setting.Setting{N: 3, Needs: setting.Needs{Arrangement: []process.ID{3, 1, 2}}}, "arrangement=3-1-2 on a complete graph"},
		{setting.Setting{N: 3, Needs: setting.Needs{Topology: setting.Ring, Repaired: true, Anonymous: true}}, ""},
		{setting.Setting{N: 3, Needs: setting.Needs{Topology: setting.Ring, Anonymous: true, Arrangement: []process.ID{1, 2, 3}}}, ""},
		{setting.Setting{N: 3, Needs: setting.Needs{Topology: setting.Ring, Anonymous: true, Arrangement: []process.ID{1, 3, 2}}}, "arrangement=1-3-2 on an anonymous ring"},
		{setting.Setting{N: 3, Needs: setting.Needs{Repaired: true}}, "topology=complete:repaired"},
		{setting.Setting{N: 3, Needs: setting.Needs{Anonymous: true}}, "topology=complete:anonymous"},

		{setting.Setting{N: 3, Needs: setting.Needs{Initiators: setting.Initiators{Which: setting.These}}}, ""},
		{setting.Setting{N: 3, Needs: setting.Needs{Initiators: setting.Initiators{Which: setting.These, Set: process.SetOf(1, 3), Lazy: true}}}, ""},
		{setting.Setting{N: 3, Needs: setting.Needs{Initiators: setting.Initiators{Which: setting.These, Set: process.SetOf(1, 4)}}}, "initiators=1,4: there is no process 4: want ids from 1 to 3"},
		{setting.Setting{N: 3, Needs: setting.Needs{Initiators: setting.Initiators{Set: process.SetOf(1)}}}, "want Which to be These"},
		{setting.Setting{N: 3, Needs: setting.Needs{Initiators: setting.Initiators{Which: 9}}}, "Which is 9"},
		{setting.Setting{N: 3, Needs: setting.Needs{Start: setting.SettledStart, Initiators: setting.Initiators{Which: setting.EachOne}}}, "initiators=one with start=settled"},
		{setting.Setting{N: 3, Needs: setting.Needs{Start: setting.CoordinatorDown, Initiators: setting.Initiators{Lazy: true}}}, "initiators=all:lazy with start=coordinator-down"},

		{setting.Setting{N: 3, Needs: setting.Needs{Timing: setting.Timing{D: 16}}}, ""},
		{setting.Setting{N: 3, Needs: setting.Needs{Timing: setting.Timing{D: 17}}}, "timing=sync:17: want sync:1 to sync:16"},
		{setting.Setting{N: 3, Needs: setting.Needs{Timing: setting.Timing{D: -1}}}, "timing=sync:-1: want sync:1 to sync:16"},
		{setting.Setting{N: 3, Needs: setting.Needs{Timing: setting.Timing{Kind: setting.Asynchronous, Premature: 255}}}, ""},
		{setting.Setting{N: 3, Needs: setting.Needs{Timing: setting.Timing{Kind: setting.Asynchronous, Premature: 256}}}, "timing=async:256: want async, or async:1 to async:255"},
		{setting.Setting{N: 3, Needs: setting.Needs{Timing: setting.Timing{Kind: setting.Asynchronous, Premature: -1}}}, "timing=async:-1: want"},
		{setting.Setting{N: 3, Needs: setting.Needs{Timing: setting.Timing{Premature: 1}}}, "1 premature expiries with timing=sync:1"},
		{setting.Setting{N: 3, Needs: setting.Needs{Timing: setting.Timing{Kind: setting.LastResort, Premature: 1}}}, "1 premature expiries with timing=last-resort"},
		{setting.Setting{N: 3, Needs: setting.Needs{Timing: setting.Timing{Kind: setting.LastResort, D: 2}}}, "a delay bound of 2 with timing=last-resort"},
		{setting.Setting{N: 3, Needs: setting.Needs{Timing: setting.Timing{Kind: setting.Asynchronous, D: 2}}}, "a delay bound of 2 with timing=async"},

		{setting.Setting{N: 3, World: setting.World{Crashes: 255, Restarts: 255}}, ""},
		{setting.Setting{N: 3, World: setting.World{Restarts: 1}}, "restarts=1 without crashes"},
		{setting.Setting{N: 3, Needs: setting.Needs{Start: setting.CoordinatorDown}, World: setting.World{Restarts: 1}}, ""},
		{setting.Setting{N: 3, World: setting.World{Crashes: 1, MidSend: true}}, ""},
		{setting.Setting{N: 3, World: setting.World{MidSend: true}}, "mid-send=yes without crashes"},
		{setting.Setting{N: 3, Needs: setting.Needs{Start: setting.CoordinatorDown}, World: setting.World{MidSend: true}}, "mid-send=yes without crashes"},
		{setting.Setting{N: 3, World: setting.World{Crashes: 1, Restarts: 1, Disks: setting.Disks{LostWrites: 1}}}, ""},
		{setting.Setting{N: 3, World: setting.World{Crashes: 1, Restarts: 1, Disks: setting.Disks{LostDisks: 1}}}, ""},
		{setting.Setting{N: 3, World: setting.World{Disks: setting.Disks{LostDisks: 1}}}, "lost-disks=1 without crashes: a disk is lost in a crash (add crashes=1)"},
		{setting.Setting{N: 3, World: setting.World{Crashes: 1, Disks: setting.Disks{LostDisks: 1}}}, "lost-disks=1 without restarts: nobody reads a disk again (add restarts=1)"},
		{setting.Setting{N: 3, World: setting.World{Disks: setting.Disks{LostWrites: 1}}}, "lost-writes=1 without crashes: a crash is what loses them (add crashes=1)"},
		{setting.Setting{N: 3, World: setting.World{Crashes: 1, Disks: setting.Disks{LostWrites: 1}}}, "lost-writes=1 without restarts: nobody reads a disk again (add restarts=1)"},
		{setting.Setting{N: 3, Needs: setting.Needs{Topology: setting.Ring}, World: setting.World{Cuts: 1, Heals: 2}}, ""},
		{setting.Setting{N: 3, World: setting.World{Heals: 1}}, "heals=1 without cuts"},
		{setting.Setting{N: 3, World: setting.World{HealsOwed: true}}, "heals=owed without cuts: there is nothing to heal (add cuts=1)"},
		{setting.Setting{N: 3, World: setting.World{Cuts: 1, Heals: 1, HealsOwed: true}}, "heals=1 and heals that are owed: want one of them"},
		{setting.Setting{N: 3, World: setting.World{Cuts: 1, HealsOwed: true, CutBy: setting.CutOneWay}}, ""},
		{setting.Setting{N: 3, World: setting.World{CutBy: setting.CutLinks}}, "cut-by=link without cuts: nothing is cut (add cuts=1)"},
		{setting.Must("n=3 cuts=1 cut-by=link cut-links=2-3"), ""},
		{setting.Must("n=3 cuts=1 cut-by=one-way cut-links=2->3,1-2"), ""},
		{setting.Must("n=3 cut-links=2-3"), "cut-links=2-3 without cuts: nothing is cut (add cuts=1)"},
		{setting.Must("n=3 cuts=1 cut-links=2-3"), "cut-links=2-3 with cut-by=side: a cut takes all links between two sides (want cut-by=link or cut-by=one-way)"},
		{setting.Must("n=3 cuts=1 cut-by=link cut-links=2->3"), "cut-links=2->3 with cut-by=link: it takes both directions (want links like 1-2, or cut-by=one-way)"},
		{setting.Must("n=3 cuts=1 cut-by=link cut-links=2-4"), "cut-links=2-4: the link 2-4 is of a process that is not there (n=3)"},
		{setting.Must("n=3 losses=1 lossy=2->1,1->2"), ""},
		{setting.Must("n=3 lossy=1->2"), "lossy=1->2 without losses: nothing is lost (add losses=1)"},
		{setting.Must("n=3 topology=ring losses=1 lossy=1->2"), "lossy=1->2 with topology=ring: links have names on a complete graph only"},
		{setting.Must("n=3 crashes=2 crashers=3"), "crashes=2 with crashers=3 and restarts=0: these crash 1 times at most (want crashes=1, more crashers or more restarts)"},
		{setting.Must("n=3 crashes=2 crashers=3 restarts=1"), ""},
		{setting.Must("n=3 crashes=2 crashers=3 restarts=owed"), ""},
		{setting.Must("n=3 restarts=owed"), "restarts=owed without crashes: nobody is ever down (add crashes=1)"},
		{setting.Must("n=3 start=coordinator-down restarts=owed"), ""},
		{setting.Setting{N: 3, World: setting.World{CutBy: 9, Cuts: 1}}, `unknown cut-by "9": want side, link or one-way`},
		{setting.Setting{N: 3, Needs: setting.Needs{Topology: setting.BiRing}, World: setting.World{CutBy: setting.CutOneWay, Cuts: 1}}, "cut-by=one-way with topology=biring: links are cut one by one on a complete graph only (want cut-by=side)"},
		{setting.Setting{N: 3, Needs: setting.Needs{Topology: setting.Ring, Repaired: true}, World: setting.World{Cuts: 1}}, "cuts=1 on a repaired ring"},
		{setting.Setting{N: 3, Needs: setting.Needs{Topology: setting.Ring}, World: setting.World{MailOldLost: true}}, ""},
		{setting.Setting{N: 3, Needs: setting.Needs{Topology: setting.Ring, Repaired: true}, World: setting.World{MailOldLost: true}}, "mail-old=lost on a repaired ring"},

		{setting.Setting{N: 3, World: setting.World{Joins: 2, Joiners: process.SetOf(1, 2)}}, ""},
		{setting.Setting{N: 3, World: setting.World{Joiners: process.SetOf(1, 2, 3)}}, ""},
		{setting.Setting{N: 3, World: setting.World{Joins: 3}}, "joins=3 with n=3: want at most joins=2, so that somebody is there at the start"},
		{setting.Setting{N: 3, World: setting.World{Joins: 2, Joiners: process.SetOf(2)}}, "joiners=2 with joins=2: want at least 2 of them"},
		{setting.Setting{N: 3, World: setting.World{Joiners: process.SetOf(2)}}, "joiners=2 without joins"},
		{setting.Setting{N: 3, World: setting.World{Joins: 1, Joiners: process.SetOf(2, 4)}}, "joiners=2,4: there is no process 4"},

		{setting.Setting{N: 3, World: setting.World{Detectors: process.SetOf(1), Suspicions: 1}}, ""},
		{setting.Setting{N: 3, World: setting.World{Detectors: process.SetOf(5)}}, "detectors=5: there is no process 5"},
		{setting.Setting{N: 3, Needs: setting.Needs{Detector: setting.DetectorOff}, World: setting.World{Detectors: process.SetOf(1)}}, "detectors=1 with detector=off"},
		{setting.Setting{N: 3, Needs: setting.Needs{ReportsAlways: true, Detector: setting.DetectorOff}}, "reports=always with detector=off: want detector=perfect or reach"},
		{setting.Setting{N: 3, World: setting.World{Crashes: 1, Crashers: process.SetOf(1, 3)}}, ""},
		{setting.Setting{N: 3, World: setting.World{Crashers: process.SetOf(1, 2, 3)}}, ""},
		{setting.Setting{N: 3, World: setting.World{Crashers: process.SetOf(1, 3)}}, "crashers=1,3 without crashes: nobody crashes (add crashes=1)"},
		{setting.Setting{N: 3, World: setting.World{Crashes: 1, Crashers: process.SetOf(1, 5)}}, "crashers=1,5: there is no process 5: want ids from 1 to 3"},
		{setting.Setting{N: 3, World: setting.World{Clocks: setting.Clocks{Drift: 50}}}, ""},
		{setting.Setting{N: 3, World: setting.World{Clocks: setting.Clocks{Drift: 51}}}, "drift=51: want a number from 0 to 50"},
		{setting.Setting{N: 3, Needs: setting.Needs{Timing: setting.Timing{Kind: setting.Lockstep}}, World: setting.World{Clocks: setting.Clocks{Drift: 1}}}, "drift=1 with timing=lockstep: only clocks of timing=sync:D drift"},
		{setting.Setting{N: 3, World: setting.World{Pauses: 1, Pausers: process.SetOf(2)}}, ""},
		{setting.Setting{N: 3, World: setting.World{Pausers: process.SetOf(2)}}, "pausers=2 without pauses: nobody pauses (add pauses=1)"},
		{setting.Setting{N: 3, World: setting.World{Pauses: 1, Pausers: process.SetOf(4)}}, "pausers=4: there is no process 4"},
		{setting.Setting{N: 3, World: setting.World{Pauses: 256}}, "pauses=256: want a number from 0 to 255"},
		{setting.Setting{N: 3, Needs: setting.Needs{Detector: 9}}, `unknown detector "9"`},
		{setting.Setting{N: 3, Needs: setting.Needs{Detector: setting.DetectorOff}, World: setting.World{Suspicions: 1}}, "suspicions=1 with detector=off"},
	} {
		err := c.in.Validate()
		if c.err == "" {
			assert.NoError(t, err, "%+v", c.in)
			continue
		}
		require.Error(t, err, "%+v", c.in)
		assert.ErrorContains(t, err, c.err)
		assert.True(t, strings.HasPrefix(err.Error(), "setting: "), err.Error())
		assert.NotContains(t, err.Error(), "\n")
	}
}

func TestExhaustiveRefusesWhatNoSearchSees(t *testing.T) {
	for n, fits := range map[int]bool{-1: false, 0: false, 1: false, 2: true, 16: true, 17: false, 64: false, 65: false} {
		err := setting.Setting{N: n}.Exhaustive()
		if fits {
			assert.NoError(t, err)
			continue
		}
		assert.EqualError(t, err, fmt.Sprintf("n=%d: an exhaustive search takes from 2 to 16 processes", n))
	}
}

func TestNormal(t *testing.T) {
	for _, c := range []struct{ given, want setting.Setting }{
		{setting.Setting{N: 3}, setting.Setting{N: 3, Needs: setting.Needs{Timing: setting.Timing{D: 1}}}},
		{setting.Setting{N: 3, Needs: setting.Needs{Timing: setting.Timing{Kind: setting.LastResort}}}, setting.Setting{N: 3, Needs: setting.Needs{Timing: setting.Timing{Kind: setting.LastResort}}}},
		{setting.Setting{N: 3, Needs: setting.Needs{Timing: setting.Timing{D: 2}}, World: setting.World{Joins: 1, Joiners: process.Upto(3), Detectors: process.Upto(3)}}, setting.Setting{N: 3, Needs: setting.Needs{Timing: setting.Timing{D: 2}}, World: setting.World{Joins: 1}}},
		{
			setting.Setting{N: 3, Needs: setting.Needs{Timing: setting.Timing{D: 2}, Initiators: setting.Initiators{Which: setting.These, Set: process.Upto(3), Lazy: true}}},
			setting.Setting{N: 3, Needs: setting.Needs{Timing: setting.Timing{D: 2}, Initiators: setting.Initiators{Lazy: true}}},
		},
		{
			setting.Setting{N: 3, Needs: setting.Needs{Timing: setting.Timing{D: 2}, Initiators: setting.Initiators{Which: setting.These, Lazy: true}}},
			setting.Setting{N: 3, Needs: setting.Needs{Timing: setting.Timing{D: 2}, Initiators: setting.Initiators{Which: setting.These}}},
		},
		{
			setting.Setting{N: 2, Needs: setting.Needs{Topology: setting.Ring, Anonymous: true, Timing: setting.Timing{D: 2}, Arrangement: []process.ID{1, 2}}},
			setting.Setting{N: 2, Needs: setting.Needs{Topology: setting.Ring, Anonymous: true, Timing: setting.Timing{D: 2}}},
		},
		{
			setting.Setting{N: 2, Needs: setting.Needs{Topology: setting.Ring, Timing: setting.Timing{D: 2}, Arrangement: []process.ID{}}},
			setting.Setting{N: 2, Needs: setting.Needs{Topology: setting.Ring, Timing: setting.Timing{D: 2}}},
		},
	} {
		assert.Equal(t, c.want, c.given.Normal())
		assert.Equal(t, c.want, c.want.Normal(), "normal form of a normal form")
		assert.True(t, c.given.Equal(c.want))
	}
}

func TestNormalDoesNotShareTheArrangement(t *testing.T) {
	given := setting.Setting{N: 2, Needs: setting.Needs{Topology: setting.Ring, Arrangement: []process.ID{2, 1}}}
	given.Normal().Arrangement[0] = 9
	assert.Equal(t, []process.ID{2, 1}, given.Arrangement)
}
