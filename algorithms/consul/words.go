package consul

import (
	"bullyproof/model"
	"bullyproof/model/setting"
)

var kinds = []string{"create", "renew", "acquire", "created", "renewed", "acquired", "refused", "invalid"}

// Fits: Consul has room for three clients.
func (c *Consul) Fits(s setting.Setting) error {
	return s.AtMost(1+most, "Consul, and three clients")
}

// Names gives the words of the documentation.
func (c *Consul) Names() model.Names {
	return model.Names{
		Kinds: kinds,
		Timers: []model.TimerName{
			{Name: "renew", Periodic: true}, {Name: "session over"}, {Name: "lock-delay"},
			{Name: "TTL of P1"}, {Name: "other TTL of P1"}, {Name: "TTL of P2"}, {Name: "other TTL of P2"}, {Name: "TTL of P3"}, {Name: "other TTL of P3"},
		},
		Rules: rules,
	}
}
