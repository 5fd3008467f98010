package vault

import (
	"embed"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
	"bullyproof/model/setting"
)

var (
	// keepsOne is what a node that is active is for.
	keepsOne = checker.EventuallyAlways("keeps-one",
		"From some time on one node is active, and no other (or no node is up).",
		func(v *model.View) bool { return v.Up.Without(v.N).Empty() || v.Leaders.Len() == 1 },
	)
	// told is what the doc of Lock says of its channel.
	told = checker.LeadsTo("told",
		"Whenever a node is active whose item is gone or another's, nobody is eventually active without the item.",
		func(v *model.View) bool { return !strays(v).Empty() },
		func(v *model.View) bool { return strays(v).Empty() },
	)
	// givesUp is what the retries of watch come to.
	givesUp = checker.LeadsTo("gives-up",
		"Whenever a node is active that does not reach the table, nobody is eventually active without reaching it.",
		func(v *model.View) bool { return !cutOff(v).Empty() },
		func(v *model.View) bool { return cutOff(v).Empty() },
	)
	// onlyRenews is what a renewal is for.
	onlyRenews = checker.AlwaysStep("only-renews",
		"A renewal writes no item where there is none.",
		func(e *model.Event) bool {
			m, ok := model.Received[M](e)
			return !ok || m.Type != Renew || item(e.From).Holder != model.None || item(e.To).Holder == model.None
		},
	)
	// ownDelete is what the condition of Unlock is for.
	ownDelete = checker.AlwaysStep("own-delete",
		"No node deletes the item of another one.",
		func(e *model.Event) bool {
			m, ok := model.Received[M](e)
			return !ok || m.Type != Delete || item(e.From).Holder == e.Port.ID() || item(e.To) == item(e.From)
		},
	)
)

// item returns the table's item.
func item(v *model.View) Item {
	if p := model.State[P](v, v.N); p != nil {
		return p.Item
	}
	return Item{}
}

// cutOff are the nodes that are active and do not reach the table.
func cutOff(v *model.View) (list model.Set) {
	for t := v.Leaders; t != 0; t &= t - 1 {
		if v.Severed(t.Min(), v.N) {
			list = list.With(t.Min())
		}
	}
	return list
}

// strays are the nodes that are active without the item.
func strays(v *model.View) (list model.Set) {
	for t := v.Leaders; t != 0; t &= t - 1 {
		id := t.Min()
		if i := item(v); i.Holder != id || i.Number != model.State[P](v, id).Number {
			list = list.With(id)
		}
	}
	return list
}

// Algorithm is the election of Vault with DynamoDB for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "vault",
	Title:  "High availability of Vault with DynamoDB",
	Source: "HashiCorp Vault 1.2, physical/dynamodb/dynamodb.go and vault/ha.go",
	Doc: "An item of a table names the active node, and when its lock expires. The active node renews it and reads it every five seconds. " +
		"A standby writes it if there is none, or if it has expired by the standby's own clock. (The process with the highest id is the table.)",
	Store:       true,
	Assumptions: ledger.Tacit(ledger.NoCopies, ledger.InOrder, ledger.Connected, ledger.BoundedDelays, ledger.TrueClocks, ledger.SameTime, ledger.NoPauses),
	Variants: ledger.Usually(ledger.Variant{Assumes: up, Setting: in("losses=2")}, []ledger.Variant{
		{
			Name: "shipped", New: of(shipped),
			Doc:     "As the program is from pull request 6637 on. Somebody asks each active node once to step down.",
			Setting: in("crashes=1 restarts=1 crashers=1,2"),
		},
		{
			Name: "unasked", Adds: "nobody who asks to step down", New: of(with(func(b *Backend) { b.StepsDown = false })),
			Doc: "As shipped, but nobody asks a node to step down.",
		},
		{
			Name: "ends-lock", Adds: "an end of the renewals", New: of(with(func(b *Backend) { b.EndsLock = true })),
			Doc:     "As shipped, but a node that steps down ends the renewals of its lock. No version of the program does that.",
			Setting: in("losses=1"),
		},
		{
			Name: "trusts-lock", Adds: "an end of the trust in a lock", New: of(trustsLock),
			Doc: "As shipped, but a node is not active when its lock has expired, by its own clock and counted from when it asked, less a margin of one tick. " +
				"No version of the program does that.",
		},
		{
			Name: "deletes-any", Adds: "an unlock without a condition", New: of(deletesAny),
			Doc: "As the program was before pull request 6637: whoever unlocks deletes the item. Nobody asks a node to step down.",
		},
		{
			Name: "recreates", Adds: "a renewal that creates", New: of(recreates),
			Doc:     "As the program was before pull request 6512: in addition, a renewal writes the item where there is none.",
			Setting: in(""),
		},
		{
			Name: "endless", Adds: "a lock that never expires", New: of(endless),
			Doc:     "As the program was before pull request 2141: the item has no time to live, and nobody renews it.",
			Setting: in("crashes=1 crashers=1,2"),
		},
	}),
	Mutants:    mutants,
	Properties: []*checker.Property{keepsOne, told, givesUp, onlyRenews, ownDelete},
	Asked:      []*checker.Property{checker.Uniqueness, checker.OneLeaderAgain, keepsOne, told, givesUp, onlyRenews, ownDelete},
	Written:    claimfile.In(files, nil),
	Files:      files,
}

//go:embed *.go claims.*
var files embed.FS

const up = "A table that is up; connections that end with their process; here calls and answers that take one tick at most."

// with returns the program as changed.
func with(change func(b *Backend)) *Backend {
	b := &Backend{Retry: 1, Interval: 5, TTL: 15, Sleep: 10, Retries: 5, StepsDown: true}
	change(b)
	return b
}

var (
	shipped    = with(func(*Backend) {})
	endless    = with(func(b *Backend) { b.Endless, b.DeletesAny = true, true })
	deletesAny = with(func(b *Backend) { b.DeletesAny, b.StepsDown = true, false })
	trustsLock = with(func(b *Backend) { b.Margin = 1 })
	recreates  = with(func(b *Backend) { b.DeletesAny, b.Recreates = true, true })
)

var of = ledger.SystemOf[P, M]

// in returns a setting of two nodes and a table: connections that end with their process, and calls
// that take one tick at most.
var in = setting.Must("n=3 initiators=none detector=off channels=fifo mail-down=lost mail-old=lost").MustWith
