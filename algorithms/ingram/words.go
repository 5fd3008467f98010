package ingram

import (
	"cmp"
	"fmt"

	"bullyproof/model"
)

// The rules, in the order of the program.
var (
	rules model.Rules

	alone      = rules.Add("ChannelDown, ElectSelf: it was the last link")
	loses      = rules.Add("ChannelDown, StartNewRefLevel: no neighbour is lower")
	down       = rules.Add("ChannelDown: there is another way, or who leads is not settled yet; only note it")
	up         = rules.Add("ChannelUp: send Update by the link")
	ignores    = rules.Add("Update by a link that is down: ignore it")
	nothing    = rules.Add("Update: the same leader pair, and not a sink; only note it")
	propagates = rules.Add("PropagateLargestRefLevel: a sink whose neighbours have different reference levels")
	reflects   = rules.Add("ReflectRefLevel: a sink whose neighbours have one search, which is not reflected yet")
	elects     = rules.Add("ElectSelf: a sink whose own search is reflected by all neighbours")
	starts     = rules.Add("StartNewRefLevel: a sink whose neighbours have no search, or another's that is reflected")
	adopts     = rules.Add("AdoptLPIfPriority: the leader pair has priority")
	keeps      = rules.Add("AdoptLPIfPriority, kept: the leader pair has no priority")
	again      = rules.Add("beacon: send Update by all links")
)

var names = model.Names{
	Kinds: []string{Update: "Update", FirstOne: "Update, first"},
	Rules: rules[:again],
}

// Names returns the vocabulary of the paper.
func (l *Protocol) Names() model.Names { return names }

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as "Update((0,0,0),1,(-2,3))", with the time of the sender behind it.
func (m M) String() string {
	h := m.Height
	r := 0
	if h.Level.R {
		r = 1
	}
	text := fmt.Sprintf("Update((%d,%d,%d),%d,(%d,%d))", h.Level.Tau, h.Level.Oid, r, h.Delta, h.Pair.Nlts, h.Pair.Lid)
	if m.Clock > 0 {
		text += fmt.Sprintf(" at %d", m.Clock)
	}
	if m.Type == FirstOne {
		text = "first " + text
	}
	return text
}

// below reports whether a level is smaller than another one.
func (l Level) below(other Level) bool { return l.compare(other) < 0 }

func (l Level) compare(other Level) int {
	reflected := func(r bool) int {
		if r {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(l.Tau, other.Tau), cmp.Compare(l.Oid, other.Oid), reflected(l.R)-reflected(other.R))
}

// below reports whether a pair has priority over another one: its leader was elected
// later, or at the same time and has the smaller id.
func (p Pair) below(other Pair) bool { return p.compare(other) < 0 }

func (p Pair) compare(other Pair) int {
	return cmp.Or(cmp.Compare(p.Nlts, other.Nlts), cmp.Compare(p.Lid, other.Lid))
}

// below reports whether the height of a process is lower than that of another one.
func (h Height) below(id model.ID, other Height, otherID model.ID) bool {
	return cmp.Or(
		h.Level.compare(other.Level), cmp.Compare(h.Delta, other.Delta), h.Pair.compare(other.Pair), cmp.Compare(id, otherID),
	) < 0
}
