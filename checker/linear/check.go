package linear

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"bullyproof/explore"
	"bullyproof/internal/quantity"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

// Options say how far a check goes. The zero value has no limits but those of the
// machine.
type Options struct {
	// Workers, MaxStates, MaxBytes, MaxTime, Progress and ProgressEvery are as in
	// explore.Options. Summarize has MaxTime for all its questions together.
	Workers       int
	MaxStates     uint64
	MaxBytes      int64
	MaxTime       time.Duration
	Progress      func(explore.Progress)
	ProgressEvery time.Duration
	// Walks has so many random walks of at most Steps steps made (0 stands for
	// 1000) in place of a search, from a seed: of what is too large to be searched.
	Walks, Seed uint64
	Steps       int
}

// A Report is what is known of all histories of a system with clients.
type Report struct {
	// Workload is what the clients did, and Setting the system's.
	Workload Workload
	Setting  setting.Setting
	// Verdict is Linearizable if every history of every run is, and
	// NotLinearizable where Run shows one that is not.
	Verdict Verdict
	// Why says why the verdict is Undecided or Vacuous; empty otherwise.
	Why string
	// States is the number of distinct states of system and clients, or of steps
	// walked, and Histories that of different histories decided.
	States    uint64
	Histories int
	// Walks is the number of random walks made; 0 after a search.
	Walks uint64
	// Run is a run whose history is not linearizable: a shortest one after a
	// search. Nil without one.
	Run *Run
}

// A Run is a run of a system with clients.
type Run struct {
	// Of is the run of the system without what clients do.
	Of *trace.Run
	// Exchanges are what clients and those who serve them did, in order.
	Exchanges []trace.Exchange
	// Clients is how many clients there are.
	Clients int
	// Steps is the number of steps, those of Of and the Exchanges.
	Steps int
	// History is what clients were told.
	History *History
}

// Check decides whether every history of a system with clients is linearizable,
// by a search through all its runs: porcupine decides each history that comes up,
// whenever a client is answered. A run is shortest, and no state is left out: an
// operation that takes effect in one step is asked and answered in that step,
// since an answer that takes longer could be explained by more. Where the context
// is done the report says what was found.
func Check(ctx context.Context, sys *model.System, work Workload, opt Options) (*Report, error) {
	w, err := New(sys, work)
	if err != nil {
		return nil, err
	}
	r := &Report{Workload: w.work, Setting: sys.Setting()}
	if opt.Walks > 0 {
		return r, w.walk(ctx, r, opt)
	}
	if r.Workload.Epochs {
		soon := opt
		soon.MaxStates, soon.Progress = firstLook, nil
		if err := w.search(ctx, r, soon); err != nil || r.Verdict != Undecided || opt.MaxStates > 0 && opt.MaxStates <= firstLook {
			return r, err
		}
		r = &Report{Workload: w.work, Setting: sys.Setting()}
	}
	return r, w.search(ctx, r, opt)
}

// firstLook is the number of states in which a protocol that numbers its elections
// shows that it does: without tokens nothing else is worth a search.
const firstLook = 20_000

// A found is the result of a search or of walks.
type found interface {
	Hit(target int) (explore.Hit, bool)
	Path(target int) ([]explore.PathStep, error)
}

func (w *World) search(ctx context.Context, r *Report, opt Options) error {
	res, err := explore.Search(ctx, w, explore.Options{
		Workers: opt.Workers, Targets: targets, MaxStates: opt.MaxStates, MaxBytes: opt.MaxBytes, MaxTime: opt.MaxTime,
		Progress: opt.Progress, ProgressEvery: opt.ProgressEvery,
	})
	if err != nil {
		return fmt.Errorf("linear: %w", err)
	}
	r.States = res.Distinct
	why := ""
	if res.Reason != explore.Complete {
		why = fmt.Sprintf("the search ended early: %v; no history of a run of up to %s breaks the specification", res.Reason, quantity.Plural(res.CompleteDepth, "step"))
		if res.CompleteDepth < 0 {
			why = fmt.Sprintf("the search ended before its first step: %v", res.Reason)
		}
	}
	return w.conclude(r, res, why, res.Cuts)
}

