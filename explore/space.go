package explore

import "unsafe"

// hugePage is the size of a huge page, on most machines.
const hugePage = 2 << 20

// A space is address space without memory in which the segments of a table grow
// in place, so that nothing is copied to other memory and nothing is left to the
// collector. Its zero value is no space.
//
// Every segment has an equal part of it. Memory comes when a part of it is
// committed: what is not is not accessible, and counts neither as memory of the
// process nor towards what the system has promised.
type space struct {
	all     []byte
	each    int    // bytes of one segment, a multiple of hugePage
	mapping []byte // what the system gave, of which all is a part
}

// fits reports whether a segment may have so many buckets.
func (s *space) fits(buckets int) bool { return buckets <= s.each/bucketBytes }

// buckets returns the first n buckets of a segment. They have been committed.
func (s *space) buckets(segment, n int) []bucket {
	return unsafe.Slice((*bucket)(unsafe.Pointer(&s.all[segment*s.each])), n)
}

// commit gives a segment, of which so many buckets have memory already, so many
// in all, with zeros in the new ones. It reports false where the system refuses.
func (s *space) commit(segment, have, buckets int) bool {
	from, to := have*bucketBytes, buckets*bucketBytes
	return commit(s.all[segment*s.each:(segment+1)*s.each], from, to)
}
