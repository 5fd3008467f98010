package visited

import (
	"os"
	"syscall"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Where the system gives no memory to a segment, the table has what it had.
func TestTableIsRefusedMemory(t *testing.T) {
	tab, q, want := NewTable(1, 0), new(Quota), map[uint64]uint64{}
	if !tab.reserve() {
		t.Skip("there are no spaces on this machine")
	}
	const given = 1 << 19 // to a segment
	zero, err := os.Open("/dev/zero")
	require.NoError(t, err)
	defer zero.Close()
	for i := range segments { // a file that cannot be written is where the rest would be
		rest := tab.space.all[i*tab.space.each:][given:tab.space.each]
		_, _, errno := syscall.Syscall6(syscall.SYS_MMAP, uintptr(unsafe.Pointer(&rest[:1][0])), uintptr(len(rest)),
			syscall.PROT_NONE, syscall.MAP_SHARED|syscall.MAP_FIXED, zero.Fd(), 0)
		require.Zero(t, errno)
	}
	refused := false
	for n := uint64(1); !refused; n++ {
		fp := n * 0x9e3779b97f4a7c15
		for tab.Insert(fp, 1<<48, q) == Full && !refused {
			bytes := tab.Bytes()
			if refused = !tab.Grow(fp, Grown(tab.Buckets(fp), 0)); refused {
				assert.Equal(t, bytes, tab.Bytes())
				assert.True(t, tab.LacksRoom(fp))
			}
		}
		if !refused {
			want[fp] = 1 << 48
		}
	}
	requireHolds(t, tab, want)
	assert.Greater(t, len(want), segments*given/EntryBytes/2)
	assert.LessOrEqual(t, tab.Bytes(), int64(segments*given))
}
