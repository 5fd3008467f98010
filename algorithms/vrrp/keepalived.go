package vrrp

import "bullyproof/model"

// Keepalived is a router as the program keepalived has it without the option use_vmac: it has no
// MAC address of the virtual router, and so its advertisements teach no host where to send. A
// router that becomes Active announces itself, by gratuitous ARP. The caches of the hosts beside a
// router are a part of its state, and lost with it.
type Keepalived struct {
	Router
	// Refreshes: an Active Router announces itself with each advertisement
	// (garp_master_refresh).
	Refreshes bool
	// Answers: an Active Router that yields sends an ADVERTISEMENT first
	// (higher_prio_send_advert), and one that hears of a lower one announces itself again
	// (garp_lower_prio_repeat).
	Answers bool
}

// Timeout is vrrp_state_goto_master where a router becomes Active, and vrrp_state_master_tx.
func (k *Keepalived) Timeout(p *P, net *model.Net[M], t model.Timer) {
	k.Router.Timeout(p, net, t)
	if t == activeDown || k.Refreshes {
		k.announce(p, net)
	}
}

// Receive is vrrp_state_master_rx where a router is Active.
func (k *Keepalived) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Announces {
		net.Rule(learns)
		p.Sends = from.ID()
		return
	}
	if k.Answers && p.State == Active && k.isHigher(net, from.ID(), m) {
		net.Broadcast(k.advertisement(net))
	}
	k.Router.Receive(p, net, from, m)
	if k.Answers && p.State == Active {
		k.announce(p, net)
	}
}

// announce is vrrp_send_link_update.
func (k *Keepalived) announce(p *P, net *model.Net[M]) {
	net.Broadcast(M{Announces: true})
	p.Sends = net.Self()
}
