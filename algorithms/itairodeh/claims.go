package itairodeh

import (
	"embed"

	"bullyproof/ledger/claimfile"
)

//go:embed *.go claims.*
var files embed.FS

var claims = claimfile.In(files, nil)

const (
	bakhshiEtAl = "R. Bakhshi, W. Fokkink, J. Pang, J. van de Pol, Leader election in anonymous rings: Franklin goes probabilistic, IFIP TCS 2008"

	fceabr = "Fault Tolerant Message Efficient Coordinator Election Algorithm in High Traffic Bidirectional Ring Network, " +
		"IJITCS 2013"
)
