package setting

import (
	"fmt"
	"strconv"
	"strings"

	"bullyproof/internal/prose"
	"bullyproof/internal/quantity"
	"bullyproof/model/process"
)

// InWords says what a setting means, for readers who do not know its words: "3
// processes; they agree on a coordinator; ...". It says what differs from a world in
// which nothing happens, and leaves out what is only technical.
func (s Setting) InWords() string {
	parts := []string{strconv.Itoa(s.N) + " processes" + s.connected(), s.beginning()}
	return strings.Join(append(append(parts, s.delays()), s.faults()...), "; ")
}

// connected says how processes are connected, if not each to each.
func (s *Setting) connected() string {
	switch {
	case s.Topology == Complete:
		return ""
	case s.Anonymous:
		return " without ids in a ring"
	case s.Topology == Ring:
		return " in a ring, where messages travel one way"
	}
	return " in a ring, where messages travel both ways"
}

// beginning says how runs begin.
func (s *Setting) beginning() string {
	switch s.Start {
	case SettledStart:
		return "at first all agree on a coordinator"
	case CoordinatorDown:
		return "the coordinator has just crashed"
	case ColdStart:
		return "no coordinator is known yet, and " + s.asked()
	}
	return "each process comes up in its own time, and " + s.asked()
}

// asked says who is asked to begin an election.
func (s *Setting) asked() string {
	switch in := s.Initiators; {
	case in.Which == EachOne:
		return "one process begins an election"
	case in.Which == AnySome:
		return "some processes begin an election"
	case in.Which == These && in.Set.Empty():
		return "no process is asked to begin an election"
	case in.Which == These && in.Set.Len() == 1:
		return in.Set.Names()[0] + " begins an election"
	case in.Which == These:
		return prose.List(in.Set.Names()) + " begin an election"
	}
	return "every process may begin an election"
}

// delays says when messages arrive.
func (s *Setting) delays() string {
	text := ""
	switch s.Timing.Kind {
	case Synchronous:
		text = "a message takes up to " + quantity.Plural(max(s.Timing.D, 1), "tick")
	case Lockstep:
		text = "every message takes one tick"
	case Asynchronous:
		text = "a message may take any time, and a timer may expire too early"
	case LastResort:
		text = "a message may take any time, and a timer expires if nothing else can happen"
	default:
		text = "a message may take any time, and timers are long enough"
	}
	if s.FIFO {
		return text + "; messages from one process to another keep their order"
	}
	return text + "; messages arrive in any order"
}

// faults says what else may happen.
func (s *Setting) faults() (parts []string) {
	add := func(n int, one, many string) {
		switch n {
		case 0:
		case 1:
			parts = append(parts, one)
		default:
			parts = append(parts, fmt.Sprintf(many, n))
		}
	}
	who := "a process"
	if !s.Crashers.Empty() {
		who = either(s.Crashers)
	}
	switch {
	case s.RestartsOwed:
		add(s.Crashes, who+" may crash", "%d crashes may happen")
		parts = append(parts, "and whoever is down comes back in the end")
	case s.Crashes == 1 && s.Restarts == 1:
		parts = append(parts, who+" may crash, and may come back")
	default:
		add(s.Crashes, who+" may crash", "%d crashes may happen")
		add(s.Restarts, "one that is down may come back", "%d times one that is down may come back")
	}
	if s.MidSend && s.Crashes > 0 {
		parts = append(parts, "also in the middle of sending")
	}
	add(s.LostWrites, "its disk may lose the last write", "%d times a crash may lose the last write to a disk")
	add(s.LostDisks, "its disk may be lost", "%d times a crash may leave a disk that nobody can read")
	add(s.Joins, "a process may join", "%d processes may join")
	add(s.Losses, "one message"+onLinks(s.Lossy)+" may be lost", "%d messages"+onLinks(s.Lossy)+" may be lost")
	add(s.Duplications, "one message may arrive twice", "%d messages may arrive twice")
	if s.CutBy == CutLinks || len(s.CutLinks) > 0 {
		add(s.Cuts, "one link"+among(s.CutLinks)+" may be cut", "%d links"+among(s.CutLinks)+" may be cut")
	} else {
		add(s.Cuts, "the network may be divided once", "the network may be divided %d times")
	}
	if s.HealsOwed && s.Cuts > 0 {
		parts = append(parts, "and is whole again in the end")
	} else {
		add(s.Heals, "it may be whole again", "it may be whole again %d times")
	}
	add(s.Pauses, "a process may pause", "%d pauses may happen")
	add(s.Suspicions, "the failure detector may be wrong once", "the failure detector may be wrong %d times")
	add(s.Requests, "an operator may ask a process for something", "an operator may ask %d times for something")
	if s.Skew > 0 {
		parts = append(parts, "clocks differ by up to "+quantity.Plural(s.Skew, "tick"))
	}
	add(s.ClockSteps, "a clock may be set to another time", "%d times a clock may be set to another time")
	if s.Drift > 0 {
		parts = append(parts, "clocks are off by up to "+strconv.Itoa(s.Drift)+" %")
	}
	return parts
}

// either names one of some processes.
func either(set process.Set) string {
	names := set.Names()
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

// onLinks names the links of messages, if not those of all are meant: " on 1-2".
func onLinks(l Links) string { return textIf(len(l) > 0, " on "+l.String()) }

// among names links, if not all are meant: " of 1-2,2-3".
func among(l Links) string { return textIf(len(l) > 0, " of "+l.String()) }
