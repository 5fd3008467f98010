package bubble

import (
	"context"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A repeat runs a process in a new bubble: its history, and one event more.
type repeat struct {
	world *world
	boot  *boot
	path  []*node
	event event
	env   *Env

	began    time.Time     // the boot, on the bubble's clock
	at       *atomic.Int64 // how many events there have been
	tick     int           // since the boot
	bubble   string        // the bubble's number, as stacks of goroutines have it
	diverged *outcome
	turns    *turns

	last   result  // behind the event
	ahead  *result // when the process next does something by itself, if it does
	wrong  string  // why there is no result, as the bubble found
	failed string  // why there is no result
}

// repeat runs one.
func (w *world) repeat(before *node, b *boot, e event) *repeat {
	r := w.newRepeat(b, before.path(), e)
	if stuck := w.stuck.Load(); stuck != nil {
		r.failed = *stuck // a goroutine of it still runs, and each further one would take as long
		return r
	}
	if w.Last != "" {
		if err := os.WriteFile(w.Last, []byte(r.words()), 0o666); err != nil {
			r.failed = fmt.Sprintf("World.Last: %v", err)
			return r
		}
	}
	began := time.Now()
	r.run()
	collect()
	w.spent.runs.Add(1)
	w.spent.events.Add(r.at.Load())
	w.spent.running.Add(int64(time.Since(began)))
	if r.diverged != nil && r.failed == "" {
		r.failed = w.explain(r)
	}
	return r
}

// newRepeat returns a repeat that is to be run.
func (w *world) newRepeat(b *boot, path []*node, e event) *repeat {
	return &repeat{world: w, boot: b, path: path, event: e, turns: newTurns(&w.World)}
}

// words says what is repeated, an event a line.
func (r *repeat) words() string {
	var b strings.Builder
	fmt.Fprintf(&b, "P%d, %s, after %d restarts\n", r.boot.self, r.world.role(r.boot.self, r.boot.n).Name, r.boot.boots)
	if len(r.boot.disk.values) > 0 {
		fmt.Fprintf(&b, "with the disk %s\n", r.boot.disk.text())
	}
	for _, n := range r.path {
		fmt.Fprintln(&b, n.happened())
	}
	if len(r.path) == 0 {
		b.WriteString("its boot\n")
	} else {
		fmt.Fprintln(&b, r.event.text())
	}
	return b.String()
}

// run runs the bubble, as long as the limit of time says.
func (r *repeat) run() {
	in := *r // a bubble that does not end may still write there
	in.at = new(atomic.Int64)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if err := recover(); err != nil {
				in.unfinished(fmt.Sprint(err))
			}
		}()
		in.failed = "a goroutine has ended its test" // by runtime.Goexit, as a race does that is found
		failed := ""
		synctest.Test(r.world.T, func(*testing.T) {
			in.play()
			failed = in.wrong
		})
		in.failed = failed
	}()
	limit := time.NewTimer(r.world.Limit)
	defer limit.Stop()
	select {
	case <-done:
		*r = in
	case <-limit.C:
		r.at = in.at
		r.failed = fmt.Sprintf("P%d does not come to rest within %v of real time upon %s: %s. In a bubble goroutines may wait for channels, timers and each other, and not for mutexes that stay locked, files, sockets or other programs; a loop has to wait for something",
			r.boot.self, r.world.Limit, r.happening(), named(moving(), "no goroutine was seen that keeps its time from passing"))
		r.world.stuck.Store(&r.failed)
	}
}

// events is how many events there have been.
func (r *repeat) events() int { return int(r.at.Load()) }

// happening says upon which event a repeat is.
func (r *repeat) happening() string {
	if at := r.events(); at > 0 && at <= len(r.path) {
		return r.path[at-1].happened()
	}
	if len(r.path) == 0 {
		return "its boot"
	}
	return r.event.text()
}

// play is what the bubble does.
func (r *repeat) play() {
	r.bubble = bubbleOf()
	e := newEnv(r.world, r.boot)
	r.env, r.began = e, time.Now()
	if Controlled {
		synctest.Wait()
		r.turns.begin(uint64(r.boot.self)<<32|uint64(r.boot.boots), r.world.Draws, r.world.Switches > 0)
	}
	r.history()
	e.close()
	synctest.Wait()
	time.Sleep(r.world.Stop)
	synctest.Wait()
}

