package itairodeh

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

var claims = claimfile.Of("claims.txt", written, nil)

const (
	bakhshiEtAl = "R. Bakhshi, W. Fokkink, J. Pang, J. van de Pol, Leader election in anonymous rings: Franklin goes probabilistic, IFIP TCS 2008"

	fceabr = "Fault Tolerant Message Efficient Coordinator Election Algorithm in High Traffic Bidirectional Ring Network, " +
		"IJITCS 2013"
)
