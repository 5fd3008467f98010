package model_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/internal/test/anyprotocol"
	"bullyproof/internal/test/anysetting"
	"bullyproof/model"
	"bullyproof/model/plain"
	"bullyproof/model/roles"
	"bullyproof/model/setting"
)

// comparePlain compares the two worlds of a protocol, and returns how often it
// compared what: nothing where both refuse the setting.
func comparePlain[P any, M model.Message](t require.TestingT, p model.Protocol[P, M], s setting.Setting, limit int) map[string]int {
	if _, err := model.New(p, s); err != nil {
		w, plainly := plain.New(plain.Of(p), s)
		require.NoError(t, plainly)
		require.True(t, w.Refused(), "%v", err)
		return map[string]int{}
	}
	saw, err := plain.Compare(plain.Of(p), s, limit)
	require.NoError(t, err)
	return saw
}

// compareRandom compares a random protocol in a random setting.
func compareRandom(t *rapid.T) map[string]int {
	s := anysetting.Draw(t, rapid.IntRange(2, 3).Draw(t, "n"))
	limit, large := 60, 300
	if *model.Deep {
		limit, large = 150, 2000
	}
	if rapid.IntRange(0, 20).Draw(t, "more") == 20 {
		limit = large
	}
	switch rapid.IntRange(0, 3).Draw(t, "width") {
	case 3:
		y, s := drawDated(t)
		return comparePlain(t, y, s, limit)
	case 0:
		return comparePlain(t, model.DrawAnyToy[uint8](t, s), s, limit)
	case 1:
		return comparePlain(t, model.DrawAnyToy[uint32](t, s), s, limit)
	}
	return comparePlain(t, model.DrawAnyToy[[12]uint8](t, s), s, limit)
}

func TestWorldIsAsPlain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { compareRandom(t) })
}

// A restarted process sends A(0) and A(1), crashes, restarts, and crashes after the first of
// them: its old mail is lost, and of two equal messages the new one is in flight. (An attack
// found that the comparison took the old one for it.)
func TestOldMailIsLostInItsOrder(t *testing.T) {
	p := (&anyprotocol.Table{Classes: 1, Faces: []anyprotocol.Face{
		{Trigger: anyprotocol.Comes, Mode: -1, Sends: []anyprotocol.Send{{To: anyprotocol.Successor, Text: 0}, {To: anyprotocol.Successor, Text: 1}}},
	}}).Protocol()
	saw := comparePlain(t, p, setting.Must("n=2 initiators=none channels=fifo mail-old=lost timing=async crashes=3 restarts=2 crashers=1 mid-send=yes"), 2_000)
	assert.Positive(t, saw["mid-send"])
}

// A process may crash between the two sends of a handler, and before the first: what its disk
// keeps is asked once for each of the crashes, of the state that the handler left. A role forgets
// which one it is when it is asked. (An attack found that the disk was kept of what had been
// kept.)
func TestEachCrashBetweenSendsKeepsTheDisk(t *testing.T) {
	first := &anyprotocol.Table{Classes: 1, Topology: setting.Ring}
	other := &anyprotocol.Table{Classes: 1, Topology: setting.Ring, Methods: anyprotocol.KeepsElected, Faces: []anyprotocol.Face{
		{Trigger: anyprotocol.Start, Mode: -1, Elect: anyprotocol.First + 1, Sends: []anyprotocol.Send{{Text: 3}, {Text: 2}}},
	}}
	p := roles.Two(
		roles.Role[anyprotocol.State, anyprotocol.Message]{Protocol: first.Protocol()},
		roles.Role[anyprotocol.State, anyprotocol.Message]{Protocol: other.Protocol()}, model.SetOf(2))
	saw := comparePlain(t, p, setting.Must("n=2 topology=ring initiators=2:lazy crashes=1 restarts=1 mid-send=yes"), 500)
	assert.Positive(t, saw["mid-send"])
	assert.Positive(t, saw["restart"])
}

func FuzzWorldIsAsPlain(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { compareRandom(t) }))
}

