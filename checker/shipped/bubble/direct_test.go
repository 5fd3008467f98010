package bubble

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/model"
	"bullyproof/trace"
)

// An op is a statement of a program drawn at random. Each goroutine waits for times of its own, so
// that no two timers are of one instant.
type op struct {
	What  string
	Ticks int
}

// A program has the statements of the main goroutine of a process, and of one for each peer, which
// alone sends to that peer.
type program struct {
	Main []op
	To   map[int][]op
}

func drawOps(t *rapid.T, label string, kinds ...string) []op {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) op {
		return op{rapid.SampledFrom(kinds).Draw(t, "what"), rapid.IntRange(1, 3).Draw(t, "ticks")}
	}), 0, 6).Draw(t, label)
}

func drawProgram(t *rapid.T, self, n int) program {
	p := program{Main: drawOps(t, fmt.Sprint("main of ", self), "sleep", "lead", "stop", "save", "receive", "believe"), To: map[int][]op{}}
	for to := 1; to <= n; to++ {
		if to != self {
			p.To[to] = drawOps(t, fmt.Sprint(self, " to ", to), "sleep", "send", "call", "answer")
		}
	}
	return p
}

// apart is by how much the ticks of each goroutine are longer: sums of a few of them differ.
var apart = [...]time.Duration{0, time.Millisecond, 13 * time.Millisecond, 170 * time.Millisecond}

// run is a process with a program.
func (p program) run(env *Env) {
	began := time.Now()
	asked := map[int]chan Packet{}
	now := func() int { return int(time.Since(began).Round(time.Second) / time.Second) }
	for _, to := range slices.Sorted(maps.Keys(p.To)) {
		requests := make(chan Packet, 100)
		asked[to] = requests
		env.Go(func() { p.worker(env, to, requests, now) })
	}
	saved := 0
	save := func(text string) {
		saved++
		env.Save(fmt.Sprint("main", saved), fmt.Sprintf("%s at %d", text, now()))
	}
	receive := func(ctx context.Context) bool {
		p, err := env.Recv(ctx)
		if err != nil {
			return false
		}
		if p.call != (Call{}) {
			asked[p.From] <- p
		}
		save(p.Text)
		return true
	}
	for _, o := range p.Main {
		wait := time.Duration(o.Ticks) * time.Second
		switch o.What {
		case "sleep":
			select {
			case <-time.After(wait):
			case <-env.Context().Done():
			}
		case "lead":
			env.Leads(true)
		case "stop":
			env.Leads(false)
		case "believe":
			env.Believe(o.Ticks%env.N(), uint64(o.Ticks))
		case "save":
			save("saved " + env.Load("main1"))
		case "receive":
			ctx, cancel := context.WithTimeout(env.Context(), wait)
			receive(ctx)
			cancel()
		}
	}
	for saved < 12 && receive(env.Context()) {
	}
	<-env.Context().Done()
}

// worker is the goroutine of a process that sends to one peer.
func (p program) worker(env *Env, to int, requests chan Packet, now func() int) {
	for i, o := range p.To[to] {
		wait := time.Duration(o.Ticks)*time.Second + apart[to]
		switch o.What {
		case "sleep":
			select {
			case <-time.After(wait):
			case <-env.Context().Done():
				return
			}
		case "send":
			env.Send(to, fmt.Sprintf("%d of P%d at %d", i, env.ID(), now()))
		case "call":
			ctx, cancel := context.WithTimeout(env.Context(), wait)
			answer, err := env.Call(ctx, to, fmt.Sprintf("%d of P%d", i, env.ID()))
			cancel()
			env.Save(fmt.Sprint("answer of P", to), fmt.Sprint(answer, err, now()))
		case "answer":
			select {
			case p := <-requests:
				env.Answer(p, fmt.Sprint("to ", p.Text))
			case <-time.After(wait):
			case <-env.Context().Done():
				return
			}
		}
	}
}

// A live process runs in one bubble from its boot on, and is never repeated. Its bubble does what
// comes by a channel of outside: while it waits for that, its time stands still.
type live struct {
	env    *Env
	do     chan func()
	done   chan struct{}
	events int
	booted int // the tick of the boot
	began  time.Time
}

func (l *live) now(f func()) {
	l.do <- f
	<-l.done
}

