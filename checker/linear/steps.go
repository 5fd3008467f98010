package linear

import (
	"fmt"
	"slices"

	"bullyproof/explore"
	"bullyproof/model"
	"bullyproof/trace"
)

// A move is a kind of step of clients and coordinators.
type move byte

const (
	told     move = iota // a client is told who leads
	takeOver             // a coordinator reads the store
	wasRead              // a client is told what the coordinator's copy has
	taken                // a client is told that the lock is taken
	sent                 // a coordinator sends what a client asked for to the store
	done                 // it is in the store, and the client is told
	fenced               // the store refuses it
	arrives              // what nobody waits for arrives at the store
)

// clientStep marks codes of steps of clients: no ActionKind is so high.
const clientStep = 0xFF

// codeOf returns the code of a step: the move, the client from 0, the process, and
// the operation or the number of what arrives.
func codeOf(m move, client int, via model.ID, extra byte) explore.Code {
	return clientStep<<56 | explore.Code(m)<<48 | explore.Code(client)<<40 | explore.Code(via)<<32 | explore.Code(extra)
}

// A step is a code of codeOf in its parts.
type step struct {
	move   move
	client int
	via    model.ID
	extra  byte
}

// clientCode returns the parts of a code, and whether it is one of clients.
func clientCode(c explore.Code) (step, bool) {
	return step{move(c >> 48), int(c >> 40 & 0xFF), model.ID(c >> 32), byte(c)}, c>>56 == clientStep
}

// clients appends the steps of clients and, where there is a store, of those who
// serve them.
func (x *expander) clients(inner []byte, a *area, out *explore.Successors) {
	if !x.store {
		x.ask(inner, a, out)
		return
	}
	x.takeOvers(inner, a, out)
	x.arrivals(inner, a, out)
	for c := range x.work.Clients {
		if a.pending[c].op != 0 {
			x.finish(inner, a, c, out)
			continue
		}
		if int(a.began[c]) == x.work.Operations {
			continue
		}
		for id := range (x.now.leaders &^ x.now.paused).All() {
			if a.sessions[id-1].open {
				x.serve(inner, a, c, id, out)
			}
		}
	}
}

// ask has clients ask who leads.
func (x *expander) ask(inner []byte, a *area, out *explore.Successors) {
	if x.work.Settled && !x.now.settled {
		return
	}
	who := x.now.up &^ x.now.paused
	if x.work.Claims {
		who &= x.now.leaders
	}
	alone := model.None
	if x.now.leaders.Len() == 1 {
		alone = x.now.leaders.Min()
	}
	for c := range x.work.Clients {
		if int(a.began[c]) == x.work.Operations {
			continue
		}
		for id := range who.All() {
			answer := x.now.elected[id-1]
			if answer == model.None {
				continue
			}
			next := a.clone()
			next.began[c]++
			if x.work.Spec == Instant {
				next.events = append(next.events, event{op: byte(Reign), value: byte(alone)})
			}
			next.events = append(next.events, event{op: byte(Ask), client: byte(c + 1), value: byte(answer)})
			x.emit(out, inner, next, codeOf(told, c, id, byte(answer)))
			x.judge(next, out)
		}
	}
}

// takeOvers has processes read the store that believe themselves coordinator and
// have not done so yet.
func (x *expander) takeOvers(inner []byte, a *area, out *explore.Successors) {
	if x.questions(a) == 0 {
		return
	}
	for id := range (x.now.leaders &^ x.now.paused).All() {
		if a.sessions[id-1].open {
			continue
		}
		token, ok := x.token(a, id, out)
		if !ok || token < a.fence {
			continue
		}
		next := a.clone()
		next.sessions[id-1] = session{open: true, copy: a.value, token: token}
		next.fence = token
		x.forget(next)
		x.emit(out, inner, next, codeOf(takeOver, 0, id, 0))
	}
}

// token returns the token of a process that takes over, and whether there is one.
func (x *expander) token(a *area, id model.ID, out *explore.Successors) (byte, bool) {
	switch {
	case x.work.Fence == NoFence:
		return 0, true
	case !x.work.Epochs:
		return a.fence + 1, true
	}
	epoch := x.now.epochs[id-1]
	switch {
	case epoch == 0:
		out.Hit(targetNoEpoch, 0)
		return 0, false
	case epoch > maxToken:
		out.Cut(cutTokens)
		return 0, false
	}
	return byte(epoch), true
}

// serve has a coordinator begin an operation of a client, or answer from its copy.
// It has one operation at a time on the way to the store.
func (x *expander) serve(inner []byte, a *area, c int, id model.ID, out *explore.Successors) {
	s := &a.sessions[id-1]
	answers := x.work.Fence != FenceAll || s.token >= a.fence
	whoever := byte(c + 1)
	busy := slices.ContainsFunc(a.pending[:], func(p pending) bool { return p.op != 0 && p.via == byte(id) })
	if x.work.Spec == Register && answers {
		x.answer(inner, a, event{op: byte(Read), client: whoever, value: s.copy}, codeOf(wasRead, c, id, s.copy), out)
	}
	switch {
	case busy:
	case x.work.Spec == Register:
		x.send(inner, a, c, pending{op: byte(Write), via: byte(id), value: byte(c*x.work.Operations) + a.began[c] + 1, token: s.token}, out)
	case !a.held[c] && s.copy != 0:
		if answers {
			x.answer(inner, a, event{op: byte(Acquire), client: whoever, part: refusal}, codeOf(taken, c, id, 0), out)
		}
	case !a.held[c]:
		x.send(inner, a, c, pending{op: byte(Acquire), via: byte(id), value: whoever, token: s.token}, out)
	case s.copy == whoever:
		x.send(inner, a, c, pending{op: byte(Release), via: byte(id), token: s.token}, out)
	}
}

