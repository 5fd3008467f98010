package checker_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/internal/test/upstart"
	"bullyproof/model"
)

// repairs runs Repairs in a stand-in for a test.
func repairs(broken, repaired model.Protocol[upstart.State, upstart.Message], setting string, p *checker.Property, opts ...checker.Option) (s *standIn, before, after *checker.Report) {
	s = &standIn{name: "TestRepairs"}
	done := make(chan struct{})
	go func() {
		defer close(done)
		before, after = checker.Repairs[upstart.State, upstart.State, upstart.Message, upstart.Message](s, broken, repaired, setting, p, opts...)
	}()
	<-done
	return s, before, after
}

// A fault and its repair are one test: the property breaks and holds, and a rule that runs in one
// of the two is no gap.
func TestRepairs(t *testing.T) {
	t.Chdir(t.TempDir())
	const setting = "n=3 start=settled crashes=1"
	fault, repair := &upstart.Protocol{}, &upstart.Protocol{Modest: true}
	ignores := checker.AllowGaps("a lower claim: ignore")
	s, before, after := repairs(fault, repair, setting, checker.Uniqueness, ignores)
	require.False(t, s.failed, s.said())
	assert.Equal(t, checker.Violated, before.Finding("uniqueness").Verdict)
	assert.Equal(t, checker.Holds, after.Finding("uniqueness").Verdict)
	assert.NoDirExists(t, "testdata", "what is expected is not kept")

	s, _, _ = repairs(fault, repair, setting, checker.Uniqueness)
	assert.Contains(t, s.said(), `rule "a lower claim: ignore" never ran: nothing was shown about it`, "in neither")

	s, _, _ = repairs(repair, repair, setting, checker.Uniqueness, ignores)
	assert.True(t, s.failed)
	assert.Contains(t, s.said(), "uniqueness was expected to fail, but: holds")

	s, _, _ = repairs(fault, fault, setting, checker.Uniqueness)
	assert.True(t, s.failed)
	assert.Contains(t, s.said(), "violated in")

	s, _, _ = repairs(fault, repair, "n=3 start=settled", checker.Uniqueness)
	assert.Contains(t, s.said(), "nothing was shown about it", "nobody crashes, and so nothing runs in either")

	s, _, _ = repairs(fault, repair, "n=1", checker.Uniqueness)
	assert.Contains(t, s.said(), "checker: broken: ")
}
