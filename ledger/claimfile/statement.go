package claimfile

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"bullyproof/checker/cost"
	"bullyproof/internal/nearest"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile/internal/formula"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// keywords begin the clauses of a line of evidence, or are clauses alone.
var keywords = []string{
	"in", "under", "of", "for", "counted", "until", "within", "deep", "beside", "if", "holds", "hold", "breaks", "break", "printed", "computed",
}

// clauseWords are those of them that may stand behind a question, as errors list
// them.
const clauseWords = "in, under, of, for, counted from, until, within, deep, beside, if"

// verbs stand behind what is asked.
var verbs = []string{"holds", "hold", "breaks", "break", "printed", "computed"}

// A state is a piece of evidence that is being put together.
type state struct {
	ev    ledger.Evidence
	vars  map[string]int
	words []string // of the setting
	have  []string // the clauses that were met

	// Where a reader asks at one process more: literal says that no variable has
	// the number of processes, and single that N had one value.
	literal, single bool
}

// with returns a copy that has met one more clause.
func (s state) with(clause string) state {
	s.have = append(slices.Clip(s.have), clause)
	s.words = slices.Clip(s.words)
	return s
}

// has reports whether it has met a clause.
func (s *state) has(clause string) bool { return slices.Contains(s.have, clause) }

// A clause is a part of a line: a keyword, and what follows it.
type clause struct {
	word *passage
	rest *passage
}

// clauses cuts a line before each keyword. The first has no keyword, and may be
// empty.
func clauses(p *passage) (list []clause) {
	first, from := p.slice(0, 0), 0
	cut := func(to int) { list = append(list, clause{first, p.slice(from, to)}) }
	p.scan(func(i int) bool {
		if i > 0 && p.text[i-1] != ' ' {
			return true
		}
		word, rest, _ := strings.Cut(p.text[i:], " ")
		if slices.Contains(keywords, word) && (word != "counted" || strings.HasPrefix(rest, "from ")) {
			cut(i)
			first, from = p.slice(i, i+len(word)), i+len(word)
		}
		return true
	})
	cut(len(p.text))
	return list
}

// statements expands lines of evidence, for each of some states that they
// continue.
func (r *reader) statements(lines []*line, from []state) (out []state) {
	for _, s := range from {
		for _, l := range lines {
			if out = append(out, r.statement(l, s)...); len(out) > mostEvidence {
				r.failf(l.at, "that is more than %d pieces of evidence", mostEvidence)
				return nil
			}
		}
	}
	return out
}

// statement expands a line of evidence and what is below it.
func (r *reader) statement(l *line, from state) []state {
	if strings.HasSuffix(l.text, ":") && !strings.HasPrefix(l.text, "from Go:") {
		own := l.own()
		head := own.slice(0, len(l.text)-1)
		if len(l.below) == 0 {
			r.failf(own.start(), "there is nothing below \"%s\"", nearest.Clip(l.text))
		}
		return r.statements(l.below, r.head(clauses(head), from))
	}
	return r.sentence(l.passage(), from)
}

// head expands the clauses before a colon.
func (r *reader) head(list []clause, from state) []state {
	if list[0].rest.text != "" {
		r.failf(list[0].rest.start(), "want %s before the colon, and behind it what is asked", clauseWords)
		return nil
	}
	return r.apply(list[1:], []state{from})
}

// sentence expands a line of evidence.
func (r *reader) sentence(p *passage, from state) (out []state) {
	if open := p.scan(func(int) bool { return true }); open >= 0 {
		r.failf(p.at(open), "%q is not closed", p.text[open])
		return nil
	}
	if strings.HasPrefix(p.text, "from Go:") {
		return r.evidenceOfGo(p, from)
	}
	states := []state{from}
	if colon := endOfHead(p); colon >= 0 {
		states = r.head(clauses(p.slice(0, colon)), from)
		p = p.slice(colon+1, len(p.text))
	}
	list := clauses(p)
	states = r.asks(list, states)
	asked := 1
	for asked < len(list) && slices.Contains(verbs, list[asked].word.text) {
		asked++
	}
	for _, s := range r.apply(list[asked:], states) {
		s.ev.At = r.at(p.start())
		if r.finish(p, &s) {
			out = append(out, s)
		}
	}
	return out
}

