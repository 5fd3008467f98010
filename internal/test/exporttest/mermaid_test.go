//go:build browser

package exporttest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/internal/test/exporttest"
)

// Mermaid's texts are compared, each.
func TestMermaidIsStrict(t *testing.T) {
	m := exporttest.StartMermaid(t)
	good := "sequenceDiagram\n    title T\n    participant p1 as 1\n    participant p2 as 2\n    p1->>p2: OK#40;3#41;\n    Note over p1: a<br/>b\n"
	m.Draw(t, good)
	for _, bad := range []string{
		"    p1->>p2: a; b\n",                        // the semicolon ends the message
		"    p1->>p2: #quot;\n",                      // shown as a quotation mark
		"    Note over p1: #quot;\n",                 // the same
		"    loop #quot;\n    p1->>p2: a\n    end\n", // the same
	} {
		failed := &failing{TB: t}
		m.Draw(failed, good+bad)
		assert.True(t, failed.failed, bad)
	}
}

// A failing test notes that it has failed.
type failing struct {
	testing.TB
	failed bool
}

func (f *failing) Errorf(string, ...any) { f.failed = true }

func (f *failing) Fatal(...any) { f.failed = true }

func (f *failing) Fatalf(string, ...any) { f.failed = true }
