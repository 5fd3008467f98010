// Package etcdraft explores the core of etcd's Raft as it ships: three RawNodes of
// go.etcd.io/raft/v3, with MemoryStorage as their disks.
//
// A process campaigns when its election timer expires, at any moment, or by Tick. After
// each event it does what raft.Node's users do with a Ready: it stores the hard
// state and the entries, sends the messages, and advances. A crash leaves the storage.
package etcdraft

import (
	"fmt"

	"go.etcd.io/raft/v3"
	pb "go.etcd.io/raft/v3/raftpb"

	"bullyproof/checker"
	"bullyproof/checker/shipped"
	"bullyproof/model"
)

// A Process is a node and its disk.
type Process struct {
	Node *raft.RawNode
	Disk *raft.MemoryStorage
}

// Nodes drives RawNodes.
type Nodes struct {
	shipped.Passive[Process, pb.Message]
	// Terms bounds the terms that are explored, Entries those that are proposed.
	Terms, Entries uint64
	// Ticks has time pass by Tick; otherwise nodes campaign at any moment.
	Ticks bool
	// PreVote and CheckQuorum are those of raft.Config. Without Ticks a leader checks its quorum
	// at any moment (Quorum), and nobody's lease ends but by a campaign of its own.
	PreVote, CheckQuorum bool
	// Forgets loses the vote in a crash.
	Forgets bool
	// Disks are those of P1, P2, ... where a run begins; they are the voters. Those without a
	// process are down. Without Disks, all disks are empty.
	Disks []Disk
}

// A Disk is what an earlier run has left on a disk: the term, and the terms of the entries.
type Disk struct {
	Term uint64
	Log  []uint64
}

// The timers of a process.
const (
	Election model.Timer = iota
	Proposal
	Quorum
)

// first is the index of the entry that all logs begin with, and electionTicks the ElectionTick
// of all nodes.
const (
	first         = 1
	electionTicks = 2
)

// silent is a logger that panics and says nothing else.
type silent struct{ raft.Logger }

func (silent) Debug(...any)            {}
func (silent) Debugf(string, ...any)   {}
func (silent) Info(...any)             {}
func (silent) Infof(string, ...any)    {}
func (silent) Warning(...any)          {}
func (silent) Warningf(string, ...any) {}
func (silent) Error(...any)            {}
func (silent) Errorf(string, ...any)   {}
func (silent) Panic(v ...any)          { panic(fmt.Sprint(v...)) }
func (silent) Panicf(f string, v ...any) {
	panic(fmt.Sprintf(f, v...))
}

// New makes the protocol.
func New(m Nodes, opts ...shipped.Option) *shipped.Protocol[Process, pb.Message] {
	return shipped.New(m, append(opts, shipped.LeaveOut(Left()...))...)
}

// Left names what is no part of a node's state.
func Left() []string { return []string{"raft.Logger", "raft.inMemStorageCallStats"} }

// Init makes a node on an empty disk, or on that which a crash has left.
func (m Nodes) Init(s *Process, net *shipped.Net[pb.Message], why model.Boot) {
	if why != model.Restart {
		s.Disk = m.disk(net.Self(), model.ID(net.N()))
	}
	node, err := raft.NewRawNode(&raft.Config{
		ID: uint64(net.Self()), ElectionTick: electionTicks, HeartbeatTick: 1, Storage: s.Disk, Logger: silent{},
		MaxSizePerMsg: 1 << 20, MaxInflightMsgs: 4, PreVote: m.PreVote, CheckQuorum: m.CheckQuorum,
	})
	must(err)
	s.Node = node
	net.SetTimer(Election, 1)
	m.ready(s, net)
}

// disk makes the disk of a process, of n.
func (m Nodes) disk(self, n model.ID) *raft.MemoryStorage {
	disk, of := raft.NewMemoryStorage(), Disk{Term: 1}
	if len(m.Disks) > 0 {
		n, of = model.ID(len(m.Disks)), m.Disks[self-1]
	}
	var voters []uint64
	for id := range model.Upto(n).All() {
		voters = append(voters, uint64(id))
	}
	must(disk.ApplySnapshot(pb.Snapshot{Metadata: pb.SnapshotMetadata{Index: first, Term: 1, ConfState: pb.ConfState{Voters: voters}}}))
	for i, term := range of.Log {
		must(disk.Append([]pb.Entry{{Term: term, Index: first + 1 + uint64(i)}}))
	}
	must(disk.SetHardState(pb.HardState{Term: of.Term, Commit: first}))
	return disk
}

// Receive steps the node with a message. That it may refuse one is no fault.
func (m Nodes) Receive(s *Process, net *shipped.Net[pb.Message], _ model.Port, msg pb.Message) {
	_ = s.Node.Step(msg)
	m.ready(s, net)
}

// Timeout campaigns, ticks, checks the quorum or proposes an entry.
func (m Nodes) Timeout(s *Process, net *shipped.Net[pb.Message], t model.Timer) {
	switch {
	case t == Proposal:
		_ = s.Node.Propose([]byte{byte(net.Self())}) // dropped where nobody leads
	case t == Quorum:
		checkQuorum(s.Node)
	case m.Ticks:
		s.Node.Tick()
	default:
		_ = s.Node.Campaign()
	}
	if t == Election {
		net.SetTimer(Election, 1)
	}
	m.ready(s, net)
}

// checkQuorum has a leader check its quorum by its next tick, and send no heartbeat by it.
func checkQuorum(node *raft.RawNode) {
	*shipped.Field[int](node, "raft", "electionElapsed") = electionTicks - 1
	*shipped.Field[int](node, "raft", "heartbeatElapsed") = -1
	node.Tick()
}

