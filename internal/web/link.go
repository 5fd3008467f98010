package web

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"bullyproof/internal/nearest"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// A link is a place in the explorer: a run, and a moment of it.
type link struct {
	algorithm, variant string
	// setting is what the world may do, and origin the same narrowed to one
	// initial state. Where processes choose as they come up, several initial
	// states have the origin, and choices tell which one is meant.
	setting, origin setting.Setting
	choices         []int
	// path is what happens in the run, and at how much of it has happened at
	// the moment that is shown. The steps ahead are kept for going forward.
	path []model.Action
	at   int
	// trace names the recorded run that is followed; may be empty.
	trace string
	// ahead has the page say what each choice leads to.
	ahead bool
	// watches are the expressions whose values are shown.
	watches []string
	// tried are the paths that somebody has left for another one.
	tried [][]model.Action
}

// linkKeys are the parameters of a link, in their order.
var linkKeys = []string{"setting", "origin", "choices", "trace", keyTried, "path", "at", "ahead", keyWatch}

// The parameters that a link may have several times.
const (
	keyWatch = "watch"
	keyTried = "tried"
)

// maxQuery is how many bytes the address of a page has at most.
const maxQuery = maxPath + 12<<10

// maxChoices is how many choices a link has at most.
const maxChoices = 1_000

// A tooLong error says that a link is longer than the explorer takes.
type tooLong struct{ what string }

func (e tooLong) Error() string { return e.what }

// parseLink reads the parameters of a link to a variant whose usual setting is
// known; other names a request has beside those of a link are in also. The error
// names the parameter.
func parseLink(algorithm, variant string, usual setting.Setting, query url.Values, also ...string) (*link, error) {
	l := &link{algorithm: algorithm, variant: variant, setting: usual, at: -1}
	for name, values := range query {
		if !slices.Contains(linkKeys, name) && !slices.Contains(also, name) {
			return nil, nearest.Unknown("parameter", name, linkKeys)
		}
		if len(values) > 1 && name != keyWatch && name != keyTried {
			return nil, fmt.Errorf("parameter %q is there %d times", name, len(values))
		}
	}
	var err error
	if text := query.Get("setting"); query.Has("setting") {
		if l.setting, err = parseSetting(text); err != nil {
			return l, err
		}
	}
	if l.origin, err = parseOrigin(l.setting, query.Get("origin")); err != nil {
		return nil, fmt.Errorf("parameter origin: %w", err)
	}
	if l.choices, err = decodeNumbers(query.Get("choices")); err == nil && len(l.choices) > maxChoices {
		err = fmt.Errorf("%d numbers are too many: at most %d", len(l.choices), maxChoices)
	}
	if err != nil {
		return nil, fmt.Errorf("parameter choices: %w", err)
	}
	if l.path, err = decodePath(query.Get("path")); err != nil {
		return nil, err
	}
	l.at = len(l.path)
	if query.Has("at") {
		if l.at, err = decodeNumber(query.Get("at"), maxSteps); err != nil || l.at > len(l.path) {
			return nil, fmt.Errorf("parameter at: %q: want a number from 0 to %d, the steps of the path", nearest.Clip(query.Get("at")), len(l.path))
		}
	}
	if l.ahead = query.Has("ahead"); l.ahead && query.Get("ahead") != "1" {
		return nil, fmt.Errorf("parameter ahead: %q: want 1", nearest.Clip(query.Get("ahead")))
	}
	l.watches = query[keyWatch]
	if err := l.canWatch(); err != nil {
		return nil, fmt.Errorf("parameter %s: %w", keyWatch, err)
	}
	for _, text := range query[keyTried] {
		path, err := decodePath(text)
		if err != nil {
			return nil, fmt.Errorf("parameter %s: %w", keyTried, err)
		}
		l.tried = append(l.tried, path)
	}
	l.trace = query.Get("trace")
	return l, nil
}

// A settingError says what is wrong with the text of a setting.
type settingError struct {
	text string
	err  error
}

func (e *settingError) Error() string { return e.err.Error() }
func (e *settingError) Unwrap() error { return e.err }

