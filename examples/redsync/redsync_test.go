package redsync_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/examples/redsync"
	"bullyproof/model"
	"bullyproof/shipped"
)

const (
	world = "initiators=none detector=off mail-down=lost mail-old=lost "
	fifo  = "channels=fifo "
)

func check(t *testing.T, m redsync.Clients, words string, depth int, properties ...*checker.Property) *checker.Report {
	t.Helper()
	sys, err := model.NewFrom(redsync.New(m), world+words)
	require.NoError(t, err)
	r, err := checker.Check(context.Background(), sys, checker.Options{Algorithm: "redsync", MaxDepth: depth, Properties: properties})
	require.NoError(t, err)
	t.Logf("%s: %d states to depth %d in %v. %s", words, r.Distinct, r.Depth, r.Duration, r.Coverage.Remark)
	for _, f := range r.Findings {
		t.Logf("%s: %v %s", f.Property.Name, f.Verdict, f.Explanation)
	}
	return r
}

func TestFirst(t *testing.T) {
	check(t, redsync.Short(t), fifo+"n=5 timing=lockstep", 0, checker.Uniqueness)
}

func TestConforms(t *testing.T) {
	t.Parallel()
	shipped.Test(t, redsync.Short(t), world+fifo+"n=5 timing=lockstep crashes=1 restarts=1")
}
