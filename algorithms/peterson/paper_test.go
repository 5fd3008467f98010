package peterson_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/internal/play"
	"bullyproof/algorithms/peterson"
	"bullyproof/checker"
	"bullyproof/model"
)

func system(t testing.TB, variant, setting string) *model.System {
	t.Helper()
	return play.System(t, peterson.Algorithm, variant, setting)
}

func TestProtocol(t *testing.T) {
	for _, relays := range []bool{false, true} {
		setting := model.Setting{N: 3, Topology: model.Ring, FIFO: true, Timing: model.Timing{Kind: model.Asynchronous}}
		setting.Initiators.Lazy = true
		require.NoError(t, checker.TestProtocol(&peterson.Protocol{Relays: relays}, setting))
	}
}

// Each test has a line of the program and a run that shows it. The ring is 1,
// 2, 3: 1 sends to 2, 2 to 3, 3 to 1.
func TestLinesOfTheProgram(t *testing.T) {
	begin := []string{"1 starts an election", "2 starts an election", "3 starts an election"}
	tests := []struct {
		says  string
		run   []string
		rule  string
		sends string
		then  map[model.ID]string
	}{
		{
			says:  "tid := initial value; send(tid)",
			run:   begin[:2],
			rule:  "begin: tid := own id, send tid",
			sends: "2->3 value(2)",
			then:  map[model.ID]string{2: "names nobody, in an election", 3: "names nobody"},
		},
		{
			says:  "receive(ntid); if tid > ntid then send(tid)",
			run:   append(begin[:3:3], "prev->2 value(1)"),
			rule:  "receive ntid: send the greater of tid and ntid",
			sends: "2->3 value(2)",
		},
		{
			says:  "else send(ntid)",
			run:   append(begin[:3:3], "prev->1 value(3)"),
			rule:  "receive ntid: send the greater of tid and ntid",
			sends: "1->2 value(3)",
		},
		{
			says:  "receive(nntid); if ntid >= max(tid, nntid) then tid := ntid",
			run:   append(begin[:3:3], "prev->1 value(3)", "prev->3 value(2)", "prev->1 value(3)"),
			rule:  "ntid is no less than tid and nntid: tid := ntid, send tid",
			sends: "1->2 value(3)",
		},
		{
			says: "else goto relay",
			run:  append(begin[:3:3], "prev->1 value(3)", "prev->2 value(1)", "prev->2 value(3)"),
			rule: "otherwise: become a relay",
		},
		{
			says: "relay: receive(tid); send(tid)",
			run: append(begin[:3:3], "prev->1 value(3)", "prev->3 value(2)", "prev->1 value(3)", "prev->2 value(1)", "prev->2 value(3)",
				"prev->2 value(3)"),
			rule:  "relay: pass the id on",
			sends: "2->3 value(3)",
		},
		{
			says: "if tid = initial value then announce elected",
			run: append(begin[:3:3], "prev->1 value(3)", "prev->3 value(2)", "prev->1 value(3)", "prev->2 value(1)", "prev->2 value(3)",
				"prev->2 value(3)", "prev->3 value(2)", "prev->3 value(3)"),
			rule:  "one's own id arrives: announce oneself elected",
			sends: "3->1 elected(3)",
			then:  map[model.ID]string{1: "names nobody, in an election", 3: "names 3"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.says, func(t *testing.T) {
			p := play.Start(t, system(t, "", "n=3 topology=ring arrangement=1-2-3 initiators=all:lazy channels=fifo timing=async:0"))
			p.Do(tt.run...)
			assert.Contains(t, p.Rules(), tt.rule)
			assert.Equal(t, tt.sends, p.Sent())
			for id, want := range tt.then {
				assert.Equal(t, want, p.Of(id), "process %v", id)
			}
		})
	}
}

// A process that a message reaches first takes part, or relays.
func TestReadings(t *testing.T) {
	for variant, want := range map[string]string{"wakes": "2->3 value(2), 2->3 value(2)", "relays": "2->3 value(1)"} {
		p := play.Start(t, system(t, variant, "n=3 topology=ring arrangement=1-2-3 initiators=all:lazy channels=fifo timing=async:0"))
		p.Do("1 starts an election", "prev->2 value(1)")
		assert.Equal(t, want, p.Sent(), variant)
	}
}

// It tolerates no failures: what is lost with a process is waited for.
func TestFailures(t *testing.T) {
	sys := system(t, "", "n=3 topology=ring channels=fifo timing=async:0 crashes=1")
	r, err := checker.Check(t.Context(), sys, checker.Options{Properties: []*checker.Property{checker.Uniqueness, checker.E2}})
	require.NoError(t, err)
	assert.Equal(t, checker.Holds, r.Finding("uniqueness").Verdict)
	assert.Equal(t, checker.Violated, r.Finding("e2").Verdict)
}

func ExampleProtocol() {
	for n := 2; n <= 6; n++ {
		fmt.Print(cost(n), " ")
	}
	fmt.Println()
	// Output: 5..5 8..8 11..16 14..21 17..27
}
