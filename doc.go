// Package bullyproof is a model checker for leader elections.
//
//	go run ./cmd/bullyproof check bully    # searches all states of an election, draws what breaks
//	go test ./...                          # asks every algorithm, every recorded run, the checker itself
//
// An algorithm is a [bullyproof/model/protocol.Protocol]: a Go type with a handler for each event
// of a process. [bullyproof/checker.Verify] tests it in a setting:
//
//	func TestMine(t *testing.T) {
//		checker.Verify(t, mine.Protocol{}, "n=3 start=settled crashes=1 restarts=1")
//	}
//
// README.md is the way in, and docs/README.md lists the documents. These are the packages;
// each imports only what stands below it or beside it:
//
// # The checker
//
//   - model: the world of a protocol: processes, messages, timers, faults
//   - model/protocol: the words in which a protocol is written: Protocol, Net, Names, and what
//     may be declared
//   - explore: the search: breadth first in parallel, depth first, random walks, over any
//     transition system
//   - explore/liveness: runs without end, on the graph of a search: lassos, fairness,
//     components
//   - explore/typed: the search over Go values: models, formulas, behaviors; Verify for go
//     test
//   - checker: properties, verdicts, reports; Verify for go test, and a conformance test for
//     protocols
//   - algorithms: the catalogue: one list of all algorithms, each a package below it
//   - counterexamples: recorded runs in which published algorithms fail
//   - counterexamples/incidents: faults of elections that people ran, from their reports: a shortest run of
//     each, and none after the fix
//
// # Built on it
//
//   - command: the command of any catalogue
//   - cmd/bullyproof: the command of this catalogue: ten lines
//   - cmd/catalogue: what it knows: algorithms, examples, recorded runs, incidents
//   - site: web sites of catalogues, a module of its own
//   - site/cmd/bullyproof: the command of this catalogue, with site
//   - trace: runs: their files, their replay, their layout
//   - trace/render: draws a run as text, SVG, a page, Mermaid, ITF or ShiViz
//   - ledger/compare: algorithms side by side: what holds for each, what it costs and what it
//     assumes
//   - ledger/foretell: what becomes of the answers to a lecture's predictions
//   - ledger/silence: what a source does not say, and a claim in all readings of that
//   - checker/expression: questions that are typed, as expressions over states
//   - checker/chance: how likely an election by coins ends, and what it costs on average, for each scheduler
//   - checker/cost: the cost of an election: messages and time, at best, at worst, on average
//   - checker/relation: protocols as relations over processes
//   - checker/shipped: explores code as it ships: any deterministic Go type that handles messages
//     and timers
//   - checker/shipped/bubble: explores programs as they ship, goroutines and all
//   - checker/simulate: random walks and hunts beyond the reach of a search, shrunk runs, statistics
//     of messages and time
//   - checker/induction: properties that are true for every number of processes
//   - checker/linear: clients of an election: who leads, a lock, a register, and whether their
//     histories are linearizable
//   - ledger: an algorithm's entry: what the literature claims, beside what the explorer
//     finds
//   - ledger/claimfile: reads claims from a text that readers of a paper can edit
//   - runtime/validate: decides whether the log of a running system fits a run of its model
//   - runtime/eventlog: logs of running systems, one event a line: docs/event-log.md, its reader and
//     writer
//   - runtime/logformat: logs of other programs as event logs, by descriptions of their lines; those
//     of etcd, hashicorp/raft and NATS
//   - runtime: runs a protocol's processes on a network, with real clocks and disks
//   - runtime/cluster: a program that runs algorithms as processes of one machine, for the
//     catalogue or your own
//
// # Parts of these
//
//   - explore/cluster: the search of several machines: its tasks, files and checkpoints,
//     whoever has the tasks carried out
//   - model/setting: the setting of a run: how many processes, what the algorithm needs, what the
//     world may do, and its text form
//   - model/process: the ids of processes, and sets of them
//   - model/clock: clocks that processes read, and instants in states and messages
//   - model/list: bounded lists for states and messages: queues, logs, ranks
//   - model/roles: one protocol of two: a store and its clients, each with a state and
//     handlers of its own
//   - model/plain: the same world plainly, to be read: every action, when it is enabled,
//     what it does
//   - checker/conform: whether the code of a protocol does what searches rely on
//   - checker/class: the subjects of fairness: messages, timers, reports, outcomes of
//     choices
//   - docs: these pages, and the rules of judging as the site shows them
//
// # Programs
//
//   - examples/...: complete protocols, each a package with its test (examples/README.md)
package bullyproof
