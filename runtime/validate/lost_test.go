package validate_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/runtime/eventlog"
	"bullyproof/runtime/validate"
)

// A talker is a protocol in which P1 says a or b to P2 again and again.
type talker struct {
	model.Passive[heard, word]
}

type heard struct{ Last word }

type word uint8

func (word) Kind() model.Kind { return 0 }

func (w word) String() string { return string(rune('a' + w)) }

func (talker) Names() model.Names {
	return model.Names{Kinds: []string{"WORD"}, Timers: []model.TimerName{{Name: "a"}, {Name: "b"}}}
}

func (talker) Init(_ *heard, net *model.Net[word], _ model.Boot) {
	if net.Self() == 1 {
		net.SetTimer(0, 1)
		net.SetTimer(1, 1)
	}
}

func (talker) Timeout(_ *heard, net *model.Net[word], t model.Timer) {
	net.SendTo(2, word(t))
	net.SetTimer(t, 1)
}

func (talker) Receive(p *heard, _ *model.Net[word], _ model.Port, m word) { p.Last = m }

func (talker) Belief(*heard) model.Belief { return model.Belief{} }

// talk is the log of what P1 said and P2 heard: each letter is a word, and "!" a kill of
// the process and its restart. Where tells is not set, no line is about a send.
func talk(said, got string, tells bool) (list []eventlog.Event) {
	for id, did := range map[model.ID]string{1: said, 2: got} {
		list = append(list, eventlog.Event{Process: id, Kind: eventlog.Boot, Why: model.Cold})
		for _, w := range strings.Split(did, "") {
			switch {
			case w == "!":
				list = append(list, eventlog.Event{Process: id, Kind: eventlog.Boot, Why: model.Restart})
			case id == 2:
				list = append(list, eventlog.Event{Process: id, Kind: eventlog.Receive, From: 1, Message: w})
			default:
				list = append(list, eventlog.Event{Process: id, Kind: eventlog.Expire, Timer: w})
				if tells {
					list = append(list, eventlog.Event{Process: id, Kind: eventlog.Send, To: 2, Message: w})
				}
			}
		}
	}
	return list
}

// heardOf validates a log of talkers whose channels are FIFO, at once and line by line,
// which come to the same.
func heardOf(t require.TestingT, text string, list []eventlog.Event) *validate.Result {
	of := setting.Must("n=2 channels=fifo")
	l := read(t, list)
	s, err := l.Setting(of, text)
	require.NoError(t, err)
	sys, err := model.New(talker{}, s)
	require.NoError(t, err)
	r, err := validate.Run(ctx, sys, l, validate.Options{})
	require.NoError(t, err)
	assert.Equal(t, r.Verdict, onlineTalk(t, of, text, list), "line by line")
	return r
}

func onlineTalk(t require.TestingT, of setting.Setting, text string, list []eventlog.Event) validate.Verdict {
	s, err := validate.Endless(of, 0, text)
	require.NoError(t, err)
	sys, err := model.New(talker{}, s)
	require.NoError(t, err)
	v := validate.NewOnline(sys, validate.Options{}, nil)
	file := v.Open("log")
	for i, e := range list {
		e.Line = i + 1
		r, _, err := v.Add(ctx, file, e)
		require.NoError(t, err)
		if r != nil {
			return r.Verdict
		}
	}
	r, _ := v.End(ctx)
	return r.Verdict
}

// A message before one that arrives was lost. It did not overtake, and nobody made it.
func TestLostOnFIFO(t *testing.T) {
	many := strings.Repeat("a", 700)
	for _, c := range []struct {
		says, text, said, got string
		verdict               validate.Verdict
		hidden                int
	}{
		{"all arrive", "", "abab", "abab", validate.Accepted, 0},
		{"two in the middle are lost", "", "abbaa", "aaa", validate.Accepted, 2},
		{"the last ones may be late", "", "abbb", "a", validate.Accepted, 0},
		{"as many as are lost", "losses=2", "abbaa", "aaa", validate.Accepted, 2},
		{"more than are granted", "losses=1", "abbaa", "aaa", validate.Refused, 0},
		{"none is granted", "losses=0", "aba", "aa", validate.Refused, 0},
		{"one overtakes", "", "ab", "ba", validate.Refused, 0},
		{"one is there twice", "", "ab", "abb", validate.Refused, 0},
		{"those of a sender that was killed", "", "aab!b", "ab", validate.Accepted, 2},
		{"those to a receiver that was killed", "", "abbba", "a!a", validate.Accepted, 4},
		{"they arrive while it is down", "losses=0", "abbba", "a!a", validate.Accepted, 4},
		{"more than a setting grants", "", many + "b", "b", validate.Accepted, 700},
		{"datagrams overtake, and none has to be lost", "channels=unordered", "abba", "baa", validate.Accepted, 0},
	} {
		t.Run(c.says, func(t *testing.T) {
			for _, tells := range []bool{true, false} {
				r := heardOf(t, c.text, talk(c.said, c.got, tells))
				assert.Equal(t, c.verdict, r.Verdict, r.Why)
				if r.Verdict == validate.Accepted {
					assert.Equal(t, c.hidden, r.Hidden)
				}
			}
		})
	}
}

// The messages that arrive are some of those sent, in their order; every other log is
// refused.
func TestLostAtRandom(t *testing.T) {
	var accepted, refused int
	rapid.Check(t, func(t *rapid.T) {
		said := rapid.StringOfN(rapid.RuneFrom([]rune("aab")), 1, 12, -1).Draw(t, "said")
		got := rapid.StringOfN(rapid.RuneFrom([]rune("ab")), 1, 6, -1).Draw(t, "got")
		rest, part := said, true
		for _, w := range got {
			_, after, found := strings.Cut(rest, string(w))
			rest, part = after, part && found
		}
		want := validate.Accepted
		if part {
			accepted++
		} else {
			refused++
			want = validate.Refused
		}
		r := heardOf(t, "", talk(said, got, rapid.Bool().Draw(t, "tells")))
		require.Equal(t, want, r.Verdict)
	})
	t.Logf("%d logs accepted, %d refused", accepted, refused)
	assert.Positive(t, accepted)
	assert.Positive(t, refused)
}
