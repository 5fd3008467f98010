//go:build !controlled

package bubble

import "time"

// Controlled reports whether the program is built with the overlay of the standard library that
// "bullyproof overlay" writes: goroutines take turns, and what is left to chance is a choice.
const Controlled = false

func (*turns) begin(uint64, int, bool)              {}
func (*turns) event(string)                         {}
func (*turns) made() made                           { return made{} }
func (*turns) panicked() (arg any, where []uintptr) { return nil, nil }
func (*turns) jump(time.Duration)                   {}
func collect()                                      {}
