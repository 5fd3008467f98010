package runtime

import (
	"context"
	"fmt"
	"time"

	"bullyproof/model"
	"bullyproof/runtime/eventlog"
)

// Run has the process come up and do what its protocol says until ctx is done,
// when it returns nil, or until it cannot go on: a handler does what no world
// can carry out, or stable storage fails. The process has crashed then, for all
// that the others can tell. Run may be called once.
func (p *Process) Run(ctx context.Context) error {
	p.ran.Store(true)
	defer func() {
		_ = p.Close()
		p.release()
		if p.config.Believes != nil {
			p.config.Believes(model.Belief{})
		}
	}()
	if err := p.bootUp(); err != nil {
		return fmt.Errorf("runtime: process %v: %w", p.config.Self, err)
	}
	if err := p.loop(ctx); err != nil {
		return fmt.Errorf("runtime: process %v: %w", p.config.Self, err)
	}
	return nil
}

func (p *Process) bootUp() error {
	if p.disk != nil {
		p.disk.begin(p.session)
	}
	now := time.Now()
	for _, other := range p.peers {
		if other != nil {
			other.heard = now
		}
	}
	p.beat = now
	p.config.Log.Info("comes up", "why", p.boot.String(), "address", p.Addr().String(), "session", p.session)
	boot := &eventlog.Event{Kind: eventlog.Boot, Why: p.boot}
	if err := p.handle(boot, func() error { return p.machine.Init(p.boot, p.revived) }); err != nil {
		return err
	}
	if p.config.Start && p.boot != model.Restart {
		return p.start()
	}
	return nil
}

func (p *Process) start() error {
	return p.handle(&eventlog.Event{Kind: eventlog.Start}, p.machine.Start)
}

// maxBurst is how many messages in a row come before a timer that is due.
const maxBurst = 1024

// loop runs handlers, one after the other. Messages that wait come before timers
// that are due, as in the model's discrete time.
func (p *Process) loop(ctx context.Context) error {
	wake := time.NewTimer(0)
	defer wake.Stop()
	for burst := 0; ; {
		if ctx.Err() != nil {
			return nil
		}
		if burst < maxBurst {
			select {
			case x := <-p.notices:
				burst++
				if err := p.take(x); err != nil {
					return err
				}
				continue
			default:
			}
		}
		burst = 0
		worked, err := p.clock(time.Now())
		if err != nil {
			return err
		}
		if worked {
			continue
		}
		wake.Reset(time.Until(p.next()))
		select {
		case x := <-p.notices:
			err = p.take(x)
		case answer := <-p.asked:
			err = p.start()
			answer <- err
		case <-wake.C:
		case <-p.done:
			return nil
		case <-ctx.Done():
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// next returns when a timer or the next heartbeat is due.
func (p *Process) next() time.Time {
	next := p.beat
	for _, t := range p.timers {
		if !t.IsZero() && t.Before(next) {
			next = t
		}
	}
	return next
}

// clock does one thing that is due, if anything is: the timer that is due for
// longest expires, or heartbeats go out. It reports whether it did any.
func (p *Process) clock(now time.Time) (bool, error) {
	due := p.next()
	if due.After(now) {
		return false, nil
	}
	for t, at := range p.timers {
		if at.Equal(due) && !at.IsZero() {
			p.timers[t] = time.Time{}
			timer := model.Timer(t)
			event := &eventlog.Event{Kind: eventlog.Expire, Timer: p.names.Timers[t].Name}
			return true, p.handle(event, func() error { return p.machine.Expire(timer) })
		}
	}
	return true, p.heartbeat(now)
}

// handle runs a handler and carries out what it asks for: first what is to be
// on the disk, then the event log, then the timers, and the messages last.
func (p *Process) handle(event *eventlog.Event, handler func() error) error {
	p.choices = p.choices[:0]
	if err := handler(); err != nil {
		return err
	}
	if event.Kind == eventlog.Suspect && !p.machine.Changed() {
		return nil
	}
	now := time.Now()
	p.record.handled(event, now)
	if p.disk != nil {
		if err := p.disk.write(p.machine.Stored(), p.record.lines, p.record.at()); err != nil {
			return err
		}
	}
	p.record.write()
	for t, ticks := range p.machine.Changes {
		p.timers[t] = time.Time{}
		if ticks > 0 {
			p.timers[t] = now.Add(time.Duration(ticks) * p.config.Tick)
		}
	}
	for to, letter := range p.machine.Sends {
		p.post(to, letter)
	}
	p.believe()
	return nil
}

// believe tells those who ask what the process believes now.
func (p *Process) believe() {
	b := p.machine.Belief()
	if b == *p.belief.Load() {
		return
	}
	p.belief.Store(&b)
	if p.config.Believes != nil {
		p.config.Believes(b)
	}
	p.config.Log.Info("believes", "elected", int(b.Elected), "participant", b.Participant, "epoch", b.Epoch)
}
