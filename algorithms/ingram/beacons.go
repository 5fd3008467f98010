package ingram

import "bullyproof/model"

// Beacons is the algorithm in a network that reports no link that comes up, and in which
// a link may go down and come up before anybody learns of it: each process sends its
// height again and again, by all links that it may have. A message by a link that is not
// known is ChannelUp, as in Protocol.
type Beacons struct{ *Protocol }

// beacon is the timer of the next beacon.
const beacon model.Timer = 0

// Names has the timer as well.
func (b Beacons) Names() model.Names {
	n := b.Protocol.Names()
	n.Timers = []model.TimerName{{Name: "beacon", Periodic: true}}
	n.Rules = rules
	return n
}

// Init is as in Protocol, and sets the timer.
func (b Beacons) Init(p *P, net *model.Net[M], boot model.Boot) {
	b.Protocol.Init(p, net, boot)
	b.Wake(p, net)
}

// Wake sets the timer to a round trip.
func (Beacons) Wake(_ *P, net *model.Net[M]) { net.SetTimer(beacon, 2*net.Bound()) }

// Receive is as in Protocol, but takes a message by a link that is not known for ChannelUp.
func (b Beacons) Receive(p *P, net *model.Net[M], port model.Port, m M) {
	if !(p.N | p.Forming).Has(port.ID()) {
		m.Type = FirstOne
	}
	b.Protocol.Receive(p, net, port, m)
}

// Timeout sends the height once more.
func (b Beacons) Timeout(p *P, net *model.Net[M], _ model.Timer) {
	net.Rule(again)
	b.send(p, net, Update, b.links(net))
	b.Wake(p, net)
}
