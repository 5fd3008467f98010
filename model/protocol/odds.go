package protocol

import (
	"fmt"
	"math/big"
)

// Odds are the probability of an outcome of chance: Ways of as many as Of, both above 0, in
// lowest terms.
type Odds struct{ Ways, Of uint64 }

// Certain are the odds of what happens whatever chance brings.
var Certain = Odds{1, 1}

// mostOdds is the largest number of ways, so that a float64 has each.
const mostOdds = 1 << 53

// And returns the odds of two outcomes together, of which neither has to do with the other.
// There are none where the numbers grow beyond 2^53.
func (o Odds) And(p Odds) (both Odds, ok bool) {
	a, b := gcd(o.Ways, p.Of), gcd(p.Ways, o.Of)
	w, x, y, z := o.Ways/a, p.Ways/b, o.Of/b, p.Of/a
	if y > mostOdds/z {
		return Certain, false
	}
	both = Odds{w * x, y * z}
	c := gcd(both.Ways, both.Of)
	return Odds{both.Ways / c, both.Of / c}, true
}

func gcd(a, b uint64) uint64 {
	for b > 0 {
		a, b = b, a%b
	}
	return a
}

// Float returns the probability as the float64 that is next to it.
func (o Odds) Float() float64 { return float64(o.Ways) / float64(o.Of) }

// Rat returns the probability.
func (o Odds) Rat() *big.Rat {
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(o.Ways), new(big.Int).SetUint64(o.Of))
}

// String returns "1/3", or "1".
func (o Odds) String() string {
	if o.Of == 1 {
		return fmt.Sprint(o.Ways)
	}
	return fmt.Sprintf("%d/%d", o.Ways, o.Of)
}
