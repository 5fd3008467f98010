package validate

import (
	"fmt"

	"bullyproof/model"
	"bullyproof/runtime/eventlog"
)

// ids is what a process's lines say of the names of messages.
type ids struct {
	sends, receipts naming
	sent            map[string]sent // by name
	got             map[got]int     // the line that told it first
}

// naming says whether lines of a kind name their messages.
type naming uint8

const (
	untold naming = iota // there is no such line
	named
	nameless
)

// A sent is a send that has a name.
type sent struct {
	entry int // of the process, to which it belongs
	send
}

// A got is a message that a process received.
type got struct {
	from model.Port
	id   string
}

// tell says whether one more line has a name: all have one, or none.
func (n *naming) tell(id string) (alike bool) {
	now := nameless
	if id != "" {
		now = named
	}
	alike = *n == untold || *n == now
	*n = now
	return alike
}

// nameSend notes a send by its name.
func (p *stream) nameSend(e *eventlog.Event, entry int) error {
	if !p.ids.sends.tell(e.ID) {
		return fmt.Errorf("%s sends with an id and without one: want one for each message that a process sends, or for none", e.Process.Name())
	}
	if e.ID == "" {
		return nil
	}
	if first, ok := p.ids.sent[e.ID]; ok {
		return fmt.Errorf("%s sends two messages with the id %q, the first in line %d: want another id for each", e.Process.Name(), e.ID, first.line)
	}
	if p.ids.sent == nil {
		p.ids.sent = make(map[string]sent)
	}
	p.ids.sent[e.ID] = sent{entry, send{e.To, e.Message, e.ID, e.Line}}
	return nil
}

// number has the names of sends know where the events are to which they belong.
func (n *ids) number(entries []entry) {
	n.sent = make(map[string]sent, len(n.sent))
	for i := range entries {
		for _, x := range entries[i].sends {
			if x.id != "" {
				n.sent[x.id] = sent{i, x}
			}
		}
	}
}

// nameReceipt notes a receipt by the name of its message. It returns the line in which
// the same message was received before, 0 if there is none.
func (p *stream) nameReceipt(e *eventlog.Event) (again int, err error) {
	if !p.ids.receipts.tell(e.ID) {
		return 0, fmt.Errorf("%s receives with an id and without one: want one for each message that a process receives, or for none", e.Process.Name())
	}
	if e.ID == "" {
		return 0, nil
	}
	if p.ids.got == nil {
		p.ids.got = make(map[got]int)
	}
	key := got{e.From, e.ID}
	if again = p.ids.got[key]; again == 0 {
		p.ids.got[key] = e.Line
	}
	return again, nil
}

// ways is match of the next line of a process at a node: also of a receipt with an id.
// Final says that why holds whatever else happens first.
func (s *search) ways(n *node, id int) (list []variant, why string, final bool) {
	if why, final = s.unidentified(n, s.entry(n, id), int(n.pos[id])); why != "" {
		return nil, why, final
	}
	list, why = s.match(n.state, &s.procs[id], int(n.pos[id]))
	return list, why, why != ""
}

// unidentified says why a receipt, a line of a process by its number, cannot be of the
// message that its id names: empty where it can, or names none.
func (s *search) unidentified(n *node, e *entry, i int) (why string, final bool) {
	if e.Kind != eventlog.Receive || e.ID == "" {
		return "", false
	}
	if e.again > 0 && s.setting.Duplications == 0 {
		return fmt.Sprintf("id: %s has received the message with the id %q before, in line %d", e.Process.Name(), e.ID, e.again), true
	}
	from, x := s.sender(e)
	if x == nil {
		return s.unsent(n, e), false
	}
	told := fmt.Sprintf("id: %s sends the message with the id %q in line %d", from.Name(), e.ID, x.line)
	switch p := &s.procs[from]; {
	case x.message != e.Message:
		return fmt.Sprintf("%s, and it is %q", told, x.message), true
	case e.From < model.Next && x.to != model.Peer(e.Process):
		return fmt.Sprintf("%s, to %s", told, x.to.Name()), true
	case s.setting.FIFO && s.setting.Duplications == 0 && s.overtaken(p, e, i, x.entry):
		return fmt.Sprintf("%s, before one that %s has received already: channels are FIFO", told, e.Process.Name()), true
	case int(n.pos[from]) <= x.entry:
		return fmt.Sprintf("%s, which has not happened yet", told), false
	case e.From >= model.Next && s.flying(n.state, e)[from] == 0:
		return fmt.Sprintf("%s, and not to %s", told, e.Process.Name()), false
	}
	return "", false
}

