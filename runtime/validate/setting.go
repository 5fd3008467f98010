package validate

import (
	"fmt"
	"slices"
	"strings"

	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/runtime/eventlog"
)

// maxBudget is the highest budget of a fault that a setting has.
const maxBudget = 255

// Setting returns the setting in which a log is validated. Of an algorithm's own
// setting it takes what the algorithm is made for: topology, channels, detector.
// The rest is what a real system is, and what the log shows: timing=async,
// reports=always, start=cold:interleaved, those who were asked to begin as lazy
// initiators, and as many crashes, restarts, joins and suspicions as there are
// lines that need one. FIFO channels may lose messages before later ones, as connections
// do that break: no line tells how many, and losses has the most that a setting grants,
// which here stands for any number. Of a partial log any process may be asked to begin,
// and suspected. Each word of a text replaces one of these.
func (l *Log) Setting(of setting.Setting, text string) (setting.Setting, error) {
	s := asynchronous(of)
	s.N = max(2, int(l.most()))
	if int(l.most()) < of.N && len(of.Arrangement) > 0 {
		s.N = of.N
	}
	s.Initiators = setting.Initiators{Which: setting.These, Lazy: true}
	procs := l.whole()
	for id := range procs {
		f := faultsOf(procs[id].entries)
		s.Crashes += f.crashes
		s.Restarts += f.restarts
		if s.Detector != setting.DetectorOff {
			s.Suspicions += f.suspicions
		}
		if f.joins {
			s.Joins++
			s.Joiners = s.Joiners.With(model.ID(id))
		}
		if f.starts {
			s.Initiators.Set = s.Initiators.Set.With(model.ID(id))
		}
	}
	switch {
	case l.Partial:
		s.Initiators = setting.Initiators{Lazy: true}
		if s.Detector != setting.DetectorOff {
			s.Suspicions = maxBudget
		}
	case s.Initiators.Set.Empty():
		s.Initiators.Lazy = false
	}
	s.Suspicions = min(s.Suspicions, maxBudget)
	for _, f := range []struct {
		name string
		n    *int
	}{{"crashes", &s.Crashes}, {"restarts", &s.Restarts}} {
		if *f.n > maxBudget && !slices.ContainsFunc(strings.Fields(text), func(w string) bool { return strings.HasPrefix(w, f.name+"=") }) {
			return s, fmt.Errorf("the log shows %d %s, and a setting grants %d at most: validate a shorter part of it", *f.n, f.name, maxBudget)
		}
		*f.n = min(*f.n, maxBudget)
	}
	s, err := with(s, text)
	if err != nil {
		return s, err
	}
	if top := l.most(); int(top) > s.N {
		return s, fmt.Errorf("the log tells of process %s: there are only 1 to %d in this setting", top, s.N)
	}
	return s, s.Exhaustive()
}

// Endless returns the setting in which a log is validated that is still being
// written: that of Log.Setting, with an algorithm's usual number of processes, or more
// where what there is of the log tells of more (Highest), any of which may be asked to
// begin, and as many faults as a setting has. Each word of a text replaces one of these.
func Endless(of setting.Setting, highest model.ID, text string) (setting.Setting, error) {
	s := asynchronous(of)
	s.N = max(of.N, int(highest))
	s.Initiators = setting.Initiators{Lazy: true}
	s.Crashes, s.Restarts = maxBudget, maxBudget
	if s.Detector != setting.DetectorOff {
		s.Suspicions = maxBudget
	}
	s, err := with(s, text)
	if err != nil {
		return s, err
	}
	return s, s.Exhaustive()
}

// with returns a setting as changed by a text.
func with(s setting.Setting, text string) (setting.Setting, error) {
	s, err := s.With(text)
	if err == nil && s.Requests > 0 {
		err = fmt.Errorf("requests=%d: no line of a log tells of a request; want requests=0", s.Requests)
	}
	return s, err
}

// asynchronous returns what a real system is, of an algorithm's own setting.
func asynchronous(of setting.Setting) setting.Setting {
	s := setting.Setting{Needs: setting.Needs{
		Topology: of.Topology, Arrangement: of.Arrangement, Repaired: of.Repaired, Anonymous: of.Anonymous, FIFO: of.FIFO,
		Detector: of.Detector, ReportsAlways: of.Detector != setting.DetectorOff,
		Timing: setting.Timing{Kind: setting.Asynchronous}, Start: setting.ColdInterleaved,
	}}
	if s.FIFO {
		s.Losses = maxBudget // of connections that break
	}
	return s
}

// faultsSeen is what the world did to a process.
type faultsSeen struct {
	crashes, restarts, suspicions int
	joins, starts                 bool
}

func faultsOf(entries []entry) (f faultsSeen) {
	for i := range entries {
		switch e := &entries[i]; {
		case e.Kind == eventlog.Crash:
			f.crashes++
		case e.Kind == eventlog.Suspect:
			f.suspicions++
		case e.Kind == eventlog.Start:
			f.starts = true
		case e.Kind != eventlog.Boot:
		case e.Why == model.Join:
			f.joins = true
		case e.Why == model.Restart:
			f.restarts++
			if i == 0 || entries[i-1].Kind != eventlog.Crash {
				f.crashes++
			}
		}
	}
	return f
}
