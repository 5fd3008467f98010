package shipped

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"runtime/pprof"
	"strings"
	"testing"

	"bullyproof/checker"
)

// Test checks in a go test that a machine is one that can be explored, in a setting
// given as text ("n=3 crashes=1"). It does what checker.TestProtocol does, with
// Audited: it looks at some thousand states, and runs each handler on several values with one
// dump. It fails with the name of the event and of the part that differs, on values
// that have no dump, on goroutines that the code has left behind, and on names of
// LeaveOut and Constant that nothing has.
func Test[S, M any](t testing.TB, m Machine[S, M], setting string, opts ...Option) {
	t.Helper()
	p := New(m, append(opts, Audited())...)
	label := fmt.Sprintf("%p", p)
	pprof.Do(context.Background(), pprof.Labels(labelKey, label), func(context.Context) {
		checker.TestProtocol(t, p, setting)
	})
	left := running(label)
	for i := 0; i < 20 && len(left) > 0; i++ { // some are about to end
		runtime.Gosched()
		left = running(label)
	}
	for _, name := range left {
		t.Errorf("shipped: %T leaves a goroutine behind, %s: the explorer cannot say when it runs. Drive the core of the code, which is handed events one by one; where it has none, repeat each call in a bubble of testing/synctest, as docs/your-code.md says",
			m, name)
	}
	for _, name := range p.states.codec.Unused() {
		t.Errorf("shipped: nothing in a %T or its messages is a %s: LeaveOut and Constant want names as %%T writes them, such as raft.Logger or raft.raft.logger", *new(S), name)
	}
}

const labelKey = "bullyproof/checker/shipped"

// running returns the functions of goroutines that run under a label.
func running(label string) (names []string) {
	var profile bytes.Buffer
	if err := pprof.Lookup("goroutine").WriteTo(&profile, 1); err != nil {
		return nil
	}
	for _, stack := range strings.Split(profile.String(), "\n\n") {
		if !strings.Contains(stack, fmt.Sprintf("%q:%q", labelKey, label)) {
			continue
		}
		lines := strings.Split(strings.TrimSpace(stack), "\n")
		if fields := strings.Split(lines[len(lines)-1], "\t"); len(fields) > 2 {
			name, _, _ := strings.Cut(fields[2], "+0x")
			names = append(names, strings.TrimSpace(name))
		}
	}
	return names
}
