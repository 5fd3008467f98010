package validate

import (
	"fmt"

	"bullyproof/model"
	"bullyproof/runtime/eventlog"
)

// Beliefs watches what processes say that they believe, for systems whose model is
// not at hand. The zero value has seen nothing.
//
// One leader per epoch is asked of all that was ever said, whatever the order of
// the lines of different processes: it can be relied upon. A part of a belief that a
// line leaves out is as the process told it last since it came up. Uniqueness, two leaders
// at one instant, is asked of the lines in the order in which they come.
type Beliefs struct {
	// Instant has uniqueness asked as well.
	Instant bool

	led    map[uint64]leader
	leads  map[model.ID]leader
	epochs [model.MaxID + 1]uint64
	told   int
}

// A leader is a process with the line in which it said that it leads.
type leader struct {
	id    model.ID
	place string
}

// Epochs returns in how many epochs somebody led, and Told how many lines told a
// belief.
func (b *Beliefs) Epochs() int { return len(b.led) }

// Told returns how many lines told whom a process takes for the coordinator.
func (b *Beliefs) Told() int { return b.told }

// Add looks at the next line, which stands at a place. It says what the line
// breaks, nil if nothing.
func (b *Beliefs) Add(place string, e *eventlog.Event) *Broken {
	if b.led == nil {
		b.led, b.leads = make(map[uint64]leader), make(map[model.ID]leader)
	}
	if e.Kind == eventlog.Crash || e.Kind == eventlog.Boot {
		delete(b.leads, e.Process)
		b.epochs[e.Process] = 0 // what it keeps of it, it has yet to tell
	}
	if e.Belief == nil {
		return nil
	}
	if e.Belief.Epoch != nil {
		b.epochs[e.Process] = *e.Belief.Epoch
	}
	if e.Belief.Elected == nil {
		if _, leads := b.leads[e.Process]; !leads || e.Belief.Epoch == nil {
			return nil
		}
		return b.leader(leader{e.Process, place}, e.String()) // it goes on leading, in this epoch
	}
	b.told++
	if who := *e.Belief.Elected; who != e.Process && who != model.Me {
		delete(b.leads, e.Process)
		return nil
	}
	return b.leader(leader{e.Process, place}, e.String())
}

// leader notes that a process says that it leads.
func (b *Beliefs) leader(l leader, text string) *Broken {
	if epoch := b.epochs[l.id]; epoch > 0 {
		first, ok := b.led[epoch]
		if ok && first.id != l.id {
			return &Broken{
				Name: "one-leader-per-epoch", Place: l.place, Text: text,
				Doc: fmt.Sprintf("%s leads in epoch %d, in which %s does, by %s", l.id.Name(), epoch, first.id.Name(), first.place),
			}
		}
		if !ok {
			b.led[epoch] = l
		}
	}
	b.leads[l.id] = l
	if !b.Instant {
		return nil
	}
	for id := model.ID(1); id <= model.MaxID; id++ { // the same one every time
		if other, ok := b.leads[id]; ok && id != l.id {
			return &Broken{
				Name: "uniqueness", Place: l.place, Text: text,
				Doc: fmt.Sprintf("%s believes itself coordinator, and so does %s since %s", l.id.Name(), id.Name(), other.place),
			}
		}
	}
	return nil
}
