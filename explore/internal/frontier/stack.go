package frontier

import "encoding/binary"

// A Stack holds states still to be expanded by a depth-first search, each
// before its length and depth. It consists of chunks: one growing slice would
// take twice its memory while it is copied.
type Stack struct {
	chunks [][]byte // all but the last have something in them
	spare  []byte   // a chunk that was emptied
	States uint64
	Bytes  int64 // of all chunks
}

const stackTrailer = 8

// Push adds a state, in chunks that grow to so many bytes.
func (s *Stack) Push(state []byte, depth, most int) {
	need := len(state) + stackTrailer
	top := len(s.chunks) - 1
	if top < 0 || len(s.chunks[top])+need > cap(s.chunks[top]) {
		size := min(minChunkBytes<<min(len(s.chunks), 16), most)
		s.chunks = append(s.chunks, s.room(max(size, need)))
		top++
	}
	b := append(s.chunks[top], state...)
	b = binary.LittleEndian.AppendUint32(b, uint32(len(state)))
	s.chunks[top] = binary.LittleEndian.AppendUint32(b, uint32(depth))
	s.States++
}

// room returns an empty chunk of at least so many bytes.
func (s *Stack) room(size int) []byte {
	if b := s.spare; cap(b) >= size {
		s.spare = nil
		return b
	}
	s.Bytes += int64(size)
	return make([]byte, 0, size)
}

// Pop returns the top state, which the next Push may overwrite.
func (s *Stack) Pop() (state []byte, depth int) {
	top := len(s.chunks) - 1
	b := s.chunks[top]
	end := len(b) - stackTrailer
	n := int(binary.LittleEndian.Uint32(b[end:]))
	depth = int(binary.LittleEndian.Uint32(b[end+4:]))
	state = b[end-n : end : end]
	s.chunks[top] = b[:end-n]
	if end == n { // it was the only one
		if s.spare != nil {
			s.Bytes -= int64(cap(s.spare))
		}
		s.spare = s.chunks[top]
		s.chunks = s.chunks[:top]
	}
	s.States--
	return state, depth
}
