package machine

import (
	"bytes"
	"math"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// Room returns how much more memory the machine lets this process take:
// what is left of it, of the limits of the control groups (versions 1 and 2),
// and of the address space where that is limited (RLIMIT_AS, RLIMIT_DATA). The
// files that say so are below a root. Unused address space of the process,
// idle, counts as room there.
func Room(root string, idle int64) (left int64, what string) {
	bounds := cgroupBounds(root)
	if b, ok := memoryLeft(root); ok {
		bounds = append(bounds, b)
	}
	return tightest(append(bounds, limitBounds(root, idle)...))
}

// ResidentFiles returns how many bytes of files are mapped and in memory: the
// code of the program.
func ResidentFiles() int64 {
	if f := statm("/"); len(f) > 2 {
		return f[2]
	}
	return 0
}

// Resident returns how many bytes of memory the process has in use.
func Resident() int64 {
	if f := statm("/"); len(f) > 1 {
		return f[1]
	}
	return 0
}

// statm returns the fields of /proc/self/statm in bytes; see proc(5).
func statm(root string) (fields []int64) {
	text, err := os.ReadFile(filepath.Join(root, "proc/self/statm"))
	if err != nil {
		return nil
	}
	for _, f := range strings.Fields(string(text)) {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return nil
		}
		fields = append(fields, n*int64(os.Getpagesize()))
	}
	return fields
}

// Memory returns how many bytes of memory the machine has in all, 0 where it does not say.
func Memory() int64 {
	b, _ := memoryLeft("/")
	return b.total
}

// memoryLeft returns what the machine has of memory.
func memoryLeft(root string) (b bound, ok bool) {
	text, err := os.ReadFile(filepath.Join(root, "proc/meminfo"))
	if err != nil {
		return b, false
	}
	total, ok1 := numberAfter(text, "MemTotal:")
	left, ok2 := numberAfter(text, "MemAvailable:")
	if !ok1 || !ok2 {
		return b, false
	}
	return bound{left << 10, total << 10, "the memory of the machine"}, true
}

// numberAfter returns the number behind a word at the beginning of a line.
func numberAfter(text []byte, word string) (int64, bool) {
	for line := range bytes.Lines(text) {
		if f := strings.Fields(string(line)); len(f) > 1 && f[0] == word {
			n, err := strconv.ParseInt(f[1], 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}

// cgroupBounds returns the limits of the control groups in which the process is.
// In a container the path of its group may not be there; then the limits are
// those of the root that the container sees.
func cgroupBounds(root string) (bounds []bound) {
	text, err := os.ReadFile(filepath.Join(root, "proc/self/cgroup"))
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(text)) {
		f := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(f) < 3 {
			continue
		}
		dir, limit, usage, inactive := "sys/fs/cgroup", "memory.max", "memory.current", "inactive_file"
		switch {
		case f[1] == "":
		case strings.Contains(","+f[1]+",", ",memory,"):
			dir, limit, usage, inactive = "sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"
		default:
			continue
		}
		for group := path.Clean("/" + f[2]); ; group = path.Dir(group) {
			at := filepath.Join(root, dir, group)
			if b, ok := groupBound(at, limit, usage, inactive); ok {
				bounds = append(bounds, b)
			}
			if group == "/" {
				break
			}
		}
	}
	return bounds
}

// groupBound returns the limit of one control group. Pages of files that were
// not used lately do not count: they make room when it is needed.
func groupBound(dir, limit, usage, inactive string) (b bound, ok bool) {
	total, ok1 := readNumber(filepath.Join(dir, limit))
	used, ok2 := readNumber(filepath.Join(dir, usage))
	if !ok1 || !ok2 || total > math.MaxInt64/2 {
		return b, false // there is none
	}
	if text, err := os.ReadFile(filepath.Join(dir, "memory.stat")); err == nil {
		if n, ok := numberAfter(text, inactive); ok {
			used -= n
		}
	}
	return bound{total - used, total, "the limit of memory of the control group"}, true
}

func readNumber(file string) (int64, bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return n, err == nil
}

// arenas is what Go may take of address space beyond what it needs: it asks for
// parts of 64 MiB.
const arenas = 128 << 20

// limitBounds returns what setrlimit(2) has limited.
func limitBounds(root string, idle int64) (bounds []bound) {
	fields := statm(root)
	if len(fields) < 6 {
		return nil
	}
	for _, l := range []struct {
		resource int
		used     int64
		name     string
	}{
		{syscall.RLIMIT_AS, fields[0], "the limit of address space (ulimit -v)"},
		{syscall.RLIMIT_DATA, fields[5], "the limit of data (ulimit -d)"},
	} {
		var r syscall.Rlimit
		if err := syscall.Getrlimit(l.resource, &r); err != nil || r.Cur > math.MaxInt64/2 {
			continue
		}
		// Half of what is idle may be too scattered to be of use.
		bounds = append(bounds, bound{int64(r.Cur) - l.used - arenas + idle/2, int64(r.Cur), l.name})
	}
	return bounds
}
