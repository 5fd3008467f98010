package shipped_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"bullyproof/checker"
	"bullyproof/checker/shipped"
	"bullyproof/model"
)

// poll is code that blocks and has goroutines of its own: it asks all peers at once, for a second.
func poll(ctx context.Context, peers int, ask func(ctx context.Context, peer int) bool) (votes int) {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	answers := make(chan bool, peers)
	for peer := range peers {
		go func() { answers <- ask(ctx, peer) }()
	}
	for range peers {
		if <-answers {
			votes++
		}
	}
	return votes
}

// polled is a process: what has happened to its poll, as data.
type polled struct {
	Seen  []happened
	Voted bool
	Votes int
}

// happened is an answer of a peer, or with Late the end of the second.
type happened struct {
	Peer int
	Yes  bool
	Late bool
}

type pollers struct {
	shipped.Passive[polled, bool]
	t *testing.T
}

// repeat repeats a poll in a bubble of its own, and says whether it has returned, with how many votes.
func (m pollers) repeat(peers int, seen []happened) (returned bool, votes int) {
	synctest.Test(m.t, func(*testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		answers := make([]chan bool, peers)
		for i := range answers {
			answers[i] = make(chan bool)
		}
		end := false
		var n int
		go func() {
			n = poll(ctx, peers, func(ctx context.Context, peer int) bool {
				select {
				case yes := <-answers[peer]:
					return yes
				case <-ctx.Done():
					return false
				}
			})
			end = true
		}()
		synctest.Wait()
		for _, s := range seen {
			if s.Late {
				time.Sleep(time.Second)
			} else {
				answers[s.Peer] <- s.Yes
			}
			synctest.Wait() // until all goroutines wait
		}
		returned, votes = end, n
		cancel() // so that the bubble ends
	})
	return returned, votes
}

func (m pollers) Init(_ *polled, net *shipped.Net[bool], _ model.Boot) { net.SetTimer(0, 1) }

// Timeout begins a poll of a process that has none, and is otherwise the end of its second.
func (m pollers) Timeout(p *polled, net *shipped.Net[bool], t model.Timer) {
	if t == 0 {
		p.Voted = true // for itself
		net.Broadcast(false)
		net.SetTimer(1, 3)
		return
	}
	m.happens(p, net, happened{Late: true})
}

// Receive votes once, and takes an answer to the poll.
func (m pollers) Receive(p *polled, net *shipped.Net[bool], from model.Port, vote bool) {
	switch {
	case vote && net.IsSet(1):
		m.happens(p, net, happened{Peer: (int(from.ID()) - int(net.Self()) + net.N() - 1) % net.N(), Yes: true})
	case !vote && !p.Voted:
		p.Voted = true
		net.StopTimer(0)
		net.Reply(true)
	}
}

func (m pollers) happens(p *polled, net *shipped.Net[bool], h happened) {
	p.Seen = append(p.Seen, h)
	if returned, votes := m.repeat(net.N()-1, p.Seen); returned {
		net.StopTimer(1)
		p.Seen, p.Votes = nil, votes+1
	}
}

func (pollers) Belief(p *polled) model.Belief {
	if p.Votes >= 2 {
		return model.Belief{Elected: model.Me}
	}
	return model.Belief{}
}

func (pollers) Names() model.Names {
	return model.Names{Kinds: []string{"Ask", "Vote"}, Timers: []model.TimerName{{Name: "poll"}, {Name: "second"}}}
}

func (pollers) Kind(vote bool) model.Kind {
	if vote {
		return 1
	}
	return 0
}

func (m pollers) Text(vote bool) string { return m.Names().Kinds[m.Kind(vote)] }

// Code that blocks is explored by repeating its calls in bubbles.
func TestBubbles(t *testing.T) {
	shipped.Test(t, pollers{t: t}, "n=3 initiators=none timing=sync:1 losses=1")
	nobody := checker.Always("nobody-leads", "Nobody leads.", func(v *model.View) bool { return v.Leaders.Empty() })
	r := checker.Verify(t, shipped.New(pollers{t: t}), "n=3 initiators=none timing=sync:1", checker.Asking(checker.Uniqueness, nobody), checker.Expect(nobody))
	assert.Equal(t, checker.Holds, r.Finding(checker.Uniqueness.Name).Verdict)
	assert.EqualValues(t, 409, r.Distinct)
}
