package bully

import (
	_ "embed"
	"fmt"

	"bullyproof/cost"
	"bullyproof/ledger"
	"bullyproof/model"
)

// record is what the claims came to; the package's test keeps it true.
//
//go:embed claims.json
var record []byte

// Scopes. Each is meant under synchronous timing, D = 1 and D = 2.
const (
	crashes3 = "n=3 start=settled crashes=2 mid-send=yes"
	crashes4 = "n=4 start=settled crashes=1"
	replaced = "n=3 start=settled crashes=1 restarts=1"
	pair     = "n=2 start=settled crashes=1 restarts=1"
	joining  = "n=3 start=settled joins=2"
	anyBegin = "n=3 initiators=any:lazy"
)

// keep is the evidence that properties hold in scopes, both bounds each.
func keep(variant string, scopes []string, properties ...string) (list ledger.EvidenceList) {
	for _, s := range scopes {
		for _, setting := range ledger.BothDelays(s) {
			for _, p := range properties {
				list = append(list, ledger.Keeps(p, setting).Of(variant))
			}
		}
	}
	return list
}

// breaks is the evidence that properties do not hold in a scope, under neither
// bound.
func breaks(variant, scope string, properties ...string) ledger.EvidenceList {
	list := keep(variant, []string{scope}, properties...)
	for i := range list {
		list[i].Broken = true
	}
	return list
}

// costOf is the evidence that an election costs what a formula says where process
// p(n) alone notices the failure, nobody where it is 0, for N from 3 to most.
func costOf(variant string, most int, c cost.Case, m cost.Measure, p, figure func(n int) int, timing string) (list ledger.EvidenceList) {
	for n := 3; n <= most; n++ {
		setting := fmt.Sprintf("n=%d start=coordinator-down timing=%s", n, timing)
		if who := p(n); who > 0 {
			setting += fmt.Sprintf(" detectors=%d", who)
		}
		list = append(list, ledger.Takes(c, m, ledger.Exactly, figure(n), setting).Of(variant))
	}
	return list
}

// Who notices, and what is to be paid.
func lowest(int) int       { return 1 }
func second(n int) int     { return n - 1 }
func anybody(int) int      { return 0 }
func less1(n int) int      { return n - 1 }
func less2(n int) int      { return n - 2 }
func square(n int) int     { return n * n }
func square1(n int) int    { return n*n - 1 }
func double2(n int) int    { return 2*n - 2 }
func nearSquare(n int) int { return n*n - n }
func pairs(n int) int      { return n * (n - 1) / 2 }
func found1(n int) int     { return (n-1)*(n-1) + n - 2 }

// equation1 is T_m for every P that can notice.
func equation1() (list ledger.EvidenceList) {
	for n := 3; n <= 5; n++ {
		for p := 1; p < n; p++ {
			list = append(list, ledger.Takes(cost.WorstCase, cost.Measure{}, ledger.Exactly, formula(n, p),
				fmt.Sprintf("n=%d start=coordinator-down detectors=%d timing=sync:1", n, p)).Of("tanenbaum"))
		}
	}
	return list
}

// living is T_m read as a count for the processes that are up.
func living() (list ledger.EvidenceList) {
	for n := 3; n <= 5; n++ {
		for p := 1; p < n; p++ {
			list = append(list, ledger.Takes(cost.WorstCase, cost.Measure{Live: true}, ledger.Exactly, formula(n-1, p),
				fmt.Sprintf("n=%d start=coordinator-down detectors=%d timing=sync:1", n, p)).Of("tanenbaum"))
		}
	}
	return list
}

// newcomer is what it costs that process 1 joins the others.
func newcomer() (list ledger.EvidenceList) {
	joined := func(c cost.Case, n int, timing string) ledger.Evidence {
		setting := fmt.Sprintf("n=%d start=settled joins=1 joiners=1 timing=%s", n, timing)
		return ledger.Takes(c, cost.Measure{}, ledger.Exactly, square1(n), setting).Of("tanenbaum").
			After("from when 1 has joined", func(v *model.View) bool { return v.Up.Has(1) })
	}
	for n := 3; n <= 4; n++ {
		e := joined(cost.WorstCase, n, "sync:1")
		e.Deep = n > 3
		list = append(list, e, joined(cost.WorstCase, n, "lockstep").Beside("where all messages take equally long"))
	}
	return list
}

// joinBegins is that an election is held when process 1 joins the others.
func joinBegins() (list ledger.EvidenceList) {
	for n := 3; n <= 4; n++ {
		for _, timing := range []string{"sync:1", "lockstep"} {
			setting := fmt.Sprintf("n=%d start=settled joins=1 joiners=1 timing=%s", n, timing)
			e := ledger.Takes(cost.BestCase, cost.Measure{Kind: "ELECTION"}, ledger.AtLeast, n-1, setting).Of("tanenbaum").
				After("from when 1 has joined", func(v *model.View) bool { return v.Up.Has(1) })
			if n == 3 || timing == "lockstep" {
				list = append(list, e)
			}
		}
	}
	return list
}

// printed is a column of Table I: what stands there beside what equation 1 gives.
func printed(p func(n int) int, figures ...int) (list ledger.EvidenceList) {
	for i, n := range []int{5, 10, 20} {
		list = append(list, ledger.Adds(fmt.Sprintf("%d processes, P=%d", n, p(n)), figures[i], formula(n, p(n))).Of("tanenbaum"))
	}
	return list
}
