package kabashi

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/ledger/silence"
	"bullyproof/model/setting"
)

func rows(p *checker.Property, settings ...string) (row silence.Row) {
	for _, text := range settings {
		row = append(row, silence.Piece{Property: p, Setting: setting.Must(text)})
	}
	return row
}

var small = []string{
	"n=3 start=cold initiators=all:lazy", "n=3 start=settled joins=1", "n=3 start=settled joins=2",
	"n=3 start=settled crashes=1 restarts=1 mid-send=yes", "n=3 start=settled crashes=2 mid-send=yes",
	"n=3 start=settled crashes=1 joins=1 mid-send=yes", "n=4 start=settled crashes=1 mid-send=yes",
	"n=4 start=coordinator-down joins=1", "n=4 start=settled crashes=2 mid-send=yes",
}

func TestSilences(t *testing.T) {
	src, err := Silences()
	require.NoError(t, err)
	for _, c := range []struct {
		property *checker.Property
		want     silence.Outcome
	}{
		{checker.Uniqueness, silence.Fails}, {checker.SettledUniqueness, silence.Splits}, {checker.Agreement, silence.Fails}, {checker.Extreme, silence.Fails},
	} {
		tree, err := src.Decide(t.Context(), rows(c.property, small...), silence.Options{Workers: 1})
		require.NoError(t, err)
		t.Logf("%s: %v, %v, %d searches, %d states, %d nodes", c.property.Name, tree.Root.Outcome, tree.Count(), tree.Searches, tree.States, tree.Nodes)
		if tree.Pivot != nil {
			t.Logf("holds: %s; fails: %s; %d steps", src.Text(tree.Pivot.Holds), src.Text(tree.Pivot.Fails), len(tree.Pivot.Run.Steps))
		}
		if tree.Root.Run != nil {
			t.Logf("%d steps", len(tree.Root.Run.Steps))
		}
		_ = assert.Equal
	}
}
