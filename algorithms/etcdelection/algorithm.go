package etcdelection

import (
	"embed"
	"slices"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// clients are those that are up.
func clients(v *model.View) model.Set { return v.Up.Without(v.N) }

// leadsAgain is what Campaign is for.
var leadsAgain = checker.AlwaysEventually("leads-again",
	"Again and again a live client leads, while etcd is up.",
	func(v *model.View) bool { return !v.Leaders.Empty() || clients(v).Empty() || !v.Up.Has(v.N) },
).Explained(func(*model.View) string {
	return "from some time on no live client leads"
})

// fenced is what revisions are for.
var fenced = checker.AlwaysStep("fenced",
	"Nobody proclaims after somebody with a newer key has.",
	func(e *model.Event) bool {
		if !e.From.Up.Has(e.From.N) || !e.To.Up.Has(e.To.N) {
			return true
		}
		return model.State[P](e.To, e.To.N).Proclaimed >= model.State[P](e.From, e.From.N).Proclaimed
	},
)

// Algorithm is the election of etcd's clients for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "etcdelection",
	Title:  "Election of etcd's clients",
	Source: "etcd, client/v3/concurrency (election.go, session.go) and client/v3/lease.go",
	Doc: "A client has a session with etcd, a lease that it keeps alive, and a key with that lease. It leads once there is no older key. " +
		"When the lease expires, etcd deletes the key. The revision of the key is a fencing token. (The process with the highest id is etcd.)",
	Store: true,
	Assumptions: slices.Concat(
		ledger.Tacit(ledger.NoCopies, ledger.InOrder, ledger.NoPauses),
	),
	Variants: ledger.Usually(ledger.Variant{Assumes: up, Setting: in("crashes=1 restarts=1 crashers=1,2")}, []ledger.Variant{
		{
			Name: "shipped", New: of(&Election{TTL: 6, Revisions: 3}),
			Doc: "As the program is, with a TTL of 6 ticks. A client stops when its session is done, and begins anew. Three keys are explored.",
		},
		{
			Name: "margin", Adds: "a margin", New: of(&Election{TTL: 6, Margin: 2, Revisions: 3}),
			Doc: "As shipped, but a client takes its session to be over two ticks sooner: as long as a request and its answer take.",
		},
		{
			Name: "proclaims", Adds: "proclamations", New: of(&Election{TTL: 6, Revisions: 3, Proclaims: true}),
			Doc: "As shipped, and a leader proclaims something whenever it keeps its session alive.",
		},
	}),
	Mutants: append(incidents, []ledger.Mutant{
		{
			Name: "deaf", Of: "shipped", Caught: leadsAgain.Name, Setting: in("timing=sync:1 crashes=1 restarts=1 crashers=1,2"),
			Doc: "A client does not notice that the key for which it waits is gone.",
			New: of(deaf{&Election{TTL: 6, Revisions: 3}}),
		},
	}...),
	Properties: []*checker.Property{leadsAgain, fenced},
	Asked:      []*checker.Property{checker.Uniqueness, checker.OneLeaderPerEpoch, leadsAgain, fenced},
	Written:    claimfile.In(files, nil),
	Files:      files,
	Relations:  relations,
}

//go:embed *.go claims.* relations.txt proofs.txt
var files embed.FS

const up = "A complete graph, connections that keep the order, clocks at one rate, and an etcd that is up."

var of = ledger.SystemOf[P, M]

var in = setting.Must("n=3 initiators=none detector=off channels=fifo").MustWith

// deaf is the election with a fault: the watch of a client tells it nothing.
type deaf struct{ *Election }

func (f deaf) Receive(p *P, net *model.Net[M], from model.Port, m M) {
	if m.Type != Deleted {
		f.Election.Receive(p, net, from, m)
	}
}
