package genleader

import (
	"fmt"
	"strings"

	"bullyproof/model"
	"bullyproof/model/setting"
)

// The kinds of messages. The last three are those of the runtime.
const (
	Halt model.Kind = iota
	AckLeader
	HasLeader
	IsLeader
	NotLeader
	Ldr
	NormQ
	NotNorm
	Heartbeat
	CheckLead
	Election
	Join
	UpdateCandidates
	Closed
	Open
	NodeUp
)

var kinds = []string{
	"halt", "ackLeader", "hasLeader", "isLeader", "notLeader", "ldr", "normQ", "notNorm", "heartbeat", "checklead", "election", "join",
	"update_candidates", "closed", "open", "nodeup",
}

// M is a message.
type M struct {
	Type model.Kind
	T    Elid
	// Incarn is that of the sender, and To that of the receiver, as far as the sender knows.
	Incarn, To uint8
	// Ldr is the leader, and LdrIncarn its incarnation: its pid.
	Ldr       model.ID
	LdrIncarn uint8
	Cands     Candidates
}

// Kind returns the kind of m.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as in "halt({1,0,0})", with incarnations where they are not 0.
func (m M) String() string {
	var args []string
	if m.Ldr != model.None {
		args = append(args, m.Ldr.Name())
		if m.LdrIncarn > 0 {
			args = append(args, fmt.Sprintf("its %d", m.LdrIncarn))
		}
	}
	if m.T != (Elid{}) {
		args = append(args, fmt.Sprintf("{%d,%d,%d}", m.T.Pos, m.T.Incarn, m.T.Next))
	}
	if m.Cands.Len() > 0 {
		args = append(args, fmt.Sprint(m.Cands))
	}
	if m.Incarn > 0 {
		args = append(args, fmt.Sprintf("from %d", m.Incarn))
	}
	if m.To > 0 {
		args = append(args, fmt.Sprintf("to %d", m.To))
	}
	if args == nil {
		return kinds[m.Type]
	}
	return kinds[m.Type] + "(" + strings.Join(args, " ") + ")"
}

var (
	rules model.Rules

	stage1        = rules.Add("startStage1")
	stage2        = rules.Add("startStage2")
	elected       = rules.Add("hasBecomeLeader: elected")
	haltRule      = rules.Add("halting: wait for the outcome")
	hasLeaderRule = rules.Add("safe_loop: somebody has a leader")
	notLeaderRule = rules.Add("safe_loop: the leader leads no longer")
	surrendered   = rules.Add("safe_loop: surrender to the leader")
	notNormRule   = rules.Add("safe_loop: answer that it waits for an election")
	answerRule    = rules.Add("loop: answer with the leader")
	callElected   = rules.Add("call_elected: take in another one")
	askRule       = rules.Add("Periodically: ask those that are down")
	leaderDown    = rules.Add("DOWN: the leader")
	pendDown      = rules.Add("DOWN: who has to acknowledge")
	wakeRule      = rules.Add("candidate_timer: try to wake up those that are down")
	checkleadRule = rules.Add("send_checklead: compare leaders")
	quagmire      = rules.Add("safe_loop: answer the leader's check")
	disagreeRule  = rules.Add("loop: disagree with the other leader")
	electionRule  = rules.Add("loop: told to do an election")
	joinRule      = rules.Add("init_it: broadcast about itself")
	growRule      = rules.Add("loop: a new candidate")
)

// Fits: a list of candidates has room for four.
func (g *Protocol) Fits(s setting.Setting) error { return s.AtMost(4, "the candidates in a list") }

// Names gives the words of the program.
func (g *Protocol) Names() model.Names {
	return model.Names{
		Kinds:  kinds,
		Timers: []model.TimerName{{Name: "heartbeat"}, {Name: "candidate_timer"}, {Name: "send_checklead"}},
		Rules:  rules,
	}
}
