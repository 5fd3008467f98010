package ledger_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/ledger"
)

// The titles of publications are links, as they stand there, and the rest is text.
func TestLinked(t *testing.T) {
	list := []ledger.Publication{{Title: "An O(n) <Algorithm>", DOI: "10.1016/0196-6774(82)90023-2"}}
	assert.Equal(t, `A &amp; B, <a href="https://doi.org/10.1016/0196-6774(82)90023-2">an O(n) &lt;algorithm&gt;</a>, 1982`,
		ledger.Linked("A & B, an O(n) <algorithm>, 1982", list))
	assert.Equal(t, "another one", ledger.Linked("another one", list))
	assert.True(t, list[0].Names("an o(n) <algorithm>"))
}

func TestWriteOmissions(t *testing.T) {
	var b strings.Builder
	require.NoError(t, ledger.WriteOmissions(&b, nil))
	assert.Empty(t, b.String())

	list := []ledger.Omission{{Name: "Nobody", Source: "a paper, [1]", Quote: "it elects | somehow", Why: "It says nothing."}}
	require.NoError(t, ledger.WriteOmissions(&b, list))
	assert.Contains(t, b.String(), "## Not modelled, and why")
	assert.True(t, strings.HasSuffix(b.String(), "\n| Nobody | a paper, [1] | “it elects \\| somehow” | It says nothing. |\n"), b.String())

	assert.ErrorIs(t, ledger.WriteOmissions(full{}, list), errFull)
}

var errFull = errors.New("no space")

// full is a disk without space.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }
