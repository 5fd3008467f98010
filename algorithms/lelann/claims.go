package lelann

import (
	"embed"

	"bullyproof/checker"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
)

//go:embed *.go claims.* relations.txt proofs.txt
var files embed.FS

var claims = claimfile.In(files, nil)

// greatest is election in the textbook's sense: one leader, known to those
// that take part.
var greatest = checker.Always("greatest-initiator",
	"Once settled, the initiator with the greatest id is leader, and every initiator names it.",
	func(v *model.View) bool {
		if !v.Settled {
			return true
		}
		var initiators model.Set
		for id := range v.Up.All() {
			if model.State[P](v, id).Initiator {
				initiators = initiators.With(id)
			}
		}
		for id := range initiators.All() {
			if v.Elected(id) != initiators.Max() {
				return false
			}
		}
		return initiators.Empty() || v.Leaders == model.SetOf(initiators.Max())
	}).Reading(model.ReadsSettled)

// remains is what Effatparvar et al. say of elected and non-elected states.
var remains = checker.AlwaysStep("remains",
	"A process that names a leader names the same one from then on.",
	func(e *model.Event) bool {
		from, to := e.From, e.To
		for id := range to.Up.All() {
			if e := from.Elected(id); e != model.None && to.Elected(id) != e {
				return false
			}
		}
		return true
	})
