package ledger

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"bullyproof/internal/nearest"
)

// lockHead is the head of a record.
const lockHead = `# What the claims come to, and the searches of more than 1,000 states that decide it.
# The test of the claims compares this with what it finds, and writes it with -update.
`

// A lock is what is on record of an algorithm's claims: their outcomes, and each search of
// more than mostJudged states. Smaller searches are made again when they are asked for.
//
//	code 5dfca1a0b0f9
//
//	claim one-coordinator refuted within
//	claim leader-again confirmed
//
//	ran crash, deliver, tick
//	  in one-coordinator, leader-again
//	  idle rule 4: halt never ran
//
//	tree one-coordinator readings=48 fails=48 steps=3 print=5b0c5a9be2d4
//	  at n=3 start=cold timing=async
//
//	setting n=3 start=settled timing=sync:1 crashes=1
//	  search states=7797 depth=50 print=8e1a44048c98
//	    no uniqueness: violated in 7 steps: P2 and P3 lead
//
// The first line has the package's code, which a fingerprint repeats only where it is of
// other code. A search has its variant where its evidence names one, and its limit (within).
// An answer begins with a word for its ruling. The actions that ran and the rules and
// messages that did not are those of the searches that decide a claim; all other rules and
// messages ran.
type lock struct {
	claims   []lockedClaim
	trees    map[string][]TreeRuling // by claim
	searches map[lockedQuestion]Exhibit
}

// A lockedClaim is a claim with its outcome and, if a large search decides it, what ran.
type lockedClaim struct {
	name    string
	outcome Outcome
	covered bool
	actions []string
	idle    []string
}

// A lockedQuestion is what evidence asks, and in which search: of which variant, in which
// setting and with which limit.
type lockedQuestion struct {
	setting, variant string
	within           uint64
	asked            string
}

// asksLocked returns what a piece of evidence asks, by its exhibit.
func (e *Evidence) asksLocked(x *Exhibit) lockedQuestion {
	return lockedQuestion{setting: x.Setting, variant: x.Variant, within: e.MaxStates, asked: x.Asked}
}

// lock returns what is on record of the claims. It is an error if the claims or the record
// cannot be read.
func (a *Algorithm) lock() (*lock, error) {
	if _, err := a.written(); err != nil {
		return nil, fmt.Errorf("%s: the claims cannot be read: %w", a.Name, err)
	}
	var l *lock
	record, err := a.record()
	if err == nil {
		l, err = parseLock(record)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: the record of its claims cannot be read: %w", a.Name, err)
	}
	return l, nil
}

// Searched returns the searches of more than 1,000 states that are on record, an exhibit for
// each thing that was asked; it is not on which claim.
func (a *Algorithm) Searched() ([]Exhibit, error) {
	l, err := a.lock()
	if err != nil {
		return nil, err
	}
	var list []Exhibit
	for _, x := range l.searches {
		if x.Found != notYet {
			list = append(list, x)
		}
	}
	slices.SortFunc(list, func(x, y Exhibit) int {
		return cmp.Or(cmp.Compare(x.Setting, y.Setting), cmp.Compare(x.Variant, y.Variant), cmp.Compare(x.Asked, y.Asked), cmp.Compare(x.States, y.States))
	})
	return list, nil
}

// record returns the record of the algorithm's claims, empty where there is none.
func (a *Algorithm) record() ([]byte, error) {
	if a.Files == nil {
		return nil, nil
	}
	record, err := fs.ReadFile(a.Files, claimsFile)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return record, err
}

// Unrecorded returns files without the record.
func unrecorded(files fs.FS) fs.FS {
	if files == nil {
		return nil
	}
	return codeAlone{files}
}

type codeAlone struct{ fs.FS }