// TestPlainSeesEverything shows that random systems do all that a world can do:
// without that their agreement would mean little.
func TestPlainSeesEverything(t *testing.T) {
	wanted := []string{
		"mid-send", "premature", "settled", "a choice before the start", "named choice", "beyond", "link", "drift", "rule",
	}
	for _, kind := range model.ActionKinds() {
		wanted = append(wanted, kind.String())
	}
	saw := make(map[string]int)
	rare := func(what string) bool { return saw[what] < 2 }
	for seed := 0; seed < 500 && slices.ContainsFunc(wanted, rare); seed++ {
		for what, count := range rapid.Custom(compareRandom).Example(seed) {
			saw[what] += count
		}
	}
	for _, what := range wanted {
		assert.GreaterOrEqual(t, saw[what], 2, what)
	}
}

// in is a protocol whose system is made in another setting than the plain world.
type in struct {
	plain.Protocol
	setting setting.Setting
}

func (p in) System(setting.Setting) (*model.System, error) { return p.Protocol.System(p.setting) }

// TestComparisonNoticesEachWord has the fast world take one word of a setting for
// another one. The comparison has to notice, for each of them.
func TestComparisonNoticesEachWord(t *testing.T) {
	for _, c := range []struct{ setting, mutant string }{
		{"n=2 timing=sync:1", "timing=sync:2"},
		{"n=2 timing=sync:1", "timing=lockstep"},
		{"n=2 timing=sync:1", "timing=async"},
		{"n=2 timing=async", "timing=async:1"},
		{"n=2 timing=async", "timing=patient"},
		{"n=2 timing=patient", "timing=last-resort"},
		{"n=2 timing=sync:2", "drift=50"},
		{"n=2", "channels=fifo"},
		{"n=2", "capacity=1"},
		{"n=3", "initiators=one"},
		{"n=2", "initiators=all:lazy"},
		{"n=2", "start=cold:interleaved"},
		{"n=2", "start=settled"},
		{"n=2 start=settled", "start=coordinator-down"},
		{"n=3 topology=ring", "arrangement=1-2-3"},
		{"n=3 topology=ring crashes=1", "topology=ring:repaired"},
		{"n=2", "losses=1"},
		{"n=2", "duplications=1"},
		{"n=2", "crashes=1"},
		{"n=2 crashes=1", "crashers=1"},
		{"n=2 crashes=1", "restarts=1"},
		{"n=2 crashes=1", "mid-send=yes"},
		{"n=2 crashes=1 restarts=1", "lost-writes=1"},
		{"n=2 crashes=1 restarts=1", "lost-disks=1"},
		{"n=2 crashes=1 restarts=1", "mail-down=lost"},
		{"n=2 crashes=1 restarts=1", "mail-old=lost"},
		{"n=2 crashes=1 restarts=1", "restarts=owed"},
		{"n=2 joins=1", "joiners=1"},
		{"n=2 joins=1", "mail-down=lost"},
		{"n=2", "pauses=1"},
		{"n=2 pauses=1", "pausers=1"},
		{"n=2 start=settled pauses=1", "detector=perfect"},
		{"n=2 start=settled crashes=1", "detector=off"},
		{"n=2 start=settled crashes=1", "detectors=1"},
		{"n=2 start=settled crashes=1", "reports=always"},
		{"n=2 start=settled", "suspicions=1"},
		{"n=2", "cuts=1"},
		{"n=2 cuts=1", "heals=1"},
		{"n=2 cuts=1", "heals=owed"},
		{"n=2 cuts=1", "cut-by=link"},
		{"n=2 cuts=1", "cut-by=one-way"},
		{"n=3 cuts=1 cut-by=link", "cut-links=1-2"},
		{"n=2 cuts=1 cut-by=one-way", "cut-links=1->2"},
		{"n=2 losses=1", "lossy=1->2"},
		{"n=2 start=settled", "requests=1"},
		{"n=2 requests=1", "requests=2"},
	} {
		t.Run(c.setting+" "+c.mutant, func(t *testing.T) {
			s := setting.Must(c.setting)
			mutant, err := s.With(c.mutant)
			require.NoError(t, err)
			noticed := false
			for seed := 0; seed < 100 && !noticed; seed++ {
				noticed = rapid.Custom(func(t *rapid.T) bool {
					p := plain.Of(model.DrawAnyToy[uint8](t, s))
					if _, err := p.System(s); err != nil {
						return false
					}
					_, err := plain.Compare(in{p, mutant}, s, 60)
					return err != nil && !strings.Contains(err.Error(), "more than links hold")
				}).Example(seed)
			}
			assert.True(t, noticed)
		})
	}
}
