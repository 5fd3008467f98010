// Package etcdpast explores the core of Raft as etcd 3.2.0 shipped it (June 2017), which had two
// bugs of pre-votes that were reported later that year: etcd #8243 and #8501. Package
// examples/etcdraft explores today's, in the same settings.
//
// Processes are driven as there: they campaign at any moment, store what is ready, and send it.
// Where a run begins, Disks says what an earlier one has left.
package etcdpast

import (
	"fmt"

	"github.com/coreos/etcd/raft"
	pb "github.com/coreos/etcd/raft/raftpb"

	"bullyproof/checker/shipped"
	"bullyproof/model"
)

// A Process is a node and its disk.
type Process struct {
	Node *raft.RawNode
	Disk *raft.MemoryStorage
}

// A Disk is what an earlier run has left on a disk: the term, and the terms of the entries.
type Disk struct {
	Term uint64
	Log  []uint64
}

// Nodes drives RawNodes.
type Nodes struct {
	shipped.Passive[Process, pb.Message]
	// Disks are those of P1, P2, ...; they are the voters. Those without a process are down.
	Disks []Disk
	// PreVote are the processes with pre-votes.
	PreVote model.Set
	// Terms bounds the terms that are explored.
	Terms uint64
}

// campaign is the timer of a process.
const campaign model.Timer = 0

// first is the index of the entry that all logs begin with.
const first = 1

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
func New(m Nodes) *shipped.Protocol[Process, pb.Message] {
	return shipped.New(m, shipped.LeaveOut(Left...))
}

// Left names what is no part of a node's state.
var Left = []string{"raft.Logger"}

// Init makes a node on its disk.
func (m Nodes) Init(s *Process, net *shipped.Net[pb.Message], why model.Boot) {
	if why != model.Restart {
		s.Disk = m.disk(m.Disks[net.Self()-1])
	}
	node, err := raft.NewRawNode(&raft.Config{
		ID: uint64(net.Self()), ElectionTick: 2, HeartbeatTick: 1, Storage: s.Disk, Logger: silent{},
		MaxSizePerMsg: 1 << 20, MaxInflightMsgs: 4, PreVote: m.PreVote.Has(net.Self()),
	}, nil)
	must(err)
	s.Node = node
	net.SetTimer(campaign, 1)
	m.ready(s, net)
}

// disk makes a disk.
func (m Nodes) disk(d Disk) *raft.MemoryStorage {
	disk := raft.NewMemoryStorage()
	var voters []uint64
	for i := range m.Disks {
		voters = append(voters, uint64(i)+1)
	}
	must(disk.ApplySnapshot(pb.Snapshot{Metadata: pb.SnapshotMetadata{Index: first, Term: 1, ConfState: pb.ConfState{Nodes: voters}}}))
	for i, term := range d.Log {
		must(disk.Append([]pb.Entry{{Term: term, Index: first + 1 + uint64(i)}}))
	}
	must(disk.SetHardState(pb.HardState{Term: d.Term, Commit: first}))
	return disk
}

// Receive steps the node with a message. That it may refuse one is no fault.
func (m Nodes) Receive(s *Process, net *shipped.Net[pb.Message], _ model.Port, msg pb.Message) {
	_ = s.Node.Step(msg)
	m.ready(s, net)
}

// Timeout campaigns.
func (m Nodes) Timeout(s *Process, net *shipped.Net[pb.Message], _ model.Timer) {
	_ = s.Node.Campaign()
	net.SetTimer(campaign, 1)
	m.ready(s, net)
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
	// The library draws it at random; here nobody counts ticks.
	*shipped.Field[int](s.Node, "raft", "randomizedElectionTimeout") = 2
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// Stable leaves the disk.
func (m Nodes) Stable(s *Process) { s.Node = nil }

// Beyond bounds the terms.
func (m Nodes) Beyond(s *Process) string {
	if s.Node == nil || s.Node.Status().Term <= m.Terms {
		return ""
	}
	return fmt.Sprintf("term %d", s.Node.Status().Term)
}

// Belief is what the node says of itself.
func (m Nodes) Belief(s *Process) model.Belief {
	st := s.Node.Status()
	return model.Belief{
		Elected: model.ID(st.Lead), Epoch: st.Term,
		Participant: st.RaftState == raft.StateCandidate || st.RaftState == raft.StatePreCandidate,
	}
}

// Names are those of the library.
func (m Nodes) Names() model.Names {
	names := model.Names{Timers: []model.TimerName{{Name: "campaign"}}}
	for i := range len(pb.MessageType_name) {
		names.Kinds = append(names.Kinds, pb.MessageType(i).String())
	}
	return names
}

// Kind is the type of a message.
func (Nodes) Kind(msg pb.Message) model.Kind { return model.Kind(msg.Type) }

// Text describes a message as the library does.
func (Nodes) Text(msg pb.Message) string { return raft.DescribeMessage(msg, nil) }

// Show has the term, the role and the vote.
func (Nodes) Show(s *Process) []model.Field {
	hard, _, err := s.Disk.InitialState()
	must(err)
	fields := []model.Field{{Name: "Term", Value: fmt.Sprint(hard.Term)}, {Name: "Vote", Value: fmt.Sprint(hard.Vote), Zero: hard.Vote == 0}}
	if s.Node != nil {
		fields = append(fields, model.Field{Name: "Role", Value: s.Node.Status().RaftState.String()})
	}
	return fields
}
