package model

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		setting Setting
		err     string // "" if it is good
	}{
		{Setting{N: 2}, ""},
		{Setting{N: 64}, ""},
		{Setting{}, "n=0: want 2 to 16 processes (to 64 in random walks)"},
		{Setting{N: 1}, "n=1: want 2 to 16 processes (to 64 in random walks)"},
		{Setting{N: 65}, "n=65: want 2 to 16 processes (to 64 in random walks)"},
		{Setting{N: -1}, "n=-1: want 2 to 16 processes (to 64 in random walks)"},
		{Setting{N: 16, Crashes: 1, MidSend: true, Cuts: 1}, ""},
		{Setting{N: 17, Crashes: 1, MidSend: true}, "mid-send=yes with n=17: want at most 16 processes"},
		{Setting{N: 17, Cuts: 1}, "cuts=1 with n=17: want at most 16 processes"},
		{Setting{N: 3, Crashes: -1}, "crashes=-1: want a number from 0 to 255"},
		{Setting{N: 3, Losses: 256}, "losses=256: want a number from 0 to 255"},
		{Setting{N: 3, Capacity: -1}, "capacity=-1: want a number from 0 to 255"},

		{Setting{N: 3, Topology: 9}, `unknown topology "9": want complete, ring or biring`},
		{Setting{N: 3, Start: 9}, `unknown start "9"`},
		{Setting{N: 3, Timing: Timing{Kind: 9}}, `unknown timing "9"`},

		{Setting{N: 3, Topology: Ring, Arrangement: []ID{3, 1, 2}}, ""},
		{Setting{N: 3, Topology: Ring, Arrangement: []ID{3, 1}}, "arrangement=3-1: want each process from 1 to 3 once, like 1-2-3"},
		{Setting{N: 3, Topology: BiRing, Arrangement: []ID{3, 1, 1}}, "arrangement=3-1-1: want each process"},
		{Setting{N: 3, Topology: Ring, Arrangement: []ID{4, 1, 2}}, "arrangement=4-1-2: want each process"},
		{Setting{N: 3, Arrangement: []ID{3, 1, 2}}, "arrangement=3-1-2 on a complete graph"},
		{Setting{N: 3, Topology: Ring, Repaired: true, Anonymous: true}, ""},
		{Setting{N: 3, Topology: Ring, Anonymous: true, Arrangement: []ID{1, 2, 3}}, ""},
		{Setting{N: 3, Topology: Ring, Anonymous: true, Arrangement: []ID{1, 3, 2}}, "arrangement=1-3-2 on an anonymous ring"},
		{Setting{N: 3, Repaired: true}, "topology=complete:repaired"},
		{Setting{N: 3, Anonymous: true}, "topology=complete:anonymous"},

		{Setting{N: 3, Initiators: Initiators{Which: These}}, ""},
		{Setting{N: 3, Initiators: Initiators{Which: These, Set: SetOf(1, 3), Lazy: true}}, ""},
		{Setting{N: 3, Initiators: Initiators{Which: These, Set: SetOf(1, 4)}}, "initiators=1,4: there is no process 4: want ids from 1 to 3"},
		{Setting{N: 3, Initiators: Initiators{Set: SetOf(1)}}, "want Which to be These"},
		{Setting{N: 3, Initiators: Initiators{Which: 9}}, "Which is 9"},
		{Setting{N: 3, Start: SettledStart, Initiators: Initiators{Which: EachOne}}, "initiators=one with start=settled"},
		{Setting{N: 3, Start: CoordinatorDown, Initiators: Initiators{Lazy: true}}, "initiators=all:lazy with start=coordinator-down"},

		{Setting{N: 3, Timing: Timing{D: 16}}, ""},
		{Setting{N: 3, Timing: Timing{D: 17}}, "timing=sync:17: want sync:1 to sync:16"},
		{Setting{N: 3, Timing: Timing{D: -1}}, "timing=sync:-1: want sync:1 to sync:16"},
		{Setting{N: 3, Timing: Timing{Kind: Asynchronous, Premature: 255}}, ""},
		{Setting{N: 3, Timing: Timing{Kind: Asynchronous, Premature: 256}}, "timing=async:256: want async, or async:1 to async:255"},
		{Setting{N: 3, Timing: Timing{Kind: Asynchronous, Premature: -1}}, "timing=async:-1: want"},
		{Setting{N: 3, Timing: Timing{Premature: 1}}, "1 premature expiries with timing=sync:1"},
		{Setting{N: 3, Timing: Timing{Kind: LastResort, Premature: 1}}, "1 premature expiries with timing=last-resort"},
		{Setting{N: 3, Timing: Timing{Kind: LastResort, D: 2}}, "a delay bound of 2 with timing=last-resort"},
		{Setting{N: 3, Timing: Timing{Kind: Asynchronous, D: 2}}, "a delay bound of 2 with timing=async"},

		{Setting{N: 3, Crashes: 255, Restarts: 255}, ""},
		{Setting{N: 3, Restarts: 1}, "restarts=1 without crashes"},
		{Setting{N: 3, Restarts: 1, Start: CoordinatorDown}, ""},
		{Setting{N: 3, Crashes: 1, MidSend: true}, ""},
		{Setting{N: 3, MidSend: true}, "mid-send=yes without crashes"},
		{Setting{N: 3, MidSend: true, Start: CoordinatorDown}, "mid-send=yes without crashes"},
		{Setting{N: 3, Topology: Ring, Cuts: 1, Heals: 2}, ""},
		{Setting{N: 3, Heals: 1}, "heals=1 without cuts"},
		{Setting{N: 3, HealsOwed: true}, "heals=owed without cuts: there is nothing to heal (add cuts=1)"},
		{Setting{N: 3, Cuts: 1, Heals: 1, HealsOwed: true}, "heals=1 and heals that are owed: want one of them"},
		{Setting{N: 3, Cuts: 1, HealsOwed: true, CutBy: CutOneWay}, ""},
		{Setting{N: 3, CutBy: CutLinks}, "cut-by=link without cuts: nothing is cut (add cuts=1)"},
		{Setting{N: 3, CutBy: 9, Cuts: 1}, `unknown cut-by "9": want side, link or one-way`},
		{Setting{N: 3, CutBy: CutOneWay, Cuts: 1, Topology: BiRing}, "cut-by=one-way with topology=biring: links are cut one by one on a complete graph only (want cut-by=side)"},
		{Setting{N: 3, Topology: Ring, Repaired: true, Cuts: 1}, "cuts=1 on a repaired ring"},
		{Setting{N: 3, Topology: Ring, MailOldLost: true}, ""},
		{Setting{N: 3, Topology: Ring, MailOldLost: true, Repaired: true}, "mail-old=lost on a repaired ring"},

		{Setting{N: 3, Joins: 2, Joiners: SetOf(1, 2)}, ""},
		{Setting{N: 3, Joiners: SetOf(1, 2, 3)}, ""},
		{Setting{N: 3, Joins: 3}, "joins=3 with n=3: somebody has to be there at the start (at most 2)"},
		{Setting{N: 3, Joins: 2, Joiners: SetOf(2)}, "joiners=2 with joins=2: want at least 2 of them"},
		{Setting{N: 3, Joiners: SetOf(2)}, "joiners=2 without joins"},
		{Setting{N: 3, Joins: 1, Joiners: SetOf(2, 4)}, "joiners=2,4: there is no process 4"},

		{Setting{N: 3, Detectors: SetOf(1), Suspicions: 1}, ""},
		{Setting{N: 3, Detectors: SetOf(5)}, "detectors=5: there is no process 5"},
		{Setting{N: 3, Detectors: SetOf(1), Detector: DetectorOff}, "detectors=1 with detector=off"},
		{Setting{N: 3, ReportsAlways: true, Detector: DetectorOff}, "reports=always with detector=off: want detector=perfect or reach"},
		{Setting{N: 3, Crashes: 1, Crashers: SetOf(1, 3)}, ""},
		{Setting{N: 3, Crashers: SetOf(1, 2, 3)}, ""},
		{Setting{N: 3, Crashers: SetOf(1, 3)}, "crashers=1,3 without crashes: nobody crashes (add crashes=1)"},
		{Setting{N: 3, Crashes: 1, Crashers: SetOf(1, 5)}, "crashers=1,5: there is no process 5: want ids from 1 to 3"},
		{Setting{N: 3, Drift: 50}, ""},
		{Setting{N: 3, Drift: 51}, "drift=51: want a number from 0 to 50"},
		{Setting{N: 3, Drift: 1, Timing: Timing{Kind: Lockstep}}, "drift=1 with timing=lockstep: only clocks of timing=sync:D drift"},
		{Setting{N: 3, Pauses: 256}, "pauses=256: want a number from 0 to 255"},
		{Setting{N: 3, Detector: 9}, `unknown detector "9"`},
		{Setting{N: 3, Suspicions: 1, Detector: DetectorOff}, "suspicions=1 with detector=off"},
	} {
		err := c.setting.Validate()
		if c.err == "" {
			assert.NoError(t, err, "%+v", c.setting)
			continue
		}
		require.Error(t, err, "%+v", c.setting)
		assert.ErrorContains(t, err, c.err)
		assert.True(t, strings.HasPrefix(err.Error(), "setting: "), err.Error())
		assert.NotContains(t, err.Error(), "\n")
	}
}

