package web

import (
	"flag"
	"html"
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/internal/test/casecount"
	"bullyproof/internal/test/garbage"
	"bullyproof/model/setting"
)

var firstStart = regexp.MustCompile(`<a class="card" href="([^"]*)"`)

var deep = flag.Bool("deep", false, "follow every recorded run, walk farther through each variant with each fault and through mutants, and look at pages in windows of more sizes")

// Searches are most of what these tests do.
var _ = garbage.Seldom()

// Every variant can be walked through, as it comes and with what the world may
// do to it. Some variants have some of the faults, by their names. If the test is a deep
// one each has all of them, walks are longer, and every mutant is walked through
// as it comes.
func TestCatalogue(t *testing.T) {
	s := newServer(t)
	for _, a := range algorithms.All {
		for _, sub := range subjects(a) {
			if !*deep && (sub.mutant || !casecount.Takes(t, false, 8, a.Name+"/"+sub.name)) {
				continue
			}
			t.Run(a.Name+"/"+sub.name, func(t *testing.T) {
				t.Parallel()
				for i, setting := range hard(t, sub) {
					at := page(a.Name, sub.name) + "?" + (&link{setting: setting, origin: setting}).query()
					text, at := followed(t, s, at)
					if link := firstStart.FindStringSubmatch(text); link != nil {
						text, at = followed(t, s, html.UnescapeString(link[1]))
					}
					wander(t, s, text, at, uint64(i))
				}
			})
		}
	}
}

// hard returns settings of a variant: the usual one, and those that it takes of
// some with more faults.
func hard(t *testing.T, sub *subject) []setting.Setting {
	list := []setting.Setting{sub.usual}
	if sub.mutant || testing.Short() {
		return list
	}
	for _, words := range []string{
		"crashes=1 restarts=1 mid-send=yes", "losses=1 duplications=1", "joins=1", "timing=async:1", "timing=last-resort", "channels=fifo",
		"start=cold:interleaved", "suspicions=1 cuts=1 heals=1",
	} {
		if !casecount.Takes(t, *deep, 8, words) {
			continue
		}
		if s, err := sub.usual.With(words); err == nil && s.Validate() == nil {
			if sys, err := sub.build(s); err == nil {
				if _, _, err := initial(sys, 1); err == nil {
					list = append(list, s)
				}
			}
		}
	}
	return list
}

// wander takes some actions, each of which the page offers, and looks at
// their outcomes.
func wander(t *testing.T, s *Server, text, at string, seed uint64) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 11))
	steps := 6
	if *deep {
		steps = 12
	}
	for n := 1; n <= steps; n++ {
		list := offered(text)
		if len(list) == 0 {
			return // over, or a misuse
		}
		for _, code := range list {
			a, err := decodeAction(code)
			require.NoError(t, err)
			require.Equal(t, code, encodeAction(&a))
		}
		text, at = followed(t, s, with(at, "do", list[random.IntN(len(list))]))
		has(t, text, "step <strong>"+itoa(n)+"</strong>")
	}
	exported(t, s, at)
}

// The properties that a check asks of an algorithm, and its own, are on the
// page of its runs.
func TestPropertiesOnThePage(t *testing.T) {
	s := newServer(t)
	for _, a := range algorithms.All {
		at := page(a.Name, a.Variants[0].Name)
		text, _ := followed(t, s, at)
		if link := firstStart.FindStringSubmatch(text); link != nil {
			text, _ = followed(t, s, html.UnescapeString(link[1]))
		}
		for _, p := range append(a.Questions(), a.Properties...) {
			if !p.Witness() {
				has(t, text, `<span class="name">`+p.Name+"</span>")
				has(t, text, p.Doc)
			}
		}
	}
}
