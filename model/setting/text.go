package setting

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bullyproof/internal/nearest"
	"bullyproof/model/process"
)

// String returns the canonical text of the setting: key=value words in a fixed
// order, without those that say the default (n, channels and timing are always
// there). Parse reads it.
//
//	n=3 start=settled channels=unordered timing=sync:1 crashes=1 restarts=1
func (s Setting) String() string {
	s = s.Normal()
	return s.words(func(*settingWord) bool { return true })
}

// words returns the text of some words of a setting.
func (s *Setting) words(wanted func(w *settingWord) bool) string {
	var b strings.Builder
	for i := range settingWords {
		value := settingWords[i].print(s)
		if value == "" || !wanted(&settingWords[i]) {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(settingWords[i].key)
		b.WriteByte('=')
		b.WriteString(value)
	}
	return b.String()
}

// Parse reads the text of a setting: key=value words in any order, each
// key at most once, what is left out at its default. Only n has none. The error
// names the word and what would be right. Words that are good each by itself
// may still contradict each other: see Validate.
func Parse(text string) (Setting, error) {
	s, err := Setting{}.With(text)
	if err == nil && s.N == 0 {
		err = errMissing
	}
	if err != nil {
		return Setting{}, err
	}
	return s, nil
}

// Must is Parse for a text that is known to be right, as in an entry of a
// catalogue. It panics where Parse returns an error.
func Must(text string) Setting {
	s, err := Parse(text)
	if err != nil {
		panic(err)
	}
	return s
}

// With returns s as changed by a text: each word replaces what s has for its
// key. Words and errors are those of Parse.
func (s Setting) With(text string) (Setting, error) {
	if err := s.read(text); err != nil {
		return Setting{}, err
	}
	return s.Normal(), nil
}

// MustWith is With as Must is Parse.
func (s Setting) MustWith(text string) Setting {
	s, err := s.With(text)
	if err != nil {
		panic(err)
	}
	return s
}

// Mistakes returns everything that is wrong with the text of a setting: with each of its words,
// and, where all can be read, what they contradict.
func Mistakes(text string) []error {
	var s Setting
	errs := s.mistakes(text)
	if s.N == 0 && !slices.ContainsFunc(strings.Fields(text), func(word string) bool { return strings.HasPrefix(word, "n=") }) {
		errs = append(errs, errMissing)
	}
	if len(errs) > 0 {
		return errs
	}
	s = s.Normal()
	return s.contradictions()
}

// errMissing says that a text lacks the one word that has no default.
var errMissing = errors.New("setting: the number of processes is missing: want n=2 to n=16")

// read has each word of a text replace what s has for its key. Where parts are
// given, they are the ones that the text is about.
func (s *Setting) read(text string, parts ...part) error {
	if errs := s.mistakes(text, parts...); len(errs) > 0 {
		return errs[0]
	}
	return nil
}

// mistakes is read that goes on after what is wrong, and returns all of it.
func (s *Setting) mistakes(text string, parts ...part) (errs []error) {
	given := make(map[string]bool)
	for _, field := range strings.Fields(text) {
		if err := s.readWord(field, given, parts); err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

// readWord reads a word of a text of which some keys were given before.
func (s *Setting) readWord(field string, given map[string]bool, parts []part) error {
	key, value, ok := strings.Cut(field, "=")
	if !ok {
		return fmt.Errorf("setting: %q is not of the form key=value", nearest.Clip(field))
	}
	i := slices.IndexFunc(settingWords, func(w settingWord) bool { return w.key == key })
	if i < 0 {
		return fmt.Errorf("setting has no word %q: %s", nearest.Clip(key), nearest.Hint(key, keysOf(parts...)))
	}
	if of := settingWords[i].of; len(parts) > 0 && !slices.Contains(parts, of) {
		return fmt.Errorf("setting: %s says %s: %s", key, of, nearest.Hint("", keysOf(parts...)))
	}
	if given[key] {
		return fmt.Errorf("setting: %s is given twice", key)
	}
	given[key] = true
	if err := settingWords[i].parse(s, value); err != nil {
		return fmt.Errorf("setting: %w", err)
	}
	return nil
}

// MarshalText returns the canonical text (encoding.TextMarshaler).
func (s Setting) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText makes s what Parse reads in text, or returns its error
// and leaves s alone (encoding.TextUnmarshaler).
func (s *Setting) UnmarshalText(text []byte) error {
	parsed, err := Parse(string(text))
	if err != nil {
		return err
	}
	*s = parsed
	return nil
}

// Equal reports whether s and t allow the same: they have the same text.
func (s Setting) Equal(t Setting) bool { return s.String() == t.String() }

// A settingWord is one key=value of a setting's text. A word that is a number
// has its field and range here, for Validate.
type settingWord struct {
	key      string
	of       part // whose field it is
	number   func(s *Setting) *int
	min, max int
	want     string // what a number that is out of range should be

	print func(s *Setting) string // "" leaves the word out
	parse func(s *Setting, value string) error

	// Of a word of Starts: reports whether what s says is one of the ways that of leaves open.
	narrows func(s, of *Setting) bool
}

const maxBudget = 255 // budgets are encoded as bytes

// A Budget is how often at most something goes wrong.
type Budget struct {
	// Key is its word, and that of a budget in a snapshot; Name what people call it.
	Key, Name string
	// Of returns its field.
	Of func(s *Setting) *int
}

// Budgets returns the budgets of a setting, in the order in which an encoded state
// holds what is left of them. A new one comes last.
func Budgets() []Budget { return slices.Clone(budgets) }

var budgets = []Budget{
	{"crashes", "crashes", func(s *Setting) *int { return &s.Crashes }},
	{"restarts", "restarts", func(s *Setting) *int { return &s.Restarts }},
	{"joins", "joins", func(s *Setting) *int { return &s.Joins }},
	{"losses", "losses", func(s *Setting) *int { return &s.Losses }},
	{"duplications", "duplications", func(s *Setting) *int { return &s.Duplications }},
	{"cuts", "cuts", func(s *Setting) *int { return &s.Cuts }},
	{"heals", "heals", func(s *Setting) *int { return &s.Heals }},
	{"premature", "premature timeouts", func(s *Setting) *int { return &s.Timing.Premature }}, // of timing=async:K
	{"suspicions", "suspicions", func(s *Setting) *int { return &s.Suspicions }},
	{"pauses", "pauses", func(s *Setting) *int { return &s.Pauses }},
	{"lost-writes", "lost writes", func(s *Setting) *int { return &s.LostWrites }},
	{"lost-disks", "lost disks", func(s *Setting) *int { return &s.LostDisks }},
	{"clock-steps", "steps of clocks", func(s *Setting) *int { return &s.ClockSteps }},
	{"requests", "requests", func(s *Setting) *int { return &s.Requests }},
}

// budgetWord is the word of a budget.
func budgetWord(key string) settingWord {
	i := slices.IndexFunc(budgets, func(b Budget) bool { return b.Key == key })
	return numberWord(key, ofWorld, 0, maxBudget, budgets[i].Of)
}

// owedWord is the word of a budget in place of which something may be owed. (Normal says how many
// restarts are.)
func owedWord(key string, number func(s *Setting) *int, owed func(s *Setting) *bool) settingWord {
	return settingWord{
		key: key, of: ofWorld, number: number, max: maxBudget,
		print: func(s *Setting) string {
			if *owed(s) {
				return "owed"
			}
			return textIf(*number(s) != 0, strconv.Itoa(*number(s)))
		},
		parse: func(s *Setting, value string) (err error) {
			if *number(s), *owed(s) = 0, value == "owed"; *owed(s) {
				return nil
			}
			if *number(s), err = parseNumber(key, value, 0, maxBudget); err != nil {
				return fmt.Errorf("%w, or owed", err)
			}
			return nil
		},
	}
}

// settingWords are the words of a setting in their canonical order.
var settingWords = []settingWord{
	processesWord(),
	{key: "topology", of: ofNeeds, print: printTopology, parse: parseTopology},
	{key: "arrangement", of: ofNeeds, print: printArrangement, parse: parseArrangement, narrows: narrowsArrangement},
	{
		key: "start", of: ofNeeds,
		print: func(s *Setting) string { return textIf(s.Start != ColdStart, s.Start.String()) },
		parse: func(s *Setting, value string) error { return parseName("start", value, startNames, &s.Start) },
	},
	{
		key: "initiators", of: ofNeeds, narrows: narrowsInitiators,
		print: func(s *Setting) string {
			if s.Initiators == (Initiators{}) {
				return ""
			}
			return s.Initiators.String()
		},
		parse: parseInitiators,
	},
	{
		key: "channels", of: ofNeeds,
		print: func(s *Setting) string {
			if s.FIFO {
				return "fifo"
			}
			return "unordered"
		},
		parse: switchWord("channels", "unordered", "fifo", func(s *Setting) *bool { return &s.FIFO }),
	},
	numberWord("capacity", ofNeeds, 0, maxBudget, func(s *Setting) *int { return &s.Capacity }),
	budgetWord("losses"),
	linksWord("lossy", func(s *Setting) *Links { return &s.Lossy }),
	budgetWord("duplications"),
	budgetWord("cuts"),
	{
		key: "cut-by", of: ofWorld,
		print: func(s *Setting) string { return textIf(s.CutBy != CutSides, s.CutBy.String()) },
		parse: func(s *Setting, value string) error { return parseName("cut-by", value, cutByNames, &s.CutBy) },
	},
	linksWord("cut-links", func(s *Setting) *Links { return &s.CutLinks }),
	owedWord("heals", func(s *Setting) *int { return &s.Heals }, func(s *Setting) *bool { return &s.HealsOwed }),
	{
		key: "mail-down", of: ofWorld,
		print: func(s *Setting) string { return textIf(s.MailDownLost, "lost") },
		parse: switchWord("mail-down", "waits", "lost", func(s *Setting) *bool { return &s.MailDownLost }),
	},
	{
		key: "mail-old", of: ofWorld,
		print: func(s *Setting) string { return textIf(s.MailOldLost, "lost") },
		parse: switchWord("mail-old", "stays", "lost", func(s *Setting) *bool { return &s.MailOldLost }),
	},
	{key: "timing", of: ofNeeds, print: func(s *Setting) string { return s.Timing.String() }, parse: parseTiming},
	numberWord("drift", ofWorld, 0, maxDrift, func(s *Setting) *int { return &s.Drift }),
	numberWord("skew", ofWorld, 0, maxSkew, func(s *Setting) *int { return &s.Skew }),
	{key: "clocks", of: ofWorld, print: printClocks, parse: parseClocks, narrows: narrowsClocks},
	budgetWord("clock-steps"),
	budgetWord("pauses"),
	setWord("pausers", ofWorld, func(s *Setting) *process.Set { return &s.Pausers }),
	budgetWord("crashes"),
	setWord("crashers", ofWorld, func(s *Setting) *process.Set { return &s.Crashers }),
	owedWord("restarts", func(s *Setting) *int { return &s.Restarts }, func(s *Setting) *bool { return &s.RestartsOwed }),
	budgetWord("lost-writes"),
	budgetWord("lost-disks"),
	numberWord("joins", ofWorld, 0, int(process.MaxID)-1, func(s *Setting) *int { return &s.Joins }),
	joinersWord(),
	{
		key: "mid-send", of: ofWorld,
		print: func(s *Setting) string { return textIf(s.MidSend, "yes") },
		parse: switchWord("mid-send", "no", "yes", func(s *Setting) *bool { return &s.MidSend }),
	},
	{
		key: "detector", of: ofNeeds,
		print: func(s *Setting) string { return textIf(s.Detector != DetectorDefault, s.Detector.String()) },
		parse: parseDetector,
	},
	setWord("detectors", ofWorld, func(s *Setting) *process.Set { return &s.Detectors }),
	{
		key: "reports", of: ofNeeds,
		print: func(s *Setting) string { return textIf(s.ReportsAlways, "always") },
		parse: switchWord("reports", "idle", "always", func(s *Setting) *bool { return &s.ReportsAlways }),
	},
	budgetWord("suspicions"),
	budgetWord("requests"),
}

// keysOf returns the keys of some parts of a setting, or of all.
func keysOf(parts ...part) []string {
	var keys []string
	for _, w := range settingWords {
		if len(parts) == 0 || slices.Contains(parts, w.of) {
			keys = append(keys, w.key)
		}
	}
	return keys
}

// numberWord is the word of a number from lo to hi. The default is 0; where
// that is out of range the word has none.
func numberWord(key string, of part, lo, hi int, field func(s *Setting) *int) settingWord {
	return settingWord{
		key: key, of: of, number: field, min: lo, max: hi, want: fmt.Sprintf("want a number from %d to %d", lo, hi),
		print: func(s *Setting) string {
			return textIf(lo > 0 || *field(s) != 0, strconv.Itoa(*field(s)))
		},
		parse: func(s *Setting, value string) (err error) {
			*field(s), err = parseNumber(key, value, lo, hi)
			return err
		},
	}
}

// processesWord is the word of the number of processes.
func processesWord() settingWord {
	w := numberWord("n", ofSetting, 2, int(process.MaxID), func(s *Setting) *int { return &s.N })
	w.want = fmt.Sprintf("want 2 to %d processes (to %d in random walks)", MaxExhaustive, process.MaxID)
	number := w.parse
	w.parse = func(s *Setting, value string) error {
		if err := number(s, value); err != nil {
			return fmt.Errorf("n=%s: %s", nearest.Clip(value), w.want)
		}
		return nil
	}
	return w
}

// setWord is the word of a set of processes, whose default, all, is empty.
func setWord(key string, of part, field func(s *Setting) *process.Set) settingWord {
	return settingWord{
		key: key, of: of,
		print: func(s *Setting) string { return textIf(!field(s).Empty(), setText(*field(s))) },
		parse: func(s *Setting, value string) (err error) {
			if value == "all" {
				*field(s) = 0
				return nil
			}
			*field(s), err = parseSet(key, value, "all or processes like 1,3")
			return err
		},
	}
}

// switchWord returns the parser of a word that says off or on.
func switchWord(key, off, on string, field func(s *Setting) *bool) func(*Setting, string) error {
	return func(s *Setting, value string) error {
		if value != off && value != on {
			return nearest.Unknown(key, value, []string{off, on})
		}
		*field(s) = value == on
		return nil
	}
}

func printTopology(s *Setting) string {
	if s.Topology == Complete && !s.Repaired && !s.Anonymous {
		return ""
	}
	return s.Topology.String() + textIf(s.Repaired, ":repaired") + textIf(s.Anonymous, ":anonymous")
}

func parseTopology(s *Setting, value string) error {
	name, suffixes, more := strings.Cut(value, ":")
	if err := parseName("topology", name, topologyNames, &s.Topology); err != nil {
		return err
	}
	s.Repaired, s.Anonymous = false, false
	for more {
		name, suffixes, more = strings.Cut(suffixes, ":")
		field := &s.Repaired
		switch name {
		case "repaired":
		case "anonymous":
			field = &s.Anonymous
		default:
			return nearest.Unknown("kind of topology", name, []string{"repaired", "anonymous"})
		}
		if *field {
			return fmt.Errorf("topology=%s says %s twice", value, name)
		}
		*field = true
	}
	return nil
}

func printArrangement(s *Setting) string { return idsText(s.Arrangement, "-") }

func parseArrangement(s *Setting, value string) (err error) {
	s.Arrangement = nil
	if value != "all" {
		s.Arrangement, err = parseIDs("arrangement", value, "-", "all or a ring's processes in order, like 3-2-1")
	}
	return err
}

func printClocks(s *Setting) string {
	parts := make([]string, len(s.Ahead))
	for i, ticks := range s.Ahead {
		parts[i] = strconv.Itoa(ticks)
	}
	return strings.Join(parts, ",")
}

func parseClocks(s *Setting, value string) error {
	s.Ahead = nil
	if value == "any" {
		return nil
	}
	for part := range strings.SplitSeq(value, ",") {
		ticks, err := strconv.ParseUint(part, 10, 16)
		if err != nil || len(s.Ahead) == int(process.MaxID) {
			return fmt.Errorf("clocks=%s: want any, or by how many ticks each clock is ahead, like 0,2,1", nearest.Clip(value))
		}
		s.Ahead = append(s.Ahead, int(ticks))
	}
	return nil
}

func parseInitiators(s *Setting, value string) (err error) {
	which, when, more := strings.Cut(value, ":")
	var in Initiators
	if more {
		if when != "lazy" && when != "eager" {
			return nearest.Unknown("kind of initiators", when, []string{"lazy", "eager"})
		}
		in.Lazy = when == "lazy"
	}
	switch which {
	case "all":
	case "one":
		in.Which = EachOne
	case "any":
		in.Which = AnySome
	case "none":
		in.Which = These
	default:
		in.Which = These
		in.Set, err = parseSet("initiators", which, "all, one, any, none or processes like 1,3")
	}
	s.Initiators = in
	return err
}

func parseTiming(s *Setting, value string) (err error) {
	name, number, more := strings.Cut(value, ":")
	var t Timing
	if err := parseName("timing", name, timingNames, &t.Kind); err != nil {
		return err
	}
	switch {
	case (t.Kind == LastResort || t.Kind == Lockstep || t.Kind == Patient) && more:
		return fmt.Errorf("timing=%s: %s takes no number", value, t.Kind)
	case t.Kind == Synchronous && !more: // no bound goes without saying
		return fmt.Errorf("timing=sync: want sync:1 to sync:%d", maxD)
	case t.Kind == Synchronous:
		t.D, err = parseNumber("timing=sync:D, D", number, 1, maxD)
	case t.Kind == Asynchronous && number == "0": // its name until it had one of its own
		t.Kind = Patient
	case t.Kind == Asynchronous && more:
		t.Premature, err = parseNumber("timing=async:K, K", number, 1, maxBudget)
	}
	s.Timing = t
	return err
}

// restartsOwed is the budget of restarts that are owed: a process that is down can come back
// each time.
func restartsOwed(s *Setting) int {
	if s.Start == CoordinatorDown {
		return min(s.Crashes+1, maxBudget)
	}
	return s.Crashes
}

func parseDetector(s *Setting, value string) error {
	if value == "on" { // the default's name before it depended on cuts
		value = DetectorDefault.String()
	}
	return parseName("detector", value, detectorNames, &s.Detector)
}

// parseName sets field to the number of the name that value is.
func parseName[T ~uint8](key, value string, names []string, field *T) error {
	i := slices.Index(names, value)
	if i < 0 {
		return nearest.Unknown(key, value, names)
	}
	*field = T(i)
	return nil
}

func parseNumber(key, value string, lo, hi int) (int, error) {
	n, err := strconv.ParseUint(value, 10, 16)
	if err != nil || int(n) < lo || int(n) > hi {
		return 0, fmt.Errorf("%s=%s: want a number from %d to %d", key, nearest.Clip(value), lo, hi)
	}
	return int(n), nil
}

func parseIDs(key, value, separator, want string) ([]process.ID, error) {
	var ids []process.ID
	for part := range strings.SplitSeq(value, separator) {
		id, err := strconv.ParseUint(part, 10, 16)
		if err != nil {
			return nil, fmt.Errorf("%s=%s: want %s", key, nearest.Clip(value), want)
		}
		if id < 1 || id > uint64(process.MaxID) {
			return nil, fmt.Errorf("%s=%s: there is no process %d: ids are from 1 to n", key, nearest.Clip(value), id)
		}
		if slices.Contains(ids, process.ID(id)) {
			return nil, fmt.Errorf("%s=%s names process %d twice", key, nearest.Clip(value), id)
		}
		ids = append(ids, process.ID(id))
	}
	return ids, nil
}

func parseSet(key, value, want string) (process.Set, error) {
	ids, err := parseIDs(key, value, ",", want)
	return process.SetOf(ids...), err
}

func textIf(condition bool, text string) string {
	if condition {
		return text
	}
	return ""
}

func setText(s process.Set) string { return idsText(slices.Collect(s.All()), ",") }

func idsText(ids []process.ID, separator string) string {
	var b strings.Builder
	for i, id := range ids {
		if i > 0 {
			b.WriteString(separator)
		}
		b.WriteString(strconv.Itoa(int(id)))
	}
	return b.String()
}

var (
	topologyNames = []string{Complete: "complete", Ring: "ring", BiRing: "biring"}
	startNames    = []string{
		ColdStart: "cold", ColdInterleaved: "cold:interleaved",
		SettledStart: "settled", CoordinatorDown: "coordinator-down",
	}
	timingNames = []string{Synchronous: "sync", Asynchronous: "async", LastResort: "last-resort", Lockstep: "lockstep", Patient: "patient"}
)

// String returns "complete", "ring" or "biring".
func (t Topology) String() string { return nameOf(topologyNames, t) }

// String returns "cold", "cold:interleaved", "settled" or "coordinator-down".
func (s Start) String() string { return nameOf(startNames, s) }

// String returns "sync", "async", "last-resort", "lockstep" or "patient".
func (k TimingKind) String() string { return nameOf(timingNames, k) }

// String returns "sync:D", "async" or "async:K" (K premature expiries at most),
// "last-resort", "lockstep" or "patient".
func (t Timing) String() string {
	switch t.Kind {
	case Synchronous:
		return "sync:" + strconv.Itoa(cmp.Or(t.D, 1))
	case Asynchronous:
		return "async" + textIf(t.Premature != 0, ":"+strconv.Itoa(t.Premature))
	}
	return t.Kind.String()
}

// String returns who initiates, "all", "one", "any", "none" or ids like "1,3",
// with ":lazy" where they are.
func (in Initiators) String() string {
	var who string
	switch {
	case in.Which == Everyone:
		who = "all"
	case in.Which == EachOne:
		who = "one"
	case in.Which == AnySome:
		who = "any"
	case in.Set.Empty():
		who = "none"
	default:
		who = setText(in.Set)
	}
	return who + textIf(in.Lazy, ":lazy")
}

// nameOf returns the name of i, or its number where it has none.
func nameOf[T ~uint8](names []string, i T) string {
	if int(i) < len(names) {
		return names[i]
	}
	return strconv.Itoa(int(i))
}
