package validate_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/model"
	"bullyproof/runtime/eventlog"
	"bullyproof/runtime/validate"
)

var midnight = time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)

// seen is what a process tells at a second.
func seen(second int, id, elected model.ID, epoch uint64) eventlog.Event {
	b := &eventlog.Belief{Elected: &elected}
	if epoch > 0 {
		b.Epoch = &epoch
	}
	return eventlog.Event{Process: id, Kind: eventlog.Observe, Belief: b, Time: midnight.Add(time.Duration(second) * time.Second)}
}

func boots(second int, id model.ID) eventlog.Event {
	return eventlog.Event{Process: id, Kind: eventlog.Boot, Why: model.Restart, Time: midnight.Add(time.Duration(second) * time.Second)}
}

// first returns what the first broken property is, with the line; "" if none is.
func first(b *validate.Beliefs, events []eventlog.Event) string {
	for i := range events {
		if broken := b.Add(fmt.Sprintf("log:%d", i+1), &events[i]); broken != nil {
			return fmt.Sprintf("%s at %s: %s", broken.Name, broken.Place, broken.Doc)
		}
	}
	return ""
}

func TestBeliefsOverTime(t *testing.T) {
	const other = eventlog.NotMe
	for _, c := range []struct {
		name   string
		of     validate.Beliefs
		events []eventlog.Event
		want   string
	}{
		{"a leader that goes on beside another", validate.Beliefs{Instant: true, Timed: true}, []eventlog.Event{
			seen(1, 1, 1, 1), seen(5, 2, 2, 2), seen(9, 1, other, 1)},
			"uniqueness at log:3: P1 leads from 00:00:01.000000 (log:1) to 00:00:09.000000, and P2 from 00:00:05.000000 (log:2)"},
		{"for less than clocks may be off", validate.Beliefs{Instant: true, Timed: true, Slack: 4 * time.Second}, []eventlog.Event{
			seen(1, 1, 1, 1), seen(5, 2, 2, 2), seen(9, 1, other, 1)}, ""},
		{"a leader that was killed, and came up later", validate.Beliefs{Instant: true, Timed: true}, []eventlog.Event{
			seen(1, 1, 1, 1), seen(5, 2, 2, 2), boots(9, 1), seen(10, 2, 2, 2)}, ""},
		{"the other one has stopped since", validate.Beliefs{Instant: true, Timed: true}, []eventlog.Event{
			seen(1, 1, 1, 1), seen(5, 2, 2, 2), seen(6, 2, other, 2), seen(9, 1, 1, 1)},
			"uniqueness at log:4: P1 leads from 00:00:01.000000 (log:1) to 00:00:09.000000, and P2 from 00:00:05.000000 (log:2)"},
		{"one after another", validate.Beliefs{Instant: true, Timed: true}, []eventlog.Event{
			seen(1, 1, 1, 1), seen(5, 1, other, 1), seen(6, 2, 2, 2), seen(9, 1, 2, 2)}, ""},
		{"an epoch that falls", validate.Beliefs{Grow: true}, []eventlog.Event{seen(1, 1, 0, 3), boots(2, 1), seen(3, 2, 0, 1), seen(4, 1, 0, 2)},
			"epochs-grow at log:4: P1 is in epoch 2, and was in epoch 3, by log:1"},
		{"that nobody asks about", validate.Beliefs{}, []eventlog.Event{seen(1, 1, 0, 3), seen(4, 1, 0, 2)}, ""},
		{"nobody leads", validate.Beliefs{Leaderless: 3 * time.Second}, []eventlog.Event{seen(1, 1, 1, 1), seen(2, 1, other, 1), seen(6, 2, 2, 2)},
			"leaderless at log:3: nobody leads or names a leader for 4s, since 00:00:02.000000"},
		{"from the start", validate.Beliefs{Leaderless: 3 * time.Second}, []eventlog.Event{boots(1, 1), seen(6, 2, 2, 2)},
			"leaderless at log:2: nobody leads or names a leader for 5s, since 00:00:01.000000"},
		{"within the slack", validate.Beliefs{Leaderless: 3 * time.Second, Slack: time.Second}, []eventlog.Event{boots(1, 1), seen(5, 2, 2, 2)}, ""},
		{"a leader without a log is named", validate.Beliefs{Leaderless: 3 * time.Second}, []eventlog.Event{seen(1, 1, 3, 1), seen(9, 2, 3, 1)}, ""},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, first(&c.of, c.events)) })
	}
}

func TestBeliefsCount(t *testing.T) {
	var b validate.Beliefs
	_, _, ok := b.Unnamed()
	assert.False(t, ok)
	require.Empty(t, first(&b, []eventlog.Event{seen(1, 1, 1, 1), seen(2, 2, 1, 1)}))
	_, _, ok = b.Unnamed()
	assert.False(t, ok, "P2 names P1")
	require.Empty(t, first(&b, []eventlog.Event{seen(3, 3, 3, 2), seen(4, 3, 3, 2)}))
	id, epoch, ok := b.Unnamed()
	assert.True(t, ok)
	assert.EqualValues(t, 3, id)
	assert.EqualValues(t, 2, epoch)
	assert.Equal(t, 1, b.Changes())
	require.Empty(t, first(&b, []eventlog.Event{seen(5, 3, eventlog.NotMe, 2)}))
	_, _, ok = b.Unnamed()
	assert.False(t, ok, "nobody leads")
}

// By times, uniqueness breaks exactly if two of the times overlap in which processes say
// that they lead.
func TestUniquenessByTimesAgainstReference(t *testing.T) {
	type lead struct {
		id       model.ID
		from, to int
	}
	broke := 0
	rapid.Check(t, func(t *rapid.T) {
		slack := rapid.IntRange(0, 3).Draw(t, "slack")
		b := validate.Beliefs{Instant: true, Timed: true, Slack: time.Duration(slack) * time.Second}
		var events []eventlog.Event
		var leads []lead
		open := make(map[model.ID]int) // of leads
		for second := range rapid.IntRange(0, 12).Draw(t, "seconds") {
			id := model.ID(rapid.IntRange(1, 3).Draw(t, "process"))
			i, leading := open[id]
			switch what := rapid.SampledFrom([]string{"leads", "leads", "stops", "boots"}).Draw(t, "what"); {
			case what == "boots":
				events = append(events, boots(second, id))
				delete(open, id)
				continue
			case leading:
				leads[i].to = second
				if what == "stops" {
					delete(open, id)
				}
				fallthrough
			default:
				who := eventlog.NotMe
				if what == "leads" {
					who = id
				}
				if what == "leads" && !leading {
					open[id] = len(leads)
					leads = append(leads, lead{id, second, second})
				}
				events = append(events, seen(second, id, who, 0))
			}
		}
		want := false
		for _, x := range leads {
			for _, y := range leads {
				want = want || x.id != y.id && x.to-y.from > slack && y.to-x.from > slack
			}
		}
		got := first(&b, events)
		assert.Equal(t, want, got != "", "%v: %s", leads, got)
		if want {
			broke++
		}
	})
	assert.Positive(t, broke)
}
