package kabashi

import (
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "never-objects", Of: "prose", Caught: "extreme", Setting: setting.Must("n=2 start=settled crashes=1 restarts=1"),
		Doc: "A process follows every announced coordinator, even if its own id is lower (rule 6).",
		New: of(neverObjects{prose}),
	},
	{
		Name: "chooses-largest", Of: "sparse", Caught: "extreme", Setting: setting.Must("n=4 start=coordinator-down detectors=4"),
		Doc: "An electioneer selects the largest id of the responses (rule 4).",
		New: of(choosesLargest{noMinima}),
	},
	{
		Name: "silent-smaller", Of: "prose", Caught: "uniqueness", Setting: setting.Must("n=4 start=coordinator-down crashes=1"),
		Doc: "A process with a lower id, but not the second minimum, does not answer ELECTION (rule 3b).",
		New: of(silentSmaller{prose}),
	},
	{
		Name: "joins-silently", Of: "prose", Caught: "validity", Setting: setting.Must("n=3 start=settled joins=2"), New: of(joinsSilently{prose}),
		Doc: "A process that joins takes the minimum id for the coordinator, and sends nothing (rule 5).",
	},
	{
		Name: "tells-nobody", Of: "sparse", Caught: "agreement", Setting: setting.Must("n=3 start=coordinator-down detectors=2"),
		Doc: "A process that gets no answer becomes coordinator and does not announce it (rule 2).",
		New: of(tellsNobody{noMinima}),
	},
	{
		Name: "at-once", Of: "repaired", Caught: "uniqueness", Setting: setting.Must("n=3 start=settled joins=1"), New: of(atOnce{repaired}),
		Doc: "The repair without the wait before office.",
	},
	{
		Name: "first-answer", Of: "repaired", Caught: "agreement", Setting: setting.Must("n=3 start=settled joins=2"), New: of(firstAnswer{repaired}),
		Doc: "The repair, but a process that joins follows the first answer.",
	},
	{
		Name: "follows-the-last", Of: "repaired", Caught: "agreement", Setting: setting.Must("n=3 start=settled crashes=1 restarts=1"),
		Doc: "The repair, but a process follows the last announcement.",
		New: of(followsTheLast{repaired}),
	},
	{
		Name: "asks-in-vain", Of: "asks-first", Caught: "one-election", Setting: setting.Must("n=4 start=coordinator-down"),
		Doc: "In asks-first, a process holds its election even if another has announced one.",
		New: of(asksInVain{asksFirst}),
	},
	{
		Name: "echoes", Of: "prose", Caught: "termination", Setting: setting.Must("n=3 start=coordinator-down detectors=2"), New: of(echoes{prose}),
		Doc: "A process sends an announcement back to where it came from.",
	},
	{
		Name: "joins-electing", Of: "prose", Caught: "one-election", Setting: setting.Must("n=4 start=settled joins=2 joiners=3,4"),
		Doc: "A process that joins begins an election (section VI: there is no need to).",
		New: of(joinsElecting{prose}),
	},
}

type neverObjects struct{ Limited }

func (a neverObjects) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == COORDINATOR {
		a.follow(p, net, m.ID)
		return
	}
	a.Limited.Receive(p, net, from, m)
}

type choosesLargest struct{ sparse }

func (a choosesLargest) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == OK && p.Mode == Responses {
		p.Smallest = max(p.Smallest, m.ID)
		return
	}
	a.sparse.Receive(p, net, from, m)
}

type silentSmaller struct{ Limited }

func (a silentSmaller) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != ELECTION || a.secondMinimum(p, net) {
		a.Limited.Receive(p, net, from, m)
	}
}

type joinsSilently struct{ Limited }

func (a joinsSilently) Init(p *P, _ *model.Net[M], why model.Boot) {
	if why != model.Cold {
		p.Coordinator = MIN
	}
}

type tellsNobody struct{ sparse }

func (a tellsNobody) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if p.Mode == Responses && p.Smallest == model.None {
		*p = P{Coordinator: net.Self()}
		return
	}
	a.sparse.Timeout(p, net, t)
}

type atOnce struct{ Repaired }

func (a atOnce) Init(p *P, net *model.Net[M], why model.Boot) {
	a.Repaired.Init(p, net, why)
	a.enter(p, net)
}

func (a atOnce) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	a.Repaired.Receive(p, net, from, m)
	a.enter(p, net)
}

func (a atOnce) enter(p *P, net *model.Net[M]) {
	if p.Mode == Office {
		*p = P{Coordinator: net.Self()}
		net.StopTimer(T)
	}
}

type firstAnswer struct{ Repaired }

func (a firstAnswer) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == CID && p.Mode == Answer {
		was := *p
		a.cid(p, net, m.ID)
		beforeOffice(p, net, was)
		return
	}
	a.Repaired.Receive(p, net, from, m)
}

type followsTheLast struct{ Repaired }

func (a followsTheLast) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == COORDINATOR && p.Mode != Answer && m.ID < net.Self() {
		net.Rule(rule6b)
		a.follow(p, net, m.ID)
		return
	}
	a.Repaired.Receive(p, net, from, m)
}

type asksInVain struct{ AsksFirst }

func (a asksInVain) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if p.Mode != Asks || m.Type != NOTICED && m.Type != HOLD {
		a.AsksFirst.Receive(p, net, from, m)
	}
}

type echoes struct{ Limited }

func (a echoes) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	a.Limited.Receive(p, net, from, m)
	if m.Type == COORDINATOR {
		net.Send(from, m)
	}
}

type joinsElecting struct{ Limited }

func (a joinsElecting) Init(p *P, net *model.Net[M], why model.Boot) {
	if why != model.Cold {
		a.failure(p, net)
	}
}
