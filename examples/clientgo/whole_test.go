package clientgo_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	coordination "k8s.io/api/coordination/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"bullyproof/checker"
	"bullyproof/checker/shipped"
	"bullyproof/checker/shipped/bubble"
	"bullyproof/examples/clientgo"
)

// A watched candidate names the values of which all follows that it will do.
type watched struct {
	env     *bubble.Env
	elector *leaderelection.LeaderElector
	lock    *resourcelock.LeaseLock

	mu     sync.Mutex
	asks   string    // the request that has no answer yet
	began  time.Time // of the try
	before time.Time // the last answer
}

func (w *watched) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	w.asks = r.Method
	if now := time.Now(); !now.Equal(w.before) {
		w.began = now
	}
	w.mu.Unlock()
	answer, err := w.env.RoundTrip(r)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.asks, w.before = "", time.Now()
	return answer, err
}

// ago is how many ticks ago an instant was, up to a number by which it no longer matters.
func (w *watched) ago(at time.Time) int { return max(w.env.In(at), -20) }

func (w *watched) values() any {
	w.mu.Lock()
	defer w.mu.Unlock()
	var raw resourcelock.LeaderElectionRecord
	_ = json.Unmarshal(*shipped.Field[[]byte](w.elector, "observedRawRecord"), &raw)
	observed := shipped.Field[resourcelock.LeaderElectionRecord](w.elector, "observedRecord")
	version := ""
	if l := *shipped.Field[*coordination.Lease](w.lock, "lease"); l != nil {
		version = l.ResourceVersion
	}
	return []any{
		w.asks, w.ago(w.began), version, observed.HolderIdentity, observed.LeaderTransitions,
		w.ago(*shipped.Field[time.Time](w.elector, "observedTime")), raw.HolderIdentity, w.ago(raw.RenewTime.Time),
	}
}

// candidate is as Candidate, with a RetryPeriod that is less than a tick with its jitter.
func candidate(env *bubble.Env) {
	config := clientgo.Config(env, 6*time.Second, 4*time.Second+500*time.Microsecond, time.Millisecond)
	w := &watched{env: env, lock: config.Lock.(*resourcelock.LeaseLock)}
	w.lock.Client = kubernetes.NewForConfigOrDie(&rest.Config{
		Host: "http://server", Transport: w, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"},
	}).CoordinationV1()
	var err error
	if w.elector, err = leaderelection.NewLeaderElector(config); err != nil {
		panic(err)
	}
	env.State(w.values)
	w.elector.Run(env.Context())
}

// keeper is Server without a disk, and with a few versions that it uses by turns: nobody updates by one
// that is so old.
func keeper(env *bubble.Env) {
	const versions = 8
	var kept *coordination.Lease
	version := 0
	env.State(func() any {
		if kept == nil {
			return nil
		}
		return []any{*kept.Spec.HolderIdentity, *kept.Spec.LeaseTransitions, version, max(env.In(kept.Spec.RenewTime.Time), -20)}
	})
	env.ListenAndServe(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		var got coordination.Lease
		if r.Method != http.MethodGet {
			_ = json.NewDecoder(r.Body).Decode(&got)
		}
		switch {
		case r.Method == http.MethodGet && kept == nil:
			clientgo.Refuse(w, http.StatusNotFound, meta.StatusReasonNotFound)
			return
		case r.Method == http.MethodPost && kept != nil, r.Method == http.MethodPut && (kept == nil || got.ResourceVersion != kept.ResourceVersion):
			clientgo.Refuse(w, http.StatusConflict, meta.StatusReasonConflict)
			return
		case r.Method != http.MethodGet:
			version = version%versions + 1
			got.ResourceVersion = string(rune('0' + version))
			kept = &got
		}
		_ = json.NewEncoder(w).Encode(kept)
	}))
}

var instant = regexp.MustCompile(`"(renewTime|acquireTime)":"([^"]*)"`)

// instants are those of leases. Nobody reads when a lease was acquired: it is always the same.
func instants(text string, each func(time.Time) time.Time) string {
	return instant.ReplaceAllStringFunc(text, func(found string) string {
		m := instant.FindStringSubmatch(found)
		at, err := time.Parse(meta.RFC3339Micro, m[2])
		if err != nil {
			return found
		}
		if m[1] == "acquireTime" {
			at = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)
		} else {
			at = each(at)
		}
		return strings.Replace(found, m[2], at.UTC().Format(meta.RFC3339Micro), 1)
	})
}

// Where candidates name their values, all states are seen, however long the runs are.
func TestWhole(t *testing.T) {
	for words, states := range map[string]uint64{"": 200, "crashes=1 crashers=1,2": 1_414, "crashes=1 restarts=1 crashers=1,2": 23_020, "losses=1": 5_276} {
		r := check(t, whole(t), wholly+words, checker.Options{})
		assert.Equal(t, checker.Holds, r.Findings[0].Verdict)
		if !bubble.Controlled { // where a step may be the rest of its tick as well
			assert.Equal(t, states, r.Distinct, words)
		}
	}
	r := check(t, whole(t), wholly+"pauses=1 pausers=1", checker.Options{})
	assert.Equal(t, checker.Violated, r.Findings[0].Verdict)
}

// Histories with equal values go on in the same way.
func TestValues(t *testing.T) {
	bubble.Test(t, whole(t), wholly+"losses=1 crashes=1 crashers=1,2")
}

const wholly = "n=3 timing=lockstep channels=fifo mail-down=lost mail-old=lost "

func whole(t *testing.T) *bubble.World {
	return &bubble.World{T: t, Instants: instants, Roles: []bubble.Role{
		{Name: "candidate", Main: candidate}, {Name: "server", Main: keeper, Processes: 1},
	}}
}
