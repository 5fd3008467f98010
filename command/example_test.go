package command_test

import (
	"context"
	"fmt"
	"os"
	"strings"

	"bullyproof/algorithms/bully"
	"bullyproof/checker"
	"bullyproof/command"
	"bullyproof/ledger"
	"bullyproof/model"
	"bullyproof/model/setting"
)

// loyal is the textbook Bully with one rule of its own: a process that follows
// somebody does not turn to a coordinator with a lower id.
type loyal struct{ *bully.Protocol }

func (l loyal) Receive(p *bully.P, net *model.Net[bully.M], from model.Port, m bully.M) {
	if m.Type != bully.Coordinator || from.ID() > p.Elected {
		l.Protocol.Receive(p, net, from, m)
	}
}

// A catalogue of one's own is a command of one's own: this is all of a program,
// but that func main calls command.Main, or Tool.Main for recorded runs. Its
// go test verifies the same variant with checker.Verify.
func Example() {
	tool := command.Tool{Name: "loyal", Algorithms: []*ledger.Algorithm{{
		Name: "loyal",
		Variants: []ledger.Variant{{
			Name:    "plain",
			Setting: setting.Must("n=3 start=settled crashes=1 restarts=1"),
			New:     ledger.SystemOf(loyal{bully.Coulouris}),
		}},
	}}}
	var out strings.Builder
	status := tool.Run(context.Background(), []string{"check", "loyal", "--property", checker.Agreement.Name}, os.Stdin, &out, os.Stderr)
	verdict, _, _ := strings.Cut(out.String(), ":")
	fmt.Println(verdict)
	fmt.Println("exit status", status)
	// Output:
	// HOLDS in this setting
	// exit status 0
}
