package bubble_test

import (
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/checker/shipped/bubble"
)

func candidate(env *bubble.Env) {
	client := http.Client{Transport: env, Timeout: 2 * time.Second}
	for env.Context().Err() == nil {
		answer, err := client.Post("http://server/lock", "", nil)
		env.Leads(err == nil && answer.StatusCode == http.StatusOK)
		time.Sleep(time.Second)
	}
}

func server(env *bubble.Env) {
	holder, until := "", time.Time{}
	env.ListenAndServe(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.RemoteAddr != holder && time.Now().Before(until) {
			w.WriteHeader(http.StatusConflict)
			return
		}
		holder, until = r.RemoteAddr, time.Now().Add(5*time.Second)
	}))
}

func TestLock(t *testing.T) {
	w := &bubble.World{T: t, Roles: []bubble.Role{{Name: "candidate", Main: candidate}, {Name: "server", Main: server, Processes: 1}}}
	bubble.Test(t, w, "n=3 timing=lockstep pauses=1")
	checker.Verify(t, w.Protocol(), "n=3 timing=lockstep pauses=1", checker.Asking(checker.Uniqueness), checker.Expect(checker.Uniqueness))
}

// The guide begins with the program above.
func TestGuideHasThisProgram(t *testing.T) {
	guide, err := os.ReadFile("../../../docs/your-code.md")
	require.NoError(t, err)
	own, err := os.ReadFile("guide_test.go")
	require.NoError(t, err)
	_, block, found := strings.Cut(string(guide), "```go\n")
	require.True(t, found)
	block, _, _ = strings.Cut(block, "```")
	assert.Contains(t, string(own), block)
	assert.Greater(t, strings.Count(block, "\n"), 20)
}