// answer has a coordinator answer from its copy.
func (x *expander) answer(inner []byte, a *area, e event, code explore.Code, out *explore.Successors) {
	next := a.clone()
	next.began[e.client-1]++
	next.events = append(next.events, e)
	x.emit(out, inner, next, code)
	x.judge(next, out)
}

// send has a coordinator send to the store what a client asks for.
func (x *expander) send(inner []byte, a *area, c int, p pending, out *explore.Successors) {
	next := a.clone()
	next.began[c]++
	next.pending[c] = p
	e := event{op: p.op, client: byte(c + 1), part: begin}
	if Op(p.op) == Write {
		e.value = p.value
	}
	next.events = append(next.events, e)
	x.emit(out, inner, next, codeOf(sent, c, model.ID(p.via), p.op))
}

// finish has the store get what is on its way, and the client its answer. A
// coordinator that pauses hears nothing of the store.
func (x *expander) finish(inner []byte, a *area, c int, out *explore.Successors) {
	p := a.pending[c]
	id := model.ID(p.via)
	if x.now.paused.Has(id) {
		return
	}
	next := a.clone()
	next.pending[c] = pending{}
	if x.refuses(a, p) {
		next.undo(byte(c + 1))
		x.emit(out, inner, next, codeOf(fenced, c, id, p.op))
		return
	}
	next.value, next.sessions[id-1].copy = p.value, p.value
	next.held[c] = Op(p.op) == Acquire
	e := event{op: p.op, client: byte(c + 1), part: end}
	if Op(p.op) == Acquire {
		e.token = p.token
	}
	next.events = append(next.events, e)
	x.emit(out, inner, next, codeOf(done, c, id, p.op))
	x.judge(next, out)
}

// refuses reports whether the store refuses an operation for its token.
func (x *expander) refuses(a *area, p pending) bool {
	return x.work.Fence != NoFence && p.token < a.fence
}

// undo takes the operation that a client began last out of the history: it had no
// effect, and never will.
func (a *area) undo(client byte) {
	for i, e := range slices.Backward(a.events) {
		if e.client == client && e.part == begin {
			a.events = slices.Delete(a.events, i, i+1)
			return
		}
	}
}

// arrivals delivers to the store the late requests: those for which nobody waits any more.
func (x *expander) arrivals(inner []byte, a *area, out *explore.Successors) {
	for i, p := range a.late {
		if i > 0 && p == a.late[i-1] {
			continue
		}
		next := a.clone()
		next.late = slices.Delete(next.late, i, i+1)
		next.value = p.value // forget keeps nothing that the store would refuse
		x.emit(out, inner, next, codeOf(arrives, 0, 0, byte(i)))
	}
}

// exchange tells what a step did between two areas, after so many steps of the system.
func (s step) exchange(after int, from, to *area) trace.Exchange {
	e := trace.Exchange{After: after, Client: s.client + 1, Process: s.via, Text: s.tell(from, to)}
	switch s.move {
	case told:
		e.Answers, e.Word = true, model.ID(s.extra).Name()+" leads"
	case takeOver:
		e.Client, e.Word = 0, fmt.Sprintf("reads %d", to.sessions[s.via-1].copy)
	case wasRead:
		e.Answers, e.Word = true, fmt.Sprintf("it is %d", s.extra)
	case taken:
		e.Answers, e.Word = true, "taken"
	case sent:
		e.Word = brief(to.pending[s.client])
	case done:
		e.Answers, e.Word = true, "done"
	case fenced:
		e.Client, e.Word = 0, "is refused"
	case arrives:
		e.Client, e.Process, e.Word = 0, model.None, "late: "+brief(from.late[s.extra])
	}
	return e
}

// tell says in words what a step did, between two areas.
func (s step) tell(from, to *area) string {
	client, via := fmt.Sprintf("client %d", s.client+1), model.ID(s.via).Name()
	switch s.move {
	case told:
		return fmt.Sprintf("%s asks %s who leads, and hears %s", client, via, model.ID(s.extra).Name())
	case takeOver:
		now := to.sessions[s.via-1]
		token := ""
		if now.token > 0 {
			token = fmt.Sprintf(", with token %d", now.token)
		}
		return fmt.Sprintf("%s takes over%s: it reads %d from the store", via, token, now.copy)
	case wasRead:
		return fmt.Sprintf("%s reads %d from the copy of %s", client, s.extra, via)
	case taken:
		return fmt.Sprintf("%s asks %s for the lock, and hears that it is taken", client, via)
	case sent:
		return fmt.Sprintf("%s asks %s to %s", client, via, what(to.pending[s.client]))
	case done:
		return fmt.Sprintf("%s tells %s that it is done (%s)", via, client, what(from.pending[s.client]))
	case fenced:
		return fmt.Sprintf("the store refuses %s for its old token (%s)", via, what(from.pending[s.client]))
	}
	return fmt.Sprintf("what nobody waits for arrives at the store (%s)", what(from.late[s.extra]))
}

// what says what an operation is to do.
func what(p pending) string {
	switch Op(p.op) {
	case Write:
		return fmt.Sprintf("write %d", p.value)
	case Acquire:
		return fmt.Sprintf("give client %d the lock", p.value)
	}
	return "free the lock"
}

// brief is what in few letters.
func brief(p pending) string {
	switch Op(p.op) {
	case Write:
		return fmt.Sprintf("write %d", p.value)
	case Acquire:
		return "lock"
	}
	return "unlock"
}
