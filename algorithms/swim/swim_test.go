package swim

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model"
)

var gaps = checker.AllowGaps("*")

func TestAlgorithm(t *testing.T) {
	assert.NoError(t, ledger.Validate([]*ledger.Algorithm{Algorithm}))
}

// News overrides other news by the order of section 4.2 of the paper, and by that of memberlist.
func TestOverrides(t *testing.T) {
	for _, c := range []struct {
		news, old         Member
		paper, memberlist bool
	}{
		{Member{Alive, 1}, Member{Suspect, 0}, true, true},
		{Member{Alive, 1}, Member{Suspect, 1}, false, false},
		{Member{Alive, 1}, Member{Alive, 0}, true, true},
		{Member{Alive, 1}, Member{Faulty, 0}, false, true},
		{Member{Alive, 1}, Member{Faulty, 1}, false, false},
		{Member{Suspect, 1}, Member{Suspect, 0}, true, true},
		{Member{Suspect, 1}, Member{Suspect, 1}, false, false},
		{Member{Suspect, 1}, Member{Alive, 1}, true, true},
		{Member{Suspect, 0}, Member{Alive, 1}, false, false},
		{Member{Suspect, 1}, Member{Faulty, 0}, false, false},
		{Member{Faulty, 0}, Member{Alive, 1}, true, false},
		{Member{Faulty, 1}, Member{Alive, 1}, true, true},
		{Member{Faulty, 1}, Member{Suspect, 1}, true, true},
	} {
		assert.Equal(t, c.paper, (&Swim{Final: true}).overrides(c.news, c.old), "%v over %v in the paper", c.news, c.old)
		assert.Equal(t, c.memberlist, (&Swim{}).overrides(c.news, c.old), "%v over %v in memberlist", c.news, c.old)
	}
}

// A crash is noticed within 2n-1 periods and the one in which it happened, and in a period fewer it is
// not, if members are pinged in any order.
func TestTimeBound(t *testing.T) {
	fewer := checker.Always("in-a-period-fewer", "", func(v *model.View) bool { return noticed(v, 2*int(v.N-1)-1) }).Remembering(downtime)
	shuffled := &Swim{Final: true, Shuffled: true, Most: 3}
	checker.Verify(t, shuffled, in("crashes=1").String(), checker.Asking(inTime, fewer), checker.Expect(fewer), gaps)
	checker.Verify(t, &Swim{Final: true, Most: 3}, in("crashes=1").String(), checker.Asking(inTime, fewer), gaps)
}

// If nothing fails, each member sends a ping and an answer in each period, whoever is pinged.
func TestMessagesOfAPeriod(t *testing.T) {
	type count struct{ Sent, Ticks uint8 }
	sent := model.NewMonitor("sent", count{}, func(c *count, e *model.Event) {
		if e.Kind == model.Ticks {
			c.Ticks = (c.Ticks + 1) % 6
			if c.Ticks == 0 {
				c.Sent = 0
			}
		}
		for range model.Sends[M](e) {
			c.Sent++
		}
	})
	twice := checker.Always("two-of-each", "", func(v *model.View) bool { return int(sent.Of(v).Sent) <= 2*int(v.N) }).Remembering(sent)
	fewer := checker.Always("fewer", "", func(v *model.View) bool { return int(sent.Of(v).Sent) < 2*int(v.N) }).Remembering(sent)
	for _, n := range []string{"n=3", "n=4"} {
		checker.Verify(t, &Swim{Most: 3}, in(n).String(), checker.Asking(twice, fewer), checker.Expect(fewer), gaps)
	}
}

// An old member leads again where the lists are right again, and the Bully does not mend what a crossing
// of announcements has left.
func TestListsAndMessages(t *testing.T) {
	r := checker.Verify(t, &Swim{Rejoins: true, Most: 3}, in("crashes=1 restarts=1").String(),
		checker.Asking(checker.OneLeaderAgain, checker.StableLeadership, onePerList), gaps)
	assert.EqualValues(t, 10_220, r.Distinct)
	r = checker.Verify(t, &Swim{Elects: true, Rejoins: true, Most: 3}, settled("crashes=1 restarts=1").String(),
		checker.Asking(checker.OneLeaderAgain, sameAgain), checker.Expect(checker.OneLeaderAgain), gaps)
	assert.EqualValues(t, 26_480, r.Distinct)
}
