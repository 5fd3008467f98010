package render_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"bullyproof/internal/test/heraldtest"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// race2 is a run of two heralds in which both come to believe themselves
// coordinator.
func race2() *trace.Layout {
	in, err := setting.Parse("n=2 start=coordinator-down timing=last-resort restarts=1")
	if err != nil {
		log.Fatal(err)
	}
	sys, err := model.New[heraldtest.State, heraldtest.Message](heraldtest.Protocol{}, in)
	if err != nil {
		log.Fatal(err)
	}
	var run *trace.Run
	for initial := range sys.Initial {
		run = trace.Begin(sys, initial)
	}
	for _, a := range []model.Action{
		{Kind: model.Suspects, Process: 1, Who: 2},
		{Kind: model.Drops, Process: 2, Port: model.Peer(1), Message: "ELECTION"},
		{Kind: model.Expires, Process: 1, Timer: "answer"},
		{Kind: model.Restarts, Process: 2},
	} {
		if err := run.Do(a); err != nil {
			log.Fatal(err)
		}
	}
	t := run.Record(trace.Header{Algorithm: "herald", Property: "uniqueness", Kind: trace.Violation})
	layout, err := trace.Lay(t, run)
	if err != nil {
		log.Fatal(err)
	}
	return layout
}

// A drawing, for a file or for a page of one's own.
func ExampleSVG() {
	var b bytes.Buffer
	err := render.SVG(&b, race2(), render.SVGOptions{
		Bare: true, Unstyled: true, ID: "race", Href: func(row int) string { return fmt.Sprintf("?step=%d", row) }, Selected: 4,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(bytes.Count(b.Bytes(), []byte(`<a class="hit" href="?step=`)), "rows to click on")
	// Output: 5 rows to click on
}

// A page that needs nothing beside it.
func ExamplePage() {
	var b bytes.Buffer
	if err := render.Page(&b, race2(), render.PageOptions{}); err != nil {
		log.Fatal(err)
	}
	fmt.Println(bytes.Count(b.Bytes(), []byte("<article ")), "moments")
	// Output: 5 moments
}

func ExampleMermaid() {
	if err := render.Mermaid(os.Stdout, race2()); err != nil {
		log.Fatal(err)
	}
	// Output:
	// sequenceDiagram
	//     title herald#58; uniqueness is violated in 4 steps
	//     accDescr: uniqueness breaks in step 4#58; P1 and P2 both believe themselves coordinator.
	//     participant p1 as P1
	//     participant p2 as P2
	//     Note over p1,p2: P1 follows P2, which is down.
	//     Note over p1: P1 finds that P2 is down#59; rule 1#59; is now in an<br/>election
	//     p1-xp2: ELECTION (lost)
	//     Note over p1: P1 times out (timer answer)#59; rule 2#59; believes<br/>itself coordinator
	//     rect rgba(200, 20, 50, 0.12)
	//         Note over p2: P2 restarts#59; rule 2#59; believes itself coordinator
	//     end
	//     p2--)p1: COORDINATOR(2) (in flight at the #101;nd)
	//     Note over p1,p2: uniqueness breaks in step 4#58; P1 and P2 both<br/>believe themselves coordinator.
}

// The first line of the log is the regular expression that reads the rest.
func ExampleShiViz() {
	if err := render.ShiViz(os.Stdout, race2()); err != nil {
		log.Fatal(err)
	}
	// Output:
	// (?<step>\d+) (?<event>.*)\n(?<host>\S+) (?<clock>\{.*\})
	//
	// 0 start: follows P2
	// P1 {"P1":1}
	// 1 P1 finds that P2 is down (rule 1): sends "ELECTION" to P2 (lost in step 2); is now in an election.
	// P1 {"P1":2}
	// 3 P1 times out (timer answer, rule 2): believes itself coordinator.
	// P1 {"P1":3}
	// 4 P2 restarts (rule 2): sends "COORDINATOR(2)" to P1 (in flight at the end); believes itself coordinator.
	// P2 {"P2":1}
}

// States for Apalache, Quint and whatever reads their format.
func ExampleITF() {
	var b bytes.Buffer
	if err := render.ITF(&b, race2()); err != nil {
		log.Fatal(err)
	}
	var itf struct {
		Vars   []string
		States []struct{ Action struct{ Text string } }
	}
	if err := json.Unmarshal(b.Bytes(), &itf); err != nil {
		log.Fatal(err)
	}
	fmt.Println(itf.Vars)
	for _, s := range itf.States {
		fmt.Println(s.Action.Text)
	}
	// Output:
	// [action processes inFlight cut budgets settled]
	// the initial state
	// P1 suspects P2
	// P1->P2 ELECTION is dropped
	// P1 times out (answer)
	// P2 restarts
}
