package web

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"bullyproof/model/setting"
)

var errPage = errors.New("page: want a number from 1 up")

// A settingForm lets people change the setting.
type settingForm struct {
	Action string
	Check  string // where a setting is checked
	Text   string
	Usual  string // the setting of the variant, if it is another one
	Errors []string
	Words  []setting.Word
	Hand   []control
	// Watches are the expressions that the next run also watches.
	Watches []string
}

// A control changes a word of a setting by hand: a number, or one of some options.
type control struct {
	Key, Doc  string
	Value     string
	Min, Max  int // of a number
	Number    bool
	Options   []setting.WordExample // their texts are values
	Otherwise string                // the value, if it is none of the options
}

// byHand are the words that have a control, in its order, and of numbers the most.
var byHand = []struct {
	key  string
	most int
}{
	{"n", setting.MaxExhaustive}, {"crashes", 9}, {"restarts", 0}, {"losses", 9}, {"duplications", 9}, {"cuts", 9}, {"cut-by", 0}, {"heals", 0},
	{"pauses", 9}, {"joins", 9}, {"suspicions", 9}, {"timing", 0}, {"drift", 50}, {"skew", 60}, {"channels", 0}, {"start", 0}, {"mid-send", 0},
}

// handPrefix begins the names of parameters that change a setting by hand.
const handPrefix = "hand-"

// controls returns the controls of the text of a setting.
func controls(text string) (list []control) {
	words := setting.Words()
	for _, h := range byHand {
		of := words[slices.IndexFunc(words, func(w setting.Word) bool { return w.Key == h.key })]
		c := control{Key: h.key, Doc: of.Doc, Max: h.most, Number: h.most > 0, Value: valueOf(text, h.key)}
		switch {
		case h.key == "n":
			c.Min = 2
		case c.Number && c.Value == "":
			c.Value = "0"
		}
		if !c.Number {
			c.options(of)
		}
		list = append(list, c)
	}
	return list
}

// options gives a control the values of the examples of its word, the default first.
func (c *control) options(of setting.Word) {
	for _, x := range of.Examples {
		c.Options = append(c.Options, setting.WordExample{Text: strings.TrimPrefix(x.Text, c.Key+"="), Means: x.Means})
	}
	switch c.Key {
	case "restarts", "heals":
		c.Options = slices.Insert(c.Options, 0, setting.WordExample{Text: "0", Means: "None."})
	case "mid-send": // whose default comes last
		slices.Reverse(c.Options)
	}
	if c.Value == "" {
		c.Value = c.Options[0].Text
	}
	if !slices.ContainsFunc(c.Options, func(x setting.WordExample) bool { return x.Text == c.Value }) {
		c.Otherwise = c.Value
	}
}

// valueOf returns what the text of a setting says for a key; empty where it says nothing.
func valueOf(text, key string) string {
	for _, word := range strings.Fields(text) {
		if value, found := strings.CutPrefix(word, key+"="); found {
			return value
		}
	}
	return ""
}

// changed returns the text of a setting with the words that a request changes by hand; of no
// request if it changes none. A word that then says the default is left out.
func changed(text string, query url.Values) (with string, some bool) {
	words := strings.Fields(text)
	for _, c := range controls(text) {
		value := query.Get(handPrefix + c.Key)
		if !query.Has(handPrefix + c.Key) {
			continue
		}
		some = true
		words = slices.DeleteFunc(words, func(word string) bool { return strings.HasPrefix(word, c.Key+"=") })
		if n, err := strconv.Atoi(value); err != nil || n != 0 {
			words = append(words, c.Key+"="+value)
		}
	}
	text = strings.Join(words, " ")
	if s, err := setting.Parse(text); err == nil && s.Validate() == nil {
		text = s.String()
	}
	return text, some
}

// byHand leads to the page of a request whose setting is changed by hand. It reports whether
// one is.
func (s *Server) byHand(a *Answer, r *Request, sub *subject) bool {
	query, err := url.ParseQuery(r.Query)
	if err != nil || len(r.Query) > maxQuery {
		return false
	}
	text := sub.usual.String()
	if query.Has("setting") {
		text = query.Get("setting")
	}
	text, some := changed(text[:min(len(text), maxSetting)], query)
	if !some {
		return false
	}
	to := url.Values{"setting": {text}}
	if watches := query[keyWatch]; len(watches) > 0 {
		to[keyWatch] = watches
	}
	a.lead(r.Path + "?" + to.Encode())
	return true
}

func newSettingForm(sub *subject, text string, err error) settingForm {
	f := settingForm{
		Action: page(sub.algorithm.Name, sub.name), Check: checkPath(sub.algorithm.Name, sub.name), Text: text, Words: setting.Words(),
		Hand: controls(text),
	}
	if usual := sub.usual.String(); usual != text {
		f.Usual = usual
	}
	if err != nil {
		f.Errors = mistakes(text, err)
	}
	return f
}

// mistakes says everything that is wrong with the text of a setting, of which an error is known.
func mistakes(text string, err error) (list []string) {
	for _, wrong := range setting.Mistakes(text) {
		list = append(list, sentence(wrong))
	}
	if known := sentence(err); !slices.Contains(list, known) {
		list = append(list, known)
	}
	return list
}

// A settingPage says what is wrong with a setting, and lets people correct it.
type settingPage struct {
	frame
	Doc     string
	Setting settingForm
}

// badSetting answers to a setting in which nothing can be explored.
func (s *Server) badSetting(a *Answer, sub *subject, wrong *settingError) {
	v := &visit{subject: sub}
	s.write(a, statusBadRequest, "setting.html", &settingPage{
		frame: v.frame("Setting"), Doc: sub.doc, Setting: newSettingForm(sub, wrong.text, wrong),
	})
}
