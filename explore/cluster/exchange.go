package cluster

import (
	"encoding/binary"
	"fmt"
	"sort"

	"bullyproof/explore/internal/fingerprint"
	"bullyproof/internal/runfile"
)

// An Exchange is a file of states of the next level, in the order of their
// fingerprints. A record is the fingerprint of the predecessor without its last 16
// bits (6 bytes), the length of the state, and the state.
type Exchange struct {
	File    runfile.Info `json:"file"`
	Records uint64       `json:"records"`
	Last    uint64       `json:"last"` // fingerprint
	Marks   []Mark       `json:"marks"`
}

// A Mark is where a block of an exchange begins, with its first fingerprint.
type Mark struct {
	First uint64 `json:"first"`
	Off   int64  `json:"off"`
}

const (
	blockBytes = 1 << 16
	mostMarks  = 512 // of an exchange
	prefixLen  = 6   // bytes of a predecessor
)

// A sender writes an exchange.
type sender struct {
	log     *runfile.LogWriter
	block   []byte
	first   uint64
	last    uint64
	records int
	all     uint64
	marks   []Mark
	every   int // blocks from one mark to the next
	blocks  int
}

func newSender(fs runfile.FS, name string) (*sender, error) {
	log, err := runfile.NewLogWriter(fs, name)
	if err != nil {
		return nil, err
	}
	return &sender{log: log, every: 1}, nil
}

func (s *sender) add(fp, origin uint64, record []byte) error {
	if s.last = fp; s.records == 0 {
		s.first = fp
	}
	var prefix [8]byte
	binary.LittleEndian.PutUint64(prefix[:], origin)
	s.block = append(append(s.block, prefix[:prefixLen]...), record...)
	if s.records++; len(s.block) >= blockBytes {
		return s.flush()
	}
	return nil
}

func (s *sender) flush() error {
	if s.records == 0 {
		return nil
	}
	if s.blocks%s.every == 0 {
		s.marks = append(s.marks, Mark{s.first, s.log.Offset()})
	}
	s.blocks++
	if len(s.marks) > mostMarks {
		for i := range s.marks[:mostMarks/2] {
			s.marks[i] = s.marks[2*i]
		}
		s.marks, s.every = append(s.marks[:mostMarks/2], s.marks[mostMarks]), 2*s.every
	}
	err := s.log.Add(s.block, s.records)
	s.all += uint64(s.records)
	s.block, s.records = s.block[:0], 0
	return err
}

// end finishes the file.
func (s *sender) end() (Exchange, error) {
	if err := s.flush(); err != nil {
		s.log.Abandon()
		return Exchange{}, err
	}
	l, err := s.log.Close()
	if err != nil {
		return Exchange{}, err
	}
	return Exchange{l.Info, s.all, s.last, s.marks}, l.Close()
}

// A receiver goes through the records of a range of an exchange.
type receiver struct {
	log    *runfile.Log
	off    int64
	rest   []byte
	buf    []byte
	packed []byte
	last   uint64 // fingerprint of the range

	fp, prefix uint64
	state      []byte
}

// receive opens an exchange at a range, nil where it has nothing in it.
func receive(fs runfile.FS, x *Exchange, within Range) (*receiver, error) {
	if len(x.Marks) == 0 || x.Marks[0].First > within.Hi || x.Last < within.Lo {
		return nil, nil
	}
	log, err := runfile.OpenLogUnread(fs, x.File, x.Records)
	if err != nil {
		return nil, err
	}
	at := max(0, sort.Search(len(x.Marks), func(i int) bool { return x.Marks[i].First > within.Lo })-1)
	r := &receiver{log: log, off: x.Marks[at].Off, last: within.Hi}
	for {
		more, err := r.next()
		if err != nil || !more {
			_ = log.Close()
			return nil, err
		}
		if r.fp >= within.Lo {
			return r, nil
		}
	}
}

// next goes to the next record, and reports whether there is one in the range.
func (r *receiver) next() (bool, error) {
	if len(r.rest) == 0 {
		block, records, next, err := r.log.Read(r.off, r.buf, &r.packed)
		if err != nil || records == 0 {
			return false, err
		}
		r.buf, r.rest, r.off = block, block, next
	}
	length, n := uint64(0), 0
	if len(r.rest) > prefixLen {
		length, n = binary.Uvarint(r.rest[prefixLen:])
	}
	if n <= 0 || length > uint64(len(r.rest)-prefixLen-n) {
		return false, fmt.Errorf("%s is damaged: a state before byte %d is cut off", r.log.Name, r.off)
	}
	var prefix [8]byte
	copy(prefix[:prefixLen], r.rest)
	from := prefixLen + n
	r.prefix, r.state, r.rest = binary.LittleEndian.Uint64(prefix[:]), r.rest[from:from+int(length)], r.rest[from+int(length):]
	r.fp = fingerprint.Of(r.state)
	return r.fp <= r.last, nil
}

// merge goes through receivers in the order of fingerprints. It yields each state once,
// with the least predecessor.
func merge(all []*receiver, yield func(fp, prefix uint64, state []byte) error) error {
	for i := len(all)/2 - 1; i >= 0; i-- {
		down(all, i)
	}
	var state []byte
	for len(all) > 0 {
		fp, prefix := all[0].fp, all[0].prefix
		state = append(state[:0], all[0].state...)
		for len(all) > 0 && all[0].fp == fp {
			prefix = min(prefix, all[0].prefix)
			more, err := all[0].next()
			if err != nil {
				return err
			}
			if !more {
				all[0] = all[len(all)-1]
				all = all[:len(all)-1]
			}
			down(all, 0)
		}
		if err := yield(fp, prefix, state); err != nil {
			return err
		}
	}
	return nil
}

// down puts a receiver where it belongs in a heap.
func down(heap []*receiver, i int) {
	for {
		least := i
		for c := 2*i + 1; c <= 2*i+2 && c < len(heap); c++ {
			if heap[c].fp < heap[least].fp {
				least = c
			}
		}
		if least == i {
			return
		}
		heap[i], heap[least] = heap[least], heap[i]
		i = least
	}
}
