package web

import (
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/checker"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

// rootOf returns the beginning of the runs of an algorithm.
func rootOf(t testing.TB, algorithm, text string) *moment {
	t.Helper()
	s, err := setting.Parse(text)
	require.NoError(t, err)
	sys, _, err := algorithms.Lookup(algorithm, "", "", s)
	require.NoError(t, err)
	state, err := begin(sys, nil)
	require.NoError(t, err)
	return newRoot(sys, state, checker.Standard())
}

// A moment is what recording the same actions gives, and its properties stand
// as their watches say.
func TestMoments(t *testing.T) {
	root := rootOf(t, "bully", "n=3 start=settled timing=sync:1 crashes=1 restarts=1")
	random := rand.New(rand.NewPCG(1, 2))
	for range 30 {
		tr := newTree(DefaultCache)
		m, err := tr.root("x", func() (*moment, error) { return root, nil })
		require.NoError(t, err)
		var path []model.Action
		for range 25 {
			next := m.ahead()
			if len(next.actions) == 0 {
				break
			}
			path = append(path, next.actions[random.IntN(len(next.actions))])
			m, err = tr.walk(root, path)
			require.NoError(t, err)
		}
		want := trace.Begin(root.sys, root.state)
		for _, a := range path {
			require.NoError(t, want.Do(a))
		}
		got := m.run()
		assert.Equal(t, want.States, got.States)
		assert.Equal(t, want.Snapshots, got.Snapshots)
		assert.Equal(t, path, pathTo(m))
		for i, p := range m.safety {
			broken := false
			for _, state := range want.States {
				broken = broken || p.Kind() == "invariant" && p.Watch().State(root.sys.View(state))
			}
			assert.Equal(t, broken, (m.broken|m.brokenBefore)>>i&1 == 1, p.Name)
		}
	}
}

// A tree grows to its limit and no further, and what was used last is there.
func TestTreeForgets(t *testing.T) {
	const most = 2 << 20 // room for one run, and not for all
	root := rootOf(t, "bully", "n=4 start=settled timing=sync:1 crashes=2 restarts=2")
	tr := newTree(most)
	root, err := tr.root("x", func() (*moment, error) { return root, nil })
	require.NoError(t, err)
	random := rand.New(rand.NewPCG(3, 4))
	for range 60 {
		m, err := tr.root("x", func() (*moment, error) { return newRoot(root.sys, root.state, checker.Standard()), nil })
		require.NoError(t, err)
		var path []model.Action
		for range 20 {
			next := tr.ahead(m)
			if len(next.actions) == 0 {
				break
			}
			path = append(path, next.actions[random.IntN(len(next.actions))])
			m, err = tr.walk(m.chain()[0], path)
			require.NoError(t, err)
			assert.LessOrEqual(t, tr.bytes, int64(most)+mostOfOne(m))
			if e, ok := tr.nodes[m.key]; assert.True(t, ok, "the last used is there") {
				assert.Same(t, m, e.Value.(*kept).moment)
			}
		}
	}
	assert.Less(t, tr.used.Len(), 60*20)
	assert.Len(t, tr.nodes, tr.used.Len())
	var sum int64
	for e := tr.used.Front(); e != nil; e = e.Next() {
		k := e.Value.(*kept)
		sum += k.bytes
		if k.before != nil {
			assert.Contains(t, tr.nodes, k.before.key, "nothing is there without what led to it")
		}
	}
	assert.Equal(t, sum, tr.bytes)
}

// mostOfOne is what one moment may add before the tree is cut back again.
func mostOfOne(m *moment) int64 {
	n := m.cost()
	for _, next := range m.ahead().moments {
		n += next.cost()
	}
	return 4 * n
}

// Many people walk at once, through runs that they share and runs of their own,
// in a server that forgets most of it.
func TestManyAtOnce(t *testing.T) {
	s := newServer(t)
	s.tree = newTree(300 << 10)
	server := httptest.NewServer(s)
	defer server.Close()
	const steps = 8
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(uint64(i%4), 7)) // four of each kind go the same way
			at := []string{"/explore/bully/coulouris?setting=n%3D4+start%3Dsettled+crashes%3D2+restarts%3D1",
				recordedAt(t, duplicate), "/explore/bully/wikipedia", recordedAt(t, "bully-retries-for-ever")}[i%4]
			for range steps {
				text, where := fetched(t, server, at)
				if text == "" {
					return
				}
				at = where
				list := offered(text)
				switch k := random.IntN(len(list) + 1); {
				case k == len(list):
					at = with(at, "go", "0")
				default:
					at = with(at, "do", list[k])
				}
			}
		})
	}
	wg.Wait()
}

// fetched asks a real server for a page, and returns its text and address.
func fetched(t *testing.T, server *httptest.Server, at string) (text, where string) {
	answer, err := server.Client().Get(server.URL + at)
	if !assert.NoError(t, err) {
		return "", ""
	}
	defer func() { assert.NoError(t, answer.Body.Close()) }()
	text, err = readAll(answer)
	assert.NoError(t, err)
	assert.Equal(t, http.StatusOK, answer.StatusCode, at)
	return text, answer.Request.URL.RequestURI()
}

// A step at five processes: the page after an action, of a run that the server
// has, and the page of a link to a run of forty steps that it has never seen.
func BenchmarkPage(b *testing.B) {
	s := newServer(b)
	long := endless(b)
	b.Run("step", func(b *testing.B) {
		at := long
		for b.Loop() {
			text, where := followed(b, s, at)
			list := offered(text)
			if at = long; len(list) > 0 && strings.Count(where, "~") < 200 {
				at = with(where, "do", list[len(list)-1])
			}
		}
	})
	b.Run("link", func(b *testing.B) {
		for b.Loop() {
			s.tree = newTree(DefaultCache)
			followed(b, s, long)
		}
	})
}

// More actions than anybody reads are listed in part, and each can be taken.
func TestManyActions(t *testing.T) {
	s := newServer(t)
	const at = "/explore/bully/coulouris?setting=n%3D10+start%3Dsettled+cuts%3D1"
	text, _ := followed(t, s, at)
	has(t, text, "And 311 more") // 2^9 sides except for the empty one
	assert.Len(t, offered(text), mostListed)
	text, _ = followed(t, s, with(at, "do", "v2.3.4.5.6.7.8.9.10"))
	has(t, text, "The network is divided: P2, P3, P4, P5, P6, P7, P8, P9 and P10 apart from the rest.")
}

// endless returns the link to a run of five processes that comes back to where
// it was after forty steps and more, and breaks a property if it goes on.
func endless(t testing.TB) string {
	t.Helper()
	in, err := setting.Parse("n=5 start=coordinator-down timing=patient detectors=1")
	require.NoError(t, err)
	sys, _, err := algorithms.Lookup("bully", "coulouris", "", in)
	require.NoError(t, err)
	state, err := begin(sys, nil)
	require.NoError(t, err)
	for seed := range uint64(500) {
		random := rand.New(rand.NewPCG(seed, 5))
		m := newRoot(sys, state, checker.Standard())
		for m.depth < 60 && len(m.ahead().moments) > 0 {
			next := m.ahead().moments
			m = next[random.IntN(len(next))]
			if m.depth < 40 || m.again() == nil {
				continue
			}
			for _, r := range m.rule() {
				if r.lasso > 0 {
					l := &link{algorithm: "bully", variant: "coulouris", setting: in, origin: in, path: pathTo(m)}
					l.at = m.depth
					return l.url()
				}
			}
		}
	}
	require.Fail(t, "no such run")
	return ""
}
