package exporttest_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/internal/test/exporttest"
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
