package validate

import (
	"fmt"
	"strings"
	"time"

	"bullyproof/model"
	"bullyproof/runtime/eventlog"
)

// Beliefs watches what processes say that they believe, for systems whose model is
// not at hand. The zero value has seen nothing.
//
// One leader per epoch is asked of all that was ever said, whatever the order of
// the lines of different processes: it can be relied upon. A part of a belief that a
// line leaves out is as the process told it last since it came up. The other
// questions rely on the order of the lines, or on their times.
type Beliefs struct {
	// Instant has uniqueness asked as well: two leaders at one instant, in the order in
	// which the lines come.
	Instant bool
	// Timed has uniqueness asked by the times of the lines instead: a process leads from
	// the line that says so up to the last one at which it does still, and two have to lead
	// for longer than Slack, which is how far clocks may be off.
	Timed bool
	Slack time.Duration
	// Grow has it asked that the epochs of a process only grow, restarts included.
	Grow bool
	// Leaderless is for how long no process may lead or name a leader, by the times of the
	// lines, in which Slack is allowed; 0: for any time.
	Leaderless time.Duration

	led     map[uint64]leader
	leads   map[model.ID]*lead
	epochs  [model.MaxID + 1]uint64
	highest [model.MaxID + 1]dated
	elected [model.MaxID + 1]model.ID // whom it names, NotMe where that is not known
	told    int
	changes int
	latest  leader
	vacant  time.Time // since when nobody has named a leader; zero: somebody does
}

// A leader is a process with the line in which it said that it leads.
type leader struct {
	id    model.ID
	place string
	epoch uint64
}

// A lead is a time for which a process leads.
type lead struct {
	leader
	from, to time.Time // the lines that say so, the first and the last
	rival    *rival    // the first one that goes on for longer than the slack after from
}

// A rival is the beginning of another lead.
type rival struct {
	leader
	from time.Time
}

// dated is an epoch with the line that told it.
type dated struct {
	epoch uint64
	place string
}

// Epochs returns in how many epochs somebody led, and Told how many lines told a
// belief.
func (b *Beliefs) Epochs() int { return len(b.led) }

// Told returns how many lines told whom a process takes for the coordinator.
func (b *Beliefs) Told() int { return b.told }

// Changes returns how often another process led than the one before.
func (b *Beliefs) Changes() int { return b.changes }

// Unnamed returns the process that was the last to say that it leads, if it still does
// and no other process names it, and its epoch, 0 if that was not told; not ok if some
// process names it, or none leads.
func (b *Beliefs) Unnamed() (id model.ID, epoch uint64, ok bool) {
	if b.leads[b.latest.id] == nil {
		return 0, 0, false
	}
	for other, who := range b.elected {
		if who == b.latest.id && model.ID(other) != who {
			return 0, 0, false
		}
	}
	return b.latest.id, b.epochs[b.latest.id], true
}

// Add looks at the next line, which stands at a place. It says what the line
// breaks, nil if nothing.
func (b *Beliefs) Add(place string, e *eventlog.Event) *Broken {
	if b.led == nil {
		b.led, b.leads = make(map[uint64]leader), make(map[model.ID]*lead)
	}
	broken := b.before(place, e)
	if broken == nil && e.Belief != nil {
		broken = b.belief(place, e)
	}
	b.after(e)
	return broken
}

// before looks at what a line shows of the time before it.
func (b *Beliefs) before(place string, e *eventlog.Event) *Broken {
	if b.Leaderless > 0 && !b.vacant.IsZero() && e.Time.Sub(b.vacant) > b.Leaderless+b.Slack {
		return &Broken{Name: "leaderless", Place: place, Text: text(e), Doc: fmt.Sprintf(
			"nobody leads or names a leader for %s, since %s", e.Time.Sub(b.vacant), eventlog.TimeOfDay(b.vacant))}
	}
	if e.Kind == eventlog.Crash || e.Kind == eventlog.Boot {
		delete(b.leads, e.Process)
		b.epochs[e.Process] = 0 // what it keeps of it, it has yet to tell
		b.elected[e.Process] = model.None
		return nil
	}
	if l := b.leads[e.Process]; l != nil && b.Timed {
		return b.extend(l, place, e)
	}
	return nil
}

// after notes since when there is no leader.
func (b *Beliefs) after(e *eventlog.Event) {
	for _, who := range b.elected {
		if who != model.None && who != eventlog.NotMe {
			b.vacant = time.Time{}
			return
		}
	}
	if b.vacant.IsZero() {
		b.vacant = e.Time
	}
}

