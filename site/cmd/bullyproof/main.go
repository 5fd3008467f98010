// Bullyproof is a model checker for leader-election algorithms: it explores
// every state that an algorithm can get into, says which properties hold and
// which break, and shows the shortest run to each that does.
//
//	bullyproof list
//	bullyproof check bully
//	bullyproof trace bully-duplicate-coordinator
//	bullyproof replay testdata/counterexamples/*.json
//
// This is the command of the module bullyproof, with site:
//
//	bullyproof site pages
//
// Every command has --help. Package command is all of it: the same for
// algorithms of your own.
package main

import (
	"bullyproof/cmd/catalogue"
	"bullyproof/site"
)

func main() {
	ours := catalogue.Tool()
	ours.Site = site.Publisher{}
	ours.Main()
}
