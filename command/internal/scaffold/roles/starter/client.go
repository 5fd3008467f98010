package starter

import "bullyproof/model"

// client wants the lock, and leads while the lock is its own.
type client struct {
	model.Passive[Client, M]

	// FromAsking is the repair: the lease is counted from when the client asked.
	FromAsking bool
}

// Client is the state of a client.
type Client struct{ Leads bool }

// over is the timer of a lease. When it expires, the client asks again.
const over model.Timer = 0

// The rules, as traces and reports call them.
var (
	clientRules model.Rules

	asks  = clientRules.Add("client: no lock, or no longer: ask for it")
	leads = clientRules.Add("client: the lock is granted: lead")
)

// Init is called when a client comes up.
func (c *client) Init(p *Client, net *model.Net[M], _ model.Boot) { c.ask(p, net) }

// Timeout is called when a lease is over.
func (c *client) Timeout(p *Client, net *model.Net[M], _ model.Timer) { c.ask(p, net) }

func (c *client) ask(p *Client, net *model.Net[M]) {
	net.Rule(asks)
	p.Leads = false
	net.SendTo(theStore, M{ask})
	net.SetTimer(over, lease-1)
}

// Receive is called when the store has granted the lock.
func (c *client) Receive(p *Client, net *model.Net[M], _ model.Port, _ M) {
	net.Rule(leads)
	p.Leads = true
	if !c.FromAsking {
		net.SetTimer(over, lease-1) // anew: the store began to count before
	}
}

// Belief says what a client believes of the election: the properties are about that, and about nothing
// else of its state.
func (*client) Belief(p *Client) model.Belief {
	if p.Leads {
		return model.Belief{Elected: model.Me}
	}
	return model.Belief{}
}

// Names gives the words of the system to messages, timers and rules.
func (*client) Names() model.Names {
	return model.Names{Kinds: kinds, Timers: []model.TimerName{{Name: "over"}}, Rules: clientRules}
}
