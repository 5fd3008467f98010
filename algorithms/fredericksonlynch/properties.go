package fredericksonlynch

import (
	"bullyproof/checker"
	"bullyproof/model"
)

// sent counts the messages that carry identifiers, without the announcement.
var sent = model.NewMonitor("sent", uint8(0), func(n *uint8, e *model.Event) {
	for _, m := range model.Sends[M](e) {
		if m.Type != Leader {
			*n++
		}
	}
})

// tokens is "fewer than 2n", as textbooks have it.
var tokens = checker.Always("fewer-than-2n",
	"Fewer than 2N tokens are sent.",
	func(v *model.View) bool { return sent.Of(v) < 2*uint8(v.N) },
).Remembering(sent)

// least is what the wake-up leaves of the smallest identifier.
var least = checker.Always("least-participant",
	"Nobody but the smallest of those that began by themselves believes itself elected, and no other is named.",
	func(v *model.View) bool {
		first := model.None
		for id := range v.Up.All() {
			if first == model.None && model.State[P](v, id).Role == Participates {
				first = id
			}
		}
		for id := range v.Up.All() {
			if elected := v.Elected(id); elected != model.None && elected != first {
				return false
			}
		}
		return true
	},
)
