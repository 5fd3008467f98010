package runfile

import (
	"flag"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/internal/test/casecount"
)

var deep = flag.Bool("deep", false, "draw as many random cases as rapid does by itself")

func TestMain(m *testing.M) {
	casecount.Lower(deep)
	os.Exit(m.Run())
}

// written writes a run of keys, each with a value.
func written(t require.TestingT, fs FS, name string, pairs map[uint64]uint64) *Run {
	w, err := NewWriter(fs, name, true)
	require.NoError(t, err)
	for _, key := range slices.Sorted(maps.Keys(pairs)) {
		w.Add(key, pairs[key])
	}
	r, err := w.Close()
	require.NoError(t, err)
	return r
}

// pairs draws keys that are near each other, or anywhere.
func pairs() *rapid.Generator[map[uint64]uint64] {
	return rapid.Custom(func(t *rapid.T) map[uint64]uint64 {
		n, width := rapid.IntRange(0, 5000).Draw(t, "keys"), rapid.IntRange(13, 64).Draw(t, "width")
		seed := rapid.Uint64().Draw(t, "seed")
		out := make(map[uint64]uint64, n)
		for i := range uint64(n) {
			key := (seed + i) * 0x9e3779b97f4a7c15 >> (64 - width)
			out[key] = i
		}
		return out
	})
}

func TestRunAgreesWithMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want, fs := pairs().Draw(t, "pairs"), new(Memory)
		first := written(t, fs, "a", want)
		r, err := OpenRun(fs, first.Keys, first.Values, first.Entries)
		require.NoError(t, err)
		require.Equal(t, first.index, r.index)
		asked := slices.Sorted(maps.Keys(want))
		for _, key := range rapid.SliceOfN(rapid.Uint64(), 0, 20).Draw(t, "others") {
			asked = append(asked, key, key>>30)
		}
		slices.Sort(asked)
		step := rapid.IntRange(1, 3000).Draw(t, "step")
		c := r.Cursor(rapid.IntRange(1, 1<<16).Draw(t, "read ahead"))
		for i := 0; i < len(asked); i += step {
			_, there := want[asked[i]]
			has, err := c.Has(asked[i])
			require.NoError(t, err)
			require.Equal(t, there, has)
			value, has, err := r.Find(asked[i])
			require.NoError(t, err)
			require.Equal(t, there, has)
			require.Equal(t, want[asked[i]], value)
		}
		got := map[uint64]uint64{}
		require.NoError(t, r.Range(0, ^uint64(0), func(key, value uint64) { got[key] = value }))
		require.Equal(t, want, got)
	})
}

func TestMergeAgreesWithMaps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		fs, want, where := new(Memory), map[uint64]uint64{}, map[uint64][]int{}
		var runs []*Run
		for i := range rapid.IntRange(0, 4).Draw(t, "runs") {
			p := pairs().Draw(t, "pairs")
			for key, value := range p {
				old, ok := want[key]
				if !ok || value < old {
					want[key] = value
				}
				where[key] = append(where[key], i)
			}
			runs = append(runs, written(t, fs, string(rune('a'+i)), p))
		}
		var keys []uint64
		require.NoError(t, Merge(runs, 1<<12, func(key, value uint64, in []int) error {
			keys = append(keys, key)
			require.Equal(t, want[key], value)
			require.Equal(t, where[key], in)
			return nil
		}))
		require.Equal(t, slices.Sorted(maps.Keys(want)), keys)
	})
}

func TestLog(t *testing.T) {
	fs := new(Memory)
	w, err := NewLogWriter(fs, "a")
	require.NoError(t, err)
	blocks := [][]byte{make([]byte, 10_000), []byte("x"), {}, []byte("abcdefghijklmnopqrstuvwxyz")}
	for i, b := range blocks {
		require.NoError(t, w.Add(b, i+1))
	}
	l, err := w.Close()
	require.NoError(t, err)
	require.Less(t, l.Bytes, int64(1000), "zeros are packed")
	l, err = OpenLog(fs, l.Info, l.Records)
	require.NoError(t, err)
	off := l.Start()
	var packed []byte
	for i, want := range blocks {
		b, n, next, err := l.Read(off, nil, &packed)
		require.NoError(t, err)
		require.Equal(t, i+1, n)
		require.Equal(t, string(want), string(b))
		off = next
	}
	_, n, _, err := l.Read(off, nil, &packed)
	require.NoError(t, err)
	require.Zero(t, n)
}

// A bit that is wrong anywhere is an error when its block is read, and does not
// read as something else.
func TestDamageIsNoticed(t *testing.T) {
	fs := new(Memory)
	want := map[uint64]uint64{}
	for i := range uint64(3000) {
		want[i*i*7919] = i
	}
	r := written(t, fs, "a", want)
	for _, name := range r.Names() {
		data := fs.Data(name)
		for at := magicBytes; at < len(data); at += 181 {
			data[at] ^= 16
			err := r.Range(0, ^uint64(0), func(key, value uint64) {})
			require.ErrorContains(t, err, name+" is damaged", "byte %d", at)
			_, err = OpenRun(fs, r.Keys, r.Values, r.Entries)
			require.ErrorContains(t, err, name+" is damaged")
			data[at] ^= 16
		}
	}
}

func TestKeysAscend(t *testing.T) {
	fs := new(Memory)
	w, err := NewWriter(fs, "a", true)
	require.NoError(t, err)
	w.Add(7, 0)
	w.Add(7, 0)
	_, err = w.Close()
	require.ErrorContains(t, err, "keys ascend")
	names, err := fs.Names()
	require.NoError(t, err)
	require.Empty(t, names)
}
