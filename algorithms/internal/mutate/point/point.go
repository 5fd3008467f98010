// Package point switches mutants on and off: the points of a program at which a
// branch can be forced or dropped, of which one at a time is.
package point

import "sync/atomic"

// None is the number of no point: the program as it is.
const None = -1

// A Board says which point of a program is on, and notes which ones it comes by.
// Several goroutines may ask it; what it does is changed between runs alone.
type Board struct {
	on      int
	most    int64 // how often points may be asked about; 0 is without end
	asked   atomic.Int64
	reached []atomic.Bool
	differs []atomic.Bool
}

// Endless is what a program panics with that comes by more points than it may.
type Endless struct{}

// Error says so.
func (Endless) Error() string { return "the program does not come to an end" }

// New makes a board of so many points, none of which is on.
func (b *Board) New(points int) {
	b.on, b.most = None, 0
	b.reached, b.differs = make([]atomic.Bool, points), make([]atomic.Bool, points)
	b.asked.Store(0)
}

// Set switches a point on, or none, and forgets what was noted. Where points are asked
// about more than most times, the program panics with Endless; 0 is without end.
func (b *Board) Set(on int, most int64) {
	b.on, b.most = on, most
	b.asked.Store(0)
	for i := range b.reached {
		b.reached[i].Store(false)
		b.differs[i].Store(false)
	}
}

// Asked returns how often points were asked about since Set.
func (b *Board) Asked() int64 { return b.asked.Load() }

// Reached returns whether a program came by a point since Set, and whether it would
// have gone on otherwise there with the point on.
func (b *Board) Reached(id int) (reached, differs bool) {
	return b.reached[id].Load(), b.differs[id].Load()
}

// ask notes that a program comes by a point, and reports whether it is on.
func (b *Board) ask(id int, differs bool) bool {
	if n := b.asked.Add(1); b.most > 0 && n > b.most {
		panic(Endless{})
	}
	if b.on == None {
		if !b.reached[id].Load() {
			b.reached[id].Store(true)
		}
		if differs && !b.differs[id].Load() {
			b.differs[id].Store(true)
		}
	}
	return b.on == id
}

// Always returns x, or true where the point is on.
func Always[B ~bool](b *Board, id int, x B) B { return B(b.ask(id, !bool(x))) || x }

// Never returns x, or false where the point is on.
func Never[B ~bool](b *Board, id int, x B) B { return B(!b.ask(id, bool(x))) && x }

// Keep reports whether what stands at a point is to be done: not where it is on.
func Keep(b *Board, id int) bool { return !b.ask(id, true) }

// Turned returns x, or what is not x where the point is on and its case is there.
func Turned[B ~bool](b *Board, id int, x B, there bool) B {
	return x != B(b.ask(id, there) && there)
}
