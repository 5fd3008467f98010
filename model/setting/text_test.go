package setting_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/internal/test/anysetting"
	"bullyproof/model/process"
	"bullyproof/model/setting"
)

func TestSettingText(t *testing.T) {
	for _, c := range []struct{ text, canonical string }{
		{"n=3", "n=3 channels=unordered timing=sync:1"},
		{"  timing=sync:1\tn=3\n", "n=3 channels=unordered timing=sync:1"},
		{
			"crashes=1 restarts=1 timing=sync:1 start=settled n=3",
			"n=3 start=settled channels=unordered timing=sync:1 crashes=1 restarts=1",
		},
		{
			"n=4 topology=complete arrangement=all start=cold initiators=all:eager channels=unordered capacity=0 " +
				"losses=0 duplications=0 cuts=0 heals=0 mail-down=waits mail-old=stays timing=sync:1 crashes=0 " +
				"restarts=0 joins=0 joiners=all mid-send=no detector=on detectors=all suspicions=0",
			"n=4 channels=unordered timing=sync:1",
		},
		{"n=4 joiners=1,2,3,4 detectors=4,3,2,1 initiators=1,2,3,4", "n=4 channels=unordered timing=sync:1"},
		{
			"n=3 topology=ring arrangement=3-2-1 channels=fifo timing=async",
			"n=3 topology=ring arrangement=3-2-1 channels=fifo timing=async",
		},
		{"n=3 timing=async:0", "n=3 channels=unordered timing=patient"},
		{
			"n=3 topology=biring:anonymous:repaired timing=last-resort",
			"n=3 topology=biring:repaired:anonymous channels=unordered timing=last-resort",
		},
		{
			"n=3 topology=ring:anonymous arrangement=1-2-3 start=cold:interleaved initiators=one:lazy",
			"n=3 topology=ring:anonymous start=cold:interleaved initiators=one:lazy channels=unordered timing=sync:1",
		},
		{"n=3 initiators=none:lazy", "n=3 initiators=none channels=unordered timing=sync:1"},
		{"n=3 initiators=3,1:lazy", "n=3 initiators=1,3:lazy channels=unordered timing=sync:1"},
		{"n=3 initiators=any", "n=3 initiators=any channels=unordered timing=sync:1"},
		{"n=3 initiators=all:lazy", "n=3 initiators=all:lazy channels=unordered timing=sync:1"},
		{
			"n=16 start=coordinator-down timing=async:3 crashes=255 capacity=2 losses=1 duplications=2 cuts=3 heals=4 " +
				"mail-down=lost mail-old=lost joins=2 joiners=2,3 mid-send=yes detectors=1,16 suspicions=5",
			"n=16 start=coordinator-down channels=unordered capacity=2 losses=1 duplications=2 cuts=3 heals=4 " +
				"mail-down=lost mail-old=lost timing=async:3 crashes=255 joins=2 joiners=2,3 mid-send=yes detectors=1,16 suspicions=5",
		},
		{"n=3 detector=off", "n=3 channels=unordered timing=sync:1 detector=off"},
	} {
		s, err := setting.Parse(c.text)
		require.NoError(t, err, c.text)
		require.NoError(t, s.Validate(), c.text)
		assert.Equal(t, c.canonical, s.String(), c.text)
		again, err := setting.Parse(c.canonical)
		require.NoError(t, err)
		assert.Equal(t, s, again, c.text)
	}
}

