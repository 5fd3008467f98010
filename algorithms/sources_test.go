package algorithms_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/algorithms"
	"bullyproof/internal/test/play"
	"bullyproof/ledger"
)

// Each algorithm does what sentences of its sources say: its rules.txt has a run that
// shows each.
func TestRules(t *testing.T) {
	for _, a := range algorithms.All {
		t.Run(a.Name, func(t *testing.T) { play.Rules(t, a, filepath.Join(a.Name, "rules.txt")) })
	}
}

// The claims on each algorithm have the outcomes of its claims.txt, and are on
// record.
func TestClaims(t *testing.T) {
	for _, a := range algorithms.All {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			ledger.VerifyClaims(t, a, ledger.ClaimOptions{Deep: *play.Deep, Update: *play.Update, Dir: a.Name, Again: ".ci/records"})
		})
	}
}

// Each publication is named by a source of the catalogue, and has an identifier of its own
// or is one by which claims are counted.
func TestPublications(t *testing.T) {
	var sources []string
	for _, a := range algorithms.All {
		sources = append(sources, a.Source)
		for i := range a.Variants {
			sources = append(sources, a.Variants[i].Source)
		}
		for i := range a.Claims() {
			sources = append(sources, a.Claims()[i].Source)
		}
	}
	identifiers := make(map[string]string)
	for _, p := range algorithms.Publications {
		assert.True(t, slices.ContainsFunc(sources, p.Names), "no source names %q", p.Title)
		if p.DOI == "" {
			assert.NotEmpty(t, p.Short, p.Title)
			continue
		}
		assert.Regexp(t, `^10\.\d{4,}/[^\s]+$`, p.DOI, p.Title)
		assert.Empty(t, identifiers[p.DOI], p.Title)
		identifiers[p.DOI] = p.Title
	}
}
