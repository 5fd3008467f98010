package setting

// Detector says what the failure detector knows. It reports a process to those
// that watch it: the coordinator that they know of, unless the protocol says
// otherwise (Watcher).
type Detector uint8

const (
	// DetectorDefault is DetectorReach where the setting has cuts or pauses, and
	// DetectorPerfect where it has neither.
	DetectorDefault Detector = iota
	// DetectorPerfect knows who is down. A cut hides nobody from it: whoever
	// takes its reports for granted notices nothing of a partition.
	DetectorPerfect
	// DetectorReach knows who answers: it reports a process that is down, and
	// one that a cut keeps from the observer, in whichever direction, or that
	// pauses.
	DetectorReach
	// DetectorOff reports nobody.
	DetectorOff
)

var detectorNames = []string{DetectorDefault: "default", DetectorPerfect: "perfect", DetectorReach: "reach", DetectorOff: "off"}

// String returns "default", "perfect", "reach" or "off".
func (d Detector) String() string { return nameOf(detectorNames, d) }

// Detects returns what the failure detector knows, the default made out: it is
// never DetectorDefault.
func (s Setting) Detects() Detector {
	switch {
	case s.Detector != DetectorDefault:
		return s.Detector
	case s.Cuts > 0 || s.Pauses > 0:
		return DetectorReach
	}
	return DetectorPerfect
}
