package k8scoordinated

import (
	"embed"
	"slices"

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
			p := apiServer(v)
			best := p.best(v.Up & p.all())
			return (v.Leaders &^ model.SetOf(best)).Empty()
		},
	).Explained(func(*model.View) string { return "again and again another one leads than the best candidate" })

	untilExpiry = checker.AlwaysStep("until-expiry",
		"The holder of a lease becomes another one only when the lease has expired.",
		func(e *model.Event) bool {
			was, is := apiServer(e.From), apiServer(e.To)
			return was.Holder == is.Holder || is.Holder == former || was.Holder == model.None || was.expired()
		},
	)

	noRenewal = checker.AlwaysStep("no-renewal",
		"No holder renews a lease that has a PreferredHolder.",
		func(e *model.Event) bool {
			m, ok := model.Received[M](e)
			return !ok || m.Type != Update || apiServer(e.From).Preferred == model.None || apiServer(e.To).Preferred != model.None
		},
	)

	ackedFirst = checker.AlwaysStep("acked-first",
		"Whoever is made the holder has renewed its LeaseCandidate in the last five seconds, as has each other candidate that has answered to its last PingTime in five seconds.",
		func(e *model.Event) bool {
			was, is := apiServer(e.From), apiServer(e.To)
			return was.Holder == is.Holder || is.Holder == former || is.acked().Has(is.Holder) && is.over()
		},
	)
)

// apiServer returns what the API server has: nothing if it is down.
func apiServer(v *model.View) *P {
	if p := model.State[P](v, v.N); p != nil {
		return p
	}
	return &P{}
}

// over reports whether each candidate is recent, or has not answered in time.
func (p *P) over() bool {
	for id := range p.all().All() {
		if c := p.Candidates[id-1]; !p.recent(c.Renewed) && (!c.Asked || p.recent(c.Pinged)) {
			return false
		}
	}
	return true
}

// Algorithm is coordinated leader election for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "k8scoordinated",
	Title:  "Coordinated leader election of Kubernetes",
	Source: "Kubernetes, KEP-4355, pkg/controlplane/controller/leaderelection, and client-go, tools/leaderelection",
	Doc: "Candidates tell a store of which version they are. A controller asks whether they are there, and has the store give the lease to the one of the oldest version. If another one " +
		"holds it, that one is told to renew it no more. (The process with the highest id is the API server, with the store and the controller.)",
	Store: true,
	Assumptions: slices.Concat(
		ledger.Said("client-go, package documentation", ledger.TrueClocks),
		ledger.Tacit(ledger.NoCopies, ledger.InOrder, ledger.Connected, ledger.BoundedDelays, ledger.NoPauses),
	),
	Variants: ledger.Usually(ledger.Variant{Assumes: up, Setting: in("timing=lockstep crashes=1 restarts=1 crashers=1,2")}, []ledger.Variant{
		{
			Name: "shipped", New: of(shipped),
			Doc: "The version of P2 is older than that of P1. A program that has stopped leading ends, and begins anew under another name. No LeaseCandidate gets so old that it " +
				"has to be renewed.",
		},
		{
			Name: "renewals", Adds: "time for LeaseCandidates to expire", New: of(renewals), Setting: in("timing=lockstep"),
			Doc: "As shipped, and candidates renew their LeaseCandidates, which expire otherwise.",
		},
		{
			Name: "rollback", Adds: "programs that come back in an older version", New: of(rollback),
			Doc: "As shipped, but all have one version, and a process that restarts has an older one.",
		},
		{
			Name: "cleared", Adds: "a PreferredHolder that is cleared", Repair: true, New: of(cleared), Setting: in("timing=lockstep crashes=1 crashers=1,2"),
			Doc: "As renewals, and the controller clears a PreferredHolder that is without a LeaseCandidate, as pull request 138066 proposes, where the one elected holds the lease.",
		},
		{
			Name: "renewed", Adds: "an expired lease that is written anew for its holder", Repair: true, New: of(mended), Setting: in("timing=lockstep losses=1"),
			Doc: "As renewals, and the controller writes an expired lease anew, without a PreferredHolder, also where the one elected is its holder. No version of the program does that.",
		},
	}),
	Mutants:    mutants,
	Properties: []*checker.Property{leadsAgain, bestLeads, untilExpiry, noRenewal, ackedFirst},
	Asked:      []*checker.Property{checker.Uniqueness, leadsAgain, bestLeads, untilExpiry, noRenewal, ackedFirst},
	Written:    claimfile.In(files, nil),
	Files:      files,
}

var (
	shipped  = &Election{First: versions, Later: versions}
	renewals = &Election{First: versions, Later: versions, Renewals: true}
	cleared  = &Election{First: versions, Later: versions, Renewals: true, Clears: true}
	mended   = &Election{First: versions, Later: versions, Renewals: true, RenewsAnew: true}
	rollback = &Election{First: [most]Version{{2, 2}, {2, 2}, {2, 2}}, Later: [most]Version{{1, 2}, {1, 2}, {1, 2}}}
)

// versions: P1 has the newest emulation version, and P3 the oldest binary version of the others.
var versions = [most]Version{{2, 1}, {1, 2}, {1, 1}}

//go:embed *.go claims.*
var files embed.FS

const up = "An API server that is up; connections that end with their process; here requests and answers that take one tick at most."

var of = ledger.SystemOf[P, M]

var in = setting.Must("n=3 initiators=none detector=off channels=fifo mail-down=lost mail-old=lost").MustWith
