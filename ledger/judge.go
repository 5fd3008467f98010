package ledger

import (
	"context"
	"fmt"
	"time"

	"bullyproof/explore"
)

// JudgeOptions say how far to go.
type JudgeOptions struct {
	// Deep also looks at the evidence that takes long.
	Deep bool
	// Believe takes from the record, deep or not, what a search of more than 1,000
	// states found of the code as it is (Exhibit.Fingerprint), and looks at nothing else
	// that takes so many. Renew also takes that from the record, and looks at the rest.
	// With any options, a record that is out of date is looked at again if it took up to
	// 200,000 states.
	Believe, Renew bool
	// Reduce decides properties on reduced systems where they can be and where a
	// search of the system as it is has visited checker.DefaultReduceBeyond states
	// and not ended; a search ends when all is decided, and nothing is said of what
	// ran. MaxTime, if it is not 0, ends a search early.
	Reduce  bool
	MaxTime time.Duration
	// Workers is the number of goroutines of a search; 0 is one per processor.
	Workers int
	// Progress, where it is not nil, is called about every second with what is
	// searched and how far.
	Progress func(what string, s explore.Progress)
}

// Judgements looks at the evidence on the claims of an algorithm. The deep scopes of more than
// 1,000 states, which it leaves out, are taken from the record; Ledger.Stale says which are
// out of date. It is no method, as Described is none.
func Judgements(ctx context.Context, a *Algorithm, opt JudgeOptions) ([]Judgement, error) {
	recorded, err := a.lock()
	if err != nil {
		return nil, err
	}
	return a.judge(ctx, recorded, opt, false)
}

// judge judges; asRecorded has it take from the record all that is there.
func (a *Algorithm) judge(ctx context.Context, recorded *lock, opt JudgeOptions, asRecorded bool) ([]Judgement, error) {
	code, err := codePrint(a.Files)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.Name, err)
	}
	j := &judging{a: a, opt: opt, asRecorded: asRecorded, recorded: recorded, code: code, samples: make(map[sampled]string)}
	if err := j.search(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", a.Name, err)
	}
	claims := a.Claims()
	list := make([]Judgement, len(claims))
	for i := range claims {
		trees, err := j.trees(ctx, &claims[i])
		if err != nil {
			return nil, fmt.Errorf("%s: claim %q: %w", a.Name, claims[i].Name, err)
		}
		list[i] = j.sum(&claims[i], trees)
		if was := recorded.claim(claims[i].Name); was != nil && was.covered && len(list[i].Ran) == 0 { // not all of it was run
			if list[i].Ran, list[i].Idle, err = j.recall(&claims[i], was); err != nil {
				return nil, fmt.Errorf("%s: claim %q: %w", a.Name, claims[i].Name, err)
			}
		}
	}
	for i := range claims {
		if len(claims[i].Between) > 0 {
			list[i].Outcome = a.contradiction(&claims[i], list[i].Trees, list)
		}
	}
	return list, nil
}

// A judging is the work of judging an algorithm's claims. One search serves all
// evidence on the same variant in the same setting.
type judging struct {
	a        *Algorithm
	opt      JudgeOptions
	recorded *lock
	found    map[*Evidence]*Exhibit
	ran      map[*Evidence]bool
	code     string             // see codePrint
	samples  map[sampled]string // see samplePrint

	asRecorded bool // whether nothing but the code decides what of the record is out of date
}

// search looks at all evidence that is not left out, with one search for each scope.
func (j *judging) search(ctx context.Context) error {
	j.found, j.ran = make(map[*Evidence]*Exhibit), make(map[*Evidence]bool)
	searches, err := j.searches()
	if err != nil {
		return err
	}
	for _, s := range searches {
		if err := j.look(ctx, s); err != nil {
			return fmt.Errorf("variant %q, setting %q: %w", s.variant, s.setting, err)
		}
	}
	return nil
}

// searches returns the searches to be made, in the order of the claims. It answers the
// evidence that needs none.
func (j *judging) searches() (list []*search, err error) {
	in := make(map[scope]*search)
	for i := range j.a.Claims() {
		c := &j.a.Claims()[i]
		for k := range c.Evidence {
			e := &c.Evidence[k]
			x := e.exhibit()
			j.found[e] = &x
			if !e.searched() {
				x.compare(e)
				continue
			}
			out, probe, err := j.leftOut(e)
			if err != nil {
				return nil, fmt.Errorf("variant %q, setting %q: %w", e.Variant, e.Setting, err)
			}
			if out {
				continue
			}
			j.ran[e] = true
			of := e.scope(probe)
			s := in[of]
			if s == nil {
				s = &search{scope: of}
				in[of], list = s, append(list, s)
			}
			s.evidence = append(s.evidence, e)
		}
	}
	return list, nil
}