// ready stores and sends what the node has ready.
func (m Nodes) ready(s *Process, net *shipped.Net[pb.Message]) {
	for s.Node.HasReady() {
		rd := s.Node.Ready()
		if !raft.IsEmptyHardState(rd.HardState) {
			must(s.Disk.SetHardState(rd.HardState))
		}
		must(s.Disk.Append(rd.Entries))
		for _, msg := range rd.Messages {
			if msg.To <= uint64(net.N()) {
				net.SendTo(model.ID(msg.To), msg)
			}
		}
		s.Node.Advance(rd)
	}
	// The library draws it at random; here the moment of each tick is free.
	*shipped.Field[int](s.Node, "raft", "randomizedElectionTimeout") = electionTicks
	last, err := s.Disk.LastIndex()
	must(err)
	leads := s.Node.BasicStatus().RaftState == raft.StateLeader
	// Each leader begins its term with an empty entry.
	set(net, Proposal, leads && m.Entries > 0 && last < first+m.Entries)
	set(net, Quorum, leads && m.CheckQuorum && !m.Ticks)
}

// set sets a timer or stops it.
func set(net *shipped.Net[pb.Message], t model.Timer, runs bool) {
	if runs {
		net.SetTimer(t, 1)
	} else {
		net.StopTimer(t)
	}
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// Stable leaves the disk.
func (m Nodes) Stable(s *Process) {
	s.Node = nil
	if m.Forgets && s.Disk != nil {
		hard, _, err := s.Disk.InitialState()
		must(err)
		hard.Vote = 0
		must(s.Disk.SetHardState(hard))
	}
}

// Beyond bounds the terms.
func (m Nodes) Beyond(s *Process) string {
	if s.Node == nil {
		return ""
	}
	if term := s.Node.BasicStatus().Term; term > m.Terms+1 {
		return fmt.Sprintf("term %d", term)
	}
	return ""
}

// Belief is what the node says of itself.
func (m Nodes) Belief(s *Process) model.Belief {
	st := s.Node.BasicStatus()
	return model.Belief{
		Elected: model.ID(st.Lead), Epoch: st.Term,
		Participant: st.RaftState == raft.StateCandidate || st.RaftState == raft.StatePreCandidate,
	}
}

// Names are those of the library.
func (m Nodes) Names() model.Names {
	names := model.Names{Timers: []model.TimerName{{Name: "campaign"}, {Name: "proposal"}, {Name: "quorum check"}}}
	if m.Ticks {
		names.Timers[0].Name = "tick"
	}
	for i := range len(pb.MessageType_name) {
		names.Kinds = append(names.Kinds, pb.MessageType(i).String())
	}
	return names
}

// Kind is the type of a message.
func (Nodes) Kind(msg pb.Message) model.Kind { return model.Kind(msg.Type) }

// Text describes a message as the library does.
func (Nodes) Text(msg pb.Message) string { return raft.DescribeMessage(msg, nil) }

// Show has the term, the role, the vote and the log.
func (Nodes) Show(s *Process) []model.Field {
	hard, _, err := s.Disk.InitialState()
	must(err)
	fields := []model.Field{{Name: "Term", Value: fmt.Sprint(hard.Term)}, {Name: "Vote", Value: fmt.Sprint(hard.Vote), Zero: hard.Vote == 0}}
	if s.Node != nil {
		fields = append(fields, model.Field{Name: "Role", Value: s.Node.BasicStatus().RaftState.String()})
	}
	var terms []uint64
	for _, e := range log(s) {
		terms = append(terms, e.Term)
	}
	return append(fields, model.Field{Name: "Log", Value: fmt.Sprint(terms), Zero: len(terms) == 0},
		model.Field{Name: "Commit", Value: fmt.Sprint(hard.Commit)})
}

// log returns the entries of a process's disk.
func log(s *Process) []pb.Entry {
	last, err := s.Disk.LastIndex()
	must(err)
	if last == first {
		return nil
	}
	entries, err := s.Disk.Entries(first+1, last+1, 1<<40)
	must(err)
	return entries
}

// A Shipped is the protocol that New makes.
type Shipped = shipped.Protocol[Process, pb.Message]

// LogMatching is the property of figure 3 of the paper: if two logs have an entry with
// the same index and term, they are the same up to it.
func LogMatching(p *Shipped) *checker.Property {
	return checker.Always("log-matching", "Two logs that have an entry of one index and term are the same up to it.",
		func(v *model.View) bool {
			for a := range v.Up.All() {
				for b := range v.Up.All() {
					if a < b && !match(log(p.Of(v, a)), log(p.Of(v, b))) {
						return false
					}
				}
			}
			return true
		})
}

func match(a, b []pb.Entry) bool {
	same := true
	for i := range min(len(a), len(b)) {
		equal := a[i].Term == b[i].Term
		if equal && (!same || string(a[i].Data) != string(b[i].Data)) {
			return false
		}
		same = same && equal
	}
	return true
}

// LeaderCompleteness is that of figure 3: what is committed is in the log of every leader of
// a later term.
func LeaderCompleteness(p *Shipped) *checker.Property {
	return checker.Always("leader-completeness", "A leader's log has each entry that was committed in an earlier term.",
		func(v *model.View) bool {
			for leader := range v.Leaders.All() {
				own := log(p.Of(v, leader))
				for id := range v.Up.All() {
					s := p.Of(v, id)
					hard, _, err := s.Disk.InitialState()
					must(err)
					for _, e := range log(s) {
						i := int(e.Index - first - 1)
						if e.Index <= hard.Commit && hard.Term < v.Epoch(leader) && (i >= len(own) || own[i].Term != e.Term) {
							return false
						}
					}
				}
			}
			return true
		}).Given("a leader", func(v *model.View) bool { return !v.Leaders.Empty() })
}
