package layout_test

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"bullyproof/model/internal/layout"
	"bullyproof/model/setting"
)

// Records that arrive are merged with those in flight as if all were sorted, those that
// arrive behind their equals; and the one that leaves is gone.
func TestMergeIsSorting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := setting.Setting{N: 3}
		s.FIFO = rapid.Bool().Draw(t, "fifo")
		l := layout.Of(layout.Parts{Setting: &s, Message: rapid.IntRange(0, 9).Draw(t, "message")})
		records := func(name string) (list [][]byte) {
			for range rapid.IntRange(0, 6).Draw(t, name) {
				rec := bytes.Repeat([]byte{0}, l.Width)
				for i := range rec {
					rec[i] = rapid.ByteRange(0, 2).Draw(t, "byte")
				}
				list = append(list, rec)
			}
			l.Sort(list)
			return list
		}
		area, arriving := records("in flight"), records("arriving")
		gone := rapid.IntRange(-1, len(area)-1).Draw(t, "gone")
		got := l.Merge(nil, bytes.Join(arriving, nil), bytes.Join(area, nil), gone, 0)
		if gone >= 0 {
			area = slices.Delete(slices.Clone(area), gone, gone+1)
		}
		want := slices.Concat(area, arriving)
		var inserted []byte
		for _, rec := range want {
			inserted = append(inserted, rec...)
			l.Insert(inserted, len(inserted)-l.Width)
		}
		l.Sort(want)
		require.Equal(t, string(bytes.Join(want, nil)), string(got))
		require.Equal(t, string(bytes.Join(want, nil)), string(inserted))
	})
}
