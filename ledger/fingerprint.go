package ledger

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"io/fs"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"

	"bullyproof/explore"
	"bullyproof/model"
	"bullyproof/model/setting"
)

const (
	// mostJudged is the number of states up to which evidence is judged in each test:
	// what took more has a fingerprint, and is believed while that is the same.
	mostJudged = 1_000
	// mostAgain is the number of states up to which evidence is judged again on the spot
	// where its fingerprint is another one.
	mostAgain = 200_000
)

// A fingerprint says of what evidence was judged: of which code (codePrint), and of a
// system that behaves how (samplePrint).
type fingerprint struct{ code, behaviour string }

// String returns the fingerprint as records have it: "1f0c5a9be2d4-77d0ab1c93e5". It is
// empty where the code is not known.
func (f fingerprint) String() string {
	if f.code == "" {
		return ""
	}
	return f.code + "-" + f.behaviour
}

// changed says why what was recorded with a fingerprint is out of date; it is empty where
// it is not.
func (f fingerprint) changed(recorded string) string {
	code, behaviour, _ := strings.Cut(recorded, "-")
	switch {
	case f.code == "":
		return "nothing says what its code is (field Files: embed *.go)"
	case recorded == "":
		return "it does not say of which code it is"
	case f.code != code:
		return "the package's code is not what it was"
	case f.behaviour != behaviour && f.behaviour != "":
		return "its systems do not do what they did"
	}
	return ""
}

// Fingerprint returns what tells whether a search of so many states of one of the
// algorithm's systems would come to what it came to: the code of the package, and what a
// sample of the system's states leads to. A record with another fingerprint is out of
// date.
func (a *Algorithm) Fingerprint(sys *model.System, states uint64) (string, error) {
	code, err := codePrint(a.Files)
	if err != nil {
		return "", fmt.Errorf("%s: %w", a.Name, err)
	}
	return fingerprint{code: code, behaviour: samplePrint(sys, sampleSize(states))}.String(), nil
}

// digits returns 48 bits of a hash, which are enough to tell what was from what is.
func digits(h uint64) string { return fmt.Sprintf("%012x", h>>16) }

// codePrint returns the fingerprint of the Go files of a package, those of tests aside.
// Comments, texts and the names of files and of the package do not count: they change
// nothing that a system does except for names, which are in the sample. It is empty for
// files without code.
func codePrint(code fs.FS) (string, error) {
	if code == nil {
		return "", nil
	}
	var sums []uint64
	none := true
	err := fs.WalkDir(code, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") {
			return err
		}
		none = false
		if strings.HasSuffix(name, "_test.go") {
			return nil
		}
		source, err := fs.ReadFile(code, name)
		if err != nil {
			return err
		}
		tokens, err := tokensOf(name, source)
		sums = append(sums, xxh3.Hash(tokens))
		return err
	})
	if err == nil && none {
		return "", nil
	}
	if err == nil && len(sums) == 0 {
		err = errors.New("there is no Go file")
	}
	if err != nil {
		return "", fmt.Errorf("field Files: %w", err)
	}
	slices.Sort(sums)
	var all []byte
	for _, sum := range sums {
		all = binary.LittleEndian.AppendUint64(all, sum)
	}
	return digits(xxh3.Hash(all)), nil
}

// tokensOf returns what counts of a Go file.
func tokensOf(name string, source []byte) (tokens []byte, err error) {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile(name, -1, len(source)), source, func(at token.Position, msg string) {
		err = cmp.Or(err, error(&scanner.Error{Pos: at, Msg: msg}))
	}, 0)
	for before := token.ILLEGAL; ; {
		_, tok, text := s.Scan()
		if tok == token.EOF {
			return tokens, err
		}
		if tok == token.STRING || tok == token.SEMICOLON || before == token.PACKAGE {
			text = ""
		}
		tokens = fmt.Appendf(tokens, "%v %s\n", tok, text)
		before = tok
	}
}

// How a system is sampled: one state in so many that the search visited, as far as these
// limits, and of each level of a breadth-first search no more than a part of them.
const (
	oneIn       = 20
	leastSample = 500
	mostSample  = 8_000
	levels      = 30
)

// A sample is what a system does in some of its states.
type sample struct {
	exp  explore.Expander
	out  explore.Successors
	met  map[uint64]struct{} // hashes of states
	next []met               // of the level to come, those with the least hashes, in their order
	room int                 // how many these can be
	text []byte              // what there is to see in the state under way
	sum  xxh3.Hasher
}

// A met is a state that was met, and its hash.
type met struct {
	hash  uint64
	state []byte
}

// samplePrint returns the fingerprint of how a system behaves, by a sample of its states
// of some size: by the states that they lead to, and what properties see of them. It is
// the same for each run.
func samplePrint(sys *model.System, size int) string {
	s := &sample{met: make(map[uint64]struct{}, size)}
	watched := sys.Watched(model.Watch{State: s.look})
	s.exp = watched.NewExpander()
	s.take(watched, size)
	names := sys.Names()
	fmt.Fprintf(&s.sum, "%q %q %q %v", names.Kinds, names.Rules, choicesText(names.Choices), names.Timers)
	c := watched.Coverage()
	fmt.Fprintf(&s.sum, "{%v %v %v %v}", c.Rules, c.Sent, c.Received, counted(c.Actions))
	return digits(s.sum.Sum64())
}