func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ text, err string }{
		{"", "the number of processes is missing: want n=2 to n=16"},
		{"crashes=1", "the number of processes is missing"},
		{"n", `"n" is not of the form key=value`},
		{"n=3 crahses=1", `setting has no word "crahses": did you mean crashes?`},
		{"n=3 N=3", `setting has no word "N": did you mean n?`},
		{"n=3 x=3", `setting has no word "x": want n, topology, arrangement, start, initiators, channels, `},
		{"n=3 =3", `setting has no word "": want n, `},
		{"n=3 n=3", "n is given twice"},
		{"n=1", "n=1: want 2 to 16 processes (to 64 in random walks)"},
		{"n=65", "n=65: want 2 to 16 processes (to 64 in random walks)"},
		{"n=", "n=: want 2 to 16 processes (to 64 in random walks)"},
		{"n=3 crashes=-1", "crashes=-1: want a number from 0 to 255"},
		{"n=3 crashes=+1", "crashes=+1: want a number from 0 to 255"},
		{"n=3 losses=256", "losses=256: want a number from 0 to 255"},
		{"n=3 capacity=99999999999999999999", "capacity=99999999999999999999: want a number from 0 to 255"},
		{"n=3 joins=64", "joins=64: want a number from 0 to 63"},
		{"n=3 topology=rign", `unknown topology "rign": did you mean ring?`},
		{"n=3 topology=mesh", `unknown topology "mesh": want complete, ring or biring`},
		{"n=3 topology=ring:repiared", `unknown kind of topology "repiared": did you mean repaired?`},
		{"n=3 topology=ring:repaired:repaired", "topology=ring:repaired:repaired says repaired twice"},
		{"n=3 topology=ring:", `unknown kind of topology "": want repaired or anonymous`},
		{"n=3 arrangement=3,2,1", "arrangement=3,2,1: want all or a ring's processes in order, like 3-2-1"},
		{"n=3 arrangement=3-2-65", "arrangement=3-2-65: there is no process 65"},
		{"n=3 arrangement=3-2-2", "arrangement=3-2-2 names process 2 twice"},
		{"n=3 start=colt", `unknown start "colt": did you mean cold?`},
		{"n=3 start=coordinator", `unknown start "coordinator": did you mean coordinator-down?`},
		{"n=3 initiators=some", "initiators=some: want all, one, any, none or processes like 1,3"},
		{"n=3 initiators=0", "initiators=0: there is no process 0"},
		{"n=3 initiators=1,1", "initiators=1,1 names process 1 twice"},
		{"n=3 initiators=all:lzay", `unknown kind of initiators "lzay": did you mean lazy?`},
		{"n=3 channels=lifo", `unknown channels "lifo": did you mean fifo?`},
		{"n=3 mail-down=kept", `unknown mail-down "kept": want waits or lost`},
		{"n=3 mail-old=stay", `unknown mail-old "stay": did you mean stays?`},
		{"n=3 timing=sink:1", `unknown timing "sink": want sync, async, last-resort, lockstep or patient`},
		{"n=3 timing=synchronous:1", `unknown timing "synchronous": did you mean sync?`},
		{"n=3 timing=sync:0", "timing=sync:D, D=0: want a number from 1 to 16"},
		{"n=3 timing=async:x", "timing=async:K, K=x: want a number from 1 to 255"},
		{"n=3 timing=patient:1", "timing=patient:1: patient takes no number"},
		{"n=3 timing=last-resort:1", "timing=last-resort:1: last-resort takes no number"},
		{"n=3 joiners=none", "joiners=none: want all or processes like 1,3"},
		{"n=3 mid-send=true", `unknown mid-send "true": want no or yes`},
		{"n=3 detector=offf", `unknown detector "offf": did you mean off?`},
		{"n=3 detectors=", "detectors=: want all or processes like 1,3"},
	} {
		s, err := setting.Parse(c.text)
		assert.ErrorContains(t, err, c.err, c.text)
		assert.Zero(t, s, c.text)
	}
}

func TestMust(t *testing.T) {
	s, err := setting.Parse("n=3 crashes=1")
	require.NoError(t, err)
	assert.Equal(t, s, setting.Must("n=3 crashes=1"))
	assert.PanicsWithError(t, "setting: the number of processes is missing: want n=2 to n=16", func() { setting.Must("crashes=1") })
}

func TestSettingWith(t *testing.T) {
	base, err := setting.Parse("n=3 topology=ring:repaired timing=async:2 crashes=1 initiators=1:lazy")
	require.NoError(t, err)
	changed, err := base.With("topology=biring timing=sync:1 initiators=all crashes=0")
	require.NoError(t, err)
	assert.Equal(t, "n=3 topology=biring channels=unordered timing=sync:1", changed.String())
	same, err := base.With("")
	require.NoError(t, err)
	assert.Equal(t, base, same)
	_, err = base.With("crashes=1 crashes=1")
	assert.ErrorContains(t, err, "crashes is given twice")
}

func TestSettingJSON(t *testing.T) {
	type file struct{ Setting setting.Setting }
	var f file
	require.NoError(t, json.Unmarshal([]byte(`{"Setting":"n=3 topology=ring arrangement=3-1-2"}`), &f))
	text, err := json.Marshal(f)
	require.NoError(t, err)
	assert.Equal(t, `{"Setting":"n=3 topology=ring arrangement=3-1-2 channels=unordered timing=sync:1"}`, string(text))
	before := f
	assert.ErrorContains(t, json.Unmarshal([]byte(`{"Setting":"n=3 tiimng=sync"}`), &f), "did you mean timing?")
	assert.Equal(t, before, f)
}

func TestSettingNames(t *testing.T) {
	assert.Equal(t, "complete ring biring 7", fmt.Sprint(setting.Complete, " ", setting.Ring, " ", setting.BiRing, " ", setting.Topology(7)))
	assert.Equal(t, "sync:1 sync:2 async:3 last-resort async patient", fmt.Sprint(
		setting.Timing{}, " ", setting.Timing{D: 2}, " ", setting.Timing{Kind: setting.Asynchronous, Premature: 3}, " ", setting.Timing{Kind: setting.LastResort}, " ", setting.Timing{Kind: setting.Asynchronous}, " ", setting.Timing{Kind: setting.Patient}))
}

