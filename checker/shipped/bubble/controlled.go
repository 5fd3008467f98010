//go:build controlled

package bubble

import (
	"time"
	_ "unsafe" // the runtime's functions are linked by name
)

// Controlled reports whether the program is built with the overlay of the standard library that
// "bullyproof overlay" writes: goroutines take turns, and what is left to chance is a choice.
const Controlled = true

// The functions of the overlay (internal/overlay, turns.go.txt).
//
//go:linkname turnBegin runtime.turnBegin
func turnBegin(seed uint64, log []uint32, draws int, switches bool)

//go:linkname turnEvent runtime.turnEvent
func turnEvent(script []uint8, free *[choiceKinds]int32)

//go:linkname turnMade runtime.turnMade
func turnMade() (made int, first int64, beyond [choiceKinds]uint32, wrong bool)

//go:linkname turnPanic runtime.turnPanic
func turnPanic() (arg any, where []uintptr)

//go:linkname turnJump runtime.turnJump
func turnJump(d int64)

//go:linkname turnCollect runtime.turnCollect
func turnCollect()

func (t *turns) begin(seed uint64, draws int, switches bool) {
	turnBegin(seed, t.log[:], draws, switches)
}

func (t *turns) event(took string) { turnEvent([]uint8(took), &t.free) }

func (t *turns) made() made {
	var m made
	m.n, m.first, m.beyond, m.wrong = turnMade()
	return m
}

func (t *turns) panicked() (arg any, where []uintptr) { return turnPanic() }

func (t *turns) jump(d time.Duration) { turnJump(int64(d)) }

func collect() { turnCollect() }
