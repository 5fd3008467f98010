package model

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"pgregory.net/rapid"

	"bullyproof/internal/test/casecount"
	"bullyproof/model/setting"
)

// Deep has random comparisons see more, also in the tests outside the package.
var Deep = flag.Bool("deep", false, "put thousands of random protocols to the test, and compare more states of each with the plain reading, which takes minutes")

func TestMain(m *testing.M) {
	casecount.Lower(Deep)
	os.Exit(m.Run())
}

// toyState is the state of a process of a random protocol. Its fields leave
// padding between them.
type toyState struct {
	Phase uint8 // 0 to 2: which rules apply
	Heard uint16
	Memo  ID
	Self  ID // None on an anonymous ring
}

// toyMessage is a message of a random protocol; W makes it wide or narrow.
type toyMessage[W any] struct {
	Type uint8
	Wide W
	Val  uint8
}

// toy is a protocol whose handlers look up what to do in random tables.
type toy[W any] struct {
	rules    [toyTriggers][3][]toyOp
	beliefs  [3]toyBelief
	periodic [2]bool
	named    bool
	ticks    bool // handlers may ask how much of a timer is left
	ring     setting.Topology
}

// The triggers of a toy's rules. Boots come first, then what Receive has for
// each kind of message and Timeout for each timer.
const (
	toyInit    = 0
	toyStart   = 3
	toySuspect = 4
	toyReceive = 5
	toyTimeout = 7

	toyTriggers = 9
)

// toyOp is one thing that a handler does.
type toyOp struct{ What, Arg, Kind, Val uint8 }

// toyBelief is what a process believes in a phase.
type toyBelief struct{ Elected, Participant uint8 }

func (y *toy[W]) run(trigger int, p *toyState, net *Net[toyMessage[W]], m *toyMessage[W]) {
	for _, op := range y.rules[trigger][p.Phase] {
		y.do(op, p, net, m)
	}
}

func (y *toy[W]) do(op toyOp, p *toyState, net *Net[toyMessage[W]], m *toyMessage[W]) {
	out := toyMessage[W]{Type: op.Kind, Val: op.Val}
	switch op.What {
	case 0:
		p.Phase = op.Arg % 3
	case 1:
		p.Memo = ID(int(op.Arg) % (net.N() + 1))
	case 2, 3:
		net.Send(y.port(op, p, net), out)
	case 4:
		if y.ring == setting.Complete {
			net.Broadcast(out)
		}
	case 5:
		if m == nil {
			break
		}
		p.Heard = uint16(m.Val)<<8 | uint16(m.Type)
		if y.ring != setting.Ring {
			net.Reply(out)
		}
	case 6, 7:
		net.SetTimer(Timer(op.Kind), int(op.Arg)/3+net.Bound()) // half of them when mail is due
	case 8:
		net.StopTimer(Timer(op.Kind))
	case 9:
		if op.Val == 0 && op.Arg < 3 {
			p.Phase = uint8(net.Choose(2 + int(op.Arg)%2))
		} else if op.Val == 0 {
			p.Phase = uint8(net.Toss(2 + int(op.Arg)%2))
		} else {
			p.Phase = uint8(net.Pick(Choice(op.Arg % 2)))
		}
	case 10:
		net.Rule(Rule(op.Kind))
	case 11:
		if op.Val == 1 && y.ticks {
			if ticks, set := net.Left(Timer(op.Kind)); set {
				p.Phase = uint8(ticks) % 3
			}
			break
		}
		if net.IsSet(Timer(op.Kind)) {
			p.Phase = op.Arg % 3
		}
	}
}

func (y *toy[W]) port(op toyOp, p *toyState, net *Net[toyMessage[W]]) Port {
	switch y.ring {
	case setting.Ring:
		return Next
	case setting.BiRing:
		return Next + Port(op.Arg%2)
	}
	n := net.N()
	return Peer(ID((int(net.Self())+int(op.Arg)%(n-1))%n + 1))
}

func (y *toy[W]) Init(p *toyState, net *Net[toyMessage[W]], why Boot) {
	if y.named {
		p.Self = net.Self()
	}
	y.run(toyInit+int(why), p, net, nil)
}

func (y *toy[W]) Start(p *toyState, net *Net[toyMessage[W]]) { y.run(toyStart, p, net, nil) }

func (y *toy[W]) Suspect(p *toyState, net *Net[toyMessage[W]], who ID) {
	if who%2 == 0 {
		p.Heard = uint16(who)
	}
	y.run(toySuspect, p, net, nil)
}

func (y *toy[W]) Receive(p *toyState, net *Net[toyMessage[W]], _ Port, m toyMessage[W]) {
	y.run(toyReceive+int(m.Type), p, net, &m)
}

func (y *toy[W]) Timeout(p *toyState, net *Net[toyMessage[W]], t Timer) {
	y.run(toyTimeout+int(t), p, net, nil)
}

