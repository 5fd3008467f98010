package exporttest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/internal/exporttest"
)

// The strict reader refuses what the description does not have.
func TestReadITFRefuses(t *testing.T) {
	for _, bad := range []string{
		``, `[]`, `{"vars":[],"states":[],"loops":1}`, `{"vars":["x"],"states":[{}]}`, `{"vars":[],"states":[{"x":1}]}`,
		`{"vars":["x"],"states":[{"x":1.5}]}`, `{"vars":["x"],"states":[{"x":null}]}`, `{"vars":["x"],"states":[{"x":{"#bigint":"a"}}]}`,
		`{"vars":["x"],"states":[{"x":{"#set":[],"y":1}}]}`, `{"vars":["x"],"states":[{"x":{"#map":[[1]]}}]}`,
		`{"vars":["x"],"states":[{"x":{"#map":[[1,1],[1,2]]}}]}`, `{"vars":[],"states":[{}],"loop":1}`, `{"vars":[],"states":[]} {}`,
	} {
		_, err := exporttest.ReadITF([]byte(bad))
		assert.Error(t, err, bad)
	}
}

const expression = `(?<step>\d+) (?<event>.*)\n(?<host>\S+) (?<clock>\{.*\})`

func TestReadShiVizRefuses(t *testing.T) {
	head := expression + "\n\n"
	for _, bad := range []string{
		"", expression, head + "nothing\n", head + "1 e\np1 {\"p1\":2}\n", head + "1 e\np1 {\"p2\":1}\n", head + "1 e\np1 {\n",
	} {
		_, err := exporttest.ReadShiViz(bad)
		assert.Error(t, err, bad)
	}
}

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
