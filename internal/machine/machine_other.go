//go:build !linux

package machine

import "math"

// Room is without bounds.
func Room(string, int64) (left int64, what string) { return math.MaxInt64, "" }

// ResidentFiles is not known.
func ResidentFiles() int64 { return 0 }

// Resident is not known.
func Resident() int64 { return 0 }
