package omega

import "bullyproof/model"

// Candidates is the algorithm of Larrea, Fernández and Arévalo, as later literature tells it: a process
// trusts the lowest one, the next if that is late, and so on. It sends if it trusts itself, to all higher
// processes. If a lower process than the trusted one is heard from, that was late, and is given more time.
type Candidates struct {
	base
	// Fixed has timeouts not grow.
	Fixed bool
}

// Init has a process trust P1.
func (c *Candidates) Init(p *P, net *model.Net[M], _ model.Boot) {
	*p = P{}
	for id := range net.Lower().All() {
		p.Delays.Set(id, 1)
	}
	c.trust(p, net, 1)
}

// trust begins to send, or to wait for the process that is trusted.
func (c *Candidates) trust(p *P, net *model.Net[M], who model.ID) {
	p.Leader = who
	if who == net.Self() {
		net.Rule(leads)
		c.send(net)
		return
	}
	net.StopTimer(beat)
	net.SetTimer(late, int(p.Delays.At(who)))
}

func (c *Candidates) send(net *model.Net[M]) {
	net.SendAll(net.Higher(), M{Type: Alive})
	net.SetTimer(beat, 1)
}

// Timeout sends again, or trusts the next process.
func (c *Candidates) Timeout(p *P, net *model.Net[M], t model.Timer) {
	if t == beat {
		c.send(net)
		return
	}
	net.Rule(next)
	c.trust(p, net, p.Leader+1)
}

// Receive waits on, or goes back to a lower process.
func (c *Candidates) Receive(p *P, net *model.Net[M], from model.Port, _ M) {
	switch id := from.ID(); {
	case id == p.Leader:
		c.trust(p, net, id)
	case id < p.Leader:
		net.Rule(goesBack)
		if !c.Fixed {
			p.Delays.Set(id, p.Delays.At(id)+1)
		}
		net.StopTimer(late)
		c.trust(p, net, id)
	}
}
