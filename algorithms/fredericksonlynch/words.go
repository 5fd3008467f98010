package fredericksonlynch

import (
	"slices"

	"bullyproof/model"
	"bullyproof/model/setting"
)

// The rules, in the order of the program.
var (
	rules model.Rules

	begins    = rules.Add("begin: initiate a token with one's own identifier")
	relays    = rules.Add("a message comes before one has begun: only relay from now on")
	own       = rules.Add("one's own identifier is back: be elected, announce it")
	discards  = rules.Add("a token larger than the smallest identifier seen: discard it")
	waits     = rules.Add("the smallest identifier so far: its token waits here")
	overtakes = rules.Add("a smaller identifier comes: discard the token that waits")
	sends     = rules.Add("2^v rounds are over: send the token on")
	learns    = rules.Add("leader: note who it is and pass it on")
	home      = rules.Add("leader came home")
	hurries   = rules.Add("wake-up at a relay: pass it on at full speed")
)

// names is the vocabulary where all begin in one round; the wake-up has more.
var names = model.Names{
	Kinds:  kinds[:WakeUp],
	Timers: []model.TimerName{{Name: "wait"}},
	Rules:  rules[:hurries],
}

var kinds = []string{Token: "token", Leader: "leader", WakeUp: "wake-up"}

// Names returns the vocabulary of the source.
func (f *Protocol) Names() model.Names {
	n := names
	if f.WakeUp {
		n.Kinds, n.Rules = kinds, slices.Clone(rules)
		n.Rules[begins] = "wake up: send one's own identifier at full speed"
	}
	return n
}

// Kind returns the kind of the message.
func (m M) Kind() model.Kind { return m.Type }

// String returns m as "token(3)".
func (m M) String() string { return kinds[m.Type] + "(" + m.ID.String() + ")" }

// slowest is the largest identifier whose rounds a timer can count.
const slowest = 7

// Fits refuses rings with larger identifiers.
func (f *Protocol) Fits(s setting.Setting) error {
	return s.AtMost(slowest-f.Above, "the rounds of the largest identifier, in a timer")
}
