package ledger_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/internal/test/upstart"
	"bullyproof/ledger"
)

// A mutant that nothing catches is told, and so is an original that is caught.
func TestCatches(t *testing.T) {
	rude, polite := ledger.SystemOf[upstart.State, upstart.Message](&upstart.Protocol{}), ledger.SystemOf[upstart.State, upstart.Message](&upstart.Protocol{Polite: true})
	in := upstart.Settled(3)
	for name, tt := range map[string]struct {
		variant ledger.Variant
		mutant  ledger.Mutant
		want    string
	}{
		"caught":      {ledger.Variant{Name: "v", Setting: in, New: polite}, ledger.Mutant{Name: "m", Of: "v", Caught: "agreement", Setting: in, New: rude}, ""},
		"not caught":  {ledger.Variant{Name: "v", Setting: in, New: polite}, ledger.Mutant{Name: "m", Of: "v", Caught: "agreement", Setting: in, New: polite}, "agreement of m is holds in n=3"},
		"both caught": {ledger.Variant{Name: "v", Setting: in, New: rude}, ledger.Mutant{Name: "m", Of: "v", Caught: "agreement", Setting: in, New: rude}, "agreement of v is violated in n=3"},
		"unknown":     {ledger.Variant{Name: "v", Setting: in, New: polite}, ledger.Mutant{Name: "m", Of: "w", Caught: "agreement", Setting: in, New: rude}, `variant of`},
	} {
		t.Run(name, func(t *testing.T) {
			a := &ledger.Algorithm{Name: "a", Variants: []ledger.Variant{tt.variant}}
			err := a.Catches(t.Context(), &tt.mutant)
			if tt.want == "" {
				assert.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, tt.want)
		})
	}
}
