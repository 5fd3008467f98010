package reduce

import "bullyproof/model/setting"

// FIFO rings without time.
//
// On a ring with FIFO channels whose messages leave by Next only, all that can
// happen to a process without timers and reports is that it begins, or that the
// head of its one in-link is delivered. The actions of others change neither:
// they append to the link at most. So the actions at one process are a
// persistent set wherever a message is in flight to it, and no foresight is
// needed.
//
// The condition on cycles is that nothing is left out for good. In a cycle of
// states each link has as many messages sent as delivered, and a process sends only
// as one is delivered to it (it begins once, and no cycle has that). So if one
// process has a message delivered in a cycle then its predecessor has, and all
// have: whatever was left out in a state of the cycle, the delivery to a process,
// or its beginning, which a delivery takes the place of, is not left out in all of
// them.

// messageRing reports whether the setting is such a ring: with timing that knows no
// ticks, no timers, and nobody reported.
func (w *Facts) messageRing() bool {
	s := &w.Setting
	return s.Topology == setting.Ring && s.FIFO && len(w.Timers) == 0
}

// ring marks the actions at one position, of those where a message is in flight
// that change nothing which is read along with others the first, or that with the
// fewest actions. It reports false where there is none.
func (f *finder) ring(acts []Act, keep []bool) bool {
	if f.effects.down.positions != 0 {
		return false // somebody may be reported to be down
	}
	for i := range acts {
		if f.effects.of(f.start.here[acts[i].Pos], f.start.eventOf(&acts[i])).bad {
			return false
		}
	}
	best, least := -1, len(acts)
	for i := range acts {
		if acts[i].Kind != Delivers {
			continue
		}
		if k, changes := f.at(acts, acts[i].Pos); !changes && k < least {
			best, least = acts[i].Pos, k
		}
	}
	for i := range acts {
		keep[i] = acts[i].Pos == best
	}
	return best >= 0
}

// at counts the actions at a position, and reports whether one of them changes
// what is read along with others.
func (f *finder) at(acts []Act, pos int) (count int, changes bool) {
	var s seen
	for i := range acts {
		if acts[i].Pos == pos {
			count++
			s.add(f.effects, f.start.here[pos], f.start.eventOf(&acts[i]))
		}
	}
	return count, s.together && f.flaws&FlawPassed == 0
}
