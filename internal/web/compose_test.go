package web

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/ledger"
	"bullyproof/model/setting"
)

// Answers to the questions that a source leaves open are switches: the verdicts are those of the
// system that they make, and so are its runs.
func TestCompose(t *testing.T) {
	s := newServer(t)
	sub, err := findSubject(algorithms.All, "bully", "coulouris")
	require.NoError(t, err)
	_, text := get(t, s, "/check/bully/coulouris")
	states := regexp.MustCompile(`[\d,]+ states, `)
	plain := states.FindString(text)
	require.NotEmpty(t, plain)
	silent := 0
	for _, w := range ledger.Switches(sub.algorithm, "coulouris", nil) {
		for _, answer := range w.Answers {
			has(t, text, answer.Says)
		}
		if !w.Silent() {
			continue
		}
		silent++
		_, where := followed(t, s, "/check/bully/coulouris?setting=n%3D3+start%3Dsettled+crashes%3D1+restarts%3D1&rule-"+w.Question.Name+"="+w.Answers[1].Name)
		u, err := url.Parse(where)
		require.NoError(t, err)
		assert.Equal(t, "/check/bully/coulouris+"+w.Question.Name+"="+w.Answers[1].Name, u.Path)
	}
	assert.GreaterOrEqual(t, silent, 2)

	// Another answer is another system, and its runs can be walked through.
	_, text = get(t, s, "/check/bully/coulouris+answered=is-done")
	assert.NotEqual(t, plain, states.FindString(text))
	run := regexp.MustCompile(`href="(/explore/bully/coulouris[^"]*path=[^"]*)"`).FindStringSubmatch(text)
	require.NotEmpty(t, run)
	assert.Contains(t, run[1], "answered=is-done")
	text, _ = followed(t, s, html.UnescapeString(run[1]))
	has(t, text, "coulouris+answered=is-done")

	// Of a question that variants answer, another answer is another variant; a fault is a mutant.
	_, where := followed(t, s, "/explore/bully/tanenbaum?rule-announces=lower")
	assert.Equal(t, "/explore/bully/tanenbaum-lower", where)
	_, where = followed(t, s, "/check/bully/coulouris+answered=is-done?setting=n%3D3&rule-version=wikipedia&rule-answered=is-done")
	assert.Contains(t, where, "/check/bully/wikipedia?setting=n%3D3")
	fault := sub.algorithm.Mutants[0]
	_, where = followed(t, s, "/explore/bully/"+fault.Of+"?rule-fault="+fault.Name)
	assert.Equal(t, "/explore/bully/"+fault.Name, where)
	_, where = followed(t, s, "/explore/bully/"+fault.Name+"?rule-fault=")
	assert.Equal(t, "/explore/bully/"+fault.Of, where)
}

// A check asks what its address names beside the questions of the algorithm, and so does that of
// other rules.
func TestCheckAsking(t *testing.T) {
	s := newServer(t)
	in := setting.Must("n=3 start=settled cuts=1 cut-by=link detector=off timing=lockstep")
	_, text := get(t, s, CheckAsking("raft", "figure-2", in, "undisturbed"))
	has(t, text, `<tr class="violated part" id="found-undisturbed">`)
	has(t, text, `<input type="hidden" name="ask" value="undisturbed">`)
	_, text = get(t, s, Check("raft", "figure-2", in))
	hasNot(t, text, `found-undisturbed`)
	text, where := followed(t, s, CheckAsking("raft", "figure-2", in, "undisturbed")+"&rule-version=prevote")
	assert.Contains(t, where, "/check/raft/prevote?ask=undisturbed&setting=")
	has(t, text, `<tr class="holds part" id="found-undisturbed">`)
	answer, text := get(t, s, CheckAsking("raft", "figure-2", in, "undisturbd"))
	assert.Equal(t, http.StatusBadRequest, answer.StatusCode)
	has(t, text, "undisturbd")
}

// An answer that nobody can give is told, and so are those that go on from it.
func TestComposeMistakes(t *testing.T) {
	s := newServer(t)
	for _, tt := range []struct {
		address string
		status  int
		want    string
	}{
		{"/explore/bully/coulouris+answered=is-don", http.StatusNotFound, `unknown answer to answered "is-don": did you mean is-done?`},
		{"/explore/bully/coulouris+anwered=is-done", http.StatusNotFound, `did you mean answered?`},
		{"/explore/bully/coulouris+answered", http.StatusNotFound, "NAME+QUESTION=ANSWER"},
		{"/explore/bully/tanenbaum-once+told=x", http.StatusNotFound, "nothing is written"},
		{"/explore/bully/tanenbaum?rule-announces=lowest", http.StatusBadRequest, `unknown answer to announces "lowest"`},
		{"/explore/bully/coulouris?rule-answered=is-don", http.StatusBadRequest, `unknown answer to answered "is-don"`},
		{"/check/bully/coulouris?rule-anwered=is-done", http.StatusBadRequest, `unknown question "anwered"`},
		{"/check/bully/coulouris?rule-version=wikipedi", http.StatusBadRequest, `unknown variant of bully "wikipedi"`},
		{"/check/bully/coulouris?rule-fault=no-such", http.StatusBadRequest, `unknown fault "no-such"`},
	} {
		t.Run(tt.address, func(t *testing.T) {
			answer, text := get(t, s, tt.address)
			assert.Equal(t, tt.status, answer.StatusCode)
			has(t, text, tt.want)
		})
	}
}

// A variant has the switches that can be given in it: where no silences of its source are written
// down, none of them.
func TestSwitchesCanBeGiven(t *testing.T) {
	given := 0
	for _, a := range algorithms.All {
		for i := range a.Variants {
			for _, w := range ledger.Switches(a, a.Variants[i].Name, nil) {
				for _, answer := range w.Answers {
					if w.Silent() {
						_, _, err := ledger.Composed(a, a.Variants[i].Name, map[string]string{w.Question.Name: answer.Name})
						require.NoError(t, err, "%s/%s: %s", a.Name, a.Variants[i].Name, w.Question.Name)
						given++
					}
				}
			}
		}
	}
	assert.Greater(t, given, 50)
}

// A fault is made in a variant as it is coded: answers do not go with it, and a switch leads
// back to the variant.
func TestComposeMutant(t *testing.T) {
	s := newServer(t)
	sub, err := findSubject(algorithms.All, "bully", "coulouris")
	require.NoError(t, err)
	bully := sub.algorithm
	i := slices.IndexFunc(bully.Mutants, func(m ledger.Mutant) bool { return m.Of == "coulouris" })
	require.GreaterOrEqual(t, i, 0)
	name := bully.Mutants[i].Name
	answer, text := get(t, s, "/explore/bully/"+name+"+answered=is-done")
	assert.Equal(t, http.StatusNotFound, answer.StatusCode)
	has(t, text, "coulouris+answered=is-done")
	_, where := followed(t, s, "/explore/bully/"+name+"?rule-fault=&rule-answered=is-done")
	assert.Equal(t, "/explore/bully/coulouris+answered=is-done", where)
}
