package bully_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/bully"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// system returns the system that a reading is in a setting.
func system(t testing.TB, b model.Protocol[bully.P, bully.M], text string) *model.System {
	t.Helper()
	s, err := setting.Parse(text)
	require.NoError(t, err)
	sys, err := model.New(b, s)
	require.NoError(t, err)
	return sys
}
