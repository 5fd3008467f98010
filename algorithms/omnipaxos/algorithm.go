package omnipaxos

import (
	"embed"
	"iter"

	"bullyproof/checker"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// The properties. A server that leads and reaches no majority is no fault: it gets nothing done.
var (
	progress = checker.AlwaysEventually("progress",
		"Where a server reaches a majority, again and again a leader does.",
		func(v *model.View) bool { return reaching(v, v.Up).Empty() || !reaching(v, v.Leaders).Empty() },
	).Given("a server that reaches a majority", func(v *model.View) bool { return !reaching(v, v.Up).Empty() }).
		Explained(func(*model.View) string {
			return "from some time on no leader reaches a majority, and a server does"
		})

	steady = checker.EventuallyAlways("steady",
		"Where a server reaches a majority, from some time on a leader does whom all name that it reaches.",
		func(v *model.View) bool {
			if reaching(v, v.Up).Empty() {
				return true
			}
			for id := range reaching(v, v.Leaders).All() {
				if followed(v, id) {
					return true
				}
			}
			return false
		}).Given("a server that reaches a majority", func(v *model.View) bool { return !reaching(v, v.Up).Empty() }).
		Explained(func(*model.View) string { return "again and again no leader is named by all whom it reaches" })

	needed = checker.AlwaysStep("needed",
		"A server takes over only if a majority has answered it in the round, and none of these is happy.",
		func(e *model.Event) bool {
			answered := 1
			for r := range told(e) {
				if r.Happy {
					return false
				}
				answered++
			}
			return !takeover(e) || answered > int(e.To.N)/2
		},
	).GivenStep("a server that takes over", takeover)

	anew = checker.Always("leads-anew",
		"No server that has come back leads with a ballot with which it led before.",
		func(v *model.View) bool { return !retained.Of(v).Again },
	).Remembering(retained).Given("a leader that has come back", func(v *model.View) bool { return retained.Of(v).Back&v.Leaders != 0 })

	past = checker.AlwaysStep("goes-past",
		"Who takes over does so with a higher ballot than all that it was told in the round.",
		func(e *model.Event) bool {
			for r := range told(e) {
				if model.State[P](e.To, e.Process).Current.compare(r.Ballot) <= 0 {
					return false
				}
			}
			return true
		},
	).GivenStep("a server that takes over", takeover)
)

// told yields the replies on which a server takes over, and nothing in another step.
func told(e *model.Event) iter.Seq[Reply] {
	if !takeover(e) {
		return func(func(Reply) bool) {}
	}
	return model.State[P](e.From, e.Process).replies(int(e.To.N))
}

func takeover(e *model.Event) bool { return e.Ran(overtakes) }

// reaching are those of some servers that are up and reach a majority, with themselves.
func reaching(v *model.View, servers model.Set) (s model.Set) {
	for id := range (servers & v.Up).All() {
		if v.Reached(id, v.Up).Len() > int(v.N)/2 {
			s = s.With(id)
		}
	}
	return s
}

// followed reports whether all whom a leader reaches name it.
func followed(v *model.View, leader model.ID) bool {
	for id := range v.Reached(leader, v.Up).All() {
		if v.Elected(id) != leader {
			return false
		}
	}
	return true
}

// returns remembers the ballots of leaders that have crashed.
type returns struct {
	Led   model.ByID[Ballot]
	Back  model.Set
	Again bool
}

var retained = model.NewMonitor("ballots of those who came back", returns{}, func(s *returns, e *model.Event) {
	if e.Process == model.None {
		return
	}
	if e.Kind.IsCrash() && e.From.Leaders.Has(e.Process) {
		s.Led.Set(e.Process, model.State[P](e.From, e.Process).Current)
	}
	if e.Kind == model.Restarts {
		s.Back = s.Back.With(e.Process)
	}
	if e.To.Leaders.Has(e.Process) && s.Back.Has(e.Process) {
		s.Again = s.Again || model.State[P](e.To, e.Process).Current == s.Led.At(e.Process)
	}
})

// Algorithm is Ballot Leader Election for the catalogue.
var Algorithm = &ledger.Algorithm{
	Name:   "omnipaxos",
	Title:  "Ballot Leader Election of Omni-Paxos",
	Source: "haraldng/omnipaxos at bd234be (version 0.2.2 and later), omnipaxos/src/ballot_leader_election.rs",
	Doc: "Each server asks all others for heartbeats in rounds. One that hears of no happy leader, and reaches a majority of which nobody is happy, takes over " +
		"with a higher ballot. So a link that is down between two servers does not matter as long as one server reaches a majority.",
	Assumptions: ledger.Tacit(ledger.BoundedDelays, ledger.NoPauses, ledger.NoCopies, ledger.NoNewcomers),
	Variants: ledger.Usually(ledger.Variant{Assumes: rounds, Setting: in("crashes=1 restarts=1 mail-old=lost")}, []ledger.Variant{
		{
			Name: "shipped", New: of(&BLE{}),
			Doc: "The program: servers say whether they are happy.",
		},
		{
			Name: "connectivity", New: of(&Connectivity{}), Setting: in("crashes=1"),
			Doc: "The program before its pull request 117: servers say whether they reach a majority, and who misses its leader raises its own ballot.",
		},
	}),
	Mutants: append(incidents, []ledger.Mutant{
		{
			Name: "retains", Of: "shipped", Caught: anew.Name, Setting: in("crashes=1 restarts=1 mail-old=lost"), New: of(&retains{}),
			Doc: "A server that recovers goes on with the ballot that it led with.",
		},
		{
			Name: "patient", Of: "shipped", Caught: progress.Name, Setting: in("crashes=1"), New: of(&patient{}),
			Doc: "Nobody takes over.",
		},
		{
			Name: "past-nobody", Of: "shipped", Caught: past.Name, Setting: in("crashes=1"), New: of(&goesPastNobody{}),
			Doc: "A server takes over with the ballot that it has.",
		},
		{
			Name: "untied", Of: "shipped", Caught: checker.OneLeaderPerEpoch.Name, Setting: in("start=cold"), New: of(&untied{}),
			Doc: "Of two ballots with one number none is higher.",
		},
		{
			Name: "eager", Of: "shipped", Caught: needed.Name, Setting: in("crashes=1"), New: of(&eager{}),
			Doc: "A server takes over although another one that it hears is happy.",
		},
	}...),
	Properties: []*checker.Property{progress, steady, needed, anew, past},
	Asked:      []*checker.Property{checker.OneLeaderPerEpoch, progress, steady},
	Written:    claimfile.In(files, nil),
	Files:      files,
}

//go:embed *.go claims.*
var files embed.FS

const rounds = "A complete graph, a bound on delays that is known, messages that may be lost, and a disk for the promise."

var of = ledger.SystemOf[P, M]

var in = setting.Must("n=3 initiators=none detector=off timing=lockstep").MustWith