// newEnv returns the Env of a process that comes up, in the bubble where it is called.
func newEnv(w *world, b *boot) *Env {
	ctx, end := context.WithCancel(context.Background())
	e := &Env{
		world: w, boot: b, ctx: ctx, end: end, disk: map[string]string{},
		arrived: make(chan struct{}, 1), shows: make(chan struct{}, 1), calls: map[int]calls{},
		conns: conns{of: map[Call]*conn{}, dialed: map[int]int{}, listen: map[string]*listener{}},
	}
	maps.Copy(e.disk, b.disk.values)
	e.now.disk = b.disk
	return e
}

// history has all happen that has happened, and the event.
func (r *repeat) history() {
	for _, n := range r.path {
		got := r.happen(&n.event)
		if n.whole {
			got = r.rest(got)
		}
		if !got.equal(&n.outcome) {
			r.diverged = &got
			return
		}
		if !r.chose(nil, len(n.event.took)) {
			return
		}
	}
	r.last = r.result(r.happen(&r.event))
	due := r.due()
	if Controlled && !due && r.stirs(&r.last.outcome) {
		r.last = r.result(r.rest(r.last.outcome))
		r.last.whole = true
	}
	if !r.chose(&r.last.chosen, len(r.event.took)) {
		return
	}
	r.last.wake = r.look(&r.last)
	if !Controlled && r.last.wake == 0 && !due {
		// The message has changed what the program does by itself in the same tick.
		r.last = r.result(r.rest(r.last.outcome))
		r.last.whole, r.last.wake = true, r.look(&r.last)
	}
	if r.last.wake >= 0 {
		ahead := r.result(r.collect())
		r.chose(&ahead.chosen, 0)
		ahead.wake = r.look(&ahead)
		r.ahead = &ahead
	}
}

// rest has the rest of the tick pass, and returns an outcome with that of the rest.
func (r *repeat) rest(of outcome) outcome {
	r.pass(time.Duration(r.tick) * r.world.Tick)
	more := r.collect()
	more.out = append(slices.Clone(of.out), more.out...)
	slices.SortStableFunc(more.out, func(a, b sent) int { return a.to - b.to })
	return more
}

// due reports whether the world has a timer that is due as the event happens: a message comes before
// the timers of its tick.
func (r *repeat) due() bool {
	if len(r.path) == 0 || r.event.from == 0 {
		return false
	}
	before := r.path[len(r.path)-1].wake
	return before >= 0 && r.event.after >= before
}

// happen has an event happen, and returns its outcome. Timers that the program has set run to
// the end of a tick. A message comes before them: by some nanoseconds, more of them with each event, so
// that it also comes before those that were set as another message came.
func (r *repeat) happen(e *event) outcome {
	at, before := int(r.at.Add(1)), r.tick
	r.turns.event(e.took)
	r.tick += e.after
	early := 0
	if e.from > 0 {
		early = at
	}
	until := time.Duration(r.tick)*r.world.Tick - time.Duration(early)
	if wake := r.wakes(at); Controlled && wake != never && e.after > wake {
		// It was paused when it would have gone on by itself.
		r.pass(time.Duration(before+max(wake-1, 0)) * r.world.Tick)
		r.turns.jump(time.Until(r.began.Add(until)))
	} else {
		r.pass(until)
	}
	switch {
	case e.from > 0:
		r.env.deliver(e.from, e.message)
	case at == 1:
		go r.env.main()
	}
	synctest.Wait()
	return r.collect()
}

// wakes returns in how many ticks the process would go on by itself before an event, the first of which
// is 1.
func (r *repeat) wakes(event int) (ticks int) {
	if event == 1 {
		return never
	}
	return r.path[event-2].wake
}

// collect ends an event: it returns what has come of it.
func (r *repeat) collect() outcome {
	o := r.env.collect()
	if arg, where := r.turns.panicked(); where != nil && o.failed == "" {
		o.failed = fmt.Sprintf("P%d panics: %v, %s", r.boot.self, arg, raised(where))
	}
	return o
}

// chose ends the choices of an event: it puts them in to, if it is not nil, and what comes then is of
// the next event. It reports whether those that were given were choices.
func (r *repeat) chose(to *[]choice, given int) bool {
	m := r.turns.made()
	if to != nil {
		*to = r.turns.choices(m.n)
		for kind, n := range m.beyond {
			r.world.spent.beyond[kind].Add(int64(n))
		}
	}
	if m.wrong || m.n < given || to == nil && m.n > given {
		r.wrong = fmt.Sprintf("P%d is not deterministic, though its goroutines take turns: upon %s it has the choices [%s], of which %d were known; it asks something outside of its bubble",
			r.boot.self, r.happening(), texts(r.turns.choices(m.n)), given)
		return false
	}
	r.turns.event("")
	return true
}

