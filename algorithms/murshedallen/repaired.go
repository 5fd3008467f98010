package murshedallen

import "bullyproof/model"

// Repaired is the algorithm with four small changes, without which processes that
// join or come back can leave two coordinators behind. It
// keeps higher coordinators: of two announcements in flight at once the higher
// id counts, whichever is last. A process forgets the coordinator when it detects
// its failure.
//
// A process that announces itself takes office a round trip later: by then all that
// are up have been told, and the coordinator so far has followed.
//
// A process that another has chosen (rule 3) announces itself: the electioneer may
// have crashed before all were told, and only who is in office can know that nobody
// else is.
//
// A process that hears a lower id announced than its own objects: by an election,
// or, if it has announced itself, by doing so again. It may not have been there
// when it was asked or told, and only it knows.
//
// A process that joins listens for a whole round trip, and goes by the highest id
// that it has learned of by then: the first to answer may not have heard of the
// coordinator that is, whose announcement came while the process was not there yet.
type Repaired struct{ keepsHigher }

// Office is the mode after coordinator: wait until all have it.
const Office = HoldsBack + 1

// The rules of the repair.
var (
	chosen  = keeps + 1
	insists = keeps + 2
	bullies = keeps + 3
	listens = keeps + 4
	office  = keeps + 5
)

// Names returns the vocabulary of the source, and of the changes.
func (r Repaired) Names() model.Names {
	names := r.keepsHigher.Names()
	names.Rules = append(names.Rules,
		"coordinator: chosen by another: announce oneself",
		"coordinator with a lower ID than one's own, oneself announced: announce oneself again",
		"coordinator with a lower ID than one's own: begin an election",
		"told of a coordinator while waiting for answer: go on waiting",
		"all have been told: take office")
	return names
}

// Init is as in keepsHigher.
func (r Repaired) Init(p *P, net *model.Net[M], why model.Boot) {
	was := *p
	r.keepsHigher.Init(p, net, why)
	beforeOffice(p, net, was)
}

// Start is as in keepsHigher.
func (r Repaired) Start(p *P, net *model.Net[M]) {
	was := *p
	r.keepsHigher.Start(p, net)
	beforeOffice(p, net, was)
}

// Suspect is as in keepsHigher.
func (r Repaired) Suspect(p *P, net *model.Net[M], who model.ID) {
	was := *p
	r.keepsHigher.Suspect(p, net, who)
	beforeOffice(p, net, was)
}

// Receive is as in keepsHigher except for announcements of the process itself or
// of a lower id, for what a process hears that waits for answer, and for query to
// one that waits for office.
func (r Repaired) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	was, self := *p, net.Self()
	switch {
	case p.Mode == Joining && (m.Type == Answer || m.Type == Coordinator && m.ID > self):
		net.Rule(listens)
		p.Coordinator = max(p.Coordinator, m.ID)
	case m.Type == Coordinator && m.ID <= self:
		r.objects(p, net, m.ID)
	case p.Mode == Office && m.Type == Query:
		net.Rule(rule4b)
		net.Reply(M{Type: Answer, ID: self, Candidates: candidates(p, net)})
	default:
		r.keepsHigher.Receive(p, net, from, m)
	}
	beforeOffice(p, net, was)
}

// objects is what a process does when it, or one with a lower id, is announced.
func (r Repaired) objects(p *P, net *model.Net[M], announced model.ID) {
	self := net.Self()
	switch told := p.Mode == Office || p.Coordinator == self; {
	case asked(p) || p.Mode == Joining, !told && p.Coordinator > announced, told && announced == self:
		net.Rule(keeps)
	case announced == self:
		net.Rule(chosen)
		r.announces(p, net, self)
	case told:
		net.Rule(insists)
		r.announces(p, net, self)
	default:
		net.Rule(bullies)
		r.begin(p, net)
	}
}

// Timeout is as in keepsHigher, except for the wait for office, and where a process
// that waits for answer has learned of a coordinator.
func (r Repaired) Timeout(p *P, net *model.Net[M], t model.Timer) {
	was := *p
	switch {
	case p.Mode == Office:
		net.Rule(office)
		*p = P{Coordinator: net.Self(), Candidates: p.Candidates}
		return
	case p.Mode == Joining && p.Coordinator != model.None:
		r.answer(p, net, M{ID: p.Coordinator})
	default:
		r.keepsHigher.Timeout(p, net, t)
	}
	beforeOffice(p, net, was)
}

// beforeOffice has a process wait for a round trip that has just announced itself.
func beforeOffice(p *P, net *model.Net[M], was P) {
	if p.Coordinator == net.Self() && was.Coordinator != net.Self() {
		*p = P{Mode: Office, Candidates: p.Candidates}
		net.SetTimer(T, 2*net.Bound())
	}
}