// choicesText returns what choices are called. Weights change no behaviour but the chance of it.
func choicesText(choices []model.ChoiceName) (texts []struct {
	Name     string
	Outcomes []string
}) {
	for _, c := range choices {
		texts = append(texts, struct {
			Name     string
			Outcomes []string
		}{c.Name, c.Outcomes})
	}
	return texts
}

// sampleSize returns how many states a sample has of a search of so many: the more, the
// larger.
func sampleSize(states uint64) int { return int(min(max(states/oneIn, leastSample), mostSample)) }

// counted returns how often actions happened, by kind. Records are older than the kinds that
// came after Resumes: of these only those are there that happened.
func counted(actions []model.Count) []model.Count {
	first := int(model.Resumes) + 1
	never := func(c model.Count) bool { return c.Times == 0 }
	return slices.Concat(actions[:first], slices.DeleteFunc(slices.Clone(actions[first:]), never))
}

// take looks at so many states, level by level. Those with the least hashes stand for the
// others of their level, which is as good as a choice at random, and better than random
// walks, which are seldom far from where they begin.
func (s *sample) take(sys explore.System, size int) {
	width := max(1, size/levels)
	s.room = min(width, size)
	sys.Initial(func(state []byte) bool {
		s.meet(state)
		return len(s.met) < size
	})
	for size > 0 && len(s.next) > 0 {
		level := s.next
		size -= len(level)
		s.next, s.room = nil, min(width, size)
		for _, m := range level {
			s.expand(m.state)
		}
	}
}

// meet keeps a state for the next level if it is new, and has one of the least hashes.
func (s *sample) meet(state []byte) {
	h := xxh3.Hash(state)
	if _, old := s.met[h]; old {
		return
	}
	s.met[h] = struct{}{}
	at, _ := slices.BinarySearchFunc(s.next, h, func(m met, h uint64) int { return cmp.Compare(m.hash, h) })
	if at == s.room {
		return
	}
	var kept []byte
	if last := len(s.next) - 1; last+1 == s.room {
		kept, s.next = s.next[last].state[:0], s.next[:last]
	}
	s.next = slices.Insert(s.next, at, met{h, append(kept, state...)})
}

// expand notes what a state leads to.
func (s *sample) expand(state []byte) {
	s.out.Reset()
	s.text = s.text[:0]
	s.exp.Expand(state, &s.out)
	s.put(state)
	for i := range s.out.Len() {
		s.put(s.out.State(i))
		s.meet(s.out.State(i))
	}
	s.text = binary.LittleEndian.AppendUint64(s.text, s.out.Cuts())
	s.sum.Write(s.text)
}

func (s *sample) put(b []byte) {
	s.text = append(binary.LittleEndian.AppendUint32(s.text, uint32(len(b))), b...)
}

// look notes what properties see of a state.
func (s *sample) look(v *model.View) bool {
	s.text = append(s.text, byte(v.Wanted), bit(v.Settled), bit(v.Quiet))
	for _, set := range []model.Set{v.Up, v.Present, v.Leaders, v.Participants, v.Side, v.Paused} {
		s.text = binary.LittleEndian.AppendUint64(s.text, uint64(set))
	}
	for id := model.ID(1); id <= v.N; id++ {
		s.text = binary.LittleEndian.AppendUint64(append(s.text, byte(v.Elected(id))), v.Epoch(id))
	}
	return false
}

// bit is a bool as a byte.
func bit(b bool) byte {
	if b {
		return 1
	}
	return 0
}

// Notices returns an error unless the samples of which fingerprints are tell a mutant
// from the variant that it was made of, in a setting in which a search of that variant is
// on record, or in that in which the mutant is caught. The record knows the behaviours
// that they tell apart, should a variant ever have one.
func (a *Algorithm) Notices(m *Mutant) error {
	recorded, err := a.Searched()
	if err != nil {
		return err
	}
	v, err := a.Variant(m.Of)
	if err != nil {
		return err
	}
	searched := []sampled{{setting: m.Setting.String(), size: sampleSize(mostAgain)}}
	for _, x := range recorded {
		if a.named(x.Variant) == v.Name {
			searched = append(searched, sampled{setting: x.Setting, size: sampleSize(x.States)})
		}
	}
	slices.SortFunc(searched, func(x, y sampled) int {
		return cmp.Or(cmp.Compare(x.size, y.size), cmp.Compare(x.setting, y.setting))
	})
	for _, in := range slices.Compact(searched) {
		s, err := setting.Parse(in.setting)
		if err != nil {
			return err
		}
		of, err := v.In(s)
		if err != nil {
			return err
		}
		mutant, err := m.In(s)
		if err == nil && samplePrint(of, in.size) != samplePrint(mutant, in.size) {
			return nil
		}
	}
	return fmt.Errorf("mutant %s is not told from %s by the samples of %d settings", m.Name, v.Name, len(searched))
}
