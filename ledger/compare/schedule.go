package compare

import (
	"fmt"
	"strings"

	"bullyproof/model"
)

// A schedule is what befell processes and network in a run, in order. Messages
// are no part of it: no two algorithms have the same ones. When things
// happened is no part either.
type schedule struct {
	Events [mostEvents]event
	Len    uint8
	// Disturbed says that not everybody who was up named one process that is up,
	// at some time.
	Disturbed bool
}

// mostEvents is how many events a schedule has room for. Runs with more are left
// alone.
const mostEvents = 6

// An event is one thing that befell: what, to whom, and of a wrong report about
// whom, of a cut the side.
type event struct {
	Kind model.ActionKind
	Who  model.ID
	What uint16
}

// scheduled keeps the schedule of a run beside its state.
var scheduled = model.NewMonitor("schedule", schedule{}, func(s *schedule, e *model.Event) {
	s.Disturbed = s.Disturbed || together(e.From) == model.None || together(e.To) == model.None
	var what uint16
	switch k := e.Kind; {
	case k == model.Restarts, k == model.Joins, k == model.Requests, k == model.Heals, k.Parts() == model.AtProcess:
	case k == model.CutsOff:
		what = uint16(e.To.Side)
	case k == model.Misreports:
		what = uint16(e.Who)
	default:
		if e.Crash {
			s.add(event{model.Crashes, e.Process, 0})
		}
		return
	}
	s.add(event{e.Kind, e.Process, what})
})

// add notes an event. A schedule that is full stays longer than it has room for.
func (s *schedule) add(e event) {
	if s.Len < mostEvents {
		s.Events[s.Len] = e
	}
	s.Len = min(s.Len+1, mostEvents+1)
}

// together returns the process that is up and that everybody who is up names,
// None if there is none.
func together(v *model.View) model.ID {
	if v.Up.Empty() {
		return model.None
	}
	leader := v.Elected(v.Up.Min())
	for t := v.Up; t != 0; t &= t - 1 {
		if v.Elected(t.Min()) != leader {
			return model.None
		}
	}
	if leader == model.None || !v.Up.Has(leader) {
		return model.None
	}
	return leader
}

// A ranking reads the processes of an algorithm by how good they are: 1 is the
// best, whether that is the one with the highest id or the one with the lowest.
type ranking struct {
	n       model.ID
	highest bool
}

// of returns the rank of a process, and process the process of a rank.
func (r ranking) of(id model.ID) model.ID {
	if r.highest && id != model.None {
		return r.n + 1 - id
	}
	return id
}

func (r ranking) process(rank model.ID) model.ID { return r.of(rank) }

// ranks returns the ranks of a set of processes.
func (r ranking) ranks(set model.Set) (ranks model.Set) {
	for id := range set.All() {
		ranks = ranks.With(r.of(id))
	}
	return ranks
}

// key returns the schedule by ranks, the same for all runs that have it, whether
// or not the process that all name is down before the run begins.
func (s *schedule) key(r ranking, down bool) (key string, ok bool) {
	if s.Len > mostEvents {
		return "", false
	}
	var parts []string
	if down {
		parts = append(parts, phrase(model.Crashes, 1, 0))
	}
	for _, e := range s.Events[:s.Len] {
		what := uint64(0)
		switch e.Kind {
		case model.CutsOff:
			side := r.ranks(model.Set(e.What))
			if rest := model.Upto(r.n) &^ side; !side.Has(1) { // one name for both sides
				side = rest
			}
			what = uint64(side)
		case model.Misreports:
			what = uint64(r.of(model.ID(e.What)))
		}
		parts = append(parts, phrase(e.Kind, r.of(e.Who), what))
	}
	return strings.Join(parts, ", then "), true
}

// phrase says an event in words.
func phrase(k model.ActionKind, who model.ID, what uint64) string {
	switch k {
	case model.Restarts:
		return nth(who) + " comes back"
	case model.Misreports:
		return nth(model.ID(what)) + " is reported to " + nth(who) + ", and is up"
	case model.CutsOff:
		var names []string
		for id := range model.Set(what).All() {
			names = append(names, nth(id))
		}
		return "a cut leaves " + strings.Join(names, " and ") + " on one side"
	case model.Heals:
		return "the network heals"
	}
	return nth(who) + " " + k.Verb()
}

// nth names a process by its rank: "the best", "the 2nd".
func nth(rank model.ID) string {
	switch {
	case rank == 1:
		return "the best"
	case rank%10 == 1 && rank != 11:
		return fmt.Sprintf("the %dst best", rank)
	case rank%10 == 2 && rank != 12:
		return fmt.Sprintf("the %dnd best", rank)
	case rank%10 == 3 && rank != 13:
		return fmt.Sprintf("the %drd best", rank)
	}
	return fmt.Sprintf("the %dth best", rank)
}
