package hirschbergsinclair

import (
	"embed"

	"bullyproof/ledger/claimfile"
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

var claims = claimfile.Of("claims.txt", written, claimfile.Names{"bound": bound, "duration": duration})

const (
	lynch    = "N. A. Lynch, Distributed Algorithms, 1996"
	franklin = "W. R. Franklin, On an improved algorithm for decentralized extrema finding in circular configurations of processors, CACM 25(5), 1982"
)
