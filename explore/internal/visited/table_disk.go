package visited

// OnDisk is the meta of states whose own is on disk. Nothing lowers it.
const OnDisk = 1

// The part of the table for a search on disk. No worker is at work then.

// Ascending calls f with the entries in the order of their fingerprints, except
// for those that are on disk, until f returns an error.
func (t *Table) Ascending(f func(fp, meta uint64) error) error {
	var row []Entry
	for i := range t.segment {
		err := t.segment[i].ascending(&row, func(e Entry) error {
			if e.Meta == OnDisk {
				return nil
			}
			return f(e.FP, e.Meta)
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

// Ascending calls f with the entries in the order of their fingerprints, until f
// returns an error. They are almost in order: one that is not in its home bucket is
// behind full ones, or at the beginning where these went on to the end. The entries
// that are put in order are in row; little memory is left when this is called.
func (s *segment) ascending(row *[]Entry, f func(e Entry) error) error {
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
	around := func(i uint64, e Entry) bool { return e.FP != 0 && s.home(e.FP) > i+n/2 }
	*row = (*row)[:0]
	for i := range s.buckets {
		b := &s.buckets[i]
		for _, e := range b {
			if e.FP != 0 && !around(uint64(i), e) {
				*row = appendInOrder(*row, e)
			}
		}
		if b[bucketSlots-1].FP == 0 && len(*row) >= rowEntries {
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
		if b[bucketSlots-1].FP == 0 {
			break
		}
	}
	return flush()
}

// appendInOrder puts an entry where it belongs, which is near the end.
func appendInOrder(row []Entry, e Entry) []Entry {
	row = append(row, e)
	i := len(row) - 1
	for ; i > 0 && row[i-1].FP > e.FP; i-- {
		row[i] = row[i-1]
	}
	row[i] = e
	return row
}

// Mark notes that the meta of fp is on disk.
func (t *Table) Mark(fp uint64) {
	s := t.of(fp)
	for i := s.home(fp); ; i = s.after(i) {
		for j := range s.buckets[i] {
			switch e := &s.buckets[i][j]; e.FP {
			case fp:
				e.Meta = OnDisk
				return
			case 0:
				return
			}
		}
	}
}

// MarkUpTo marks all states of depths up to one.
func (t *Table) MarkUpTo(depth int) {
	for k := range t.segment {
		for i := range t.segment[k].buckets {
			b := &t.segment[k].buckets[i]
			for j := range b {
				if b[j].FP != 0 && Depth(b[j].Meta) <= depth {
					b[j].Meta = OnDisk
				}
			}
		}
	}
}

// Entries returns how many entries there are, with those that workers have
// reserved.
func (t *Table) Entries() (n uint64) {
	for i := range t.segment {
		n += uint64(t.segment[i].taken.Load())
	}
	return n
}

// Clear forgets all entries and keeps the memory. Quotas are void then.
func (t *Table) Clear() {
	for i := range t.segment {
		s := &t.segment[i]
		clear(s.buckets)
		s.taken.Store(0)
		s.setBuckets(s.buckets)
	}
}

// Stretch lets the segment of fp become fuller than it should be, and reports whether
// that makes room.
func (t *Table) Stretch(fp uint64) bool {
	s := t.of(fp)
	limit := int64(len(s.buckets)) * bucketSlots * 7 / 8
	if s.limit >= limit || s.taken.Load()+1 > limit {
		return false
	}
	s.limit = limit
	return true
}
