package bubble_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/checker"
	"bullyproof/checker/shipped/bubble"
	"bullyproof/internal/test/thorough"
	"bullyproof/model"
)

// reach returns what stands on the disk of P1 in all states, to a depth.
func reach(t *testing.T, w *bubble.World, setting string, depth int) map[string]bool {
	t.Helper()
	sys, err := model.NewFrom(w.Protocol(), setting)
	require.NoError(t, err)
	seen, met := map[string]bool{}, map[string]bool{}
	var level [][]byte
	sys.Initial(func(state []byte) bool { level = append(level, state); return true })
	for ; len(level) > 0 && depth > 0; depth-- {
		var next [][]byte
		for _, state := range level {
			for _, s := range sys.Transitions(state) {
				require.Empty(t, s.Misuse)
				if met[string(s.Next)] {
					continue
				}
				met[string(s.Next)] = true
				next = append(next, s.Next)
				for _, f := range sys.Snapshot(s.Next).Processes[0].Fields {
					if f.Name == "disk" {
						seen[f.Value] = true
					}
				}
			}
		}
		level = next
	}
	return seen
}

// greets says hello over a connection, and saves the answer.
func greets(env *bubble.Env) {
	defer func() { <-env.Context().Done() }()
	ctx, cancel := context.WithTimeout(env.Context(), 3*time.Second)
	defer cancel()
	c, err := env.Dial(ctx, "tcp", "other:7")
	if err != nil {
		env.Save("end", err.Error())
		return
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(3 * time.Second))
	fmt.Fprint(c, "hel")
	fmt.Fprint(c, "lo\n")
	all, err := io.ReadAll(c)
	env.Save("end", fmt.Sprint(string(all), err))
}

// greeted answers a line, in two parts.
func greeted(env *bubble.Env) {
	l, err := env.Listen("7")
	if err != nil {
		panic(err)
	}
	for {
		c, err := l.Accept()
		if err != nil {
			return
		}
		env.Go(func() {
			defer c.Close()
			if line, err := bufio.NewReader(c).ReadString('\n'); err == nil {
				fmt.Fprint(c, "to ")
				fmt.Fprint(c, line[:len(line)-1])
			}
		})
	}
}

// A connection has its data in order whatever the order of the messages, ends as the other side says
// it, and waits where a message is lost.
func TestConnections(t *testing.T) {
	thorough.Only(t)
	w := &bubble.World{T: t, Roles: []bubble.Role{{Name: "one", Main: greets, Processes: 1}, {Name: "other", Main: greeted}}}
	bubble.Test(t, w, "n=2 timing=sync:1 losses=1")
	assert.Equal(t, map[string]bool{`end="to hello<nil>"`: true}, reach(t, w, "n=2 timing=sync:1 channels=unordered", 40))
	assert.Equal(t, map[string]bool{`end="to hello<nil>"`: true}, reach(t, w, "n=2 timing=lockstep channels=unordered duplications=1", 26))
	assert.Equal(t, map[string]bool{
		`end="to hello<nil>"`: true, `end="dial bubble other:7: context deadline exceeded"`: true,
		`end="i/o timeout"`: true, `end="to i/o timeout"`: true, `end="to helloi/o timeout"`: true,
	}, reach(t, w, "n=2 timing=lockstep losses=1", 40))
	deaf := *w
	deaf.Roles = []bubble.Role{w.Roles[0], {Name: "other", Main: func(env *bubble.Env) { <-env.Context().Done() }}}
	assert.Equal(t, map[string]bool{`end="dial bubble other:7: bubble: connection refused"`: true}, reach(t, &deaf, "n=2 timing=sync:1", 40))
	// A process that has restarted knows nothing of a connection.
	assert.Contains(t, reach(t, w, "n=2 timing=lockstep crashes=1 crashers=2 restarts=1", 40), `end="bubble: connection reset by peer"`)
}

// http has a server and a client of net/http over connections.
func TestHTTPOverConnections(t *testing.T) {
	asks := func(env *bubble.Env) {
		client := http.Client{Transport: &http.Transport{DialContext: env.Dial}, Timeout: 5 * time.Second}
		answer, err := client.Get("http://other/hello")
		if err == nil {
			body, _ := io.ReadAll(answer.Body)
			_ = answer.Body.Close()
			env.Save("end", answer.Status+" "+string(body))
			env.Leads(true)
		}
		<-env.Context().Done()
	}
	serves := func(env *bubble.Env) {
		l, err := env.Listen("80")
		if err != nil {
			panic(err)
		}
		server := http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header()["Date"] = nil
			fmt.Fprint(w, "path ", r.URL.Path)
		}), BaseContext: func(net.Listener) context.Context { return env.Context() }}
		_ = server.Serve(l)
	}
	w := &bubble.World{T: t, Roles: []bubble.Role{{Name: "one", Main: asks, Processes: 1}, {Name: "other", Main: serves}}}
	bubble.Test(t, w, "n=2 timing=lockstep")
	assert.Equal(t, map[string]bool{`end="200 OK path /hello"`: true}, reach(t, w, "n=2 timing=lockstep", 40))
	nobody := checker.Always("nobody-leads", "Nobody leads.", func(v *model.View) bool { return v.Leaders.Empty() })
	r := check(t, w.Protocol(), "n=2 timing=lockstep", checker.Options{Properties: []*checker.Property{nobody}})
	assert.Equal(t, checker.Violated, r.Findings[0].Verdict)
}
