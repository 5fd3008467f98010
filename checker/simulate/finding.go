package simulate

import (
	"bytes"
	"context"
	"fmt"

	"bullyproof/checker"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
)

// finding makes the walk again that hits a target, shrinks it and records it.
func (s *simulation) finding(ctx context.Context, target int) (*Finding, error) {
	h, p := &s.best[target], s.asked[target]
	r, err := s.remake(h, target)
	if err != nil {
		return nil, err
	}
	k := s.newShrinker(ctx, target)
	k.starts = s.starts()
	r = k.shrink(r)
	f := &Finding{Walk: h.walk, Length: h.depth, Times: h.times}
	if s.name != nil {
		f.Strategy, f.Walk = s.name(h)
	}
	f.Property, f.Verdict = p, checker.Violated
	if p.Witness() {
		f.Verdict = checker.Found
	}
	return f, s.record(f, k, &r)
}

// starts returns the initial states, if they are few.
func (s *simulation) starts() (starts []run) {
	s.sys.Origins(func(o model.Origin) bool {
		starts = append(starts, run{origin: o.Setting, choices: o.Choices, start: bytes.Clone(o.State)})
		return len(starts) <= mostStarts
	})
	if len(starts) > mostStarts {
		return nil
	}
	return starts
}

// again makes a walk again up to where it hits a target.
func (w *walker) again(h *hit, target int) (run, error) {
	if err := w.begin(h.walk); err != nil {
		return run{}, err
	}
	var r run
	r.origin, r.choices = w.w.Origin()
	r.start = bytes.Clone(w.w.State())
	draw := w.draw
	w.draw = func(f model.Fork, answers uint64) uint64 {
		a := draw(f, answers)
		last := &r.moves[len(r.moves)-1]
		last.answers = append(last.answers, a)
		return a
	}
	w.note = func(i int) { r.moves = append(r.moves, move{key: w.w.Key(i)}) }
	w.miss = func() { r.moves = r.moves[:len(r.moves)-1] }
	misuse := len(w.hits) - 1
	for range h.depth {
		w.w.Quiet() // as the walk asked
		if taken, _ := w.step(); taken.Misuse != "" && target == misuse {
			return r, nil
		}
	}
	if target < misuse && w.w.Hits()[target] {
		return r, nil
	}
	return r, errOtherWay(h)
}

func errOtherWay(h *hit) error {
	return fmt.Errorf("simulate: walk %d went another way when it was made again: the system is not deterministic", h.walk)
}

// record makes a trace of a run, and has it replayed.
func (s *simulation) record(f *Finding, k *shrinker, r *run) error {
	actions := k.actions(r)
	sys, err := s.sys.In(r.origin)
	if err != nil {
		return fmt.Errorf("simulate: %w", err)
	}
	begun, err := trace.In(sys, r.choices)
	if err != nil {
		return fmt.Errorf("simulate: %w", err)
	}
	watch := f.Property.Watch()
	kind := trace.Violation
	if watch.Met {
		kind = trace.Witness
	}
	t, err := trace.Record(begun, actions, trace.Header{
		Algorithm: s.opt.Algorithm, Variant: s.opt.Variant, Property: f.Property.Name, Kind: kind,
	})
	if err != nil {
		return fmt.Errorf("simulate: %w", err)
	}
	t.Setting = s.sys.Setting()
	f.Trace = t
	f.Run, err = trace.Replay(t, func(string, string, string, setting.Setting) (*model.System, model.Watch, error) {
		return sys, watch, nil
	})
	if err != nil {
		return fmt.Errorf("simulate: walk %d, shrunk to %d steps, does not replay: %w", f.Walk, len(actions), err)
	}
	if last := f.Run.Steps; len(last) > 0 && last[len(last)-1].Misuse != "" {
		f.Explanation = trace.ActionText(last[len(last)-1].Action) + ": " + last[len(last)-1].Misuse
		return nil
	}
	f.Explanation = f.Property.ExplainRun(f.Run, 0)
	return nil
}

// actions returns what happens on a run, in terms that mean the same everywhere.
func (k *shrinker) actions(r *run) (list []model.Action) {
	k.w.Record(true)
	defer k.w.Record(false)
	k.w.Put(r.start)
	for _, m := range r.moves {
		k.take(k.find(m.key), m.answers)
		list = append(list, k.w.Last())
	}
	return list
}
