package heaptree

import (
	"embed"
	"fmt"

	"bullyproof/algorithms/internal/sources"
	"bullyproof/ledger"
	"bullyproof/ledger/claimfile"
	"bullyproof/model"
)

//go:embed *.go claims.*
var files embed.FS

var claims = claimfile.In(files, fromGo)

// fromGo is what the file of the claims takes from Go.
var fromGo = claimfile.Names{
	"joined":            func(v *model.View) bool { return v.Present.Len() == int(v.N) },
	"tells-others":      tellsOthers,
	"length-of-path":    length,
	"places-fit":        func(n int) string { return fmt.Sprint(entries(n) <= 4*n) },
	"growth-of-maximum": func() string { return sources.Growth(func(n int) int { return log(n) + n - 1 }) },
	"growth-of-path":    func() string { return sources.Growth(length) },
	"growth-of-heights": func() string { return sources.Growth(heights) },
	"paths":             paths,
	"table-2":           table2(),
}

// length is the number of nodes from i to the root.
func length(i int) int { return len(path(i)) }

// paths is the evidence on the last column of Table 1.
var paths = []ledger.Evidence{
	ledger.Adds("node 4", formula([]int{4}, 2), edges([]int{4})),
	ledger.Adds("nodes 4 and 5", formula([]int{4, 5}, 2), edges([]int{4, 5})),
	ledger.Adds("nodes 4 and 5, each pair once", formula([]int{4, 5}, 1), edges([]int{4, 5})),
	ledger.Adds("nodes 2, 4 and 5, each pair once", formula([]int{2, 4, 5}, 1), edges([]int{2, 4, 5})),
	ledger.Adds("nodes 2 to 7, each pair once", formula([]int{2, 3, 4, 5, 6, 7}, 1), edges([]int{2, 3, 4, 5, 6, 7})),
	ledger.Adds("nodes 2 to 7", formula([]int{2, 3, 4, 5, 6, 7}, 2), edges([]int{2, 3, 4, 5, 6, 7})),
}

// table2 is the evidence on the heap tree's column of Table 2.
func table2() (list []ledger.Evidence) {
	printed := []struct{ node, messages int }{{4, 23}, {30, 85}, {60, 102}, {90, 113}, {120, 122}}
	for _, r := range printed {
		list = append(list, ledger.Adds(fmt.Sprintf("node %d", r.node), r.messages, told150(r.messages)))
	}
	for _, r := range printed {
		least, most := r.node, mostLinks(150, r.node)
		list = append(list, ledger.Adds(
			fmt.Sprintf("%d lies between %d and %d, the links from %d nodes up", r.messages, least, most, r.node),
			true, least <= r.messages && r.messages <= most).Beside("read as the number of nodes that notice"))
	}
	return list
}

// told150 says how many messages an election among 150 nodes takes at least, the
// leader having crashed, where all learn of the outcome.
func told150(printed int) string {
	const others = 150 - 2
	if printed >= others {
		return fmt.Sprint(printed)
	}
	return fmt.Sprintf("at least %d", others)
}
