package consul

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
		"Again and again a live client leads, while Consul is up.",
		func(v *model.View) bool { return !v.Leaders.Empty() || v.Up.Without(v.N).Empty() || !v.Up.Has(v.N) },
	).Explained(func(*model.View) string { return "from some time on no live client leads" })

	kept = checker.AlwaysStep("kept",
		"The lock is not released.",
		func(e *model.Event) bool {
			had := holder(e.From)
			return had == Session{} || had == holder(e.To)
		})
)

// holder returns the session that Consul says has the key, by its disk while it is down.
func holder(v *model.View) Session { return model.Kept[P](v, v.N).Holder }

// Algorithm is the election by a session of Consul for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "consul",
	Title:  "Election of Consul's clients",
	Source: "Consul documentation, Sessions and distributed locks overview, and Application leader election",
	Doc: "A client has a session with Consul, which it renews, and acquires a key with it. It leads while it has the key. When the session is invalidated, the key is free " +
		"after a lock-delay. LockIndex is a fencing token. (The process with the highest id is Consul.)",
	Store:       true,
	Assumptions: ledger.Tacit(ledger.NoCopies, ledger.InOrder, ledger.NoNewcomers),
	Variants: ledger.Usually(ledger.Variant{Assumes: up, Setting: in("crashes=1 restarts=1 crashers=1,2")}, []ledger.Variant{
		{
			Name: "lock-delay", New: of(shipped),
			Doc: "A session has a TTL of 6 ticks and the health check of its node, and the lock-delay is 8 ticks. Three acquisitions are explored.",
		},
		{
			Name: "longer-ttl", New: of(shorter),
			Doc: "A session has a TTL of 8 ticks and the health check of its node, and the lock-delay is 6 ticks. Three acquisitions are explored.",
		},
		{
			Name: "no-delay", Adds: "a lock-delay of zero", New: of(hasty),
			Doc: "As lock-delay, but the lock-delay is zero.",
		},
		{
			Name: "no-checks", Adds: "sessions without health checks and without a TTL", New: of(unchecked),
			Doc: "A session has neither a TTL nor a health check.",
		},
	}),
	Mutants: append(incidents, []ledger.Mutant{
		{
			Name: "eager", Of: "lock-delay", Caught: checker.Uniqueness.Name, Setting: in("suspicions=1"), New: of(eager{shipped}),
			Doc: "Consul does not wait for the lock-delay.",
		},
		{
			Name: "same-index", Of: "no-delay", Caught: checker.OneLeaderPerEpoch.Name, Setting: in("suspicions=1"), New: of(sameIndex{hasty}),
			Doc: "LockIndex is not incremented.",
		},
		{
			Name: "keeps-lock", Of: "lock-delay", Caught: leadsAgain.Name, Setting: in("crashes=1 crashers=1,2"), New: of(keepsLock{shipped}),
			Doc: "The key stays with a session that is over.",
		},
		{
			Name: "checks", Of: "no-checks", Caught: kept.Name, Setting: in("suspicions=1"), New: of(checks{unchecked}),
			Doc: "A session without a health check is invalidated by one.",
		},
	}...),
	Properties: []*checker.Property{leadsAgain, kept},
	Asked:      []*checker.Property{checker.Uniqueness, checker.OneLeaderPerEpoch, leadsAgain},
	Written:    claimfile.In(files, nil),
	Files:      files,
}

// incidents are what programs got wrong.
var incidents = []ledger.Mutant{
	{
		Name: "unlimited", Of: "lock-delay", Caught: checker.Uniqueness.Name, Setting: in("cuts=1 heals=owed"), New: of(unlimited{shipped}),
		Doc: "A client that leads waits for the answer to a renewal for as long as it takes (consul #18271).",
	},
}

var (
	shipped   = &Consul{TTL: 6, Delay: 8, Checks: true, Indexes: 3}
	shorter   = &Consul{TTL: 8, Delay: 6, Checks: true, Indexes: 3}
	hasty     = &Consul{TTL: 6, Checks: true, Indexes: 3}
	unchecked = &Consul{Indexes: 3}
)

//go:embed *.go claims.*
var files embed.FS

const up = "A Consul that is up, connections in order that end with either of their processes, and clocks at one rate."

var of = ledger.SystemOf[P, M]

var in = setting.Must("n=3 initiators=none channels=fifo mail-down=lost mail-old=lost timing=lockstep").MustWith
