package setting

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every word of a setting is described, and what is described is a word.
func TestEveryWordIsDescribed(t *testing.T) {
	var described []string
	for _, w := range Words() {
		described = append(described, w.Key)
		assert.NotEmpty(t, w.Doc, w.Key)
		assert.NotEmpty(t, w.Examples, w.Key)
		for _, e := range w.Examples {
			key, _, _ := strings.Cut(e.Text, "=")
			assert.Equal(t, w.Key, key)
			assert.Regexp(t, `^[A-Z0-9].*\.$`, e.Means)
			_, err := Setting{N: 3}.With(e.Text)
			require.NoError(t, err)
		}
	}
	assert.ElementsMatch(t, keysOf(), described)
}

// Every value with a name has an example.
func TestEveryValueHasAnExample(t *testing.T) {
	examples := make(map[string]bool)
	for _, w := range Words() {
		for _, e := range w.Examples {
			key, value, _ := strings.Cut(e.Text, "=")
			examples[e.Text] = true
			name, _, _ := strings.Cut(value, ":")
			examples[key+"="+name] = true
		}
	}
	names := map[string][]string{
		"topology": topologyNames, "start": startNames, "timing": timingNames, "cut-by": cutByNames,
		"detector": detectorNames[DetectorPerfect:], "channels": {"fifo", "unordered"}, "heals": {"owed"}, "reports": {"idle", "always"},
		"mail-down": {"waits", "lost"}, "mail-old": {"stays", "lost"}, "mid-send": {"yes", "no"},
		"initiators": {"all", "one", "any", "none"},
	}
	for key, values := range names {
		for _, value := range values {
			assert.True(t, examples[key+"="+value], "%s=%s has no example", key, value)
		}
	}
}
