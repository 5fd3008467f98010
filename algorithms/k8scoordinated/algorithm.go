package k8scoordinated

import (
	"embed"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// The properties.
var (
	leadsAgain = checker.AlwaysEventually("leads-again",
		"Again and again somebody leads (or no candidate is up).",
		func(v *model.View) bool { return v.Up.Without(v.N).Empty() || !v.Leaders.Empty() },
	).Explained(func(*model.View) string { return "from some time on nobody leads" })

	bestLeads = checker.EventuallyAlways("best-leads",
		"From some time on nobody leads but the best candidate of those that are up.",
		func(v *model.View) bool {
			p := model.State[P](v, v.N)
			best := p.best(v.Up & p.all())
			return (v.Leaders &^ model.SetOf(best)).Empty()
		},
	).Explained(func(*model.View) string { return "again and again another one leads than the best candidate" })

	untilExpiry = checker.AlwaysStep("until-expiry",
		"The holder of a lease becomes another one only when the lease has expired.",
		func(e *model.Event) bool {
			was, is := model.State[P](e.From, e.From.N), model.State[P](e.To, e.To.N)
			return was.Holder == is.Holder || is.Holder == e.To.N || was.Holder == model.None || was.expired()
		},
	)

	ackedFirst = checker.AlwaysStep("acked-first",
		"Whoever is made the holder has renewed its LeaseCandidate in the last five seconds.",
		func(e *model.Event) bool {
			was, is := model.State[P](e.From, e.From.N), model.State[P](e.To, e.To.N)
			return was.Holder == is.Holder || is.Holder == e.To.N || is.acked().Has(is.Holder)
		},
	)
)

// Algorithm is coordinated leader election for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "k8scoordinated",
	Title:  "Coordinated leader election of Kubernetes",
	Source: "Kubernetes, KEP-4355, pkg/controlplane/controller/leaderelection, and client-go, tools/leaderelection",
	Doc: "Candidates tell a store of which version they are. A controller asks whether they are there, and has the store give the lease to the one of the oldest version. If another one " +
		"holds it, that one is told to renew it no more. (The process with the highest id is the API server, with the store and the controller.)",
	Store:       true,
	Assumptions: ledger.Tacit(ledger.NoCopies, ledger.InOrder, ledger.Connected, ledger.BoundedDelays, ledger.TrueClocks, ledger.SameTime, ledger.NoPauses),
	Variants: ledger.Usually(ledger.Variant{Assumes: up, Setting: in("timing=lockstep crashes=1 restarts=1 crashers=1,2")}, []ledger.Variant{
		{
			Name: "shipped", New: of(shipped),
			Doc: "The version of P2 is older than that of P1. A program that has stopped leading ends, and begins anew under another name.",
		},
	}),
	Properties: []*checker.Property{leadsAgain, bestLeads, untilExpiry, ackedFirst},
	Asked:      []*checker.Property{checker.Uniqueness, leadsAgain, bestLeads, untilExpiry, ackedFirst},
	Written:    claimfile.In(files, nil),
	Files:      files,
}

var (
	shipped  = &Election{First: versions}
	kept     = &Election{First: versions}
	cleared  = &Election{First: versions, Clears: true}
	mended   = &Election{First: versions, RenewsAnew: true}
	both     = &Election{First: versions, Clears: true, RenewsAnew: true}
	rollback = &Election{First: [most]Version{{2, 2}, {2, 2}, {2, 2}}, Later: [most]Version{{1, 2}, {1, 2}, {1, 2}}}
)

// versions: P1 has the newest emulation version, and those of P2 and P3 are alike.
var versions = [most]Version{{2, 1}, {1, 2}, {1, 2}}

//go:embed *.go
var files embed.FS

const up = "An API server that is up; connections that end with their process; here requests and answers that take one tick at most."

var of = ledger.SystemOf[P, M]

var in = setting.Must("n=3 initiators=none detector=off channels=fifo mail-down=lost mail-old=lost").MustWith