// sender returns who sent what a line names, and the send; nil if no line tells that. On
// a ring, where a line says by which side a message came, it is whoever used the other
// side, and its name is that of one send as a rule.
func (s *search) sender(e *entry) (model.ID, *sent) {
	if e.From < model.Next {
		if int(e.From.ID()) >= len(s.procs) {
			return e.From.ID(), nil
		}
		if x, ok := s.procs[e.From.ID()].ids.sent[e.ID]; ok {
			return e.From.ID(), &x
		}
		return e.From.ID(), nil
	}
	for id := range s.procs {
		x, ok := s.procs[id].ids.sent[e.ID]
		if ok && x.to == e.From.Opposite() && s.neighbours(model.ID(id), x.to, e.Process) {
			return model.ID(id), &x
		}
	}
	return model.None, nil
}

// neighbours reports whether what one process of a ring sends by a side can come to another
// one: it can where the order of the ring is open, or changes.
func (s *search) neighbours(from model.ID, by model.Port, to model.ID) bool {
	ring := s.setting.Arrangement
	if len(ring) == 0 || s.setting.Repaired {
		return from != to
	}
	step := 1
	if by == model.Prev {
		step = len(ring) - 1
	}
	for i := range ring {
		if ring[i] == from {
			return ring[(i+step)%len(ring)] == to
		}
	}
	return false
}

// overtaken reports whether the receipt before this one, of the same sender, is of a message
// that was sent later.
func (s *search) overtaken(from *stream, e *entry, i, sent int) bool {
	entries := s.procs[e.Process].entries
	for i--; i >= 0; i-- {
		if b := &entries[i]; b.Kind == eventlog.Receive && b.From == e.From {
			x, ok := from.ids.sent[b.ID]
			return ok && x.entry > sent
		}
	}
	return false
}

// flying counts the messages in flight, by sender, that a receipt can be of.
func (s *search) flying(state []byte, e *entry) map[model.ID]int {
	count := make(map[model.ID]int)
	for _, m := range s.sys.Snapshot(state).InFlight {
		if m.To == e.Process && m.Port == e.From && m.Text == e.Message {
			count[m.From]++
		}
	}
	return count
}

// unsent says why a receipt cannot be of a message of which no line tells that it was
// sent. It can where the sender names no message, or where more of them are in flight than
// lines tell of: a process may be killed before it writes a line.
func (s *search) unsent(n *node, e *entry) string {
	for from, flying := range s.flying(n.state, e) {
		p := &s.procs[from]
		if p.ids.sends != named || flying > s.outstanding(n, p, from, e) {
			return ""
		}
	}
	if e.From < model.Next && int(e.From.ID()) < len(s.procs) && s.procs[e.From.ID()].ids.sends != named {
		return "" // the model says what is wrong
	}
	return fmt.Sprintf("id: no line of the sender has a message with the id %q", e.ID)
}

// outstanding counts the lines so far that tell of messages like one that was received,
// and that their receiver has not received. Where messages can be lost, only those count
// that it receives later.
func (s *search) outstanding(n *node, p *stream, from model.ID, e *entry) (count int) {
	receiver := &s.procs[e.Process]
	received := make(map[string]int)
	for i := range receiver.entries {
		if r := &receiver.entries[i]; r.Kind == eventlog.Receive && r.From == e.From {
			if i < int(n.pos[e.Process]) {
				received[r.ID] = -1
			} else if received[r.ID] == 0 {
				received[r.ID] = 1
			}
		}
	}
	lossy := !s.free || s.setting.FIFO
	for name, x := range p.ids.sent {
		to := x.to == model.Peer(e.Process) || x.to >= model.Next && x.to == e.From.Opposite() && s.neighbours(from, x.to, e.Process)
		if !to || x.message != e.Message || x.entry >= int(n.pos[from]) || received[name] < 0 || lossy && received[name] == 0 {
			continue
		}
		count++
	}
	return count
}
