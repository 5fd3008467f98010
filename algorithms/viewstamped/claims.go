package viewstamped

import (
	"embed"

	"bullyproof/ledger/claimfile"
)

// record is what the claims came to; the catalogue's test keeps it true.
//
//go:embed claims.lock
var record []byte

// code is what the record is of.
//
//go:embed *.go
var code embed.FS

// written is what the paper and its critics say of it.
//
//go:embed claims.txt
var written string

var claims = claimfile.Of("claims.txt", written, nil)
