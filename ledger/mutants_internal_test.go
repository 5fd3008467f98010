package ledger

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/internal/upstart"
)

// A mutant that nothing catches is told, and so is an original that is caught.
func TestCatches(t *testing.T) {
	rude, polite := SystemOf[upstart.State, upstart.Message](&upstart.Protocol{}), SystemOf[upstart.State, upstart.Message](&upstart.Protocol{Polite: true})
	in := upstart.Settled(3)
	for name, tt := range map[string]struct {
		variant Variant
		mutant  Mutant
		want    string
	}{
		"caught":      {Variant{Name: "v", Setting: in, New: polite}, Mutant{Name: "m", Of: "v", Caught: "agreement", Setting: in, New: rude}, ""},
		"not caught":  {Variant{Name: "v", Setting: in, New: polite}, Mutant{Name: "m", Of: "v", Caught: "agreement", Setting: in, New: polite}, "agreement of m is holds in n=3"},
		"both caught": {Variant{Name: "v", Setting: in, New: rude}, Mutant{Name: "m", Of: "v", Caught: "agreement", Setting: in, New: rude}, "agreement of v is violated in n=3"},
		"unknown":     {Variant{Name: "v", Setting: in, New: polite}, Mutant{Name: "m", Of: "w", Caught: "agreement", Setting: in, New: rude}, `variant of`},
	} {
		t.Run(name, func(t *testing.T) {
			a := &Algorithm{Name: "a", Variants: []Variant{tt.variant}}
			err := a.catches(t.Context(), &tt.mutant)
			if tt.want == "" {
				assert.NoError(t, err)
				return
			}
			assert.ErrorContains(t, err, tt.want)
		})
	}
}