func TestExhaustiveRefusesWhatNoSearchSees(t *testing.T) {
	for n, fits := range map[int]bool{-1: false, 0: false, 1: false, 2: true, 16: true, 17: false, 64: false, 65: false} {
		err := Setting{N: n}.Exhaustive()
		if fits {
			assert.NoError(t, err)
			continue
		}
		assert.EqualError(t, err, fmt.Sprintf("n=%d: an exhaustive search takes from 2 to 16 processes", n))
	}
}

func TestNormal(t *testing.T) {
	for _, c := range []struct{ given, want Setting }{
		{Setting{N: 3}, Setting{N: 3, Timing: Timing{D: 1}}},
		{Setting{N: 3, Timing: Timing{Kind: LastResort}}, Setting{N: 3, Timing: Timing{Kind: LastResort}}},
		{Setting{N: 3, Timing: Timing{D: 2}, Joins: 1, Joiners: Upto(3), Detectors: Upto(3)}, Setting{N: 3, Timing: Timing{D: 2}, Joins: 1}},
		{
			Setting{N: 3, Timing: Timing{D: 2}, Initiators: Initiators{Which: These, Set: Upto(3), Lazy: true}},
			Setting{N: 3, Timing: Timing{D: 2}, Initiators: Initiators{Lazy: true}},
		},
		{
			Setting{N: 3, Timing: Timing{D: 2}, Initiators: Initiators{Which: These, Lazy: true}},
			Setting{N: 3, Timing: Timing{D: 2}, Initiators: Initiators{Which: These}},
		},
		{
			Setting{N: 2, Topology: Ring, Anonymous: true, Timing: Timing{D: 2}, Arrangement: []ID{1, 2}},
			Setting{N: 2, Topology: Ring, Anonymous: true, Timing: Timing{D: 2}},
		},
		{
			Setting{N: 2, Topology: Ring, Timing: Timing{D: 2}, Arrangement: []ID{}},
			Setting{N: 2, Topology: Ring, Timing: Timing{D: 2}},
		},
	} {
		assert.Equal(t, c.want, c.given.Normal())
		assert.Equal(t, c.want, c.want.Normal(), "normal form of a normal form")
		assert.True(t, c.given.Equal(c.want))
	}
}

func TestNormalDoesNotShareTheArrangement(t *testing.T) {
	given := Setting{N: 2, Topology: Ring, Arrangement: []ID{2, 1}}
	given.Normal().Arrangement[0] = 9
	assert.Equal(t, []ID{2, 1}, given.Arrangement)
}