func (f codeAlone) Open(name string) (fs.File, error) {
	if name == claimsFile {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return f.FS.Open(name)
}

func newLock() *lock {
	return &lock{trees: make(map[string][]TreeRuling), searches: make(map[lockedQuestion]Exhibit)}
}

// claim returns the claim of a name, nil if there is none.
func (l *lock) claim(name string) *lockedClaim {
	i := slices.IndexFunc(l.claims, func(c lockedClaim) bool { return c.name == name })
	if i < 0 {
		return nil
	}
	return &l.claims[i]
}

// add puts the answer of a piece of evidence on record, unless an answer of newer code is
// there.
func (l *lock) add(e *Evidence, x *Exhibit) {
	q := e.asksLocked(x)
	if _, there := l.searches[q]; there && (x.stale != "" || x.Found == notYet) {
		return
	}
	l.searches[q] = Exhibit{
		Variant: x.Variant, Setting: x.Setting, Asked: x.Asked, Ruling: x.Ruling, Found: x.Found,
		Fingerprint: x.Fingerprint, States: x.States, Depth: x.Depth,
	}
}

// locked returns what judgements put on record.
func (a *Algorithm) locked(found []Judgement) *lock {
	l := newLock()
	for i := range found {
		c, j := &a.Claims()[i], &found[i]
		entry := lockedClaim{name: j.Claim, outcome: j.Outcome}
		for k := range j.Exhibits {
			e, x := &c.Evidence[k], &j.Exhibits[k]
			if x.States <= mostJudged && x.Found != notYet {
				continue
			}
			l.add(e, x)
			entry.covered = entry.covered || c.covers(e) && len(j.Ran)+len(j.Idle) > 0
		}
		if entry.covered {
			entry.actions = slices.DeleteFunc(slices.Clone(j.Ran), ofProtocol)
			entry.idle = j.Idle
		}
		l.claims = append(l.claims, entry)
		for _, t := range j.Trees {
			if t.Readings > 0 {
				l.trees[j.Claim] = append(l.trees[j.Claim], t)
			}
		}
	}
	return l
}

// ofProtocol reports whether what ran is a rule or a message.
func ofProtocol(name string) bool {
	return strings.HasPrefix(name, "rule ") || strings.HasPrefix(name, "message ")
}

// rulingWords are the words with which answers begin, by their rulings.
var rulingWords = []string{Open: "undecided", AsClaimed: "yes", NotAsClaimed: "no", Moot: "moot"}

// text returns the text of the record's file.
func (l *lock) text() []byte {
	var b bytes.Buffer
	b.WriteString(lockHead)
	code := l.code()
	if code != "" {
		fmt.Fprintf(&b, "code %s\n", code)
	}
	if len(l.claims) > 0 {
		b.WriteString("\n")
	}
	for _, c := range l.claims {
		fmt.Fprintf(&b, "claim %s %s\n", c.name, c.outcome)
	}
	l.writeCoverage(&b)
	l.writeTrees(&b, code)
	questions := slices.SortedFunc(maps.Keys(l.searches), func(x, y lockedQuestion) int {
		s, t := l.searches[x], l.searches[y]
		return cmp.Or(cmp.Compare(x.setting, y.setting), cmp.Compare(x.variant, y.variant), cmp.Compare(x.within, y.within),
			cmp.Compare(s.States, t.States), cmp.Compare(s.Depth, t.Depth), cmp.Compare(s.Fingerprint, t.Fingerprint),
			cmp.Compare(x.asked, y.asked))
	})
	in, of := "", ""
	for i, q := range questions {
		x := l.searches[q]
		if i == 0 || q.setting != in {
			in, of = q.setting, ""
			fmt.Fprintf(&b, "\nsetting %s\n", in)
		}
		if head := searchLine(q, &x, code); head != of {
			of = head
			fmt.Fprintf(&b, "  %s\n", of)
		}
		fmt.Fprintf(&b, "    %s %s: %s\n", rulingWords[x.Ruling], x.Asked, x.Found)
	}
	return b.Bytes()
}

// code returns the code of which most of the searches and trees are.
func (l *lock) code() (most string) {
	count := make(map[string]int)
	of := func(print string) {
		if code, _, ok := strings.Cut(print, "-"); ok {
			count[code]++
		}
	}
	for _, x := range l.searches {
		of(x.Fingerprint)
	}
	for _, list := range l.trees {
		for _, t := range list {
			of(t.Fingerprint)
		}
	}
	for _, code := range slices.Sorted(maps.Keys(count)) {
		if count[code] > count[most] {
			most = code
		}
	}
	return most
}

// searchLine returns the line of a search.
func searchLine(q lockedQuestion, x *Exhibit, code string) string {
	line := "search"
	if q.variant != "" {
		line += " variant=" + q.variant
	}
	if q.within > 0 {
		line += fmt.Sprintf(" within=%d", q.within)
	}
	if x.States > 0 {
		line += fmt.Sprintf(" states=%d", x.States)
	}
	if x.Depth > 0 {
		line += fmt.Sprintf(" depth=%d", x.Depth)
	}
	if x.Fingerprint != "" {
		line += " print=" + strings.TrimPrefix(x.Fingerprint, code+"-")
	}
	return line
}

// writeCoverage writes what ran where claims are decided, once for all claims of which it is
// the same.
func (l *lock) writeCoverage(b *bytes.Buffer) {
	written := make(map[string]bool)
	for _, first := range l.claims {
		if !first.covered || written[first.name] {
			continue
		}
		var same []string
		for _, c := range l.claims {
			if c.covered && slices.Equal(c.actions, first.actions) && slices.Equal(c.idle, first.idle) {
				same = append(same, c.name)
				written[c.name] = true
			}
		}
		fmt.Fprintf(b, "\nran %s\n  in %s\n", strings.Join(first.actions, ", "), strings.Join(same, ", "))
		for _, name := range first.idle {
			fmt.Fprintf(b, "  idle %s\n", name)
		}
	}
}

// A lockReader reads a record line by line.
type lockReader struct {
	*lock
	code     string
	actions  []string // what ran, and in which claims
	in       []int
	ran      bool
	question lockedQuestion // as far as it was read
	search   *Exhibit       // nil where no search was begun
	tree     *TreeRuling    // that was read last
}

// parseLock reads a record.
func parseLock(text []byte) (*lock, error) {
	r := &lockReader{lock: newLock()}
	number := 0
	for line := range bytes.Lines(text) {
		number++
		line := strings.TrimSpace(string(line))
		if line == "" || line[0] == '#' {
			continue
		}
		word, rest, _ := strings.Cut(line, " ")
		if err := r.line(word, rest); err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	return r.lock, nil
}

// line reads a line that begins with a word.
func (r *lockReader) line(word, rest string) error {
	switch word {
	case "code":
		if len(r.searches)+len(r.trees) > 0 || r.code != "" || rest == "" || strings.ContainsAny(rest, "- ") {
			return fmt.Errorf("code %q: want one fingerprint, before the searches", nearest.Clip(rest))
		}
		r.code = rest
		return nil
	case "claim":
		return r.readClaim(rest)
	case "ran":
		r.actions, r.in, r.ran = nil, nil, true
		if rest != "" {
			r.actions = strings.Split(rest, ", ")
		}
		return nil
	case "in":
		return r.readIn(rest)
	case "idle":
		if len(r.in) == 0 || rest == "" {
			return errors.New("idle: want it to name a rule, a message or an action, below the claims in which that did not run")
		}
		for _, i := range r.in {
			r.claims[i].idle = append(r.claims[i].idle, rest)
		}
		return nil
	case "setting":
		r.question, r.search = lockedQuestion{setting: rest}, nil
		if rest == "" {
			return errors.New("setting: want the words of a setting")
		}
		return nil
	case "search":
		return r.readSearch(rest)
	case "tree":
		return r.readTree(rest)
	case "at", "turns", "where", "whichever", "alone":
		return r.readOfTree(word, rest)
	}
	if ruling := slices.Index(rulingWords, word); ruling >= 0 {
		return r.readAnswer(Ruling(ruling), rest)
	}
	return fmt.Errorf("%q: want a line that begins with code, claim, ran, in, idle, tree, at, turns, where, setting, search, yes, no, undecided or moot", nearest.Clip(word))
}

// readClaim reads a claim with its outcome.
func (r *lockReader) readClaim(rest string) error {
	name, word, _ := strings.Cut(rest, " ")
	if name == "" || strings.Contains(name, ",") {
		return fmt.Errorf("claim %q: want a name and an outcome", nearest.Clip(rest))
	}
	if r.claim(name) != nil {
		return fmt.Errorf("claim %q: want it once", nearest.Clip(name))
	}
	c := lockedClaim{name: name}
	if err := c.outcome.UnmarshalText([]byte(word)); err != nil {
		return fmt.Errorf("claim %q: %w", nearest.Clip(name), err)
	}
	r.claims = append(r.claims, c)
	return nil
}

// readIn reads the claims in which something ran.
func (r *lockReader) readIn(rest string) error {
	if !r.ran {
		return errors.New("in: want it below a line of what ran")
	}
	for name := range strings.SplitSeq(rest, ", ") {
		i := slices.IndexFunc(r.claims, func(c lockedClaim) bool { return c.name == name })
		if i < 0 || r.claims[i].covered {
			return fmt.Errorf("in %q: want a claim that stands above, once", nearest.Clip(name))
		}
		r.claims[i].covered, r.claims[i].actions = true, slices.Clone(r.actions)
		r.in = append(r.in, i)
	}
	return nil
}

// readSearch reads the line of a search.
func (r *lockReader) readSearch(rest string) error {
	if r.question.setting == "" {
		return errors.New("search: want it below a setting")
	}
	r.question = lockedQuestion{setting: r.question.setting}
	r.search = &Exhibit{Setting: r.question.setting}
	seen := make(map[string]bool)
	for word := range strings.FieldsSeq(rest) {
		key, value, _ := strings.Cut(word, "=")
		if seen[key] {
			return fmt.Errorf("%q: want each word once", nearest.Clip(word))
		}
		seen[key] = true
		if err := r.readFigure(key, value); err != nil {
			return err
		}
	}
	x := r.search
	if x.States <= mostJudged && (x.States > 0 || x.Depth > 0 || x.Fingerprint != "") {
		return fmt.Errorf("states=%d: want more than 1,000, of less nothing is on record", x.States)
	}
	return nil
}

// readFigure reads a word of a search.
func (r *lockReader) readFigure(key, value string) (err error) {
	switch key {
	case "variant":
		if value == "" {
			return errors.New("variant: want its name, or no such word")
		}
		r.question.variant, r.search.Variant = value, value
		return nil
	case "print":
		r.search.Fingerprint, err = r.print(value)
		return err
	case "within", "states", "depth":
	default:
		return fmt.Errorf("%q: want variant, within, states, depth or print", nearest.Clip(key))
	}
	n, err := strconv.ParseUint(value, 10, 63)
	if err != nil || n == 0 {
		return fmt.Errorf("%s=%s: want a number above 0", key, nearest.Clip(value))
	}
	switch key {
	case "within":
		r.question.within = n
	case "states":
		r.search.States = n
	default:
		r.search.Depth = int(n)
	}
	return nil
}

// print reads a fingerprint, of the code that the record names or of its own.
func (r *lockReader) print(value string) (full string, err error) {
	full = value
	if !strings.Contains(value, "-") {
		full = r.code + "-" + value
	}
	code, behaviour, _ := strings.Cut(full, "-")
	if code == "" || behaviour == "" || strings.Contains(behaviour, "-") {
		return "", fmt.Errorf("print=%s: want a fingerprint, and the code that it is of at the top", nearest.Clip(value))
	}
	return full, nil
}

// readAnswer reads what a search found.
func (r *lockReader) readAnswer(ruling Ruling, rest string) error {
	asked, found, ok := strings.Cut(rest, ": ")
	q := r.question
	q.asked = strings.TrimSpace(asked)
	switch _, twice := r.searches[q]; {
	case !ok || q.asked == "" || strings.TrimSpace(found) == "":
		return fmt.Errorf("%q: want what is asked, a colon and what was found", nearest.Clip(rest))
	case r.search == nil:
		return fmt.Errorf("%q: want it below the line of a search", nearest.Clip(rest))
	case twice:
		return fmt.Errorf("%q: want it once of a variant in a setting", nearest.Clip(q.asked))
	case (r.search.States == 0) != (strings.TrimSpace(found) == notYet):
		return fmt.Errorf("%q: want a number of states, or %q", nearest.Clip(rest), notYet)
	}
	x := *r.search
	x.Asked, x.Ruling, x.Found = q.asked, ruling, strings.TrimSpace(found)
	r.searches[q] = x
	return nil
}
