package trace_test

import (
	"fmt"
	"log"
	"os"

	"bullyproof/internal/test/heraldtest"
	"bullyproof/model"
	"bullyproof/model/setting"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// A run is executed, recorded, executed again and drawn. Herald is a small
// protocol: whoever hears no answer from a higher process announces itself.
func Example() {
	in, err := setting.Parse("n=2 start=coordinator-down timing=last-resort restarts=1")
	if err != nil {
		log.Fatal(err)
	}
	sys, err := model.New[heraldtest.State, heraldtest.Message](heraldtest.Protocol{}, in)
	if err != nil {
		log.Fatal(err)
	}
	header := trace.Header{Algorithm: "herald", Property: "uniqueness", Kind: trace.Violation}
	for initial := range sys.Initial {
		recorded, err := trace.Record(trace.Begin(sys, initial), []model.Action{
			{Kind: model.Suspects, Process: 1, Who: 2},
			{Kind: model.Drops, Process: 2, Port: model.Peer(1), Message: "ELECTION"},
			{Kind: model.Expires, Process: 1, Timer: "answer"},
			{Kind: model.Restarts, Process: 2},
		}, header)
		if err != nil {
			log.Fatal(err)
		}
		run, err := trace.Replay(recorded, heraldtest.Lookup)
		if err != nil {
			log.Fatal(err)
		}
		layout, err := trace.Lay(recorded, run)
		if err != nil {
			log.Fatal(err)
		}
		if err := render.Text(os.Stdout, layout, render.TextOptions{Width: 76}); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// herald: uniqueness is violated in 4 steps
	// setting: n=2 start=coordinator-down channels=unordered timing=last-resort
	// restarts=1
	//
	//       P1                P2
	// start │ follows P2      · down            P1 follows P2, which is down.
	//     1 ◆─╮ election      ·                 P1 finds that P2 is down (rule 1):
	//       ▒ ┊               ·                 sends "ELECTION" to P2 (lost in
	//       ▒ ┊               ·                 step 2); is now in an election.
	//     2 ▒ ╰───ELECTION───✗·                 P2 is down: "ELECTION" from P1 is
	//       ▒                 ·                 lost.
	//     3 ◷ coordinator     ·                 P1 times out (timer answer, rule
	//       █                 ·                 2): believes itself coordinator.
	//     4 █               ╭─▲ coordinator     P2 restarts (rule 2): sends
	//       █               ┊ █                 "COORDINATOR(2)" to P1 (in flight
	//       █               ┊ █                 at the end); believes itself
	//       █               ┊ █                 coordinator.
	//   end █ coordinator   ▾ █ coordinator     uniqueness breaks
	//
	// uniqueness breaks in step 4: P1 and P2 both believe themselves coordinator.
	// █ believes itself coordinator, ▒ in an election, │ up, · down, ┊ in flight
	// rule 1: ask the higher ones
	// rule 2: no answer: announce
}

// Files that are not traces are refused with what would be right.
func ExampleDecode() {
	_, err := trace.Decode([]byte(`{
  "schema": 1,
  "algorithm": "bully",
  "varient": "coulouris"
}`))
	fmt.Println(err)
	// Output: trace: line 4: the trace has no field "varient"; did you mean "variant"?
}

// The name of a file tells its story.
func ExampleHeader_FileName() {
	h := trace.Header{Algorithm: "bully", Variant: "coulouris", Property: "agreement"}
	fmt.Println(h.FileName())
	// Output: bully-coulouris-agreement.json
}
