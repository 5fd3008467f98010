package runfile

// Merge goes through several runs at once in ascending order. It calls f with
// each key, the least of its values, and the numbers of the runs that have it,
// in ascending order and only lent. Cursors read so many bytes at a time at
// most.
func Merge(runs []*Run, most int, f func(key, value uint64, in []int) error) error {
	cursors := make([]*Cursor, len(runs))
	for i, r := range runs {
		cursors[i] = r.Cursor(most)
		if err := advance(cursors, i); err != nil {
			return err
		}
	}
	in := make([]int, 0, len(runs))
	for {
		var key uint64
		if key, in = least(cursors, in); len(in) == 0 {
			return nil
		}
		value := ^uint64(0)
		for _, i := range in {
			v, err := cursors[i].Value()
			if err != nil {
				return err
			}
			value = min(value, v)
			if err := advance(cursors, i); err != nil {
				return err
			}
		}
		if err := f(key, value, in); err != nil {
			return err
		}
	}
}

// least returns the least key that a cursor is at, and which cursors are there.
func least(cursors []*Cursor, in []int) (uint64, []int) {
	key := uint64(0)
	in = in[:0]
	for i, c := range cursors {
		if c == nil {
			continue
		}
		switch k := c.Key(); {
		case len(in) == 0 || k < key:
			key, in = k, append(in[:0], i)
		case k == key:
			in = append(in, i)
		}
	}
	return key, in
}

// advance moves cursor i, which is nil from the end of its run on.
func advance(cursors []*Cursor, i int) error {
	more, err := cursors[i].Next()
	if !more {
		cursors[i] = nil
	}
	return err
}
