// Package raftmembers is Raft's election while the members of the cluster change.
//
// A configuration is an entry of the log, and a server uses the last one of its log, committed or not. A
// change goes by joint consensus, in which elections and entries take majorities of the old and the new
// members both, or adds or removes one server at a time. A variant switches directly, which is unsafe, and
// one is the change of one server as it was first published, with the bug that its author found in 2015.
//
// Logs hold configurations alone. Deviations: a leader sends its whole log with each entry, and sends it
// again to nobody; somebody asks for a change when a leader begins, and when a change is committed. A server that is
// no member of its latest configuration begins no election. (The dissertation, section 4.2.2, has it begin one.)
//
// Source: D. Ongaro and J. Ousterhout, In search of an understandable consensus algorithm (extended version), 2014,
// sections 5.4 and 6; D. Ongaro, Consensus: bridging theory and practice, 2014, chapter 4; D. Ongaro, Bug in single-server
// membership changes, raft-dev, 2015. The rest of figure 2 is in package raft.
package raftmembers

import (
	"fmt"
	"slices"

	"bullyproof/model"
	"bullyproof/model/list"
)

// most is how many entries a log holds.
const most = 4

// A Log is a log of configurations. Before its first entry all servers are members.
type Log = list.Of[Entry, [most]Entry]

// An Entry is a configuration: the members, or where New is not empty, those of C_old,new.
type Entry struct {
	Term     uint8
	Old, New model.Set
}

// Role is what a server is.
type Role uint8

// The roles.
const (
	Follower Role = iota
	Candidate
	Leader
)

// P is the state of a server.
type P struct {
	Role  Role
	Term  uint8     // currentTerm, on disk
	Voted model.ID  // votedFor, on disk
	Log   Log       // on disk
	Votes model.Set // of a candidate
	Acks  model.Set // of a leader: who has all entries of its log
	// Commit is how many entries are known to be committed (commitIndex).
	Commit uint8
}

// The kinds of messages.
const (
	RequestVote model.Kind = iota
	Vote
	Append
	Success
)

// M is a message.
type M struct {
	Type   model.Kind
	Term   uint8
	Log    Log   // of Append
	Last   uint8 // of RequestVote: lastLogTerm
	Len    uint8 // of RequestVote and Success: how many entries
	Commit uint8 // of Append: leaderCommit
}

// Kind returns the kind of m.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as in "RequestVote(2, 1 at 1)" or "Append(2, [1{1,2}], 0)".
func (m M) String() string {
	switch m.Type {
	case RequestVote:
		return fmt.Sprintf("RequestVote(%d, %d at %d)", m.Term, m.Len, m.Last)
	case Append:
		return fmt.Sprintf("Append(%d, %s, %d)", m.Term, m.Log, m.Commit)
	case Success:
		return fmt.Sprintf("Success(%d, %d)", m.Term, m.Len)
	}
	return fmt.Sprintf("Vote(%d)", m.Term)
}

// String returns an entry as in "1{1,2}", or "1{1,2}+{2,3}" of C_old,new.
func (e Entry) String() string {
	text := fmt.Sprintf("%d%v", e.Term, e.Old)
	if e.New != 0 {
		text += fmt.Sprintf("+%v", e.New)
	}
	return text
}

const (
	electionTimeout model.Timer = iota
	request                     // somebody asks the first leader for a change
)

var (
	rules model.Rules

	beginRule    = rules.Add("candidates, 1: election timeout: begin a new term")
	grantRule    = rules.Add("RequestVote, 2: grant the vote")
	refuseRule   = rules.Add("RequestVote: refuse the vote")
	leadRule     = rules.Add("candidates, 2: votes enough: become leader")
	higherRule   = rules.Add("all servers: higher term: become follower")
	changeRule   = rules.Add("6: the leader is asked for a change")
	jointRule    = rules.Add("6: C_old,new")
	adoptRule    = rules.Add("AppendEntries: use the latest configuration")
	conflictRule = rules.Add("AppendEntries, 3: an entry conflicts: delete it and all that follow")
	commitRule   = rules.Add("leaders, 4: committed")
	finalRule    = rules.Add("6: C_old,new is committed: C_new")
	outRule      = rules.Add("6: the leader is not part of C_new: step down")
	firstRule    = rules.Add("2015: an entry of the leader's term comes first")
)

// How a change is made.
type How uint8

// The ways.
const (
	Joint  How = iota // section 6
	Single            // chapter 4: one server at a time
	Direct            // to any other members at once
)

// A Server is the protocol.
type Server struct {
	// How is how changes are made.
	How How
	// AnyTerm has a leader change the members before it has committed an entry of its own term, as it was first
	// published.
	AnyTerm bool
	// Terms is how many terms are explored, and Entries how many entries of a log, at most four.
	Terms   uint8
	Entries int
	// Candidates, if there are any, are the only ones whose election timeouts are explored.
	Candidates model.Set
	// Asked are the members that somebody may ask for; whichever there are if it is empty.
	Asked []model.Set
}