func (w *World) walk(ctx context.Context, r *Report, opt Options) error {
	res, err := explore.Walk(ctx, w, explore.WalkOptions{
		Seed: opt.Seed, Walks: opt.Walks, MaxSteps: opt.Steps, Workers: opt.Workers, Targets: targets, MaxTime: opt.MaxTime,
	})
	if err != nil {
		return fmt.Errorf("linear: %w", err)
	}
	r.States, r.Walks = res.Steps, res.Walks
	return w.conclude(r, res, fmt.Sprintf("%d random walks prove nothing", res.Walks), res.Cuts)
}

// conclude fills in the verdict. The reason why says what is missing to a proof,
// if anything is.
func (w *World) conclude(r *Report, f found, why string, cuts uint64) error {
	r.Histories = w.histories()
	_, broken := f.Hit(targetBroken)
	_, misused := f.Hit(targetMisuse)
	_, noEpoch := f.Hit(targetNoEpoch)
	switch {
	case broken:
		path, err := f.Path(targetBroken)
		if err != nil {
			return fmt.Errorf("linear: %w", err)
		}
		r.Verdict = NotLinearizable
		r.Run, err = w.run(path)
		return err
	case misused:
		r.Why = "a handler does what no network can carry out: check it without clients"
	case noEpoch:
		r.Verdict, r.Why = Vacuous, "the protocol numbers no elections (Belief.Epoch is 0), and there are no other tokens"
	case cuts != 0:
		r.Why = w.cutText(cuts)
	case why != "":
		r.Why = why
	case r.Histories == 0:
		r.Verdict, r.Why = Vacuous, "no client was ever answered"
	default:
		r.Verdict = Linearizable
	}
	return nil
}

func (w *World) cutText(cuts uint64) string {
	var reasons []string
	for i := range 64 {
		if cuts>>i&1 != 0 {
			reasons = append(reasons, w.cutReason(i))
		}
	}
	return strings.Join(reasons, "; ")
}

// run takes the path of a search apart: into the run of the system, and what
// clients did.
func (w *World) run(path []explore.PathStep) (*Run, error) {
	run := &Run{Steps: len(path) - 1, Clients: w.work.Clients}
	var of []explore.PathStep
	var last *area
	var vias []step
	for i, p := range path {
		inner, a := w.split(p.State)
		s, ours := clientCode(p.Code)
		switch {
		case i > 0 && ours:
			run.Exchanges = append(run.Exchanges, s.exchange(len(of)-1, last, a))
			vias = append(vias, s)
		default:
			of = append(of, explore.PathStep{Code: p.Code, State: inner})
		}
		last = a
	}
	if last == nil {
		return nil, errors.New("linear: a run without a state")
	}
	run.History = last.history(w.work.Spec)
	var err error
	if run.Of, err = trace.Follow(w.sys, of); err != nil {
		return nil, fmt.Errorf("linear: %w", err)
	}
	run.History.served(vias)
	return run, nil
}

// served notes which process served each operation, by the steps that began them.
// Those that the store refused are not in the history.
func (h *History) served(steps []step) {
	var began []step
	for _, s := range steps {
		switch s.move {
		case told, wasRead, taken, sent:
			began = append(began, s)
		case fenced:
			for i := len(began) - 1; i >= 0; i-- {
				if began[i].client == s.client {
					began = append(began[:i], began[i+1:]...)
					break
				}
			}
		}
	}
	for i := range h.Operations {
		if o := &h.Operations[i]; o.Client > 0 && len(began) > 0 {
			o.Via, began = int(began[0].via), began[1:]
		}
	}
}

// Trace returns the run of the system as a trace, whose story is what clients did.
func (r *Run) Trace(h trace.Header) *trace.Trace {
	if h.Story != "" {
		h.Story += "\n"
	}
	h.Story += r.Story()
	return r.Of.Record(h)
}

// Story returns what clients did, a line each: "after step 3: client 1 asks 2 who
// leads, and is told 3".
func (r *Run) Story() string {
	var lines []string
	for _, n := range r.Exchanges {
		at := "at the start"
		if n.After > 0 {
			at = fmt.Sprintf("after step %d", n.After)
		}
		lines = append(lines, at+": "+n.Text)
	}
	return strings.Join(lines, "\n")
}
