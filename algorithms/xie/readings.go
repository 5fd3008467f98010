package xie

import "bullyproof/model"

// oneByOne handles messages one by one, whenever they arrive: a process passes the first
// of two copies on before it sees the other.
type oneByOne struct{ *Protocol }

// newOneByOne returns an algorithm that takes the steps of oneByOne.
func newOneByOne() oneByOne {
	x := oneByOne{&Protocol{}}
	x.other = x
	return x
}

func (x oneByOne) pass(p *P, net *model.Net[M], informer model.ID, seen Seen) {
	x.passOn(p, net, informer, seen)
}

// Names leaves the timer out.
func (x oneByOne) Names() model.Names { return model.Names{Kinds: kinds, Rules: rules[:outdated]} }

// Readings returns the protocols of the variants, in their order.
func Readings() []model.Protocol[P, M] {
	return []model.Protocol[P, M]{newOneByOne(), &Protocol{}, repaired{newOneByOne()}}
}
