package runtime

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"

	"bullyproof/model"
)

// A window knows what a set of all numbers would know, except for what is too old.
func TestWindow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var w window
		seen, highest := map[uint64]bool{}, uint64(0)
		for _, step := range rapid.SliceOf(rapid.IntRange(-70, 70)).Draw(t, "steps") {
			number := uint64(max(1, int(highest)+step))
			want := !seen[number] && highest < number+65
			assert.Equal(t, want, w.add(number), "%d, highest %d", number, highest)
			seen[number], highest = seen[number] || want, max(highest, number)
			assert.Equal(t, highest, w.highest)
		}
	})
}

// A recorded packet does nothing, played back in the same session, after the
// sender has restarted, or after the receiver has.
func TestPlayedBack(t *testing.T) {
	const ours = 100
	now := time.Unix(1, 0)
	p := &peer{id: 2}
	first := &packet{kind: message, from: 2, to: 1, session: 50, peer: ours, number: 1}
	f, linked := p.accept(first, ours, now)
	assert.Equal(t, fresh, f)
	assert.True(t, linked)
	f, _ = p.accept(first, ours, now)
	assert.Equal(t, repeated, f)

	f, _ = p.accept(&packet{session: 51, number: 1, peer: ours}, ours, now)
	assert.Equal(t, fresh, f, "its sender has restarted")
	f, _ = p.accept(first, ours, now)
	assert.Equal(t, stale, f)

	again, later := &peer{id: 2}, now.Add(time.Hour)
	f, linked = again.accept(first, ours+1, later)
	assert.Equal(t, strange, f, "we have restarted")
	assert.False(t, linked)
	assert.Zero(t, again.heard, "a recording is no sign of life")
}

// After a connection broke, what was on its way when it did does not show that
// the peer is there.
func TestLinkAfterALoss(t *testing.T) {
	const ours = 100
	p := &peer{id: 2, linked: true, session: 50, sent: 5}
	p.unlink()
	_, linked := p.accept(&packet{session: 50, peer: ours, number: 1, seen: 5}, ours, time.Time{})
	assert.False(t, linked)
	hello := p.next(greeting, 1, ours)
	assert.Equal(t, uint64(6), hello.number)
	_, linked = p.accept(&packet{session: 50, peer: ours, number: 2, seen: 6}, ours, time.Time{})
	assert.True(t, linked)
	_, linked = p.accept(&packet{session: 50, peer: ours, number: 3, seen: 6}, ours, time.Time{})
	assert.False(t, linked, "it is not new")
}

func TestOutboxKeepsTheLatest(t *testing.T) {
	p := &peer{id: 2}
	for i := range maxOutbox {
		assert.True(t, p.wait(mail{order: uint64(i)}))
	}
	assert.False(t, p.wait(mail{order: maxOutbox, by: model.Next}))
	assert.Len(t, p.outbox, maxOutbox)
	assert.Equal(t, uint64(1), p.outbox[0].order)
	assert.Equal(t, uint64(maxOutbox), p.outbox[maxOutbox-1].order)
}
