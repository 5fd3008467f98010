package garciamolina

import (
	"embed"

	"bullyproof/ledger/claimfile"
	"bullyproof/model"
)

//go:embed *.go claims.*
var files embed.FS

var claims = claimfile.In(files, fromGo)

// fromGo is what the file of the claims takes from Go.
var fromGo = claimfile.Names{
	"up": func(n int) func(*model.View) bool { return func(v *model.View) bool { return v.Up.Has(model.ID(n)) } },
	"alone": func(i int) func(*model.View) bool {
		return func(v *model.View) bool {
			return v.Up == model.Upto(model.ID(i)) && v.Participants.Empty() && v.Leaders.Empty()
		}
	},
}
