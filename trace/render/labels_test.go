package render_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"bullyproof/algorithms"
	"bullyproof/counterexamples"
	"bullyproof/counterexamples/incidents"
	"bullyproof/ledger"
	"bullyproof/trace"
	"bullyproof/trace/render"
)

// stagedArrow is a message as the script of a stage reads it.
type stagedArrow struct {
	From, To, Beside int
	Sent, End        float64
	Text             string
	Arrives          bool
	Label            struct {
		X, Y   float64
		A      string
		Hidden [][2]float64
	}
}

// box returns the left, top, right and bottom edge of the label at a time, as the script of a
// page draws it, and whether there is one to see.
func (a *stagedArrow) box(c render.Circle, time, last float64) (edges [4]float64, seen, hidden bool) {
	part, gone := (time-a.Sent)/(a.End-a.Sent), !a.Arrives && time >= a.End
	if time < a.Sent || part >= 1 && (!gone || time >= a.End+0.6) || time >= last && a.End <= last {
		return edges, false, false
	}
	for _, h := range a.Label.Hidden {
		hidden = hidden || h[0] <= time && time < h[1]
	}
	way := min(1, part)
	if !a.Arrives {
		way *= 0.6
	}
	x, y := c.Way(a.From, a.To, way, a.Beside)
	width := 6.6 * float64(utf8.RuneCountInString(a.Text))
	left := x + a.Label.X - width/2
	switch a.Label.A {
	case "start":
		left = x + a.Label.X
	case "end":
		left = x + a.Label.X - width
	}
	return [4]float64{left, y + a.Label.Y - 8, left + width, y + a.Label.Y + 2}, true, hidden
}

// No label of a message lies on another one on the stage of any recorded run, in any step, and
// few are hidden for that.
func TestLabelsOnStage(t *testing.T) {
	labels, hidden, between, meets := 0, 0, 0, 0
	for runs, catalogue := range map[*trace.Collection][]*ledger.Algorithm{&counterexamples.All: algorithms.All, &incidents.Runs: incidents.Algorithms} {
		for _, name := range runs.Names() {
			html, err := render.Stage(recorded(t, runs, catalogue, name))
			require.NoError(t, err)
			var stage struct {
				Names  []string
				Rows   [][]struct{}
				Arrows []stagedArrow
			}
			require.NoError(t, json.Unmarshal([]byte(stageData.FindStringSubmatch(string(html))[1]), &stage))
			circle, last := render.Circle{Processes: len(stage.Names), Width: 1.2, Height: 0.9}, float64(len(stage.Rows)-1)
			for time := 0.0; time <= last; time += 0.125 {
				var boxes [][4]float64
				for i := range stage.Arrows {
					box, seen, hides := stage.Arrows[i].box(circle, time, last)
					if !seen {
						continue
					}
					labels++
					if hides {
						hidden++
						continue
					}
					for _, b := range boxes {
						if box[0] < b[2] && b[0] < box[2] && box[1] < b[3] && b[1] < box[3] {
							assert.NotZero(t, time-float64(int(time)), "%s, step %g: %q lies on another label", name, time, stage.Arrows[i].Text)
							meets++
						}
					}
					between++
					boxes = append(boxes, box)
				}
			}
		}
	}
	t.Logf("%d labels at moments, %d hidden, %d of %d on another one between steps", labels, hidden, meets, between)
	assert.Less(t, 50*hidden, labels)
	assert.Less(t, 100*meets, between)
}
