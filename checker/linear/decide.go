package linear

import (
	"fmt"
	"io"
	"math"
	"time"

	"github.com/anishathalye/porcupine"
)

// A Verdict is what is known of a history, or of all histories of a system.
type Verdict uint8

// The verdicts.
const (
	// Undecided: neither was shown.
	Undecided Verdict = iota
	// Linearizable: an order of the operations explains all answers.
	Linearizable
	// NotLinearizable: none does.
	NotLinearizable
	// Vacuous: no client was ever answered.
	Vacuous
)

// String returns the verdict in words: "not linearizable".
func (v Verdict) String() string {
	return [...]string{"undecided", "linearizable", "not linearizable", "vacuous"}[v]
}

// Decide has porcupine decide whether a history is linearizable. It is undecided
// where that takes longer than the limit; 0 is no limit. An error says that it is
// no history.
func Decide(h *History, limit time.Duration) (Verdict, error) {
	if err := h.Validate(); err != nil {
		return Undecided, err
	}
	return h.decide(limit), nil
}

func (h *History) decide(limit time.Duration) Verdict {
	return verdictOf(porcupine.CheckOperationsTimeout(h.Spec.porcupine(h.Initial), h.operations(), limit))
}

func verdictOf(r porcupine.CheckResult) Verdict {
	switch r {
	case porcupine.Ok:
		return Linearizable
	case porcupine.Illegal:
		return NotLinearizable
	}
	return Undecided
}

// operations returns the history as porcupine takes it: what has not returned
// returns after everything else.
func (h *History) operations() []porcupine.Operation {
	list := make([]porcupine.Operation, len(h.Operations))
	for i, o := range h.Operations {
		end := o.Return
		if o.Pending {
			end = math.MaxInt64
		}
		list[i] = porcupine.Operation{ClientId: o.Client, Input: o, Call: o.Call, Return: end, Metadata: o.Via}
	}
	return list
}

// WritePage writes porcupine's page of a history: its operations as intervals, and
// the longest orders that explain answers.
func (h *History) WritePage(w io.Writer, limit time.Duration) (Verdict, error) {
	if err := h.Validate(); err != nil {
		return Undecided, err
	}
	m := h.Spec.porcupine(h.Initial)
	res, info := porcupine.CheckOperationsVerbose(m, h.operations(), limit)
	if err := porcupine.Visualize(m, info, w); err != nil {
		return Undecided, fmt.Errorf("history: %w", err)
	}
	return verdictOf(res), nil
}
