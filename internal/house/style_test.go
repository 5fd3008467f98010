package house_test

import (
	"go/ast"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// styleGuide says how texts are written. Its tables have the idioms and words that
// no text uses.
const styleGuide = "docs/style.md"

// A passage is a text that people read, without what it quotes.
type passage struct {
	at, text string
	heading  bool
}

// TestStyle holds the texts that people read to docs/style.md.
func TestStyle(t *testing.T) {
	t.Chdir(root)
	banned := idioms(t)
	for _, p := range passages(t) {
		for _, f := range []string{banned.FindString(p.text), actingNumber(p.text), nestedClause(p.text)} {
			if f != "" {
				t.Errorf("%s: %q is not how %s writes:\n\t%s", p.at, strings.TrimSpace(f), styleGuide, strings.TrimSpace(p.text))
			}
		}
		if p.heading && lower.MatchString(p.text) {
			t.Errorf("%s: a heading begins with a capital letter: %s", p.at, p.text)
		}
	}
}

// TestStyleOfComments holds comments to docs/style.md.
func TestStyleOfComments(t *testing.T) {
	t.Chdir(root)
	banned, count := idioms(t), 0
	for _, s := range sources(t) {
		named := pronounNames(s.file)
		for _, group := range s.file.Comments {
			count++
			text := commentText(group)
			found := []string{banned.FindString(text)}
			if !named[group] {
				found = append(found, vagueSubject(text))
			}
			for _, f := range found {
				if f != "" {
					t.Errorf("%s: %q is not how %s writes:\n\t%s", s.at(group), strings.TrimSpace(f), styleGuide, text)
				}
			}
		}
	}
	require.Greater(t, count, 10_000)
}

// TestStyleOfRuns demands that texts of runs name process 1 P1.
func TestStyleOfRuns(t *testing.T) {
	t.Chdir(root)
	names := filesOf(t, func(name string) bool {
		golden := strings.Contains(name, "/testdata/") || strings.HasPrefix(name, "counterexamples/")
		return golden && slices.Contains([]string{".txt", ".md", ".steps"}, path.Ext(name))
	})
	require.NotEmpty(t, names)
	for _, name := range names {
		for i, line := range lines(t, name) {
			if f := actingNumber(unquoted(line)); f != "" {
				t.Errorf("%s:%d: %q: want P1 for process 1 (%s)", name, i+1, f, styleGuide)
			}
		}
	}
}

// The rules find what they are for, and leave alone what looks like it.
func TestStyleRules(t *testing.T) {
	t.Chdir(root)
	for text, acts := range map[string]bool{
		"3 crashes.": true, "After that 1 follows 2.": true, "1 and 2 both lead.": true, "whom 2 names": true,
		"P3 crashes.": false, "step 3 follows": false, "crashes=1 restarts=1": false, "rules 3 and 4 both say it": false, "2 crashes happen": false,
	} {
		assert.Equal(t, acts, actingNumber(text) != "", text)
	}
	for text, deep := range map[string]bool{
		"the process that the one that noticed asked": true, "a message which a node that is down sent": true,
		"it knows that the node which leads is up": false, "it says which of those that lead are up": false,
		"a node that is up, and one that is down": false, "a node that crashes before the message arrives from one that is up": false,
	} {
		assert.Equal(t, deep, nestedClause(text) != "", text)
	}
	for text, vague := range map[string]bool{
		"What it says is read.": true, "It is so. Whoever leads says so.": true, "Keep: What is kept.": true, "(Who leads says so.)": true,
		"What is kept? It says so.": false, "It says what is kept.": false, "Whether it leads.": false,
	} {
		assert.Equal(t, vague, vagueSubject(text) != "", text)
	}
	banned := idioms(t)
	for text, bad := range map[string]bool{"It waits for ever.": true, "it is told of it": true, "Beside them stand two": true, "for every process": false} {
		assert.Equal(t, bad, banned.MatchString(text), text)
	}
}

var (
	// acting is a bare number that does what a process does.
	acting = regexp.MustCompile(`(?:^|[\s(;])(?:\d,? )?(?:and )?\d (?:suspects|joins|times out|pauses|follows?|names|believes?|receives|finds|is (?:up|down|asked|elected|coordinator)|knows|sends|announces|takes over|comes (?:up|back)|both|hears|learns|wins|leads|crashes and|crashes$|restarts$)\b|(?:^|[\s(;])\d (?:crashes|restarts)[.,;:]`)
	// numbered is a number that a word before it says to be of something else.
	numbered = regexp.MustCompile(`(?i)\b(?:process|node|step|rule|figure|fig\.|equation|section|table|line|assumption|number|id|variant|version|page|phase|term|epoch|round|client|order|lemma|case)(?:e?s)? \d\w?(?:(?:,| and| or| to) \d\w?)*`)

	quotation = regexp.MustCompile(`"[^"]*"|“[^”]*”`)
	codeSpan  = regexp.MustCompile("`[^`]*`")
	address   = regexp.MustCompile(`\]\([^)]*\)|<!--.*?-->|https?://\S+`)
	markup    = regexp.MustCompile(`\{\{[^}]*\}\}|<[^>]*>`)
	clauses   = regexp.MustCompile(`[^,.;:!?()—–|*]+`)
	lower     = regexp.MustCompile(`^[a-z]`)
)

// actingNumber returns the first bare number of a text that stands for a process.
func actingNumber(text string) string { return acting.FindString(numbered.ReplaceAllString(text, "N")) }

// complements are words before a "that" or a "which" that begins no relative clause.
var complements = strings.Fields(`that which who in of by to from on at for with and or but than so as if is are was be
	know knows known notice notices noticed say says said tell tells told find finds found believe believes show shows shown
	see sees ask asks mean means ensure ensures demand demands prove proves suppose supposes assume assumes assumed think thinks
	learn learns hear hears detect detects decide decides conclude concludes require requires write writes claim claims remember
	remembers admit forget forgets note matter explain explains infer`)

// nestedClause returns the first relative clause of a text that begins within a few
// words of another one. It is a guess: it knows the words before, not the sentence.
func nestedClause(text string) string {
	for _, clause := range clauses.FindAllString(text, -1) {
		words, last := strings.Fields(clause), -1
		for i, word := range words {
			if i == 0 || !slices.Contains([]string{"that", "which", "who"}, word) || slices.Contains(complements, strings.ToLower(words[i-1])) {
				continue
			}
			if last >= 0 && i-last <= 5 {
				return strings.Join(words[last-1:min(i+2, len(words))], " ")
			}
			last = i
		}
	}
	return ""
}

// idioms returns what finds the idioms and words that the guide rules out: those in
// the last column of its words, and in the first of its idioms.
func idioms(t *testing.T) *regexp.Regexp {
	t.Helper()
	var list []string
	for _, line := range lines(t, filepath.FromSlash(styleGuide)) {
		cells := strings.Split(line, "|")
		if len(cells) < 4 {
			continue
		}
		column := cells[1]
		if len(cells) == 5 {
			column = cells[3]
		}
		for _, span := range codeSpan.FindAllString(column, -1) {
			words := regexp.QuoteMeta(strings.Trim(span, "`"))
			switch {
			case lower.MatchString(words):
				words = `\b(?i:` + words + `)`
			case !strings.HasPrefix(words, ","):
				words = `\b` + words
			}
			if strings.HasSuffix(words, ")") {
				words += `(?:\b|$)`
			}
			list = append(list, words)
		}
	}
	require.Greater(t, len(list), 20, "%s has no tables", styleGuide)
	return regexp.MustCompile(strings.Join(list, "|"))
}

// vague is a sentence that begins with a pronoun in place of a noun, up to its end.
var vague = regexp.MustCompile(`(?:^|[.:!?)] |\()((?:What|Whatever|Who|Whoever) [^.?!]*[.?!]?)`)

// vagueSubject returns the first sentence of a text that begins with such a pronoun and
// is no question.
func vagueSubject(text string) string {
	for _, found := range vague.FindAllStringSubmatch(text, -1) {
		if !strings.HasSuffix(found[1], "?") {
			return found[1]
		}
	}
	return ""
}

// commentText returns the text of a comment in one line, without what it quotes.
func commentText(group *ast.CommentGroup) string {
	return unquoted(strings.Join(strings.Fields(group.Text()), " "))
}

// pronounNames returns the comments of fields whose name is such a pronoun: they begin
// with it.
func pronounNames(file *ast.File) map[*ast.CommentGroup]bool {
	all := make(map[*ast.CommentGroup]bool)
	ast.Inspect(file, func(n ast.Node) bool {
		if field, ok := n.(*ast.Field); ok && field.Doc != nil && len(field.Names) > 0 && vagueSubject(field.Names[0].Name+" is.") != "" {
			all[field.Doc] = true
		}
		return true
	})
	return all
}

// passages returns all texts that people read: documents, the texts of claims, the
// templates of pages, and the strings of programs.
func passages(t *testing.T) []passage {
	t.Helper()
	var list []passage
	for _, name := range filesOf(t, func(name string) bool { return !strings.Contains(name, "testdata/") }) {
		switch base := path.Base(name); {
		case path.Ext(name) == ".md" && name != styleGuide && name != "docs/reductions.md" && !strings.HasPrefix(name, "docs/ledger") && name != "docs/clients.md": // those are written from the rest
			list = append(list, markdown(t, name)...)
		case base == "claims.txt":
			list = append(list, claimTexts(t, name)...)
		case path.Ext(name) == ".html", base == "help_json.txt":
			for i, line := range lines(t, name) {
				text := unquoted(markup.ReplaceAllString(line, " "))
				list = append(list, passage{at: at(name, i), text: text})
			}
		}
	}
	for _, s := range sources(t) {
		if !s.test() {
			list = append(list, stringsOf(s)...)
		}
	}
	require.Greater(t, len(list), 1000)
	return list
}

func at(name string, line int) string { return name + ":" + strconv.Itoa(line+1) }

// markdown returns the paragraphs of a document, without code and quotations.
func markdown(t *testing.T, name string) (list []passage) {
	t.Helper()
	code := false
	for i, line := range lines(t, name) {
		if strings.HasPrefix(line, "```") {
			code = !code
			continue
		}
		if code || strings.HasPrefix(line, "    ") || strings.HasPrefix(line, ">") {
			continue
		}
		title, heading := strings.CutPrefix(strings.TrimLeft(line, "#"), " ")
		heading = heading && strings.HasPrefix(line, "#")
		if !heading {
			title = line
		}
		text := address.ReplaceAllString(codeSpan.ReplaceAllString(title, "CODE"), "]")
		list = append(list, passage{at(name, i), unquoted(text), heading})
	}
	return list
}

// claimWord begins a text for people in a file of claims.
var claimWord = regexp.MustCompile(`^\s+(?:says|note|text|title|repair|[a-z, ]+ (?:says|does|none)) +`)

// claimTexts returns the texts for people of a file of claims.
func claimTexts(t *testing.T, name string) (list []passage) {
	t.Helper()
	open := false
	for i, line := range lines(t, name) {
		word := claimWord.FindString(line)
		switch {
		case word != "":
			list = append(list, passage{at: at(name, i), text: line[len(word):]})
		case open && strings.HasPrefix(line, "        "):
			list[len(list)-1].text += " " + strings.TrimSpace(line)
		}
		open = word != "" || open && strings.HasPrefix(line, "        ")
	}
	for i := range list {
		list[i].text = unquoted(list[i].text)
	}
	return list
}

// stringsOf returns the strings of a program that are sentences, or parts of them:
// those of three words at least. Strings that are added are one.
func stringsOf(s *source) (list []passage) {
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.BasicLit, *ast.BinaryExpr:
			if text, ok := literal(n.(ast.Expr)); ok {
				if strings.Count(text, " ") > 1 {
					list = append(list, passage{at: s.at(n), text: unquoted(text)})
				}
				return false
			}
		}
		return true
	})
	return list
}

// literal returns the text of strings that are added, with an X for what is no
// literal; not ok if there is none.
func literal(e ast.Expr) (text string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, e.Kind == token.STRING && err == nil
	case *ast.BinaryExpr:
		left, first := literal(e.X)
		right, second := literal(e.Y)
		if e.Op == token.ADD && (first || second) {
			return left + right, true
		}
		return "X", false
	}
	return "X", false
}

// unquoted returns a text without what it quotes.
func unquoted(text string) string { return quotation.ReplaceAllString(text, "QUOTE") }

// filesOf returns the files of the repository that are wanted, by slash-separated
// names.
func filesOf(t *testing.T, wanted func(name string) bool) (names []string) {
	t.Helper()
	require.NoError(t, filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch slashed := filepath.ToSlash(name); {
		case err != nil:
			return err
		case d.IsDir() && strings.HasPrefix(d.Name(), ".") && name != ".", slashed == "pages": // a site: docs/class.md
			return filepath.SkipDir
		case !d.IsDir() && wanted(slashed):
			names = append(names, slashed)
		}
		return nil
	}))
	return names
}

// lines returns the lines of a file.
func lines(t *testing.T, name string) []string {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return strings.Split(string(data), "\n")
}
