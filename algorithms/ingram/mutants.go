package ingram

import (
	"bullyproof/ledger"
	"bullyproof/model"
)

// mutants are readings with one rule broken. Their types stand below.
var mutants = []ledger.Mutant{
	{
		Name: "never-adopts", Of: "complete", Caught: oneLeader.Name, Setting: joins, New: of(neverAdopts{&Protocol{}}),
		Doc: "A process keeps its leader pair, whatever pair a neighbour has.",
	},
	{
		Name: "never-reflects", Of: "complete", Caught: oneLeader.Name, Setting: usual, New: of(neverReflects{&Protocol{}}),
		Doc: "A sink does not reflect a search.",
	},
	{
		Name: "elects-at-once", Of: "complete", Caught: kept.Name, Setting: usual, New: of(electsAtOnce{&Protocol{}}),
		Doc: "A process that loses its last way elects itself, and does not search for another.",
	},
	{
		Name: "stays-alone", Of: "complete", Caught: oneLeader.Name, Setting: usual, New: of(staysAlone{&Protocol{}}),
		Doc: "A process that loses its last link does not elect itself.",
	},
	{
		Name: "tells-no-newcomer", Of: "complete", Caught: oneLeader.Name, Setting: joins, New: of(tellsNoNewcomer{&Protocol{}}),
		Doc: "A process by whose link a newcomer is heard does not send its height.",
	},
	{
		Name: "says-nothing", Of: "closes", Caught: oneLeader.Name, Setting: usual.MustWith("start=cold initiators=none cuts=1"),
		New: of(saysNothing{Closes{&Protocol{Graph: Ring}}}),
		Doc: "A process sends nothing by a link that comes up.",
	},
	{
		Name: "beacon-to-neighbours", Of: "beacons", Caught: oneLeader.Name, Setting: apart, New: of(beaconToNeighbours{Beacons{&Protocol{}}}),
		Doc: "A process sends beacons by links alone that it knows to be up.",
	},
}

type neverAdopts struct{ *Protocol }

func (l neverAdopts) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type == Update && (p.N | p.Forming).Has(from.ID()) && m.Height.Pair != p.Own.Pair {
		l.note(p, from.ID(), m)
		return
	}
	l.Protocol.Receive(p, net, from, m)
}

type neverReflects struct{ *Protocol }

func (l neverReflects) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	then := *p
	l.note(&then, from.ID(), m)
	if level, same := l.levels(&then); same && level.Tau > 0 && !level.R && l.sink(&then, net) {
		*p = then
		return
	}
	l.Protocol.Receive(p, net, from, m)
}

type electsAtOnce struct{ *Protocol }

func (l electsAtOnce) Suspect(p *P, net *model.Net[M], who model.ID) {
	then := *p
	l.drop(&then, who)
	if l.sink(&then, net) {
		*p = then
		net.Rule(alone)
		l.electSelf(p, net)
		l.send(p, net, Update, p.N|p.Forming)
		return
	}
	l.Protocol.Suspect(p, net, who)
}

type staysAlone struct{ *Protocol }

func (l staysAlone) Suspect(p *P, net *model.Net[M], who model.ID) {
	if p.N.Without(who).Empty() {
		l.drop(p, who)
		return
	}
	l.Protocol.Suspect(p, net, who)
}

type tellsNoNewcomer struct{ *Protocol }

func (l tellsNoNewcomer) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	p.Forming = p.Forming.With(from.ID())
	m.Type = Update
	l.Protocol.Receive(p, net, from, m)
}

type saysNothing struct{ Closes }

func (saysNothing) Timeout(*P, *model.Net[M], model.Timer) {}

type beaconToNeighbours struct{ Beacons }

func (b beaconToNeighbours) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	b.send(p, net, Update, p.N)
	b.Wake(p, net)
}
