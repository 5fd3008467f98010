package kabashi

import "bullyproof/model"

// Each type below is a reading with one rule broken.

// neverObjects: rule 6 without its first half, whoever is announced is followed.
type neverObjects struct{ Limited }

func (a neverObjects) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == COORDINATOR {
		a.follow(p, net, m.ID)
		return
	}
	a.Limited.Receive(p, net, from, m)
}

// choosesLargest: rule 4 with the largest ID of the responses.
type choosesLargest struct{ sparse }

func (a choosesLargest) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == OK && p.Mode == Responses {
		p.Smallest = max(p.Smallest, m.ID)
		return
	}
	a.sparse.Receive(p, net, from, m)
}

// silentSmaller: rule 3 without its second half, only the second minimum ID is
// heard of.
type silentSmaller struct{ Limited }

func (a silentSmaller) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != ELECTION || a.secondMinimum(p, net) {
		a.Limited.Receive(p, net, from, m)
	}
}

// joinsSilently: a process that joins takes the minimum ID for the coordinator.
type joinsSilently struct{ Limited }

func (a joinsSilently) Init(p *P, _ *model.Net[M], why model.Boot) {
	if why != model.Cold {
		p.Coordinator = MIN
	}
}

// tellsNobody: a process that nobody answered is coordinator and does not say so.
type tellsNobody struct{ sparse }

func (a tellsNobody) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if p.Mode == Responses && p.Smallest == model.None {
		*p = P{Coordinator: net.Self()}
		return
	}
	a.sparse.Timeout(p, net, t)
}

// atOnce: the repaired variant, and whoever announces itself is in office.
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

// firstAnswer: the repaired variant, and a process that joins follows whoever
// answers first.
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

// followsTheLast: the repaired variant, and a process follows the last announcement,
// smaller or not.
type followsTheLast struct{ Repaired }

func (a followsTheLast) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == COORDINATOR && p.Mode != Answer && m.ID < net.Self() {
		net.Rule(rule6b)
		a.follow(p, net, m.ID)
		return
	}
	a.Repaired.Receive(p, net, from, m)
}

// asksInVain: in the variant asks-first a process goes on, whoever is at it
// already.
type asksInVain struct{ AsksFirst }

func (a asksInVain) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if p.Mode != Asks || m.Type != NOTICED && m.Type != HOLD {
		a.AsksFirst.Receive(p, net, from, m)
	}
}

// echoes: a process sends an announcement back to where it came from.
type echoes struct{ Limited }

func (a echoes) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	a.Limited.Receive(p, net, from, m)
	if m.Type == COORDINATOR {
		net.Send(from, m)
	}
}

// joinsElecting: a process that joins begins an election.
type joinsElecting struct{ Limited }

func (a joinsElecting) Init(p *P, net *model.Net[M], why model.Boot) {
	if why != model.Cold {
		a.failure(p, net)
	}
}
