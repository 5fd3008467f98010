package explore

// What a search on disk does with the table. No worker is at work then.

// ascending calls f with the entries in the order of their fingerprints, but for
// those that are on disk, until f returns an error.
func (t *table) ascending(f func(fp, meta uint64) error) error {
	most := int64(0)
	for i := range t.segment {
		most = max(most, t.segment[i].taken.Load())
	}
	row := make([]entry, 0, most) // at once: there is little memory left, and growing would take several times as much
	for i := range t.segment {
		row = t.segment[i].sorted(row[:0])
		for _, e := range row {
			if e.meta == onDisk {
				continue
			}
			if err := f(e.fp, e.meta); err != nil {
				return err
			}
		}
	}
	return nil
}

// sorted appends the entries in the order of their fingerprints. They are almost
// in order, but for those that found a slot only at the beginning.
func (s *segment) sorted(row []entry) []entry {
	var around []entry
	n := uint64(len(s.buckets))
	for i := range s.buckets {
		for _, e := range s.buckets[i] {
			switch {
			case e.fp == 0:
			case s.home(e.fp) > uint64(i)+n/2:
				around = appendInOrder(around, e)
			default:
				row = appendInOrder(row, e)
			}
		}
	}
	for _, e := range around {
		row = appendInOrder(row, e)
	}
	return row
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
