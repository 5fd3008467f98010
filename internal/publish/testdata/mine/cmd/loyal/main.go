package main

import (
	"bullyproof/algorithms/bully"
	"bullyproof/command"
	"bullyproof/ledger"
	"bullyproof/model/setting"
	"example.org/mine/loyal"
)

func main() {
	command.Main(&ledger.Algorithm{
		Name: "loyal",
		Variants: []ledger.Variant{{
			Name:    "plain",
			Setting: setting.Must("n=3 start=settled crashes=1 restarts=1"),
			New:     ledger.SystemOf(loyal.Protocol{Protocol: bully.Coulouris}),
		}},
	})
}
