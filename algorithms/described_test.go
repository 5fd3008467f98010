package algorithms_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/ledger"
)

// described are the systems that the five sources describe, by the number under
// which the source cites them, each with its package or in Omitted. Sources named
// without a word are not here.
var described = []struct{ source, system, is string }{
	{"Coulouris et al., slides", "ring-based election, Chang and Roberts", "changroberts"},
	{"Coulouris et al., slides", "Bully algorithm", "bully"},
	{"Wikipedia, 18 May 2017", "Bully algorithm", "bully"},

	{"Kabashi et al.", "the proposed algorithm", "kabashi"},
	{"Kabashi et al.", "Bully algorithm, of [6]", "bully"},
	{"Kabashi et al.", "Murshed and Allen, [7]", "murshedallen"},

	{"Effatparvar et al. 2010", "spanning trees, [6]", "spanningtrees"},
	{"Effatparvar et al. 2010", "Bully algorithm, [11]", "bully"},
	{"Effatparvar et al. 2010", "sort mechanism, [17]", "sortbully"},
	{"Effatparvar et al. 2010", "modified Bully algorithm", "effatparvar"},
	{"Effatparvar et al. 2010", "modified ring algorithm", "effatparvarring"},
	{"Effatparvar et al. 2010", "heap tree", "heaptree"},

	{"FCEABR", "the proposed algorithm", "fceabr"},
	{"FCEABR", "ring, [5]", "silberschatz"},
	{"FCEABR", "bully, [6]", "bully"},
	{"FCEABR", "Chang and Roberts, [7]", "changroberts"},
	{"FCEABR", "Franklin, [8]", "franklin"},
	{"FCEABR", "Bakhshi, [9, 10]", "itairodeh"},
	{"FCEABR", "Highman, [11]", "Highman"},
	{"FCEABR", "Burns, [12]", "Burns"},
	{"FCEABR", "Fich, [13]", "Fich"},
	{"FCEABR", "Zargarnataj, [14]", "assistant"},
	{"FCEABR", "Effatparvar, [15], the Bully", "sortbully"},
	{"FCEABR", "Effatparvar, [15], the ring", "surrogatering"},
	{"FCEABR", "Shirali, [16]", "shirali"},
	{"FCEABR", "Gholipour, [17]", "kalternatives"},
	{"FCEABR", "Ingram, [18]", "ingram"},
	{"FCEABR", "Effatparvar et al., [22]", "effatparvarring"},
	{"FCEABR", "Xie et al., [23]", "xie"},
}

// Every system that a source describes has a package, or a line that says why
// not.
func TestEveryDescribedSystem(t *testing.T) {
	for _, d := range described {
		_, err := algorithms.Find(d.is)
		omitted := slices.ContainsFunc(algorithms.Omitted, func(o ledger.Omission) bool { return o.Name == d.is })
		assert.True(t, omitted != (err == nil), "%s: %s: want %q as a package or in Omitted, and not as both", d.source, d.system, d.is)
	}
	for _, o := range algorithms.Omitted {
		require.NotEmpty(t, o.Source, o.Name)
		require.NotEmpty(t, o.Quote, o.Name)
		require.NotEmpty(t, o.Why, o.Name)
	}
}