// endOfHead returns where the colon is behind which the question stands, -1 if
// there is none.
func endOfHead(p *passage) (colon int) {
	colon = -1
	p.scan(func(i int) bool {
		if strings.HasPrefix(p.text[i:], ": ") {
			colon = i
			return false
		}
		return true
	})
	return colon
}

// evidenceOfGo adds the evidence that Go gives.
func (r *reader) evidenceOfGo(p *passage, from state) (out []state) {
	if len(from.have) > 0 || len(from.words) > 0 {
		r.failf(p.start(), "what Go gives has its clauses in Go: want it below \"evidence\" itself")
		return nil
	}
	list, _ := fromGo[[]ledger.Evidence](r, p, "evidence")
	if r.larger {
		return nil
	}
	for _, e := range list {
		if e.At == "" {
			e.At = r.at(p.start())
		}
		out = append(out, state{ev: e})
	}
	return out
}

// asks reads what is asked: of properties, of a cost, or of a sum.
func (r *reader) asks(list []clause, from []state) (out []state) {
	what := list[0].rest
	word, rest := what.cut()
	switch {
	case what.text == "":
		r.failf(list[len(list)-1].word.start(), "nothing is asked: want \"PROPERTY holds\", \"worst messages = FORMULA\", \"probability = FORMULA\", \"average messages = FORMULA\", or \"sum TEXT printed FIGURE computed FIGURE\"")
		return nil
	case word.text == "worst" || word.text == "best":
		return r.costs(word, rest, from)
	case slices.Contains([]string{"probability", "average", "least", "most"}, word.text):
		return r.chances(what, from)
	case word.text == "sum":
		return r.sums(rest, list, from)
	case len(list) < 2 || !slices.Contains(verbs[:4], list[1].word.text):
		r.failf(what.start(), "want \"holds\" or \"breaks\" behind the names of properties")
		return nil
	}
	verb := list[1]
	if verb.rest.text != "" {
		r.failf(verb.rest.start(), "unexpected %q behind %q: want one of %s", nearest.Clip(verb.rest.text), verb.word.text, clauseWords)
	}
	for _, s := range from {
		for _, name := range what.split(",") {
			next := s.with("question")
			next.ev.Property, next.ev.Broken = name.text, strings.HasPrefix(verb.word.text, "break")
			out = append(out, next)
		}
	}
	return out
}

// costQuestion is "[KIND] messages [to processes that are up] = FORMULA", behind
// worst or best.
var costQuestion = regexp.MustCompile(`^(?:(\S.*?) )??(messages|operations|ticks)( to processes that are up)? (=|≤|≥|<=|>=) (.+)$`)

// costs reads a question about a cost.
func (r *reader) costs(word, p *passage, from []state) (out []state) {
	m := costQuestion.FindStringSubmatchIndex(p.text)
	if m == nil {
		r.failf(p.start(), "want \"%s messages = FORMULA\": messages, a kind of messages, operations or ticks, and then =, ≤ or ≥", word.text)
		return nil
	}
	part := func(i int) *passage {
		if m[2*i] < 0 {
			return p.slice(0, 0)
		}
		return p.slice(m[2*i], m[2*i+1])
	}
	q := ledger.CostQuestion{Case: cost.BestCase, Measure: cost.Measure{Kind: part(1).text, Live: m[6] >= 0}}
	if word.text == "worst" {
		q.Case = cost.WorstCase
	}
	q.Measure.Unit = map[string]cost.Unit{"messages": cost.Messages, "operations": cost.Operations, "ticks": cost.Ticks}[part(2).text]
	q.Relation = relations[part(4).text]
	for _, s := range from {
		next, own := s.with("question"), q
		var ok bool
		if own.Figure, ok = r.eval(part(5), s.vars); !ok {
			continue
		}
		next.literal = next.literal || s.single && constant(part(5))
		next.ev.Cost = &own
		out = append(out, next)
	}
	return out
}

// relations are the signs between a number and a figure.
var relations = map[string]ledger.Relation{
	"=": ledger.Exactly, "≤": ledger.AtMost, "<=": ledger.AtMost, "≥": ledger.AtLeast, ">=": ledger.AtLeast,
}

// chanceQuestion is "probability [after NUMBER UNIT] = FORMULA", "average UNIT = FORMULA" or
// "average UNIT is finite", and "least" or "most" may stand before it.
var chanceQuestion = regexp.MustCompile(
	`^(?:(least|most) )?(?:probability(?: after ([1-9][0-9]{0,3}) (ticks|steps|epochs))?|average (\S.*?)) (?:(=|≤|≥|<=|>=) (.+)|is finite)$`)

