package hirschbergsinclair

import (
	"embed"

	"bullyproof/ledger/claimfile"
)

//go:embed *.go claims.* relations.txt proofs.txt
var files embed.FS

var claims = claimfile.In(files, claimfile.Names{"bound": bound, "duration": duration})

const (
	lynch    = "N. A. Lynch, Distributed Algorithms, 1996"
	franklin = "W. R. Franklin, On an improved algorithm for decentralized extrema finding in circular configurations of processors, CACM 25(5), 1982"
)
