// Package machine says how much memory the machine lets this process take, and how much
// it has. Of other systems than Linux it knows nothing.
package machine

import (
	"fmt"
	"math"
)

// A bound is something that keeps a process from taking more memory.
type bound struct {
	left  int64 // bytes
	total int64 // of which that is what is left
	name  string
}

// tightest returns what the tightest of bounds leaves, less a reserve for what
// is not measured, and says which it is.
func tightest(bounds []bound) (left int64, what string) {
	left = math.MaxInt64
	for _, b := range bounds {
		reserve := min(max(b.total/32, 1<<24), 1<<30)
		if l := max(0, b.left-reserve); l < left {
			left, what = l, fmt.Sprintf("%s, %d MiB", b.name, b.total>>20)
		}
	}
	return left, what
}

// CacheLines is how many bytes keep what one goroutine writes from what others use: two
// cache lines, because processors fetch them in pairs.
const CacheLines = 128