func TestParts(t *testing.T) {
	w, err := setting.ParseWorld("restarts=1 crashes=1 crashers=2,3 heals=owed cuts=1")
	require.NoError(t, err)
	assert.Equal(t, "cuts=1 heals=owed crashes=1 crashers=2,3 restarts=1", w.String())
	n, err := setting.ParseNeeds("timing=async start=settled")
	require.NoError(t, err)
	assert.Equal(t, "start=settled channels=unordered timing=async", n.String())
	assert.Empty(t, setting.World{}.String())
	assert.Equal(t, "channels=unordered timing=sync:1", setting.Needs{}.String())

	usual := setting.Must("n=3 topology=ring channels=fifo timing=patient crashes=2 pauses=1")
	assert.Equal(t, "n=3 topology=ring channels=fifo losses=1 timing=patient", usual.Under(setting.World{Losses: 1}).String())
	assert.Equal(t, "n=3 topology=ring channels=fifo timing=patient", usual.Under(setting.World{}).String())
	all := setting.World{Crashes: 1, Crashers: process.Upto(3)}
	assert.Equal(t, "n=3 topology=ring channels=fifo timing=patient crashes=1", usual.Under(all).String(), "in normal form")
	assert.Equal(t, 2, usual.Crashes, "unchanged")
	assert.ErrorContains(t, setting.Must("n=3 timing=async").Under(setting.World{Clocks: setting.Clocks{Drift: 1}}).Validate(), "drift=1 with timing=async")
}

func TestPartErrors(t *testing.T) {
	for _, c := range []struct{ text, err string }{
		{"n=3", "setting: n says how many processes there are: want losses, lossy, duplications, cuts, "},
		{"topology=ring", "setting: topology says what an algorithm needs: want losses, "},
		{"crahses=1", `setting has no word "crahses": did you mean crashes?`},
		{"crashes=1 crashes=2", "crashes is given twice"},
		{"crashes=x", "crashes=x: want a number from 0 to 255"},
	} {
		w, err := setting.ParseWorld(c.text)
		assert.ErrorContains(t, err, c.err)
		assert.Zero(t, w)
	}
	_, err := setting.ParseNeeds("crashes=1")
	assert.EqualError(t, err, "setting: crashes says what the world does: want topology, arrangement, start, initiators, channels, "+
		"capacity, timing, detector or reports")
}

// TestPartsAreTheWhole has every setting be its number of processes, its needs
// and its world.
func TestPartsAreTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anysetting.Draw(t, rapid.IntRange(2, int(process.MaxID)).Draw(t, "n"))
		n, err := setting.ParseNeeds(s.Needs.String())
		require.NoError(t, err)
		w, err := setting.ParseWorld(s.World.String())
		require.NoError(t, err)
		require.Equal(t, s, setting.Setting{N: s.N, Needs: n, World: w}.Normal())
		require.Equal(t, s, setting.Setting{N: s.N, Needs: s.Needs}.Under(w))
		parsed, err := setting.Parse(fmt.Sprintf("n=%d %s %s", s.N, s.World, s.Needs))
		require.NoError(t, err)
		require.Equal(t, s, parsed)
	})
}

func TestSettingRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := anysetting.Draw(t, rapid.IntRange(2, int(process.MaxID)).Draw(t, "n"))
		require.NoError(t, s.Validate())
		parsed, err := setting.Parse(s.String())
		require.NoError(t, err, s.String())
		require.Equal(t, s, parsed, s.String())
	})
}

func FuzzParse(f *testing.F) {
	for _, text := range []string{
		"n=3 start=settled channels=unordered timing=sync:1 crashes=1 restarts=1",
		"n=3 topology=ring:repaired:anonymous arrangement=1-2-3 initiators=1,3:lazy timing=async:2",
		"n=64 joins=2 joiners=2,64 mid-send=yes detector=off detectors=all timing=last-resort",
		"n=2 mail-down=lost mail-old=lost capacity=255 losses=1 duplications=1 cuts=1 heals=1 suspicions=9",
		"n=3 crahses=1",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := setting.Parse(text)
		if err != nil {
			return
		}
		_ = s.Validate()
		again, err := setting.Parse(s.String())
		require.NoError(t, err, s.String())
		require.Equal(t, s, again)
		require.Equal(t, s.String(), again.String())
	})
}

// Every mistake in a text is told: of each word, and then of what contradicts itself.
func TestMistakes(t *testing.T) {
	for text, want := range map[string][]string{
		"n=3 crashes=1":                        nil,
		"":                                     {"the number of processes is missing"},
		"n=99 crahes=1 timing=slow":            {"n=", `no word "crahes"`, "timing"},
		"n=3 restarts=1 drift=20 timing=async": {"drift=20 with timing=async", "restarts=1 without crashes"},
	} {
		var told []string
		for _, err := range setting.Mistakes(text) {
			told = append(told, err.Error())
		}
		require.Len(t, told, len(want), "%q: %q", text, told)
		for i := range want {
			assert.Contains(t, told[i], want[i], text)
		}
	}
}