// wait has a server wait for a leader.
func (r *Server) wait(net *model.Net[M]) {
	if r.Candidates == 0 || r.Candidates.Has(net.Self()) {
		net.SetTimer(electionTimeout, 1)
	}
}

// config returns the configuration that a server uses: "the latest configuration in its log, regardless of whether
// the entry is committed".
func (r *Server) config(p *P, n int) Entry {
	if p.Log.Len() == 0 {
		return Entry{Old: model.Upto(model.ID(n))}
	}
	return p.Log.At(p.Log.Len() - 1)
}

// agree reports whether a set has what a decision takes: "separate majorities from both the old and new
// configurations".
func agree(c Entry, set model.Set) bool {
	return majority(c.Old, set) && (c.New == 0 || majority(c.New, set))
}

func majority(members, set model.Set) bool { return 2*(set&members).Len() > members.Len() }

// Stable keeps what figure 2 calls persistent state.
func (r *Server) Stable(p *P) { *p = P{Term: p.Term, Voted: p.Voted, Log: p.Log} }

// Settle is the state after the first election, in term 1.
func (r *Server) Settle(p *P, self, coordinator model.ID, _ model.Set) {
	*p = P{Term: 1, Voted: coordinator}
	if self == coordinator {
		p.Role, p.Acks = Leader, model.SetOf(self)
	}
}

// Wanted is P1: the first leader.
func (r *Server) Wanted(live model.Set) model.ID { return live.Min() }

// Wake has every server wait: for a leader, or for a request.
func (r *Server) Wake(p *P, net *model.Net[M]) {
	if p.Role != Leader {
		r.wait(net)
	} else {
		net.SetTimer(request, 1)
	}
}

// Init begins as a follower.
func (r *Server) Init(p *P, net *model.Net[M], _ model.Boot) { r.wait(net) }

// Start does nothing: elections begin by timeouts.
func (r *Server) Start(*P, *model.Net[M]) {}

// Suspect does nothing: a server has no failure detector but its timeout.
func (r *Server) Suspect(*P, *model.Net[M], model.ID) {}

// Timeout begins an election, or the term of the first leader. A server that is no member of its configuration begins
// none.
func (r *Server) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t == request {
		r.begin(p, net)
		return
	}
	c := r.config(p, net.N())
	if !(c.Old | c.New).Has(net.Self()) {
		return
	}
	net.Rule(beginRule)
	p.Role, p.Term, p.Voted, p.Votes = Candidate, p.Term+1, net.Self(), model.SetOf(net.Self())
	r.wait(net)
	net.SendAll((c.Old | c.New).Without(net.Self()), M{Type: RequestVote, Term: p.Term, Last: last(p), Len: uint8(p.Log.Len())})
	r.count(p, net)
}

// last returns the term of the last entry.
func last(p *P) uint8 {
	if n := p.Log.Len(); n > 0 {
		return p.Log.At(n - 1).Term
	}
	return 0
}

// Receive is what a server does with a message.
func (r *Server) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Term > p.Term {
		net.Rule(higherRule)
		if p.Role == Leader {
			r.wait(net)
		}
		p.Role, p.Term, p.Voted, p.Votes, p.Acks = Follower, m.Term, model.None, 0, 0
	}
	switch {
	case m.Term < p.Term: // what it says is over
	case m.Type == RequestVote:
		r.vote(p, net, from.ID(), m)
	case m.Type == Vote && p.Role == Candidate:
		p.Votes = p.Votes.With(from.ID())
		r.count(p, net)
	case m.Type == Append:
		r.adopt(p, net, m)
	case m.Type == Success && p.Role == Leader && int(m.Len) == p.Log.Len():
		p.Acks = p.Acks.With(from.ID())
		r.commit(p, net)
	}
}

// vote grants a vote, whether or not it is a member's.
func (r *Server) vote(p *P, net *model.Net[M], candidate model.ID, m M) {
	upToDate := m.Last > last(p) || m.Last == last(p) && int(m.Len) >= p.Log.Len()
	if p.Voted != model.None && p.Voted != candidate || !upToDate {
		net.Rule(refuseRule)
		return
	}
	net.Rule(grantRule)
	p.Voted = candidate
	r.wait(net)
	net.Reply(M{Type: Vote, Term: p.Term})
}

// count has a candidate lead that has the votes.
func (r *Server) count(p *P, net *model.Net[M]) {
	if agree(r.config(p, net.N()), p.Votes) {
		r.lead(p, net)
	}
}

