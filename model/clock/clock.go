// Package clock is what processes read the time from, in protocols that write down when something
// was or will be: a lease until an instant, say. It asks for time that passes in ticks (timing=sync:D
// or timing=lockstep).
//
// A process reads a [Clock] that stands in its state. The world puts it there, with an error that
// the setting bounds (skew=K), sets it anew where clocks step (clock-steps=K), and keeps it over a
// crash. A process reads an [Instant], which states and messages may hold.
//
// Instants are kept by their distance from the time of the world, and every tick makes all of them
// a tick older: so runs that differ only in when they happened are one, and states come back.
package clock

import "fmt"

// now is the time of the world, as in an Instant.
const now = 128

const (
	// Most is how many ticks ahead of the time of the world an Instant can be.
	Most = 255 - now
	// Oldest is how many ticks ago an Instant can be, unless a protocol knows fewer
	// (model.Optional, Oldest). An older one is as the zero Instant.
	Oldest = now - 1
	// MostSkew is how many ticks ahead of the time of the world a Clock can be.
	MostSkew = 60
)

// A Clock is the clock of a process. It stands in the state of the process, in a field of its own;
// the world sets it, and what a handler writes there does not last. The zero Clock is right.
type Clock struct{ ahead uint8 }

// An Instant is a reading of a clock, or one that is to come. The zero Instant is before all others:
// it was long ago, or never.
type Instant struct{ at uint8 }

// Ahead returns a clock that is so many ticks ahead of the time of the world, 0 to MostSkew.
func Ahead(ticks int) Clock {
	if ticks < 0 || ticks > MostSkew {
		panic(fmt.Sprintf("a clock that is %d ticks ahead: 0 to %d are right", ticks, MostSkew))
	}
	return Clock{uint8(ticks)}
}

// Ahead returns how many ticks the clock is ahead of the time of the world: its error, which no
// process knows.
func (c Clock) Ahead() int { return int(c.ahead) }

// Now returns what the clock shows.
func (c Clock) Now() Instant { return Instant{now + c.ahead} }

// In returns the instant at which the clock will have gone on by some ticks. Those and the error of
// the clock are Most at the most.
func (c Clock) In(ticks int) Instant { return c.Now().Plus(ticks) }

// Since returns how many ticks ago, by this clock, an instant was: less than 0 if it is to come. Of
// the zero Instant it is more than of any other.
func (c Clock) Since(i Instant) int { return now + int(c.ahead) - int(i.at) }

// Passed reports whether an instant has come, by this clock.
func (c Clock) Passed(i Instant) bool { return c.Since(i) >= 0 }

// String returns "right", or how many ticks ahead the clock is.
func (c Clock) String() string {
	if c.ahead == 0 {
		return "right"
	}
	return fmt.Sprintf("%d ahead", c.ahead)
}

// Plus returns the instant some ticks later, or earlier if they are less than 0. It panics if that
// is too far ahead (Most). The zero Instant stays what it is.
func (i Instant) Plus(ticks int) Instant {
	switch at := int(i.at) + ticks; {
	case i == Instant{} || at <= 0:
		return Instant{}
	case at > 255:
		panic(fmt.Sprintf("an instant %d ticks after one %s: it can be %d ticks ahead at most", ticks, i, Most))
	default:
		return Instant{uint8(at)}
	}
}

// Before reports whether i is before j.
func (i Instant) Before(j Instant) bool { return i.at < j.at }

// IsZero reports whether it is the zero Instant.
func (i Instant) IsZero() bool { return i.at == 0 }

// String returns the instant by the time of the world: "now", "in 3", "3 ago", or "long ago".
func (i Instant) String() string {
	switch ticks := int(i.at) - now; {
	case i.at == 0:
		return "long ago"
	case ticks > 0:
		return fmt.Sprintf("in %d", ticks)
	case ticks < 0:
		return fmt.Sprintf("%d ago", -ticks)
	}
	return "now"
}

// Older returns the instant as it is a tick later, where those of more than some ticks ago, 0 to
// Oldest, are as the zero Instant. Worlds call it.
func (i Instant) Older(oldest int) Instant { return Instant{Age(i.at, uint8(oldest))} }

// Age is Older of the byte that an Instant is encoded as.
func Age(at, oldest uint8) uint8 {
	if at == 0 || at <= now-oldest {
		return 0
	}
	return at - 1
}
