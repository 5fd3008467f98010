package validate

import (
	"slices"

	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/runtime/eventlog"
)

// A connection that breaks loses what is on it, and what is sent over the next one
// arrives. Of a FIFO link a log shows such a loss by the receipt of a later message. So
// the search loses a message right before that receipt, and not before: until then nobody
// can tell it from one that is late.

// lossy reports whether a setting grants as many losses as a log may show, which is so
// unless somebody asks for fewer: then the search does not have to drop what arrives while
// its receiver is down.
func lossy(s *setting.Setting) bool { return s.FIFO && s.Losses == maxBudget }

// overtakes reports whether a line may be the receipt of a message before which others of
// its link were lost.
func (m *matcher) overtakes(e *entry) bool {
	return e.Kind == eventlog.Receive && m.setting.FIFO && m.setting.Losses > 0
}

// lose loses the messages that are on a link before the first one that is like the one
// that a line says was received. It loses none if no such message is there. The first one
// is as good as any: of two messages with one text, the receipt of the earlier leaves
// everything that the receipt of the later does, and more.
func (m *matcher) lose(from variant, e *entry) variant {
	var link []string
	for _, x := range m.sys.Snapshot(from.state).InFlight {
		if x.To == e.Process && x.Port == e.From {
			link = append(link, x.Text)
		}
	}
	for _, text := range link[:max(0, slices.Index(link, e.Message))] {
		like := model.Action{Kind: model.Loses, Process: e.Process, Port: e.From, Message: text}
		var next []byte
		var lost model.Action
		m.stepper.Steps(from.state, like, func(t model.Transition) {
			if next == nil {
				next, lost = slices.Clone(t.Next), t.Action
			}
		})
		if next == nil {
			return variant{}
		}
		from.state, from.hidden = next, append(from.hidden, move{lost, next})
	}
	return from
}

// lostIn counts the losses of a run.
func lostIn(actions []model.Action) (n int) {
	for i := range actions {
		if actions[i].Kind == model.Loses {
			n++
		}
	}
	return n
}
