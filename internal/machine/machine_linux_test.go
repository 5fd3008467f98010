package machine_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/internal/machine"
)

func TestRoom(t *testing.T) {
	const meminfo = "MemTotal:       2097152 kB\nMemFree:  1 kB\nMemAvailable:    1048576 kB\n" // 2 GiB, half of it left
	const reserve = 64 << 20                                                                    // of 2 GiB
	for _, test := range []struct {
		name  string
		files map[string]string
		left  int64
		what  string
	}{
		{"nothing known", nil, math.MaxInt64, ""},
		{"garbage", map[string]string{"proc/meminfo": "MemTotal: x kB\nMemAvailable:\n", "proc/self/cgroup": "a\n:::\n4:memory:/\n"}, math.MaxInt64, ""},
		{"memory", map[string]string{"proc/meminfo": meminfo}, 1<<30 - reserve, "the memory of the machine, 2048 MiB"},
		{"control groups 1", map[string]string{
			"proc/meminfo":     meminfo,
			"proc/self/cgroup": "5:devices:/\n4:memory,hugetlb:/a/b\n1:cpu:/a\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes":     "9223372036854771712\n",
			"sys/fs/cgroup/memory/memory.usage_in_bytes":     "900000000\n",
			"sys/fs/cgroup/memory/a/memory.limit_in_bytes":   "536870912\n",
			"sys/fs/cgroup/memory/a/memory.usage_in_bytes":   "300000000\n",
			"sys/fs/cgroup/memory/a/memory.stat":             "cache 1\ntotal_inactive_file 200000000\n",
			"sys/fs/cgroup/memory/a/b/memory.limit_in_bytes": "9223372036854771712\n",
			"sys/fs/cgroup/memory/a/b/memory.usage_in_bytes": "1\n",
		}, 536870912 - 100000000 - 1<<24, "the limit of memory of the control group, 512 MiB"},
		{"control groups 2", map[string]string{
			"proc/meminfo":                     meminfo,
			"proc/self/cgroup":                 "0::/a\n",
			"sys/fs/cgroup/a/memory.max":       "268435456\n",
			"sys/fs/cgroup/a/memory.current":   "268435456\n",
			"sys/fs/cgroup/a/memory.stat":      "inactive_file 0\n",
			"sys/fs/cgroup/memory.max":         "max\n",
			"sys/fs/cgroup/memory.current":     "1\n",
			"sys/fs/cgroup/a/b/memory.current": "1\n",
		}, 0, "the limit of memory of the control group, 256 MiB"},
		{"a container that does not see its path", map[string]string{
			"proc/self/cgroup":                           "4:memory:/docker/1234\n",
			"sys/fs/cgroup/memory/memory.limit_in_bytes": "268435456\n",
			"sys/fs/cgroup/memory/memory.usage_in_bytes": "100000000\n",
		}, 268435456 - 100000000 - 1<<24, "the limit of memory of the control group, 256 MiB"},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := t.TempDir()
			for name, text := range test.files {
				file := filepath.Join(root, name)
				require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
				require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
			}
			left, what := machine.Room(root, 0)
			assert.Equal(t, test.left, left)
			assert.Equal(t, test.what, what)
		})
	}
	left, _ := machine.Room("/", 0)
	assert.Positive(t, left)
	assert.Positive(t, machine.Resident())
	assert.Positive(t, machine.ResidentFiles())
	assert.Positive(t, machine.Memory())
}
