// Package fingerprint makes 64 bits of a state, by which searches know it.
package fingerprint

import (
	"encoding/binary"
	"math/bits"

	"github.com/zeebo/xxh3"
)

// Of returns the fingerprint of a state. It is never 0.
func Of(state []byte) uint64 { return max(1, hash(state)) }

// All puts the fingerprints of states into fps: they stand back to back in buf, and end
// at ends. It returns how many states it took, all of them unless one is longer than
// longest. Own, if it is not nil, is the hash in place of xxh3.
func All(fps []uint64, buf []byte, ends []int, longest int, own func(state []byte) uint64) int {
	from := 0
	fps = fps[:len(ends)]
	for i, end := range ends {
		state := buf[from:end]
		if len(state) > longest {
			return i
		}
		from = end
		var fp uint64
		switch n := len(state); {
		case own != nil:
			fp = own(state)
		case n == 8: // as hash does, without a call
			fp = hash8(bits.RotateLeft64(binary.LittleEndian.Uint64(state), 32), 8)
		case n >= 9 && n <= 16:
			fp = avalanche(hash16(binary.LittleEndian.Uint64(state), binary.LittleEndian.Uint64(state[n-8:])) + uint64(n))
		case n > 16 && n <= 32:
			fp = hash32(state)
		default:
			fp = hash(state)
		}
		fps[i] = max(1, fp)
	}
	return len(ends)
}

// hash is xxh3.Hash. States of 4 to 32 bytes, most of those of typed models, are
// hashed without two calls, of which each takes as long as the hash itself: these
// are three of its cases, with its own constants.
func hash(state []byte) uint64 {
	switch n := len(state); {
	case n < 4 || n > 32:
		return xxh3.Hash(state)
	case n <= 8:
		return hash8(uint64(binary.LittleEndian.Uint32(state))<<32+uint64(binary.LittleEndian.Uint32(state[n-4:])), uint64(n))
	case n <= 16:
		return avalanche(hash16(binary.LittleEndian.Uint64(state), binary.LittleEndian.Uint64(state[n-8:])) + uint64(n))
	default:
		return hash32(state)
	}
}

// hash8 hashes n bytes, 4 to 8: the first four are the upper half of a word, the last
// four the lower.
func hash8(word, n uint64) uint64 {
	h := word ^ 0x1cad21f72c81017c ^ 0xdb979083e96dd4de
	h ^= bits.RotateLeft64(h, 49) ^ bits.RotateLeft64(h, 24)
	h *= 0x9fb21c651e98df25
	h ^= h>>35 + n
	h *= 0x9fb21c651e98df25
	return h ^ h>>28
}

// hash32 hashes 17 to 32 bytes.
func hash32(state []byte) uint64 {
	n := len(state)
	return avalanche(uint64(n)*0x9e3779b185ebca87 +
		fold(binary.LittleEndian.Uint64(state)^0xbe4ba423396cfeb8, binary.LittleEndian.Uint64(state[8:])^0x1cad21f72c81017c) +
		fold(binary.LittleEndian.Uint64(state[n-16:])^0xdb979083e96dd4de, binary.LittleEndian.Uint64(state[n-8:])^0x1f67b3b7a4a44072))
}

// hash16 mixes the first and the last 8 bytes of a state of 9 to 16.
func hash16(first, last uint64) uint64 {
	first ^= 0x1f67b3b7a4a44072 ^ 0x78e5c0cc4ee679cb
	last ^= 0x2172ffcc7dd05a82 ^ 0x8e2443f7744608b8
	return bits.ReverseBytes64(first) + last + fold(first, last)
}

// fold returns the product of two words, its upper half added to the lower
// without carries.
func fold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

// avalanche lets each bit depend on each other one.
func avalanche(h uint64) uint64 {
	h ^= h >> 37
	h *= 0x165667919e3779f9
	return h ^ h>>32
}
