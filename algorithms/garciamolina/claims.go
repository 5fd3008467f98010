package garciamolina

import (
	"embed"

	"bullyproof/ledger/claimfile"
	"bullyproof/model"
)

// record is what the claims came to; the package's test keeps it true.
//
//go:embed claims.lock
var record []byte

// code is what the record is of.
//
//go:embed *.go
var code embed.FS

// written is what the source says of the algorithm.
//
//go:embed claims.txt
var written string

var claims = claimfile.Of("claims.txt", written, fromGo)

// fromGo is what the file of the claims takes from Go.
var fromGo = claimfile.Names{
	"up": func(n int) func(*model.View) bool { return func(v *model.View) bool { return v.Up.Has(model.ID(n)) } },
	"alone": func(i int) func(*model.View) bool {
		return func(v *model.View) bool {
			return v.Up == model.Upto(model.ID(i)) && v.Participants.Empty() && v.Leaders.Empty()
		}
	},
}