// A search decides the evidence of one scope.
type search struct {
	scope
	evidence []*Evidence
}

// A scope is where a search is made, and how far it goes.
type scope struct {
	variant, setting string
	maxStates        uint64
	costs, chances   bool
	when             string
	after            int // of bound: ChanceQuestion
	bound            string
	probe            bool // it ends where it turns out to take more than mostJudged states
}

// limit returns the number of states at which the search ends, 0 for none.
func (s *scope) limit() uint64 {
	if s.probe && (s.maxStates == 0 || s.maxStates > mostJudged) {
		return mostJudged + 1
	}
	return s.maxStates
}

// scope returns the scope that a piece of evidence belongs to.
func (e *Evidence) scope(probe bool) scope {
	s := scope{variant: e.Variant, setting: e.Setting, maxStates: e.MaxStates, probe: probe}
	if e.Cost != nil {
		s.costs, s.when = true, e.Cost.When
	}
	if q := e.Chance; q != nil {
		s.chances, s.when, s.after, s.bound = true, q.When, q.After, q.Bound
	}
	return s
}

// leftOut reports whether a piece of evidence is taken from the record, and takes it; and
// otherwise whether it is looked at in no more states than are searched without a record.
func (j *judging) leftOut(e *Evidence) (out, probe bool, err error) {
	x := j.found[e]
	old, known := j.recorded.searches[e.asksLocked(x)]
	deeper := e.Deep && !j.opt.Deep
	switch {
	case !deeper && !j.opt.Believe && !j.opt.Renew:
		return false, false, nil
	case !known || old.Found == notYet:
		return false, deeper || j.opt.Believe, nil
	}
	f := fingerprint{code: j.code}
	if !j.asRecorded {
		if f, err = j.fingerprint(e, old.States); err != nil {
			return false, false, err
		}
	}
	stale := f.changed(old.Fingerprint)
	if stale != "" && !j.asRecorded && (old.States <= mostAgain || !deeper && !j.opt.Believe) {
		return false, false, nil
	}
	x.Ruling, x.Found, x.States, x.Depth, x.Fingerprint, x.stale = old.Ruling, old.Found, old.States, old.Depth, old.Fingerprint, stale
	return true, false, nil
}

// sampled is what a sample is of.
type sampled struct {
	variant, setting string
	size             int // see sampleSize
}

// fingerprint returns that of a piece of evidence that took so many states.
func (j *judging) fingerprint(e *Evidence, states uint64) (f fingerprint, err error) {
	if f.code = j.code; f.code == "" {
		return f, nil
	}
	of := sampled{variant: e.Variant, setting: e.Setting, size: sampleSize(states)}
	if f.behaviour = j.samples[of]; f.behaviour == "" {
		_, sys, err := j.a.at(e)
		if err != nil {
			return f, err
		}
		f.behaviour = samplePrint(sys, of.size)
		j.samples[of] = f.behaviour
	}
	return f, nil
}

// look makes a search, answers its evidence and signs the answers.
func (j *judging) look(ctx context.Context, s *search) (err error) {
	switch {
	case s.costs:
		err = j.count(ctx, s)
	case s.chances:
		err = j.chances(ctx, s)
	case j.opt.Reduce:
		err = j.decide(ctx, s)
	default:
		err = j.check(ctx, s)
	}
	if err != nil {
		return err
	}
	if s.probe {
		j.drop(s.evidence)
	}
	return j.sign(s.evidence)
}

// drop forgets what was found in more states than are searched without a record.
func (j *judging) drop(evidence []*Evidence) {
	for _, e := range evidence {
		if j.found[e].States > mostJudged {
			x := e.exhibit()
			x.Found = notYet
			j.found[e], j.ran[e] = &x, false
		}
	}
}

// sign adds fingerprints to the answers of a search.
func (j *judging) sign(evidence []*Evidence) error {
	for _, e := range evidence {
		x := j.found[e]
		if x.States <= mostJudged || j.opt.Reduce { // of a reduced system nothing is on record
			continue
		}
		f, err := j.fingerprint(e, x.States)
		if err != nil {
			return err
		}
		x.Fingerprint = f.String()
	}
	return nil
}