// maxSetting is how many bytes the text of a setting has at most: all words
// that there are take far less.
const maxSetting = 2 << 10

// parseSetting reads a setting in which the explorer can make pages.
func parseSetting(text string) (setting.Setting, error) {
	if len(text) > maxSetting {
		return setting.Setting{}, &settingError{text[:maxSetting], fmt.Errorf("setting: it has %d bytes: at most %d", len(text), maxSetting)}
	}
	s, err := setting.Parse(text)
	if err == nil {
		err = s.Validate()
	}
	if err == nil {
		err = s.Exhaustive()
	}
	if err != nil {
		return setting.Setting{}, &settingError{text, err}
	}
	return s, nil
}

// parseOrigin narrows a setting by words that say where a run begins.
func parseOrigin(s setting.Setting, words string) (setting.Setting, error) {
	if len(words) > maxSetting {
		return s, fmt.Errorf("it has %d bytes: at most %d", len(words), maxSetting)
	}
	for _, word := range strings.Fields(words) {
		if key, _, _ := strings.Cut(word, "="); !slices.Contains(setting.Starts(), key) {
			return s, fmt.Errorf("%q does not say where a run begins: want %s", nearest.Clip(word), strings.Join(setting.Starts(), ", "))
		}
	}
	origin, err := s.With(words)
	if err == nil {
		err = origin.Validate()
	}
	if err == nil {
		err = origin.Narrows(s)
	}
	return origin, err
}

// begins says in words where a run begins, as far as its setting leaves that
// open, and what processes chose there.
func (l *link) begins(chosen []string) string {
	origin, choices := l.origin.Beginning(l.setting), strings.Join(chosen, ", ")
	if origin != "" && choices != "" {
		return origin + "; " + choices
	}
	return origin + choices
}

// params returns the parameters of the link, names and values in their order.
func (l *link) params() [][2]string {
	values := map[string]string{
		"setting": l.setting.String(),
		"origin":  l.origin.Beginning(l.setting),
		"choices": encodeNumbers(l.choices),
		"trace":   l.trace,
		"path":    encodePath(l.path),
	}
	if l.at != len(l.path) {
		values["at"] = fmt.Sprint(l.at)
	}
	if l.ahead {
		values["ahead"] = "1"
	}
	var list [][2]string
	for _, key := range linkKeys {
		if values[key] != "" {
			list = append(list, [2]string{key, values[key]})
		}
		for i := 0; key == keyTried && i < len(l.tried); i++ {
			list = append(list, [2]string{key, encodePath(l.tried[i])})
		}
	}
	for _, text := range l.watches {
		list = append(list, [2]string{keyWatch, text})
	}
	return list
}

// query returns the parameters as an address has them.
func (l *link) query(more ...[2]string) string {
	var parts []string
	for _, p := range append(l.params(), more...) {
		parts = append(parts, p[0]+"="+readable.Replace(url.QueryEscape(p[1])))
	}
	return strings.Join(parts, "&")
}

// readable undoes escapes that no address needs.
var readable = strings.NewReplacer("%3A", ":", "%2C", ",", "%2F", "/", "%3D", "=")

// url returns the address of the page.
func (l *link) url() string { return page(l.algorithm, l.variant) + "?" + l.query() }

// page returns the address of the pages of a variant, without parameters.
func page(algorithm, variant string) string {
	return "/explore/" + url.PathEscape(algorithm) + "/" + url.PathEscape(variant)
}

// moved returns the link to another moment of the run.
func (l *link) moved(at int) *link {
	to := *l
	to.at = at
	return &to
}

// taking returns the link to where an action leads from the moment shown. The
// steps ahead are kept if they begin with that action, and otherwise gone.
func (l *link) taking(a model.Action) *link {
	to := *l
	to.at++
	if l.at == len(l.path) || common(l.path[l.at:], []model.Action{a}) == 0 {
		to.path = append(slices.Clip(l.path[:l.at]), a)
		to.leave(l.path)
	}
	return &to
}
