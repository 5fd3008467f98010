package maker_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms/raft"
	"bullyproof/counterexamples/incidents"
	"bullyproof/ledger"
	"bullyproof/site/internal/maker"
)

// reports are the incidents of the site of tests: one whose run never ends, one whose run
// ends, and one that no run shows.
func reports() maker.Options {
	opt := maker.Options{Algorithms: []*ledger.Algorithm{raft.Algorithm}, Incidents: incidents.Catalogue}
	opt.Incidents.List = slices.DeleteFunc(slices.Clone(opt.Incidents.List), func(c ledger.Incident) bool {
		return !slices.Contains([]string{"etcd-10355", "etcd-2020-disturbed", "redpanda-11657"}, c.Name)
	})
	return opt
}

// reported is the site of these, which is made once.
func reported(t *testing.T) *maker.Site {
	t.Helper()
	told.Do(func() { told.site = made(t, reports()) })
	require.NotNil(t, told.site)
	return told.site
}

var told struct {
	sync.Once
	site *maker.Site
}

// Each incident has a page with its report, its run and what fixes it, and is in the table,
// on the page of its algorithm and in the search. The front page leads to those of a system.
func TestIncidents(t *testing.T) {
	s := reported(t)
	check(t, s)
	assert.Equal(t, 3, s.Incidents)
	opt := reports()
	records, err := opt.Incidents.Records()
	require.NoError(t, err)
	for i := range opt.Incidents.List {
		c := &opt.Incidents.List[i]
		address := "incidents/" + c.Name + ".html"
		assert.Contains(t, string(s.Files["incidents.html"]), `<a href="`+address+`">`)
		assert.Contains(t, string(s.Files["algorithms/raft.html"]), `<a href="../`+address+`">`)
		assert.Contains(t, string(s.Files["search.html"]), `"kind":"incident","to":"`+address+`"`)
		d := parse(t, address, s.Files[address])
		said := text(d.nodes["main"][0])
		for _, want := range []string{c.Report, c.Text, c.System, c.Algorithm + "/" + c.Faulty, strings.TrimSuffix(c.Absent, ".")} {
			assert.Contains(t, said, want, c.Name)
		}
		assert.Equal(t, c.Absent == "", strings.Contains(said, "What fixes it\n"), c.Name)
		assert.Contains(t, d.links, "https://"+c.Report)
		if c.Fixed != "" {
			assert.Contains(t, d.links, "../algorithms/raft.html#reading-"+c.Fixed)
			assert.Contains(t, d.links, "../runs/"+c.Name+".html")
			assert.Positive(t, records[i].Fixed)
		}
	}
	front := string(s.Files["index.html"])
	for _, tile := range []string{
		`<a href="incidents.html?system=etcd">etcd <span class="dim">2</span></a>`, `<a href="incidents.html?system=Redpanda">Redpanda <span class="dim">1</span></a>`,
		`<a href="incidents.html?broke=no&#43;leader">no leader <span class="dim">2</span></a>`, `<a href="incidents.html?broke=a&#43;good&#43;leader&#43;lost">`,
	} {
		assert.Contains(t, front, tile)
	}
	table := string(s.Files["incidents.html"])
	assert.Contains(t, table, `<option>etcd</option><option>Redpanda</option>`)
	assert.Contains(t, table, `<tr class="entry" data-broke="|a good leader lost|" data-fault="|a cut|" data-system="|etcd|" data-year="|2020|">`)
	for _, row := range []string{
		`>two of three servers ignored each other&#39;s pre-votes after the leader had died</a></div><code class="dim">etcd-10355</code></th><td data-label="System">etcd</td><td data-label="Year">2018</td>` +
			`<td data-label="Run">83 steps and a loop, 3 processes</td><td data-label="What fixes it">a server that asks for pre-votes names no leader (#8334)</td><td data-label="Whose fix">merged</td>`,
		`<td data-label="Run">no run, 4 processes</td>`,
	} {
		assert.Contains(t, table, row)
	}
	page := string(s.Files["incidents/etcd-2020-disturbed.html"])
	for _, want := range []string{
		`<nav class="sequence" aria-label="Incident 2 of 3">`, `rel="prev" href="../incidents/etcd-10355.html"`, `rel="next" href="../incidents/redpanda-11657.html"`,
		`id="moves"`, "Whose fix: advised.", "A search of 70 states found this run; none is shorter.", "A search of all its 146 states in the same world found no run",
	} {
		assert.Contains(t, page, want)
	}
	assert.Contains(t, string(s.Files["runs/etcd-2020-disturbed.html"]), `<a href="../incidents/etcd-2020-disturbed.html">Incident 2 of 3</a>`)
	assert.Contains(t, string(s.Files["runs/etcd-2020-disturbed.html"]), `<a href="../incidents.html" aria-current="page">`)
	assert.Contains(t, page[strings.Index(page, "<header"):strings.Index(page, "<main")], `<a href="../incidents.html"`)
}

// A catalogue without incidents has nothing of them.
func TestWithoutIncidents(t *testing.T) {
	for name, data := range usual(t).Files {
		assert.NotContains(t, name, "incident")
		assert.False(t, strings.Contains(strings.ToLower(string(data)), "incident"), name)
	}
}

// The searches that an incident cites have to be on record.
func TestIncidentsOnRecord(t *testing.T) {
	opt := reports()
	opt.Incidents.Record = nil
	_, err := maker.Make(t.Context(), opt)
	assert.EqualError(t, err, `incident "etcd-10355" is not on record`)

	opt = reports()
	opt.Incidents.List[0].Algorithm = "none"
	_, err = maker.Make(t.Context(), opt)
	assert.ErrorContains(t, err, `incident "etcd-10355": `)
}
