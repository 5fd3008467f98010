package silence_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bullyproof/checker/cost"
	"bullyproof/ledger/silence"
	"bullyproof/model"
	"bullyproof/model/setting"
)

type booter struct{ table }

func (b booter) Init(p *member, net *model.Net[token], _ model.Boot) {}

// A silence at the very beginning leaves a strict search without initial states.
func TestSilentBoot(t *testing.T) {
	says := func(p *member, net *model.Net[token], _ *silence.Event[token]) { net.Broadcast(0) }
	src, err := silence.New(booter{}, silence.Sorter[member]{}, silence.Does[member, token]{"boot/says": says},
		silence.Silence{Name: "boot", Cells: []string{"boot"}, Answers: []string{"code", "says"}})
	require.NoError(t, err)
	for of := range 6 {
		row := silence.Row{{Bound: &silence.Bound{Case: cost.WorstCase, Of: of}, Setting: setting.Must("n=2 start=cold")}}
		tree, err := src.Decide(t.Context(), row, silence.Options{Whole: true})
		require.NoError(t, err)
		t.Log(of, tree.Count(), tree.Root.Outcome)
	}
}
