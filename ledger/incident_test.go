package ledger_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/ledger"
)

// An origin is as its text, and others are refused.
func TestFixOriginText(t *testing.T) {
	for origin, want := range map[ledger.FixOrigin]string{
		ledger.NoFix: `"none"`, ledger.MergedFix: `"merged"`, ledger.ProposedFix: `"proposed"`, ledger.AdvisedFix: `"advised"`, ledger.OurFix: `"ours"`,
	} {
		data, err := json.Marshal(origin)
		require.NoError(t, err)
		assert.Equal(t, want, string(data))
		var again ledger.FixOrigin
		require.NoError(t, json.Unmarshal(data, &again))
		assert.Equal(t, origin, again)
	}
	assert.Equal(t, "FixOrigin(9)", ledger.FixOrigin(9).String())
	_, err := ledger.FixOrigin(9).MarshalText()
	assert.EqualError(t, err, "origin of a fix: FixOrigin(9): want one of none, merged, proposed, advised, ours")
	var o ledger.FixOrigin
	assert.EqualError(t, o.UnmarshalText([]byte("theirs")), `origin of a fix: "theirs": want one of none, merged, proposed, advised, ours`)
}

// An incident with a run says whose its fix is, a merged fix names a change, and an incident
// without a run has no fix.
func TestFixOriginIsChecked(t *testing.T) {
	for name, c := range map[string]struct {
		origin      ledger.FixOrigin
		fix, absent string
		want        string
	}{
		"unsaid":    {fix: "it waits", want: `incident "etcd-1": field Origin is none, and a run shows the incident: want merged, proposed, advised or ours`},
		"unknown":   {origin: 7, fix: "it waits", want: `incident "etcd-1": field Origin is FixOrigin(7): want one of none, merged, proposed, advised, ours`},
		"no change": {origin: ledger.MergedFix, fix: "it waits", want: `incident "etcd-1": field Origin is merged, and field Fix "it waits" names no change: want one like #123, a commit, or a version`},
		"no run":    {origin: ledger.OurFix, fix: "it waits", absent: "Looked for.", want: `incident "etcd-1": field Origin is ours, and no run shows the incident: want none`},
		"number":    {origin: ledger.MergedFix, fix: "it waits (#8288)"},
		"commit":    {origin: ledger.MergedFix, fix: "it waits (98d8f51)"},
		"version":   {origin: ledger.MergedFix, fix: "it waits (3.2)"},
		"proposed":  {origin: ledger.ProposedFix, fix: "it waits"},
		"absent":    {fix: "none", absent: "Looked for."},
	} {
		t.Run(name, func(t *testing.T) {
			in := ledger.Incidents{List: []ledger.Incident{{
				Name: "etcd-1", System: "etcd", Report: "a report", Broke: "nobody was elected", Text: "It waits.", Fix: c.fix, Origin: c.origin, Absent: c.absent,
			}}}
			if c.absent == "" {
				in.List[0].Fixed = "fixed"
			}
			err := in.Validate(nil)
			if c.want == "" {
				if err != nil {
					assert.NotContains(t, err.Error(), "Origin")
				}
				return
			}
			assert.ErrorContains(t, err, c.want)
		})
	}
}

// An incident says what people run who may meet it, and what it did to them.
func TestDamageIsChecked(t *testing.T) {
	for want, c := range map[string]ledger.Incident{
		`field Products is []: want the names of what people run`:               {Damage: ledger.NoLeader},
		`field Products is [""]: want the names of what people run`:             {Products: []string{""}, Damage: ledger.NoLeader},
		`field Damage is Damage(0): want one like two leaders`:                  {Products: []string{"etcd"}},
		`field Damage is Damage(9): want one like two leaders`:                  {Products: []string{"etcd"}, Damage: 9},
		`field Year is 18: want that of the report, or 0 where it is not known`: {Products: []string{"etcd"}, Damage: ledger.LeftOut, Year: 18},
	} {
		in := ledger.Incidents{List: []ledger.Incident{c}}
		assert.ErrorContains(t, in.Validate(nil), want)
	}
	in := ledger.Incidents{List: []ledger.Incident{{Products: []string{"etcd"}, Damage: ledger.TwoLeaders, Year: 2017}}}
	for _, field := range []string{"Products", "Damage", "Year"} {
		assert.NotContains(t, in.Validate(nil).Error(), field)
	}
	for _, d := range ledger.Damages() {
		assert.NotContains(t, d.String(), "Damage(")
	}
}