func (r *Server) lead(p *P, net *model.Net[M]) {
	net.Rule(leadRule)
	net.StopTimer(electionTimeout)
	p.Role, p.Votes, p.Acks = Leader, 0, model.SetOf(net.Self())
	r.begin(p, net)
}

// begin is the begin of a leader's term.
func (r *Server) begin(p *P, net *model.Net[M]) {
	if p.Role != Leader {
		return
	}
	c := r.config(p, net.N())
	if !r.AnyTerm && r.room(p) > 0 && (c.New == 0 || r.room(p) > 1) {
		net.Rule(firstRule) // an entry of its term, which changes nothing
		c.Term = p.Term
		r.append(p, net, c)
		return
	}
	r.send(p, net)
	r.ask(p, net)
}

// room is how many entries the log of a server has room for.
func (r *Server) room(p *P) int { return r.Entries - p.Log.Len() }

// ask has somebody ask the leader for a change, or for none.
func (r *Server) ask(p *P, net *model.Net[M]) {
	c := r.config(p, net.N())
	room := r.room(p)
	if c.New != 0 || room == 0 || r.How == Joint && room == 1 {
		return
	}
	if !r.AnyTerm && (int(p.Commit) < p.Log.Len() || last(p) != p.Term) {
		return // it has yet to commit an entry of its term
	}
	targets := r.targets(c.Old, net.N())
	k := net.Choose(1 + len(targets))
	if k == 0 {
		return
	}
	net.Rule(changeRule)
	next := Entry{Term: p.Term, Old: targets[k-1]}
	if r.How == Joint {
		net.Rule(jointRule)
		next.Old, next.New = c.Old, targets[k-1]
	}
	r.append(p, net, next)
}

// targets are the members that there may be next.
func (r *Server) targets(now model.Set, n int) (list []model.Set) {
	for next := model.Set(1); next <= model.Upto(model.ID(n)); next++ {
		if next != now && (r.How != Single || (next^now).Len() == 1) && (len(r.Asked) == 0 || slices.Contains(r.Asked, next)) {
			list = append(list, next)
		}
	}
	return list
}

// append appends an entry to the log of a leader, and sends it.
func (r *Server) append(p *P, net *model.Net[M], e Entry) {
	p.Log.Append(e)
	p.Acks = model.SetOf(net.Self())
	r.send(p, net)
	r.commit(p, net)
}

// send sends the log to the members.
func (r *Server) send(p *P, net *model.Net[M]) {
	c := r.config(p, net.N())
	net.SendAll((c.Old | c.New).Without(net.Self()), M{Type: Append, Term: p.Term, Log: p.Log, Commit: p.Commit})
}

// adopt is AppendEntries: entries that conflict go, and those that are not there are appended.
func (r *Server) adopt(p *P, net *model.Net[M], m M) {
	net.Rule(adoptRule)
	p.Role, p.Votes = Follower, 0
	r.wait(net)
	for i, e := range m.Log.All() {
		if i < p.Log.Len() && p.Log.At(i).Term != e.Term {
			net.Rule(conflictRule)
			p.Log.Truncate(i)
		}
		if i == p.Log.Len() {
			p.Log.Append(e)
		}
	}
	p.Commit = max(p.Commit, min(m.Commit, uint8(m.Log.Len())))
	net.Reply(M{Type: Success, Term: p.Term, Len: uint8(m.Log.Len())})
}

// commit commits the log of a leader if enough have it, and its last entry is of its term: "Raft never commits log
// entries from previous terms by counting replicas" (5.4.2).
func (r *Server) commit(p *P, net *model.Net[M]) {
	c := r.config(p, net.N())
	if int(p.Commit) < p.Log.Len() && c.Term == p.Term && agree(c, p.Acks) {
		r.committed(p, net, c)
	}
}

// committed is what follows, where the last entry is c.
func (r *Server) committed(p *P, net *model.Net[M], c Entry) {
	net.Rule(commitRule)
	p.Commit = uint8(p.Log.Len())
	switch {
	case c.New != 0: // C_old,new is committed: C_new
		net.Rule(finalRule)
		r.append(p, net, Entry{Term: p.Term, Old: c.New})
	case !c.Old.Has(net.Self()): // the leader is no member of C_new
		net.Rule(outRule)
		p.Role, p.Acks = Follower, 0
		r.wait(net)
	default:
		r.ask(p, net)
	}
}

// Beyond bounds the terms.
func (r *Server) Beyond(p *P) string {
	if p.Term > r.Terms {
		return fmt.Sprintf("term %d", p.Term)
	}
	return ""
}

// Belief says who leads.
func (r *Server) Belief(p *P) model.Belief {
	b := model.Belief{Epoch: uint64(p.Term), Participant: p.Role == Candidate}
	if p.Role == Leader {
		b.Elected = model.Me
	}
	return b
}