// schedulers are the words that say for which schedulers a number is asked.
var schedulers = map[string]ledger.Schedulers{"": ledger.AnyScheduler, "least": ledger.LeastScheduler, "most": ledger.MostScheduler}

// chances reads a question about chance.
func (r *reader) chances(p *passage, from []state) (out []state) {
	m := chanceQuestion.FindStringSubmatchIndex(p.text)
	text := func(i int) string {
		if m[2*i] < 0 {
			return ""
		}
		return p.text[m[2*i]:m[2*i+1]]
	}
	if m == nil || text(4) == "" && text(5) == "" {
		r.failf(p.start(), "want \"probability = FORMULA\", \"probability after 10 ticks ≥ FORMULA\", \"average messages = FORMULA\" or \"average messages is finite\"")
		return nil
	}
	q := ledger.ChanceQuestion{Over: schedulers[text(1)], Unit: text(4), Bound: text(3), Relation: relations[text(5)]}
	q.After, _ = strconv.Atoi(text(2))
	if q.After > 0 && q.Relation == ledger.Exactly {
		r.failf(p.start(), "a probability after so many %s is rounded: want ≤ or ≥", q.Bound)
		return nil
	}
	for _, s := range from {
		next, own := s.with("question"), q
		if text(5) != "" {
			figure := p.slice(m[12], m[13])
			var ok bool
			if own.Figure, ok = r.fraction(figure, s.vars); !ok {
				continue
			}
			next.literal = next.literal || s.single && q.Unit != "" && constant(figure)
		}
		next.ev.Chance = &own
		out = append(out, next)
	}
	return out
}

// constant reports whether a formula is the same whatever the number of processes:
// a figure for one number says nothing of another.
func constant(p *passage) bool {
	f, err := formula.Parse(p.text)
	return err == nil && len(f.Variables()) == 0
}

// sums reads a question of arithmetic.
func (r *reader) sums(what *passage, list []clause, from []state) (out []state) {
	if len(list) < 3 || list[1].word.text != "printed" || list[2].word.text != "computed" {
		r.failf(what.start(), "want \"sum TEXT printed FIGURE computed FIGURE\"")
		return nil
	}
	if computed := list[2].rest; strings.Trim(computed.text, "0123456789. ") == "" || strings.HasPrefix(computed.text, `"`) {
		r.failf(computed.start(), "%s is a figure, and not computed: want a formula (what is only read off a table is a note)", nearest.Clip(computed.text))
	}
	for _, s := range from {
		next := s.with("question").with("sum")
		next.ev.What = r.quoted(what, s.vars)
		next.ev.Printed, next.ev.Computed = r.figure(list[1].rest, s.vars), r.figure(list[2].rest, s.vars)
		out = append(out, next)
	}
	return out
}

// finish makes the setting of a piece of evidence, and reports what is missing.
func (r *reader) finish(p *passage, s *state) bool {
	if !s.has("question") {
		return false // reported
	}
	if r.larger && (s.has("sum") || s.literal && (s.ev.Cost != nil || s.ev.Chance != nil)) {
		return false
	}
	if s.has("sum") {
		if s.has("in") || s.has("under") || s.ev.Deep || s.ev.MaxStates > 0 {
			r.failf(p.start(), "a sum takes no search: want no setting, and neither \"deep\" nor \"within\"")
		}
		return true
	}
	if !s.has("in") {
		r.failf(p.start(), "it is not said where: want \"in SCOPE\"")
		return false
	}
	text := strings.Join(s.words, " ")
	if r.settings[text] == "" {
		parsed, err := setting.Parse(text)
		if err == nil && r.larger {
			err = cmp.Or(parsed.Validate(), parsed.Exhaustive())
		}
		if err != nil {
			r.failf(p.start(), "%v", err)
			return false
		}
		r.settings[text] = parsed.String()
	}
	s.ev.Setting = r.settings[text]
	return true
}

// apply expands clauses in their order: of two the first varies slower.
func (r *reader) apply(list []clause, states []state) []state {
	for _, c := range list {
		next := make([]state, 0, len(states))
		for _, s := range states {
			if next = append(next, r.clause(c, s)...); len(next) > mostEvidence {
				r.failf(c.word.start(), "that is more than %d pieces of evidence", mostEvidence)
				return nil
			}
		}
		states = next
	}
	return states
}

