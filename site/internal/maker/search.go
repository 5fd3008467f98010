package maker

import (
	"encoding/json"
	"html/template"
	"strings"

	"bullyproof/trace/render"
)

// A hit is something that a search finds: what it is called, what kind of thing it is,
// where it is from the root, and what it says.
type hit struct {
	Title string `json:"title"`
	Kind  string `json:"kind"`
	To    string `json:"to"`
	Text  string `json:"text"`
}

// mostSaid is how much of a text a search reads and shows.
const mostSaid = 220

// hits lists what there is to find, in the order in which equal hits are shown.
func (m *maker) hits(findings, lectures, incidents []*story, glossary []section) (list []hit) {
	add := func(kind, title, to, text string) {
		list = append(list, hit{title, kind, to, render.Brief(strings.ReplaceAll(text, "`", ""), mostSaid)})
	}
	for _, s := range findings {
		add("finding", s.Title, s.address, s.Asks+" "+s.Text)
	}
	for _, s := range lectures {
		add("lecture", s.Title, s.address, s.Asks)
	}
	for _, s := range incidents {
		add("incident", s.Title, s.address, s.Incident.System+". "+s.Text)
	}
	if m.hasGuide() {
		add("guide", "Choosing an election", choosingPage, choosingAbout)
		add("guide", "What clients can expect", clientsPage, clientsAbout)
	}
	for i := range m.Entries {
		e := &m.Entries[i]
		add("algorithm", e.Title, pageOf(e.Name), e.Name+". "+e.Source)
		for k := range e.Variants {
			add("reading", e.Name+"/"+e.Variants[k].Name, pageOf(e.Name)+"#reading-"+e.Variants[k].Name, e.Variants[k].Doc)
		}
		for _, row := range e.Rows {
			add("claim, "+row.Judgement.Outcome.String(), e.Name+"/"+row.Claim.Name, claimAddress(e.Name, row.Claim.Name), row.Claim.Text)
		}
		for _, r := range e.Runs {
			add("run", r.Heading(), r.Address(), r.Name+". "+r.Story)
		}
	}
	for _, s := range glossary {
		for _, t := range s.Terms {
			add("glossary", t.Word, glossaryPage+"#"+t.ID(), t.Text)
		}
	}
	return list
}

// index returns the hits as the text of a script that is data.
func index(list []hit) (template.HTML, error) {
	data, err := json.Marshal(list) // which escapes < and >
	return template.HTML(`<script type="application/json" id="index">` + string(data) + "</script>"), err
}