func startLive(w *world, b *boot, tick int) *live {
	l := &live{do: make(chan func()), done: make(chan struct{}), booted: tick}
	go synctest.Test(w.T, func(*testing.T) {
		for f := range l.do {
			f()
			synctest.Wait()
			l.done <- struct{}{}
		}
		l.env.close()
		synctest.Wait()
		time.Sleep(time.Hour)
		l.done <- struct{}{}
	})
	l.now(func() {
		l.env, l.began = newEnv(w, b), time.Now()
		go l.env.main()
	})
	l.events++
	return l
}

// to has the time of the process pass to a tick, or to shortly before.
func (l *live) to(tick int, before time.Duration) {
	l.now(func() { time.Sleep(time.Until(l.began.Add(time.Duration(tick-l.booted)*time.Second - before))) })
}

// A letter is a message in flight.
type letter struct {
	from, to int
	Message
}

func (l letter) String() string { return fmt.Sprintf("P%d->P%d %s", l.from, l.to, l.Message) }

// A direct run has live processes, and takes the steps of a run of a system.
type direct struct {
	w      *world
	n      int
	tick   int
	of     map[int]*live
	paused map[int]bool
	disks  map[int]map[string]string
	boots  map[int]int
	state  map[int]outcome
	mail   []letter
}

func newDirect(w *world, n int) *direct {
	d := &direct{w: w, n: n, of: map[int]*live{}, paused: map[int]bool{}, disks: map[int]map[string]string{}, boots: map[int]int{}, state: map[int]outcome{}}
	for id := 1; id <= n; id++ {
		d.boot(id)
	}
	return d
}

func (d *direct) boot(id int) {
	d.of[id] = startLive(d.w, &boot{id, d.n, d.boots[id], d.w.kept(d.disks[id])}, d.tick)
	d.collect(id)
}

// end ends a process.
func (d *direct) end(id int) {
	close(d.of[id].do)
	<-d.of[id].done
	delete(d.of, id)
	delete(d.paused, id)
	d.boots[id]++
}

// collect has what a process shows come into the world.
func (d *direct) collect(id int) {
	var got outcome
	d.of[id].now(func() { got = d.of[id].env.collect() })
	for _, m := range got.out {
		d.mail = append(d.mail, letter{id, m.to, m.Message})
	}
	d.state[id], d.disks[id] = got, got.disk.values
}

// find returns where a message is in flight.
func (d *direct) find(t require.TestingT, a *model.Action) int {
	text := fmt.Sprintf("P%v->P%d %s", a.Port, a.Process, a.Message)
	i := slices.IndexFunc(d.mail, func(l letter) bool { return l.String() == text })
	require.GreaterOrEqual(t, i, 0, "%s is not in flight: %v", text, d.mail)
	return i
}

func (d *direct) take(t require.TestingT, a *model.Action) letter {
	i := d.find(t, a)
	l := d.mail[i]
	d.mail = slices.Delete(d.mail, i, i+1)
	return l
}

// step takes a step.
func (d *direct) step(t require.TestingT, a *model.Action) {
	id := int(a.Process)
	l := d.of[id]
	switch a.Kind {
	case model.Ticks:
		for id, l := range d.of {
			if !d.paused[id] {
				// Nobody shows anything in a tick that is over unless the world knew it.
				l.to(d.tick, 0)
				l.env.mu.Lock()
				shown := l.env.shown
				l.env.mu.Unlock()
				require.True(t, shown.IsZero(), "P%d does something by itself in tick %d", id, d.tick)
			}
		}
		d.tick++
	case model.Delivers:
		m := d.take(t, a)
		l.events++
		l.to(d.tick, time.Duration(l.events))
		l.now(func() { l.env.deliver(m.from, m.Message) })
		d.collect(id)
	case model.Expires:
		l.events++
		l.to(d.tick, 0)
		d.collect(id)
	case model.Loses, model.Drops:
		d.take(t, a)
	case model.Duplicates:
		d.mail = append(d.mail, d.mail[d.find(t, a)])
	case model.Pauses:
		d.paused[id] = true
	case model.Resumes:
		delete(d.paused, id)
	case model.Crashes:
		d.end(id)
	case model.Restarts:
		d.boot(id)
	default:
		require.Fail(t, "a step that is none of these", trace.ActionText(*a))
	}
}

