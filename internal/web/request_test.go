package web

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		route, path string
		values      map[string]string // nil where the route is another one
	}{
		{"/", "/", map[string]string{}},
		{"/", "/map", nil},
		{"/open", "/open", map[string]string{}},
		{"/open", "/open/", nil},
		{"/map/{algorithm}/{variant}", "/map/bully/coulouris", map[string]string{"algorithm": "bully", "variant": "coulouris"}},
		{"/map/{algorithm}/{variant}", "/map/a%2Fb/%C3%A9", map[string]string{"algorithm": "a/b", "variant": "é"}},
		{"/map/{algorithm}/{variant}", "/map/bully/", nil},
		{"/map/{algorithm}/{variant}", "/map/bully", nil},
		{"/map/{algorithm}/{variant}", "/map//coulouris", nil},
		{"/map/{algorithm}/{variant}", "/map/bully/100%", nil},
		{"/map/{algorithm}/{variant}", "/check/bully/coulouris", nil},
	} {
		values, fits := match(strings.Split(c.route, "/"), strings.Split(c.path, "/"))
		assert.Equal(t, c.values, values, "%s %s", c.route, c.path)
		assert.Equal(t, c.values != nil, fits, "%s %s", c.route, c.path)
	}
}
