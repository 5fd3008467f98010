package vault

import (
	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are the first variant with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "no-renewal", Of: "shipped", Caught: keepsOne.Name, Setting: in(""),
		Doc: "Nobody renews the item.",
		New: of(noRenewal{shipped}),
	},
	{
		Name: "deaf", Of: "shipped", Caught: told.Name, Setting: in("losses=2"),
		Doc: "A node does not learn that the item has another identity.",
		New: of(deaf{shipped}),
	},
	{
		Name: "patient", Of: "shipped", Caught: givesUp.Name, Setting: in("cuts=1 cut-by=link"),
		Doc: "The calls of watch that fail are not counted.",
		New: of(patient{shipped}),
	},
	{
		Name: "any-time", Of: "shipped", Caught: checker.Uniqueness.Name, Setting: in(""),
		Doc: "A standby takes every item for one that has expired.",
		New: of(anyTime{shipped}),
	},
}

type noRenewal struct{ *Backend }

// Timeout is that of a node of endless, which renews nothing.
func (noRenewal) Timeout(p *P, net *model.Net[M], t model.Timer) { endless.Timeout(p, net, t) }

type deaf struct{ *Backend }

func (b deaf) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Got {
		m.Mine = true
	}
	b.Backend.Receive(p, net, from, m)
}

type patient struct{ *Backend }

func (b patient) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t == even || t == odd {
		p.Locks[t-even].Asked = false
	}
	b.Backend.Timeout(p, net, t)
}

type anyTime struct{ *Backend }

func (b anyTime) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if p.Item.Holder != model.None && (m.Type == Acquire || m.Type == Renew) {
		p.Item.Expires = m.Now
	}
	b.Backend.Receive(p, net, from, m)
}
