package typed

import "fmt"

// A Verdict is the answer to a question.
type Verdict uint8

// The verdicts.
const (
	// Incomplete: the search found nothing against it, and did not see
	// everything.
	Incomplete Verdict = iota

	// Holds: it is true of all that can be reached.
	Holds

	// Violated: it is not. There is a behavior that shows it.
	Violated

	// Found: there is what was asked for, and a behavior that leads there.
	Found

	// NotFound: there is not.
	NotFound

	// Vacuous: nothing breaks it, and what it is about never came up. Nothing
	// was shown.
	Vacuous
)

// String returns the verdict in lower case: "not found".
func (v Verdict) String() string {
	switch v {
	case Incomplete:
		return "incomplete"
	case Holds:
		return "holds"
	case Violated:
		return "violated"
	case Found:
		return "found"
	case NotFound:
		return "not found"
	case Vacuous:
		return "vacuous"
	}
	return fmt.Sprintf("Verdict(%d)", uint8(v))
}
