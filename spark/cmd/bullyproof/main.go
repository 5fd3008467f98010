// Bullyproof is a model checker for leader-election algorithms: it explores
// every state that an algorithm can get into, says which properties hold and
// which break, and shows the shortest run to each that does.
//
//	bullyproof list
//	bullyproof check bully
//	bullyproof trace bully-duplicate-coordinator
//	bullyproof replay testdata/counterexamples/*.json
//
// This is the command of the module bullyproof, with check --engine spark:
//
//	bullyproof spark-setup
//	bullyproof check bully -n 5 --engine spark --disk found
//
// Every command has --help. Package command is all of it: the same for
// algorithms of your own.
package main

import (
	"bullyproof/cmd/catalogue"
	"bullyproof/command"
	"bullyproof/spark"
)

func main() {
	tool := catalogue.Tool()
	tool.Engines = []command.Engine{new(spark.Engine)}
	tool.Main()
}
