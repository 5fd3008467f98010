package explore

import (
	"os"
	"syscall"
	"unsafe"
)

// adviseHuge asks the kernel to back a large table segment by huge pages. The
// slots that a search looks at are all over the table, so with small pages
// about every look misses the translation buffers too.
func adviseHuge(slots []entry) {
	const (
		worthwhile   = 1 << 20
		madvHugePage = 14
	)
	size := len(slots) * entryBytes
	if size < worthwhile {
		return
	}
	b := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(slots))), size)
	page := os.Getpagesize()
	if skip := -int(uintptr(unsafe.Pointer(&b[0]))) & (page - 1); skip > 0 {
		b = b[skip:]
	}
	// It is advice: where the kernel knows no huge pages, nothing is lost.
	_ = syscall.Madvise(b[:len(b)&^(page-1)], madvHugePage)
}
