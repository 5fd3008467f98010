// Package naming says what the names of properties, algorithms and the like may
// be.
package naming

import (
	"fmt"
	"slices"
	"strings"

	"bullyproof/internal/nearest"
)

// Unnamed is the name of an algorithm that has none.
const Unnamed = "protocol"

// Filled returns an error unless a field has a text.
func Filled(name, text string) error {
	if strings.TrimSpace(text) == "" {
		return fmt.Errorf("field %s is empty", name)
	}
	return nil
}

// Valid checks that a name can be typed, be part of a file name, and stand
// on either side of the slash in ALGO/VARIANT.
func Valid(name string) error {
	ok := name != "" && len(name) <= 40 && name[0] >= 'a' && name[0] <= 'z' && !strings.HasSuffix(name, "-")
	for _, r := range name {
		ok = ok && (r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-')
	}
	if !ok {
		return fmt.Errorf("name %q: want a word of a-z, 0-9 and hyphens that begins with a letter, of at most 40", nearest.Clip(name))
	}
	return nil
}

// Repeated returns the names that are in a list more than once.
func Repeated(names []string) []string {
	names = slices.Sorted(slices.Values(names))
	var twice []string
	for i := 1; i < len(names); i++ {
		if names[i] == names[i-1] && !slices.Contains(twice, names[i]) {
			twice = append(twice, names[i])
		}
	}
	return twice
}
