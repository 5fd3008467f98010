package main

import (
	"bullyproof/algorithms/bully"
	"bullyproof/command"
	"bullyproof/ledger"
	"bullyproof/model"
	"example.org/mine/loyal"
)

func main() {
	command.Main(&ledger.Algorithm{
		Name: "loyal",
		Variants: []ledger.Variant{{
			Name:    "plain",
			Setting: model.Setting{N: 3, Start: model.SettledStart, Crashes: 1, Restarts: 1},
			New:     ledger.SystemOf(loyal.Protocol{Protocol: bully.Coulouris}),
		}},
	})
}