// belief looks at the belief of a line.
func (b *Beliefs) belief(place string, e *eventlog.Event) *Broken {
	if e.Belief.Epoch != nil {
		b.epochs[e.Process] = *e.Belief.Epoch
		if broken := b.grows(place, e); broken != nil {
			return broken
		}
	}
	if e.Belief.Elected == nil {
		if _, leads := b.leads[e.Process]; !leads || e.Belief.Epoch == nil {
			return nil
		}
		return b.leader(place, e) // it goes on leading, in this epoch
	}
	b.told++
	b.elected[e.Process] = *e.Belief.Elected
	if who := *e.Belief.Elected; who != e.Process && who != model.Me {
		delete(b.leads, e.Process)
		return nil
	}
	return b.leader(place, e)
}

// grows asks whether the epoch of a process is one that it has left.
func (b *Beliefs) grows(place string, e *eventlog.Event) *Broken {
	epoch, highest := *e.Belief.Epoch, &b.highest[e.Process]
	if epoch >= highest.epoch {
		*highest = dated{epoch, place}
		return nil
	}
	if !b.Grow {
		return nil
	}
	return &Broken{Name: "epochs-grow", Place: place, Text: text(e), Doc: fmt.Sprintf(
		"%s is in epoch %d, and was in epoch %d, by %s", e.Process.Name(), epoch, highest.epoch, highest.place)}
}

// leader notes that a process says that it leads.
func (b *Beliefs) leader(place string, e *eventlog.Event) *Broken {
	l := leader{e.Process, place, b.epochs[e.Process]}
	if b.latest.id != l.id && b.latest.id != model.None {
		b.changes++
	}
	b.latest = l
	if l.epoch > 0 {
		first, ok := b.led[l.epoch]
		if ok && first.id != l.id {
			return &Broken{
				Name: "one-leader-per-epoch", Place: l.place, Text: text(e),
				Doc: fmt.Sprintf("%s leads in epoch %d, in which %s does, by %s", l.id.Name(), l.epoch, first.id.Name(), first.place),
			}
		}
		if !ok {
			b.led[l.epoch] = l
		}
	}
	if b.Timed {
		if b.leads[l.id] != nil {
			return nil
		}
		since := &lead{leader: l, from: e.Time, to: e.Time}
		b.leads[l.id] = since
		return b.extend(since, place, e)
	}
	b.leads[l.id] = &lead{leader: l}
	return b.instant(l, e)
}

// instant asks whether another process leads, in the order of the lines.
func (b *Beliefs) instant(l leader, e *eventlog.Event) *Broken {
	if !b.Instant {
		return nil
	}
	for id := model.ID(1); id <= model.MaxID; id++ { // the same one every time
		if other, ok := b.leads[id]; ok && id != l.id {
			return &Broken{
				Name: "uniqueness", Place: l.place, Text: text(e),
				Doc: fmt.Sprintf("%s believes itself coordinator, and so does %s since %s", l.id.Name(), id.Name(), other.place),
			}
		}
	}
	return nil
}

// extend notes that a process has led up to a line, and asks whether another one did so
// for longer than the slack.
func (b *Beliefs) extend(l *lead, place string, e *eventlog.Event) *Broken {
	l.to = e.Time
	for id := model.ID(1); id <= model.MaxID; id++ {
		other := b.leads[id]
		if other == nil || other == l {
			continue
		}
		if l.to.Sub(other.from) > b.Slack && (other.rival == nil || l.from.Before(other.rival.from)) {
			other.rival = &rival{l.leader, l.from}
		}
	}
	if r := l.rival; b.Instant && r != nil && l.to.Sub(r.from) > b.Slack {
		return &Broken{Name: "uniqueness", Place: place, Text: text(e), Doc: fmt.Sprintf(
			"%s leads from %s (%s) to %s, and %s from %s (%s)",
			l.id.Name(), eventlog.TimeOfDay(l.from), l.place, eventlog.TimeOfDay(l.to), r.id.Name(), eventlog.TimeOfDay(r.from), r.place)}
	}
	return nil
}

// text returns a line for people, with its note.
func text(e *eventlog.Event) string {
	if e.Note == "" || strings.ContainsAny(e.Note, "\n") {
		return e.String()
	}
	return fmt.Sprintf("%s: %s", e, e.Note)
}
