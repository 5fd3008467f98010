// Package clientgo has the election of Kubernetes' client-go as it ships: its RunOrDie, its LeaseLock
// and its REST client, over a server that keeps one lease.
package clientgo

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand"
	"net/http"
	"strconv"
	"testing"
	"time"

	coordination "k8s.io/api/coordination/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/leaderelection"
	"k8s.io/client-go/tools/leaderelection/resourcelock"

	"bullyproof/checker/shipped/bubble"
)

// Candidate is what a candidate runs, with the times of a configuration.
func Candidate(lease, deadline, retry time.Duration) func(*bubble.Env) {
	return func(env *bubble.Env) {
		leaderelection.RunOrDie(env.Context(), Config(env, lease, deadline, retry))
	}
}

// Config is the configuration of a candidate.
func Config(env *bubble.Env, lease, deadline, retry time.Duration) leaderelection.LeaderElectionConfig {
	if !bubble.Controlled {
		rand.Seed(int64(env.ID())) //lint:ignore SA1019 client-go draws its jitter from the source that this seeds
	}
	client := kubernetes.NewForConfigOrDie(&rest.Config{
		Host: "http://server", Transport: env, QPS: -1, ContentConfig: rest.ContentConfig{ContentType: "application/json"},
	})
	return leaderelection.LeaderElectionConfig{
		Lock: &resourcelock.LeaseLock{
			LeaseMeta:  meta.ObjectMeta{Namespace: "a", Name: "b"},
			Client:     client.CoordinationV1(),
			LockConfig: resourcelock.ResourceLockConfig{Identity: fmt.Sprint("P", env.ID())},
		},
		LeaseDuration: lease, RenewDeadline: deadline, RetryPeriod: retry,
		Callbacks: leaderelection.LeaderCallbacks{
			OnStartedLeading: func(context.Context) { env.Leads(true) },
			OnStoppedLeading: func() { env.Leads(false) },
		},
	}
}

// OtherLease is a world in which P1 renews a lease of 6 seconds every 4, and P2, had it the lease, one
// of 3 seconds every second.
func OtherLease(t *testing.T) *bubble.World {
	return &bubble.World{T: t, Roles: []bubble.Role{
		{Name: "slow", Main: Candidate(6*time.Second, 5*time.Second, 4*time.Second), Processes: 1},
		{Name: "fast", Main: Candidate(3*time.Second, 2*time.Second, time.Second), Processes: 1},
		{Name: "server", Main: Server, Processes: 1, Timeless: true},
	}}
}

// Server is an API server with one lease, on its disk: who updates it names the version that it has
// read.
func Server(env *bubble.Env) {
	env.State(func() any { return nil })
	env.ListenAndServe(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		var kept, got coordination.Lease
		_ = json.Unmarshal([]byte(env.Load("lease")), &kept)
		version, _ := strconv.Atoi(kept.ResourceVersion)
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil && r.Method != http.MethodGet {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		switch {
		case r.Method == http.MethodGet && version == 0:
			Refuse(w, http.StatusNotFound, meta.StatusReasonNotFound)
			return
		case r.Method == http.MethodPost && version > 0, r.Method == http.MethodPut && (version == 0 || got.ResourceVersion != kept.ResourceVersion):
			Refuse(w, http.StatusConflict, meta.StatusReasonConflict)
			return
		case r.Method != http.MethodGet:
			got.ResourceVersion = fmt.Sprint(version + 1)
			text, _ := json.Marshal(got)
			env.Save("lease", string(text))
			kept = got
		}
		_ = json.NewEncoder(w).Encode(kept)
	}))
}

// Refuse answers that a request is refused.
func Refuse(w http.ResponseWriter, code int32, reason meta.StatusReason) {
	w.WriteHeader(int(code))
	_ = json.NewEncoder(w).Encode(meta.Status{TypeMeta: meta.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: meta.StatusFailure, Code: code, Reason: reason})
}