// differs says how what the world sees differs from what is, "" if it does not.
func (d *direct) differs(s model.Snapshot) string {
	var in, mail []string
	for _, m := range s.InFlight {
		in = append(in, fmt.Sprintf("P%d->P%d %s", m.From, m.To, m.Text))
	}
	for _, m := range d.mail {
		mail = append(mail, m.String())
	}
	slices.Sort(in)
	slices.Sort(mail)
	if !slices.Equal(in, mail) {
		return fmt.Sprintf("in flight are %q, and in the world %q", mail, in)
	}
	for _, p := range s.Processes {
		is, up := d.state[int(p.ID)], d.of[int(p.ID)] != nil
		if !up || p.Status != model.Up {
			if up || p.Status == model.Up {
				return fmt.Sprintf("P%d is up: %v, and in the world %v", p.ID, up, p.Status)
			}
			continue
		}
		disk := ""
		for _, f := range p.Fields {
			if f.Name == "disk" {
				disk = f.Value
			}
		}
		if one, two := fmt.Sprint(is.leader, is.epoch, is.disk.text()), fmt.Sprint(int(p.Belief.Elected), p.Belief.Epoch, disk); one != two {
			return fmt.Sprintf("P%d has %s, and in the world %s", p.ID, one, two)
		}
	}
	return ""
}

// rest has the rest of a tick pass for a process that a message has reached, if the world has no timer
// for it.
func (d *direct) rest(id int, s model.Snapshot) {
	for _, timer := range s.Processes[id-1].Timers {
		if timer.Name == "wake" && timer.Ticks == 0 {
			return
		}
	}
	d.of[id].to(d.tick, 0)
	d.collect(id)
}

// Programs at random, in settings at random, do the same in repeats as they do in bubbles in which
// each process runs on from its boot.
func TestRepeatsAreAsDirectRuns(t *testing.T) {
	kinds := map[model.ActionKind]int{}
	answers, rests := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(2, 3).Draw(rt, "n")
		w := &World{T: t, Horizon: 80} // no process is idle for so long
		for id := 1; id <= n; id++ {
			p := drawProgram(rt, id, n)
			w.Roles = append(w.Roles, Role{Name: string(rune('a' + id)), Main: p.run, Processes: 1})
		}
		setting := fmt.Sprintf("n=%d timing=%s channels=%s %s", n, rapid.SampledFrom([]string{"lockstep", "sync:1", "sync:2"}).Draw(rt, "timing"),
			rapid.SampledFrom([]string{"fifo", "unordered"}).Draw(rt, "channels"),
			rapid.SampledFrom([]string{"", "losses=1 duplications=1", "crashes=1 restarts=1", "pauses=1", "crashes=1 restarts=1 pauses=1 mail-old=lost"}).Draw(rt, "faults"))
		in := newWorld(w)
		sys, err := model.NewFrom(newProtocol(in), setting)
		require.NoError(rt, err)
		var here []byte
		sys.Initial(func(state []byte) bool { here = slices.Clone(state); return false })
		d := newDirect(in, n)
		defer func() {
			for id := range maps.Clone(d.of) {
				d.end(id)
			}
		}()
		require.Empty(rt, d.differs(sys.Snapshot(here)))
		for range rapid.IntRange(1, 60).Draw(rt, "steps") {
			next := sys.Transitions(here)
			if len(next) == 0 {
				break
			}
			if others := slices.DeleteFunc(slices.Clone(next), func(s model.Transition) bool { return s.Action.Kind == model.Ticks }); len(others) > 0 && rapid.IntRange(0, 3).Draw(rt, "not a tick") > 0 {
				next = others
			}
			step := next[rapid.IntRange(0, len(next)-1).Draw(rt, "step")]
			require.Empty(rt, step.Misuse, trace.ActionText(step.Action))
			if step.Action.Kind == model.Drops || len(step.Dropped) > 0 {
				break // mail that nobody can receive: another test has it
			}
			kinds[step.Action.Kind]++
			if strings.HasPrefix(step.Action.Message, "answer") {
				answers++
			}
			here = step.Next
			d.step(rt, &step.Action)
			now := sys.Snapshot(here)
			if step.Action.Kind == model.Delivers && d.differs(now) != "" {
				d.rest(int(step.Action.Process), now)
				rests++
			}
			require.Empty(rt, d.differs(now), trace.ActionText(step.Action))
		}
		require.Zero(rt, in.spent.leaves.Load(), in.left)
	})
	t.Log(kinds, answers, rests)
	if testing.Short() {
		return // a few cases do not have everything
	}
	for _, kind := range []model.ActionKind{model.Ticks, model.Delivers, model.Expires, model.Loses, model.Duplicates, model.Crashes, model.Restarts, model.Pauses, model.Resumes} {
		assert.Positive(t, kinds[kind], "%v", kind)
	}
	assert.Positive(t, answers)
	assert.Positive(t, rests)
}
