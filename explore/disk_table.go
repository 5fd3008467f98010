package explore

// What a search on disk does with the table. No worker is at work then.

// ascending calls f with the entries in the order of their fingerprints, but for
// those that are on disk, until f returns an error.
func (t *table) ascending(f func(fp, meta uint64) error) error {
	var row []entry
	for i := range t.segment {
		err := t.segment[i].ascending(&row, func(e entry) error {
			if e.meta == onDisk {
				return nil
			}
			return f(e.fp, e.meta)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// rowEntries is how many entries are put in order at a time, unless they stand in
// full buckets.
const rowEntries = 1 << 8

// ascending calls f with the entries in the order of their fingerprints, until f
// returns an error. They are almost in order: one that is not in its home bucket is
// behind full ones, or at the beginning where these went on to the end. The entries
// that are put in order are in row; little memory is left when this is called.
func (s *segment) ascending(row *[]entry, f func(e entry) error) error {
	flush := func() error {
		for _, e := range *row {
			if err := f(e); err != nil {
				return err
			}
		}
		*row = (*row)[:0]
		return nil
	}
	n := uint64(len(s.buckets))
	around := func(i uint64, e entry) bool { return e.fp != 0 && s.home(e.fp) > i+n/2 }
	*row = (*row)[:0]
	for i := range s.buckets {
		b := &s.buckets[i]
		for _, e := range b {
			if e.fp != 0 && !around(uint64(i), e) {
				*row = appendInOrder(*row, e)
			}
		}
		if b[bucketSlots-1].fp == 0 && len(*row) >= rowEntries {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	for i := range s.buckets {
		b := &s.buckets[i]
		for _, e := range b {
			if around(uint64(i), e) {
				*row = appendInOrder(*row, e)
			}
		}
		if b[bucketSlots-1].fp == 0 {
			break
		}
	}
	return flush()
}

// appendInOrder puts an entry where it belongs, which is near the end.
func appendInOrder(row []entry, e entry) []entry {
	row = append(row, e)
	i := len(row) - 1
	for ; i > 0 && row[i-1].fp > e.fp; i-- {
		row[i] = row[i-1]
	}
	row[i] = e
	return row
}

// mark notes that the meta of fp is on disk.
func (t *table) mark(fp uint64) {
	s := t.of(fp)
	for i := s.home(fp); ; i = s.after(i) {
		for j := range s.buckets[i] {
			switch e := &s.buckets[i][j]; e.fp {
			case fp:
				e.meta = onDisk
				return
			case 0:
				return
			}
		}
	}
}

// markUpTo marks all states of depths up to one.
func (t *table) markUpTo(depth int) {
	for k := range t.segment {
		for i := range t.segment[k].buckets {
			b := &t.segment[k].buckets[i]
			for j := range b {
				if b[j].fp != 0 && depthOf(b[j].meta) <= depth {
					b[j].meta = onDisk
				}
			}
		}
	}
}

// entries returns how many entries there are, with those that workers have
// reserved.
func (t *table) entries() (n uint64) {
	for i := range t.segment {
		n += uint64(t.segment[i].taken.Load())
	}
	return n
}

// clear forgets all entries and keeps the memory. Quotas are void then.
func (t *table) clear() {
	for i := range t.segment {
		s := &t.segment[i]
		clear(s.buckets)
		s.taken.Store(0)
		s.setBuckets(s.buckets)
	}
}

// stretch lets the segment become fuller than it should be, and reports whether
// that makes room.
func (s *segment) stretch() bool {
	limit := int64(len(s.buckets)) * bucketSlots * 7 / 8
	if s.limit >= limit || s.taken.Load()+1 > limit {
		return false
	}
	s.limit = limit
	return true
}