// clause expands one.
func (r *reader) clause(c clause, s state) []state {
	word := c.word.text
	if slices.Contains(verbs, word) {
		r.failf(c.word.start(), "%q stands directly behind what is asked, and only there", word)
		return nil
	}
	if word != "for" && word != "in" && s.has(word) {
		r.failf(c.word.start(), "there are two %q for one question", word)
		return nil
	}
	if c.rest.text == "" && word != "deep" {
		r.failf(c.word.start(), "there is nothing behind %q", word)
		return nil
	}
	next := s.with(word)
	switch word {
	case "in":
		return r.places(r.itemsOf(c.rest), next)
	case "under":
		return r.each(c.rest, next, func(s *state, p *passage) { s.words = append(s.words, "timing="+r.fill(p, s.vars)) })
	case "of":
		return r.each(c.rest, next, func(s *state, p *passage) { s.ev.Variant = p.text })
	case "for":
		return r.variables(c.rest, next)
	case "counted":
		r.counted(c.rest, &next)
	case "until":
		r.until(c.rest, &next)
	case "within":
		r.within(c.rest, &next)
	case "deep":
		if next.ev.Deep = true; c.rest.text != "" {
			r.failf(c.rest.start(), "unexpected %q behind \"deep\": want one of %s", nearest.Clip(c.rest.text), clauseWords)
		}
	case "beside":
		next.ev.Aside = r.quoted(c.rest, s.vars)
	case "if":
		next.ev.If = r.quoted(c.rest, s.vars)
	}
	return []state{next}
}

// each returns a state for each part between commas.
func (r *reader) each(p *passage, s state, change func(s *state, p *passage)) (out []state) {
	for _, part := range p.split(",") {
		next := s
		next.words = slices.Clone(s.words)
		change(&next, part)
		out = append(out, next)
	}
	return out
}

// within reads a limit on the number of states.
func (r *reader) within(p *passage, s *state) {
	number, unit := p.cut()
	n, err := strconv.ParseUint(number.text, 10, 63)
	if err != nil || n == 0 || unit.text != "states" {
		r.failf(p.start(), "want a number of states: \"within 50000 states\"")
	}
	s.ev.MaxStates = n
}

// untilWhat is "NAME TEXT".
var untilWhat = regexp.MustCompile(`^([a-z0-9-]+) (".*")$`)

// until reads where a run has come to its end.
func (r *reader) until(p *passage, s *state) {
	m := untilWhat.FindStringSubmatchIndex(p.text)
	if m == nil || s.ev.Chance == nil {
		r.failf(p.start(), "want \"until NAME TEXT\" behind a probability or an average, where Go gives the NAME and the TEXT says it in quotation marks")
		return
	}
	q := *s.ev.Chance
	s.ev.Chance = &q
	q.When = r.quoted(p.slice(m[4], m[5]), s.vars)
	name := p.slice(m[2], m[3])
	if _, q.Blind = r.given[name.text].(Blind); q.Blind {
		q.Until, _ = give[Blind](r, name, "")
		return
	}
	q.Until, _ = give[func(*model.View) bool](r, name, "a func(*model.View) bool")
}

// countedFrom is "from NAME TEXT", or "from NAME(FORMULA) TEXT".
var countedFrom = regexp.MustCompile(`^from ([a-z0-9-]+)(?:\(([^()]*)\))? (".*")$`)

// counted reads where counting begins.
func (r *reader) counted(p *passage, s *state) {
	m := countedFrom.FindStringSubmatchIndex(p.text)
	if m == nil || s.ev.Cost == nil {
		r.failf(p.start(), "want \"counted from NAME TEXT\" behind a cost, where Go gives the NAME and the TEXT says it in quotation marks")
		return
	}
	name := p.slice(m[2], m[3])
	q := *s.ev.Cost
	s.ev.Cost = &q
	q.When = r.quoted(p.slice(m[6], m[7]), s.vars)
	if m[4] < 0 {
		q.From, _ = give[func(*model.View) bool](r, name, "a func(*model.View) bool")
		return
	}
	f, ok := give[func(int) func(*model.View) bool](r, name, "a func(int) func(*model.View) bool")
	v, valid := r.eval(p.slice(m[4], m[5]), s.vars)
	if ok && valid {
		q.From = f(v)
	}
}
