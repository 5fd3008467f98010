package fle

import (
	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// steps are those that a mutant takes in another way.
type steps interface {
	better(v, than Vote) bool
	equal(v, w Vote) bool
}

func (f *FLE) steps() steps {
	if f.other != nil {
		return f.other
	}
	return f
}

// A mutant is the election with some steps of its own.
type mutant interface {
	steps
	fle() *FLE
}

func (f *FLE) fle() *FLE { return f }

// with returns the election that a mutant embeds, and has it take the mutant's steps.
func with(m mutant) *FLE {
	f := m.fle()
	f.other = m
	return f
}

// byID is a fault: votes are compared by their ids alone.
type byID struct{ *FLE }

func (byID) better(v, than Vote) bool { return v.Leader > than.Leader }

// exact is a fault: all of two votes is compared, also of servers that are not looking.
type exact struct{ *FLE }

func (f exact) equal(v, w Vote) bool {
	v.Role = Looking
	return f.FLE.equal(v, w)
}

// longerLogs is a fault: followers may have a longer log than their leader.
type longerLogs struct{ *FLE }

func (f longerLogs) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == AckEpoch {
		m.Epoch, m.Zxid = 0, 0
	}
	f.FLE.Receive(p, net, from, m)
}

// stale is a fault: the vote of a server stays as it was elected, without the new epoch.
type stale struct{ *FLE }

func (f stale) Settle(p *P, self, coordinator model.ID, live model.Set) {
	f.FLE.Settle(p, self, coordinator, live)
	p.Vote.Epoch = 0
}

func (f stale) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	epoch := p.Vote.Epoch
	f.FLE.Receive(p, net, from, m)
	if p.Phase == Broadcast {
		p.Vote.Epoch = epoch
	}
}

// waits is a fault: a leader without supporters waits for them.
type waits struct{ *FLE }

func (f waits) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	f.FLE.Receive(p, net, from, m)
	f.wait(p, net)
}

func (f waits) Timeout(p *P, net *model.Net[M], t model.Timer) {
	f.FLE.Timeout(p, net, t)
	f.wait(p, net)
}

// wait has a leader not know of its supporters.
func (waits) wait(p *P, net *model.Net[M]) {
	p.Supporters, p.Patient = 0, false
	net.StopTimer(patienceTimer)
}

// atOnce is the election with a fault: whoever has been elected leads, without recovery.
type atOnce struct{ *FLE }

func (a atOnce) Belief(p *P) model.Belief {
	if p.Role == Leading {
		return model.Belief{Elected: p.Vote.Leader, Epoch: uint64(p.Round)}
	}
	return a.FLE.Belief(p)
}

// mutants are the faults. Package incidents tells of the second to the fourth.
var mutants = []ledger.Mutant{
	{
		Name: "by-id", Of: "zookeeper", Caught: highest.Name, Setting: setting.Must(connections + "n=3 initiators=none timing=lockstep crashes=1 mid-send=yes"),
		Doc: "The highest id wins whatever its log, and a leader takes followers whose logs are longer.",
		New: of(longerLogs{with(byID{&FLE{Rounds: 6}})}),
	},
	{
		Name: "exact", Of: "zookeeper", Caught: checker.E2.Name, Setting: joining, New: of(with(exact{&FLE{Rounds: 4}})),
		Doc: "A server joins only if a majority has votes that are equal in all, and not in the leader and the epoch alone.",
	},
	{
		Name: "stale", Of: "zookeeper", Caught: checker.E2.Name, Setting: joining, New: of(stale{&FLE{Rounds: 4}}),
		Doc: "The vote of a server keeps the epoch in which it was elected.",
	},
	{
		Name: "waits", Of: "hasty", Caught: availability.Name, Setting: impatient,
		Doc: "A leader goes on waiting where one who voted for it looks for a leader again.",
		New: of(waits{hasty}),
	},
	{
		Name: "at-once", Of: "hasty", Caught: checker.OneLeaderPerEpoch.Name, Setting: impatient, New: of(atOnce{hasty}),
		Doc: "Whoever has been elected leads, and does not wait for a majority to accept a new epoch. The round stands for the epoch.",
	},
}
