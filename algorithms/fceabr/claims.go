package fceabr

import (
	_ "embed"

	"bullyproof/checker"
)

//go:embed claims.json
var record []byte

var claims []checker.Claim
