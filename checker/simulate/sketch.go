package simulate

import (
	"math"
	"math/bits"
)

// A sketch estimates how many different hashes it met (HyperLogLog, after
// Flajolet, Fusy, Gandouet and Meunier, 2007), with a standard error of
// 0.8 percent, in 16 KiB. Sketches add up to one of all that they met.
type sketch struct{ most [1 << sketchBits]uint8 }

const sketchBits = 14

func (s *sketch) meet(hash uint64) {
	i := hash >> (64 - sketchBits)
	if zeros := uint8(bits.LeadingZeros64(hash<<sketchBits|1<<(sketchBits-1))) + 1; zeros > s.most[i] {
		s.most[i] = zeros
	}
}

func (s *sketch) add(t *sketch) {
	for i, most := range t.most {
		s.most[i] = max(s.most[i], most)
	}
}

func (s *sketch) estimate() uint64 {
	const m = 1 << sketchBits
	sum, empty := 0.0, 0
	for _, most := range s.most {
		sum += math.Ldexp(1, -int(most))
		if most == 0 {
			empty++
		}
	}
	e := 0.7213 / (1 + 1.079/m) * m * m / sum
	if e <= 2.5*m && empty > 0 {
		e = m * math.Log(m/float64(empty))
	}
	return uint64(math.Round(e))
}