// stirs has the rest of the tick pass. It reports whether the program does something then.
func (r *repeat) stirs(last *outcome) bool {
	if last.ended || last.failed != "" || r.world.role(r.boot.self, r.boot.n).Timeless {
		return false
	}
	n := r.turns.made().n
	r.pass(time.Duration(r.tick) * r.world.Tick)
	return r.turns.made().n > n || r.shows()
}

// shows reports whether the world sees something that has not been collected.
func (r *repeat) shows() bool {
	r.env.mu.Lock()
	defer r.env.mu.Unlock()
	_, where := r.turns.panicked()
	return !r.env.shown.IsZero() || where != nil
}

// pass has time pass until so long after the boot.
func (r *repeat) pass(until time.Duration) {
	if left := time.Until(r.began.Add(until)); left > 0 {
		time.Sleep(left)
		synctest.Wait()
	}
}

// main is the process.
func (e *Env) main() {
	defer e.catch()
	e.world.role(e.boot.self, e.boot.n).Main(e)
	e.mu.Lock()
	if !e.over {
		e.now.ended, e.now.leader, e.now.epoch = true, 0, 0
		e.show()
	}
	e.mu.Unlock()
	e.close()
}

// result adds to an outcome what the process has named.
func (r *repeat) result(o outcome) result {
	e := r.env
	e.mu.Lock()
	state := e.state
	e.mu.Unlock()
	if state == nil || o.failed != "" || o.ended {
		return result{outcome: o}
	}
	text, err := r.world.values(e, state)
	if err != nil {
		o.failed = fmt.Sprintf("P%d names values by Env.State that are no state: %v", e.boot.self, err)
	}
	return result{outcome: o, named: text}
}

// never is the wake of a process that does nothing by itself within the horizon.
const never = -1

// look looks ahead, and returns in how many ticks the world next sees something that the process does
// by itself: 0 is at the end of this tick, which a message does not wait for. That tick is over then.
func (r *repeat) look(last *result) (ticks int) {
	w, e := r.world, r.env
	if last.ended || last.outcome.failed != "" || w.role(r.boot.self, r.boot.n).Timeless {
		return never
	}
	if Controlled {
		return r.walk()
	}
	limit := time.NewTimer(time.Until(r.began.Add(time.Duration(r.tick+w.Horizon) * w.Tick)))
	defer limit.Stop()
	select {
	case <-e.shows:
	case <-limit.C:
	}
	synctest.Wait()
	e.mu.Lock()
	shown := e.shown
	e.mu.Unlock()
	if shown.IsZero() {
		return never
	}
	ticks = int((shown.Sub(r.began)+w.Tick-1)/w.Tick) - r.tick
	r.tick += ticks
	r.pass(time.Duration(r.tick) * w.Tick)
	return ticks
}

// walk is look where choices count: it goes tick by tick, to the first in which the program has one.
func (r *repeat) walk() (ticks int) {
	for ticks := range r.world.Horizon + 1 {
		r.pass(time.Duration(r.tick+ticks) * r.world.Tick)
		if r.turns.made().first != 0 || r.shows() {
			r.tick += ticks
			return ticks
		}
	}
	return never
}

// unfinished takes down why a bubble did not end as it should. Goroutines that are left behind
// change nothing of what has been seen.
func (r *repeat) unfinished(why string) {
	if !strings.HasPrefix(why, "deadlock: main bubble goroutine has exited") {
		r.failed = fmt.Sprintf("P%d: the bubble ends with %q upon %s", r.boot.self, why, r.happening())
		return
	}
	r.failed = r.wrong
	r.world.leaves(r)
}

// raised returns where a panic was raised, by the calls that led there: "in main.f, f.go:12".
func raised(calls []uintptr) string {
	frames := runtime.CallersFrames(calls)
	panicking := false
	for {
		f, more := frames.Next()
		switch {
		case strings.HasPrefix(f.Function, "runtime."):
			panicking = panicking || f.Function == "runtime.gopanic"
		case strings.Contains(f.Function, "/bubble.(*Env)."): // the caller's mistake
		case panicking:
			return fmt.Sprintf("in %s, %s:%d", f.Function, f.File[strings.LastIndex(f.File, "/")+1:], f.Line)
		}
		if !more {
			return "in a function that is not known"
		}
	}
}
