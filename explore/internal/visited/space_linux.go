package visited

import (
	"math"
	"os"
	"strconv"
	"syscall"
	"unsafe"

	"bullyproof/internal/machine"
)

// leastSpace is the least address space for a table: what tests with unusual
// fingerprints need. It costs nothing.
const leastSpace = 1 << 34

// Advice of madvise(2) that package syscall lacks: MADV_HUGEPAGE and MADV_COLLAPSE.
const (
	adviseHuge     = 14
	adviseCollapse = 25 // since Linux 6.1
)

// newSpace returns a space in which no table runs out of room that the machine
// has memory for, with huge pages, or none where the system does not have it or
// limits it (RLIMIT_AS counts it although nothing is there).
func newSpace() (s space) {
	var r syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &r); err != nil || r.Cur < math.MaxInt64/2 || strconv.IntSize < 64 {
		return s
	}
	total := max(int64(leastSpace), 2*machine.Memory()) // segments do not fill evenly
	each := (int(total)/segments + hugePage - 1) / hugePage * hugePage
	all, err := syscall.Mmap(-1, 0, segments*each+hugePage, syscall.PROT_NONE, syscall.MAP_ANON|syscall.MAP_PRIVATE|syscall.MAP_NORESERVE)
	if err != nil {
		return s
	}
	first := -int(uintptr(unsafe.Pointer(unsafe.SliceData(all)))) & (hugePage - 1)
	s.all, s.each, s.mapping = all[first:first+segments*each], each, all
	_ = syscall.Madvise(s.all, adviseHuge) // only for speed
	return s
}

// release gives the space back.
func (s space) release() { _ = syscall.Munmap(s.mapping) }

// commit gives memory to the bytes of a part of a space from one to another; the
// first may have it already. Pages are counted from the beginning of the part. A
// huge page that could be had only in small ones until now becomes one.
func commit(part []byte, from, to int) bool {
	page := os.Getpagesize()
	from, to = from/page*page, (to+page-1)/page*page
	if syscall.Mprotect(part[from:to], syscall.PROT_READ|syscall.PROT_WRITE) != nil {
		return false
	}
	if first := from / hugePage * hugePage; first < from && first+hugePage <= to {
		_ = syscall.Madvise(part[first:first+hugePage], adviseCollapse) // only for speed
	}
	return true
}
