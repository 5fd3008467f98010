package web

import (
	"net/url"
	"strings"

	"bullyproof/internal/prose"
	"bullyproof/model"
)

// Limits on the list of initial states.
const (
	perPage    = 50
	mostStarts = 5_000 // that are listed or searched
)

// A startsPage lists the initial states of a setting.
type startsPage struct {
	frame
	Doc         string
	Setting     settingForm
	Form        form
	Items       []startItem
	From, To    int
	Total       int
	More        bool // there are more than those counted
	Find        string
	Back, Ahead int // pages; 0 where there is none
}

// A startItem is an initial state.
type startItem struct {
	Words string // that tell it from others
	Sent  string // what is in flight already
	Link  string
}

// starts answers with the list of initial states, each of which leads on.
func (s *Server) starts(a *Answer, v *visit, query url.Values, on func(*link) string) {
	n := 1
	if query.Has(verbPage) {
		var err error
		if n, err = decodeNumber(query.Get(verbPage), mostStarts); err != nil || n == 0 {
			s.fail(a, statusBadRequest, errPage)
			return
		}
	}
	states, more, err := initial(v.sys, mostStarts)
	if err != nil {
		s.badSetting(a, v.subject, &settingError{v.setting.String(), err})
		return
	}
	here := *v.link
	here.origin = here.setting
	p := &startsPage{
		frame: v.frame("Where to begin"), Doc: v.subject.doc,
		Setting: newSettingForm(v.subject, v.setting.String(), nil),
		Form:    here.form(), More: more, Find: strings.TrimSpace(query.Get(verbFind)),
	}
	p.Form.Action, _, _ = strings.Cut(on(&here), "?")
	p.Setting.Watches = v.watches
	p.list(v, states, n, on)
	s.write(a, statusOK, "starts.html", p)
}

// list fills in one page of the initial states that match what is looked for.
func (p *startsPage) list(v *visit, states []beginning, n int, on func(*link) string) {
	first := (n - 1) * perPage
	for _, b := range states {
		to := *v.link
		to.origin, to.choices = b.origin, b.choices
		words := to.begins(b.chosen)
		if p.Find != "" && !strings.Contains(words, p.Find) {
			continue
		}
		if p.Total >= first && p.Total < first+perPage {
			p.Items = append(p.Items, newStartItem(words, on(&to), v.sys, b.state))
		}
		p.Total++
	}
	p.From, p.To = first+1, first+len(p.Items)
	if n > 1 {
		p.Back = n - 1
	}
	if p.To < p.Total {
		p.Ahead = n + 1
	}
}

func newStartItem(words, link string, sys *model.System, state []byte) startItem {
	item := startItem{Words: words, Link: link}
	if item.Words == "" {
		item.Words = "as the setting says"
	}
	var sent []string
	for _, e := range sys.Snapshot(state).InFlight {
		sent = append(sent, prose.Quote(e.Text)+" to "+e.To.Name())
	}
	const most = 6
	if len(sent) > most {
		sent = append(sent[:most-1], "more")
	}
	item.Sent = prose.List(sent)
	return item
}