func (y *toy[W]) Belief(p *toyState) Belief {
	b := y.beliefs[p.Phase]
	elected := [...]ID{None, Me, p.Memo, p.Self}[b.Elected]
	return Belief{Elected: elected, Participant: b.Participant != 0, Epoch: uint64(p.Heard)}
}

func (y *toy[W]) Names() Names {
	return Names{
		Kinds:   []string{"A", "B"},
		Timers:  []TimerName{{Name: "t0", Periodic: y.periodic[0]}, {Name: "t1", Periodic: y.periodic[1]}},
		Rules:   []string{"r0", "r1"},
		Choices: []ChoiceName{{Name: "phase", Outcomes: []string{"even", "odd"}}, {Name: "way", Outcomes: []string{"0", "1", "2"}, Weights: []int{1, 2, 4}}},
	}
}

func (m toyMessage[W]) Kind() Kind { return Kind(m.Type) }

func (m toyMessage[W]) String() string { return fmt.Sprintf("%c(%d)", 'A'+m.Type, m.Val) }

func (y *toy[W]) Settle(p *toyState, self, coordinator ID, live Set) {
	*p = toyState{Memo: coordinator, Heard: uint16(live)}
	if y.named {
		p.Self = self
	}
}

// toyStable is a toy whose processes keep Memo over a crash.
type toyStable[W any] struct{ toy[W] }

func (y *toyStable[W]) Stable(p *toyState) { *p = toyState{Memo: p.Memo} }

// toyOdd is a toy that keeps Heard, has the detector watch everybody, means to elect
// the lowest id, and sets timers as after an election.
type toyOdd[W any] struct{ toy[W] }

func (y *toyOdd[W]) Stable(p *toyState)               { *p = toyState{Heard: p.Heard} }
func (y *toyOdd[W]) Watches(p *toyState, self ID) Set { return Set(3) << (p.Phase % 2) }
func (y *toyOdd[W]) Wanted(live Set) ID               { return live.Min() }

// Request does what the rules of a timer say.
func (y *toyOdd[W]) Request(p *toyState, net *Net[toyMessage[W]], r Request) {
	y.run(toyTimeout+int(r), p, net, nil)
}

func (y *toyOdd[W]) Names() Names {
	names := y.toy.Names()
	names.Requests = []string{"hand over", "stop"}
	return names
}

// Wake sets a timer, by what the process heard of the election.
func (y *toyOdd[W]) Wake(p *toyState, net *Net[toyMessage[W]]) {
	if p.Heard%2 == 1 {
		net.SetTimer(Timer(p.Memo%2), 1+int(p.Memo))
	}
}

// toyBounded is a toy some of whose states are beyond a bound.
type toyBounded[W any] struct{ toy[W] }

func (y *toyBounded[W]) Beyond(p *toyState) string {
	if p.Memo == 2 {
		return "memo 2"
	}
	return ""
}

func drawToy[W any](t *rapid.T, s setting.Setting) toy[W] {
	y := toy[W]{named: !s.Anonymous, ticks: s.Timing.Kind.Discrete() && s.Drift == 0, ring: s.Topology}
	op := rapid.Custom(func(t *rapid.T) toyOp {
		return toyOp{
			What: rapid.Uint8Range(0, 11).Draw(t, "what"), Arg: rapid.Uint8Range(0, 5).Draw(t, "arg"),
			Kind: rapid.Uint8Range(0, 1).Draw(t, "kind"), Val: rapid.Uint8Range(0, 1).Draw(t, "val"),
		}
	})
	for trigger := range y.rules {
		for phase := range y.rules[trigger] {
			y.rules[trigger][phase] = rapid.SliceOfN(op, 0, 4).Draw(t, fmt.Sprintf("rule %d in phase %d", trigger, phase))
		}
	}
	for phase := range y.beliefs {
		y.beliefs[phase] = toyBelief{rapid.Uint8Range(0, 3).Draw(t, "elected"), rapid.Uint8Range(0, 1).Draw(t, "participant")}
	}
	y.periodic = [2]bool{rapid.Bool().Draw(t, "t0 periodic"), rapid.Bool().Draw(t, "t1 periodic")}
	return y
}

// DrawAnyToy draws a random protocol whose messages have a W in them, with or
// without the interfaces that a protocol may have.
func DrawAnyToy[W any](t *rapid.T, s setting.Setting) Protocol[toyState, toyMessage[W]] {
	y := drawToy[W](t, s)
	switch rapid.SampledFrom([]int{0, 1, 2, 3}).Draw(t, "interfaces") {
	case 1:
		return &toyStable[W]{y}
	case 2:
		return &toyOdd[W]{y}
	case 3:
		return &toyBounded[W]{y}
	}
	return &y
}
