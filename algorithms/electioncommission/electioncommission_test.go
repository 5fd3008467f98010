package electioncommission_test

import (
	"flag"
	"testing"

	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/electioncommission"
	"bullyproof/checker"
	"bullyproof/model"
)

var (
	deep   = flag.Bool("deep", false, "also search what takes minutes")
	update = flag.Bool("update", false, "write the record of the claims")
)

func TestClaims(t *testing.T) {
	checker.VerifyClaims(t, electioncommission.Algorithm, checker.ClaimOptions{Deep: *deep, Update: *update})
}

func TestProtocol(t *testing.T) {
	setting := model.Setting{N: 3, Start: model.SettledStart, Crashes: 2, Restarts: 1}
	for _, v := range electioncommission.Algorithm.Variants {
		sys, err := v.In(setting)
		require.NoError(t, err)
		require.NoError(t, checker.TestSystem(sys), v.Name)
	}
	require.NoError(t, checker.TestProtocol(&electioncommission.Protocol{}, setting))
}
