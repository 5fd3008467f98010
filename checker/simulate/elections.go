package simulate

import (
	"cmp"
	"math"
	"slices"

	"golang.org/x/exp/stats"

	"bullyproof/model"
)

// maxSamples is of how many elections statistics are: the first ones.
const maxSamples = 1_000_000

// Elections are statistics of the elections on walks: of each part from where
// something is owed to where nothing is (periodic timers aside), with the faults
// that happened there. Messages sent before a walk begins count with the first.
type Elections struct {
	// Messages counts every message to one process, Operations a broadcast as
	// one, Steps everything that happens, and Ticks the units of time; it is
	// empty where timing is not by ticks.
	Messages, Operations, Steps, Ticks Sample
	// Kinds are the messages by kind, in the order of the protocol's names. They
	// are all there, also those of which none is sent.
	Kinds []KindSample
	// Unfinished counts the walks that ended in the middle of one, which is in
	// none of the samples.
	Unfinished uint64
}

// A KindSample is how many messages of a kind elections send.
type KindSample struct {
	Kind string
	Sample
}

func newElections(kinds []string) (e Elections) {
	for _, kind := range kinds {
		e.Kinds = append(e.Kinds, KindSample{Kind: kind})
	}
	return e
}

// measures returns the samples except for those by kind.
func (e *Elections) measures() []*Sample {
	return []*Sample{&e.Messages, &e.Operations, &e.Steps, &e.Ticks}
}

// samples returns all of them.
func (e *Elections) samples() []*Sample {
	all := e.measures()
	for i := range e.Kinds {
		all = append(all, &e.Kinds[i].Sample)
	}
	return all
}

// add moves the samples of a worker to those of all.
func (e *Elections) add(w *Elections, full bool) {
	of := w.samples()
	for i, s := range e.samples() {
		from := of[i]
		if !full {
			s.values = append(s.values, from.values...)
		}
		from.values = from.values[:0]
	}
	e.Unfinished, w.Unfinished = e.Unfinished+w.Unfinished, 0
}

// drop forgets all samples.
func (e *Elections) drop() {
	for _, s := range e.samples() {
		s.values = s.values[:0]
	}
}

func (e *Elections) sort() {
	for _, s := range e.samples() {
		slices.Sort(s.values)
	}
}

// close ends an election, if one is under way.
func (e *Elections) close(one *election, ticks bool) {
	if one.running {
		e.Messages.values = append(e.Messages.values, float64(one.messages))
		e.Operations.values = append(e.Operations.values, float64(one.operations))
		e.Steps.values = append(e.Steps.values, float64(one.steps))
		if ticks {
			e.Ticks.values = append(e.Ticks.values, float64(one.ticks))
		}
		for i, n := range one.kinds {
			e.Kinds[i].values = append(e.Kinds[i].values, float64(n))
		}
	}
	clear(one.kinds)
	*one = election{kinds: one.kinds}
}

// An election is what has happened since something was owed.
type election struct {
	running                            bool
	messages, operations, steps, ticks int
	kinds                              []int
}

// sent counts what the last step of a walk sent.
func (e *election) sent(w model.Walker) {
	t := w.Sent()
	if t.Messages == 0 {
		return
	}
	for i, n := range w.SentKinds() {
		e.kinds[i] += n
	}
	e.messages += t.Messages
	e.operations += t.Operations
}

func (e *election) step(kind model.ActionKind, w model.Walker) {
	e.sent(w)
	e.steps++
	if kind == model.Ticks {
		e.ticks++
	}
}

// A Sample is a number of values, whole numbers of 0 or more.
type Sample struct{ values []float64 } // in ascending order

// NewSample returns the sample of some values.
func NewSample(values ...int) Sample {
	var s Sample
	for _, v := range values {
		s.values = append(s.values, float64(v))
	}
	slices.Sort(s.values)
	return s
}

// Len returns the number of values.
func (s *Sample) Len() int { return len(s.values) }

// Min returns the least value, 0 if there is none.
func (s *Sample) Min() int { return int(s.Quantile(0)) }

// Max returns the greatest value, 0 if there is none.
func (s *Sample) Max() int { return int(s.Quantile(1)) }

// Mean returns the mean and the standard deviation of the sample, 0 where there
// are too few values.
func (s *Sample) Mean() (mean, deviation float64) {
	switch len(s.values) {
	case 0:
		return 0, 0
	case 1:
		return s.values[0], 0
	}
	return stats.MeanAndStdDev(s.values)
}

// Quantile returns the value that a part q of the sample, from 0 to 1, is not
// above; between two values, in proportion. It is 0 if there is none.
func (s *Sample) Quantile(q float64) float64 {
	if len(s.values) == 0 {
		return 0
	}
	return stats.Quantiles(s.values, min(max(q, 0), 1))[0]
}

// A Bin is a part of a histogram: how many values are from From to To.
type Bin struct {
	From  int `json:"from"`
	To    int `json:"to"`
	Count int `json:"count"`
}

// Histogram returns the sample in at most so many bins (1 or more) of equal
// width, from the least value to the greatest.
func (s *Sample) Histogram(most int) []Bin {
	if len(s.values) == 0 {
		return nil
	}
	least, greatest := s.Min(), s.Max()
	width := int(math.Ceil(float64(greatest-least+1) / float64(max(most, 1))))
	var bins []Bin
	for from := least; from <= greatest; from += width {
		bins = append(bins, Bin{From: from, To: from + width - 1})
	}
	at := 0
	for i := range bins {
		end, _ := slices.BinarySearchFunc(s.values, float64(bins[i].To)+0.5, cmp.Compare[float64])
		bins[i].Count, at = end-at, end
	}
	return bins
}
