package vrrp

import (
	"embed"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// The properties. Two Active Routers at one instant are no fault: one has to hear of the other.
var (
	forwardsAgain = checker.AlwaysEventually("forwards-again",
		"Again and again a live router is Active.",
		func(v *model.View) bool { return !v.Leaders.Empty() || v.Up.Empty() },
	).Explained(func(*model.View) string { return "from some time on no live router is Active" })

	oneActive = checker.EventuallyAlways("one-active",
		"From some time on one live router is Active, and no other.",
		func(v *model.View) bool { return v.Leaders.Len() == 1 || v.Up.Empty() })

	mostPreferred = checker.EventuallyAlways("most-preferred",
		"From some time on the router of the highest priority is Active, of those that are live.",
		func(v *model.View) bool { return v.Up.Empty() || v.Leaders.Has(v.Up.Max()) })

	letsBe = checker.AlwaysStep("lets-be",
		"No router becomes Active while another one is that it has heard as such.",
		func(e *model.Event) bool {
			before := heard.Of(e.From)
			for id := range (e.To.Leaders &^ e.From.Leaders).All() {
				if before.Of.At(id)&e.To.Leaders != 0 {
					return false
				}
			}
			return true
		},
	).Remembering(heard).Given("an Active Router", func(v *model.View) bool { return !v.Leaders.Empty() })

	reachesIt = checker.EventuallyAlways("reaches-it",
		"From some time on no host sends to a router that is not Active.",
		func(v *model.View) bool {
			for id := range v.Up.All() { // a host that knows of none asks
				if to := model.State[P](v, id).Sends; to != model.None && !v.Leaders.Has(to) {
					return false
				}
			}
			return true
		})
)

// listeners says of each live router which Active ones it has heard since they are.
type listeners struct{ Of model.ByID[model.Set] }

var heard = model.NewMonitor("heard", listeners{}, func(s *listeners, e *model.Event) {
	for id := range model.Upto(e.To.N).All() {
		of := s.Of.At(id) & e.To.Leaders
		if !e.To.Up.Has(id) {
			of = 0
		}
		if a := e.Action(); a.Kind == model.Delivers && a.Process == id {
			of |= model.SetOf(a.Port.ID()) & e.To.Leaders
		}
		s.Of.Set(id, of)
	}
})

// Algorithm is VRRP for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "vrrp",
	Title:  "Virtual Router Redundancy Protocol",
	Source: "A. Lindem, A. Dogra: Virtual Router Redundancy Protocol (VRRP) Version 3 for IPv4 and IPv6. RFC 9568, April 2024; and keepalived, a program of it",
	Doc: "The Active Router of a LAN advertises itself. A Backup Router that misses it for three intervals and a skew takes over; the skew is shorter the " +
		"higher its priority. An Active Router that hears of a higher priority yields.",
	Assumptions: ledger.Tacit(ledger.NoCopies, ledger.NoNewcomers),
	Variants: ledger.Usually(ledger.Variant{Assumes: lan, Setting: in("crashes=1 restarts=1")}, []ledger.Variant{
		{
			Name: "rfc", New: of(rfc),
			Doc: "Priorities differ, and nobody owns the address. Preempt_Mode is True, which is the default.",
		},
		{
			Name: "owner", Adds: "a router that owns the address", New: of(&Router{Priorities: Owned}),
			Doc: "The router of the highest id owns the address: its priority is 255, and it is Active as soon as it starts.",
		},
		{
			Name: "no-preempt", Adds: "Preempt_Mode is False", New: of(&Router{NoPreempt: true}),
			Doc: "Preempt_Mode is False: a Backup Router follows whoever is Active.",
		},
		{
			Name: "equal", Adds: "one priority for all", New: of(&Router{Priorities: Equal}),
			Doc: "All routers have the default priority. If two are Active, the greater address stays.",
		},
		{
			Name: "close", New: of(&Router{Priorities: Close}),
			Doc: "As rfc, but the priorities are 101, 102 and so on: the skews of two of them differ by less than a message may take.",
		},
		{
			Name: "silent", Adds: "an Active Router that lets a lower one talk, as in RFC 5798", New: of(&Router{Silent: true}),
			Doc: "As in RFC 5798, an Active Router that hears of a lower one says nothing before its next advertisement.",
		},
		{
			Name: "answers", Adds: "hosts that learn by gratuitous ARP where to send", New: of(&Keepalived{Answers: true}),
			Doc: "As keepalived without use_vmac, with higher_prio_send_advert and garp_lower_prio_repeat: a router advertises before it yields, and an Active Router that " +
				"hears of a lower one announces itself again.",
			Assumes: inOrder, Assumptions: ledger.Tacit(ledger.NoCopies, ledger.InOrder, ledger.NoNewcomers), Setting: in("channels=fifo cuts=1 heals=owed"),
		},
		{
			Name: "refreshes", Adds: "hosts that learn by gratuitous ARP where to send", New: of(&Keepalived{Refreshes: true}),
			Doc:     "As keepalived without use_vmac, with garp_master_refresh: an Active Router announces itself with each advertisement.",
			Assumes: inOrder, Assumptions: ledger.Tacit(ledger.NoCopies, ledger.InOrder, ledger.NoNewcomers), Setting: in("channels=fifo cuts=1 heals=owed"),
		},
	}),
	Mutants: append(incidents, []ledger.Mutant{
		{
			Name: "no-skew", Of: "rfc", Caught: checker.Uniqueness.Name, Setting: in("crashes=1"), New: of(&Router{NoSkew: true}),
			Doc: "The Active_Down_Interval has no skew: all Backup Routers take over at once.",
		},
		{
			Name: "never-yields", Of: "rfc", Caught: oneActive.Name, Setting: in("crashes=1 restarts=1"), New: of(stubborn{&Router{}}),
			Doc: "An Active Router that hears of a higher priority stays Active.",
		},
		{
			Name: "trusts", Of: "rfc", Caught: forwardsAgain.Name, Setting: in("crashes=1"), New: of(trusting{&Router{}}),
			Doc: "A Backup Router stops its Active_Down_Timer when it hears of an Active Router.",
		},
		{
			Name: "discards", Of: "no-preempt", Caught: letsBe.Name, Setting: in("crashes=1 restarts=1"), New: of(&Router{}),
			Doc: "A Backup Router discards an ADVERTISEMENT of a lower priority although Preempt_Mode is False.",
		},
		{
			Name: "lower-stays", Of: "equal", Caught: oneActive.Name, Setting: in("crashes=1"), New: of(modest{&Router{Priorities: Equal}}),
			Doc: "Both Active Routers of one priority yield.",
		},
	}...),
	Properties: []*checker.Property{forwardsAgain, oneActive, mostPreferred, letsBe, reachesIt},
	Asked:      []*checker.Property{forwardsAgain, oneActive},
	Silent:     open,
	Written:    claimfile.In(files, nil),
	Files:      files,
}

//go:embed *.go claims.*
var files embed.FS

const inOrder = lan + " Messages of a link arrive in order."

const lan = "A LAN on which all routers hear each other, with delays that are far below the interval, and clocks at one rate."

var of = ledger.SystemOf[P, M]

var in = setting.Must("n=3 initiators=none detector=off timing=lockstep").MustWith
