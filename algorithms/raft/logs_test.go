package raft

import (
	"fmt"
	"slices"

	"bullyproof/checker"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A logged server is one of Raft with a log of two entries, a pre-vote (Ongaro's
// dissertation, section 9.6) and a check that a leader still has a quorum (6.2). A leader
// has one entry of its term to replicate, and sends all of its log with each heartbeat.
type logged struct {
	model.Passive[server, letter]
	// terms are those that are explored.
	terms uint8
	// random has servers draw their election timeouts, as in the paper. Otherwise they
	// differ from server to server.
	random bool
}

// A server is the state of one. The fields that come first are on disk.
type server struct {
	Term     uint8
	VotedFor model.ID
	Log      entries

	Role   Role
	Asking bool // for pre-votes: it is no candidate yet
	Votes  model.Set
	Leader model.ID
	Commit uint8
	Heard  model.Set // of a leader: who has answered since the last check of its quorum
	Stored model.Set // of a leader: who has all of its log
}

// entries is a log: the term of each entry.
type entries struct {
	Terms [2]uint8
	Len   uint8
}

// last returns the term of the last entry, 0 of none.
func (l *entries) last() uint8 {
	if l.Len == 0 {
		return 0
	}
	return l.Terms[l.Len-1]
}

// behind reports whether another log is more up to date.
func (l *entries) behind(other *entries) bool {
	return l.last() < other.last() || l.last() == other.last() && l.Len < other.Len
}

const (
	preVote model.Kind = iota
	preVoted
	requestVote
	voted
	appendEntries
	appended
)

// A letter is a message.
type letter struct {
	Type   model.Kind
	Term   uint8
	OK     bool
	Log    entries
	Commit uint8
}

func (m letter) Kind() model.Kind { return m.Type }

func (m letter) String() string {
	return fmt.Sprintf("%s(%d,%t,%v,%d)", (&logged{}).Names().Kinds[m.Type], m.Term, m.OK, m.Log.Terms[:m.Log.Len], m.Commit)
}

func (*logged) Names() model.Names {
	return model.Names{
		Kinds:   []string{"PreVote", "PreVoted", "RequestVote", "Voted", "AppendEntries", "Appended"},
		Timers:  []model.TimerName{{Name: "election timeout"}, {Name: "heartbeat", Periodic: true}, {Name: "quorum"}},
		Choices: []model.ChoiceName{{Name: "timeout", Outcomes: []string{"short", "long"}}},
	}
}

// Symmetric says that ids decide nothing where timeouts are drawn.
func (l *logged) Symmetric(s setting.Setting) bool { return l.random || !s.Timing.Kind.Discrete() }

func (*logged) Stable(p *server) { *p = server{Term: p.Term, VotedFor: p.VotedFor, Log: p.Log} }

func (l *logged) Beyond(p *server) string {
	if p.Term <= l.terms {
		return ""
	}
	return fmt.Sprintf("term %d", p.Term)
}

func (*logged) Belief(p *server) model.Belief {
	return model.Belief{Elected: p.Leader, Participant: p.Role == Candidate || p.Asking, Epoch: uint64(p.Term)}
}

func (l *logged) setTimer(net *model.Net[letter]) {
	ticks := 1 + 2*int(net.Self())
	if l.random {
		ticks = 3 + 2*net.Choose(2)
	}
	net.SetTimer(electionTimer, ticks*net.Bound())
}

func (l *logged) Init(_ *server, net *model.Net[letter], _ model.Boot) { l.setTimer(net) }

func (l *logged) Timeout(p *server, net *model.Net[letter], t model.Timer) {
	switch t {
	case heartbeatTimer:
		l.beat(p, net)
	case quorumTimer:
		if p.Heard.Len() <= net.N()/2 {
			l.follow(p, net, p.Term)
			return
		}
		p.Heard = model.SetOf(net.Self())
		net.SetTimer(quorumTimer, 5*net.Bound())
	default:
		p.Role, p.Asking, p.Votes, p.Leader = Follower, true, model.SetOf(net.Self()), model.None
		l.setTimer(net)
		net.Broadcast(letter{Type: preVote, Term: p.Term + 1, Log: p.Log})
	}
}

// follow has a server follow whoever will lead in a term.
func (l *logged) follow(p *server, net *model.Net[letter], term uint8) {
	if p.Role == Leader {
		net.StopTimer(heartbeatTimer)
		net.StopTimer(quorumTimer)
		l.setTimer(net)
	}
	vote := p.VotedFor
	if term > p.Term {
		vote = model.None
	}
	*p = server{Term: term, VotedFor: vote, Log: p.Log, Commit: p.Commit}
}

func (l *logged) Receive(p *server, net *model.Net[letter], from model.Port, m letter) {
	if m.Type == preVote {
		ok := m.Term > p.Term && p.Leader == model.None && !m.Log.behind(&p.Log)
		net.Reply(letter{Type: preVoted, Term: p.Term, OK: ok})
		return
	}
	if m.Term > p.Term {
		l.follow(p, net, m.Term)
	}
	switch m.Type {
	case preVoted:
		if m.OK && p.Asking {
			l.ask(p, net, from.ID())
		}
	case requestVote:
		ok := m.Term == p.Term && (p.VotedFor == model.None || p.VotedFor == from.ID()) && !m.Log.behind(&p.Log)
		if ok {
			p.VotedFor = from.ID()
			l.setTimer(net)
		}
		net.Reply(letter{Type: voted, Term: p.Term, OK: ok})
	case voted:
		if m.OK && m.Term == p.Term && p.Role == Candidate {
			l.count(p, net, from.ID())
		}
	case appendEntries:
		l.replicate(p, net, from.ID(), m)
	case appended:
		if m.OK && m.Term == p.Term && p.Role == Leader {
			l.commit(p, net, from.ID(), m)
		}
	}
}

// ask has a server be a candidate that would get the votes of a majority.
func (l *logged) ask(p *server, net *model.Net[letter], voter model.ID) {
	p.Votes = p.Votes.With(voter)
	if p.Votes.Len() <= net.N()/2 {
		return
	}
	*p = server{Term: p.Term + 1, VotedFor: net.Self(), Log: p.Log, Role: Candidate, Votes: model.SetOf(net.Self()), Commit: p.Commit}
	l.setTimer(net)
	net.Broadcast(letter{Type: requestVote, Term: p.Term, Log: p.Log})
}

// count has a candidate lead that has the votes of a majority.
func (l *logged) count(p *server, net *model.Net[letter], voter model.ID) {
	p.Votes = p.Votes.With(voter)
	if p.Votes.Len() <= net.N()/2 {
		return
	}
	p.Role, p.Votes, p.Leader = Leader, 0, net.Self()
	p.Heard, p.Stored = model.SetOf(net.Self()), model.SetOf(net.Self())
	if int(p.Log.Len) < len(p.Log.Terms) {
		p.Log.Terms[p.Log.Len] = p.Term
		p.Log.Len++
	}
	net.StopTimer(electionTimer)
	net.SetTimer(quorumTimer, 5*net.Bound())
	l.beat(p, net)
}

func (l *logged) beat(p *server, net *model.Net[letter]) {
	net.Broadcast(letter{Type: appendEntries, Term: p.Term, Log: p.Log, Commit: p.Commit})
	net.SetTimer(heartbeatTimer, 2*net.Bound())
}

// replicate has a follower store the log of the leader.
func (l *logged) replicate(p *server, net *model.Net[letter], leader model.ID, m letter) {
	if m.Term < p.Term {
		net.Reply(letter{Type: appended, Term: p.Term})
		return
	}
	p.Role, p.Asking, p.Votes, p.Leader = Follower, false, 0, leader
	if p.Log.Len <= m.Log.Len || p.Log.Terms != m.Log.Terms {
		p.Log = m.Log
	}
	p.Commit = max(p.Commit, m.Commit)
	l.setTimer(net)
	net.Reply(letter{Type: appended, Term: p.Term, OK: true, Log: m.Log})
}

// committed is State Machine Safety, figure 3: what two servers have committed is the same.
var committed = checker.Always("committed",
	"No two live servers have committed different entries.",
	func(v *model.View) bool {
		for one := range v.Up.All() {
			for other := range v.Up.All() {
				p, q := model.State[server](v, one), model.State[server](v, other)
				both := min(p.Commit, q.Commit)
				if !slices.Equal(p.Log.Terms[:both], q.Log.Terms[:both]) {
					return false
				}
			}
		}
		return true
	},
).Given("a committed entry", func(v *model.View) bool {
	for id := range v.Up.All() {
		if model.State[server](v, id).Commit > 0 {
			return true
		}
	}
	return false
}).Reading(model.ReadsStates).Blind()

// commit has a leader commit what a majority has stored, if the last of it is of its term.
func (l *logged) commit(p *server, net *model.Net[letter], who model.ID, m letter) {
	p.Heard = p.Heard.With(who)
	if m.Log == p.Log {
		p.Stored = p.Stored.With(who)
	}
	if p.Stored.Len() > net.N()/2 && p.Log.last() == p.Term {
		p.Commit = p.Log.Len
	}
}
