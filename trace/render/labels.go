package render

import "slices"

// A tag is the label of a message on a stage while it is placed.
type tag struct {
	width  float64
	first  int      // the first moment at which the message is seen
	points []*Point // from there on: where it is, nil if it is not seen
}

// newTag returns the label of a message that is on a stage from a time to another, which says
// where it is.
func newTag(width float64, times []float64, from, to float64, at func(time float64) *Point) tag {
	t := tag{width: width}
	t.first, _ = slices.BinarySearch(times, from)
	for k := t.first; k < len(times) && times[k] <= to; k++ {
		t.points = append(t.points, at(times[k]))
	}
	return t
}

// A tagPlace is where a label stands beside its message, all the way.
type tagPlace struct {
	X      float64 `json:"x,omitempty"`
	Y      float64 `json:"y"` // of its base line
	Anchor string  `json:"a,omitempty"`
	// Hidden are the times, each from and to, at which it would lie on another label.
	Hidden [][2]float64 `json:"hidden,omitempty"`
}

// tagPlaces are where a label can stand, the usual place first.
var tagPlaces = []tagPlace{
	{Y: -12}, {Y: 21}, {X: 11, Y: 4, Anchor: "start"}, {X: -11, Y: 4, Anchor: "end"},
	{X: 6, Y: -11, Anchor: "start"}, {X: -6, Y: -11, Anchor: "end"}, {X: 6, Y: 20, Anchor: "start"}, {X: -6, Y: 20, Anchor: "end"},
	{Y: -25}, {Y: 34}, {Y: -38}, {Y: 47},
}

// tagHeight is that of a label above its base line, and tagFoot what is below it.
const (
	tagHeight = 9
	tagFoot   = 3
)

// A box is a part of a stage that something takes.
type box struct{ left, top, right, bottom float64 }

func (b box) meets(c box) bool {
	return b.left < c.right && c.left < b.right && b.top < c.bottom && c.top < b.bottom
}

// at returns the part of a stage that a label takes of which the message is at a point.
func (p *tagPlace) at(point *Point, width float64) box {
	left := point.X + p.X - width/2
	switch p.Anchor {
	case "start":
		left = point.X + p.X
	case "end":
		left = point.X + p.X - width
	}
	return box{left, point.Y + p.Y - tagHeight, left + width, point.Y + p.Y + tagFoot}
}

// placeTags finds a place for each label, such that no two lie on each other at a moment of some
// times; where that cannot be, the later one is hidden at the time. They also keep off other
// parts of the stage, if they can.
func placeTags(tags []tag, times []float64, parts []box) []tagPlace {
	placed := make([][]box, len(times)) // by moment
	places := make([]tagPlace, len(tags))
	for i := range tags {
		t := &tags[i]
		best, least := 0, -1
		for n := range tagPlaces {
			cost := n
			for k, p := range t.points {
				if p == nil {
					continue
				}
				is := tagPlaces[n].at(p, t.width)
				if slices.ContainsFunc(placed[t.first+k], is.meets) {
					cost += 100
				}
				if slices.ContainsFunc(parts, is.meets) {
					cost += 5
				}
			}
			if least < 0 || cost < least {
				best, least = n, cost
			}
		}
		places[i] = tagPlaces[best]
		hides := false
		for k, p := range t.points {
			if p == nil {
				hides = false
				continue
			}
			k += t.first
			is := places[i].at(p, t.width)
			switch met := slices.ContainsFunc(placed[k], is.meets); {
			case !met:
				placed[k] = append(placed[k], is)
				hides = false
			case hides:
				places[i].Hidden[len(places[i].Hidden)-1][1] = after(times, k)
			default:
				places[i].Hidden = append(places[i].Hidden, [2]float64{times[k], after(times, k)})
				hides = true
			}
		}
	}
	return places
}

// A MessageLabel is where the text of a message stands on a stage that does not move: beside the
// middle of its dot, from which it begins, at which it ends ("start", "end"), or in the middle
// of which it is. It is hidden where no place is free.
type MessageLabel struct {
	X, Y   float64
	Anchor string
	Hidden bool
}

// Labels returns where the texts of messages stand that are at some points of a stage.
func (c Circle) Labels(at []Point, texts []string) []MessageLabel {
	tags := make([]tag, len(at))
	for i := range at {
		tags[i] = tag{width: float64(labelWidth(texts[i])), points: []*Point{&at[i]}}
	}
	labels := make([]MessageLabel, len(at))
	for i, p := range placeTags(tags, []float64{0}, c.parts()) {
		labels[i] = MessageLabel{p.X, p.Y, p.Anchor, p.Hidden != nil}
	}
	return labels
}

// after returns the moment behind one of some times.
func after(times []float64, k int) float64 {
	if k+1 < len(times) {
		return times[k+1]
	}
	return times[k] + 1
}

// moments are the times at which the labels of a run are kept apart: four of each row, and more of
// one that stands for several steps.
func moments(l layout) (times []float64) {
	for i := range l.Rows {
		parts := 4
		if l.Rows[i].Fold != nil {
			parts = foldedSteps
		}
		for k := range parts {
			times = append(times, hundredths(float64(i)+float64(k)/float64(parts)))
		}
	}
	return times
}

// parts are the names of the processes on a stage, what they believe, and their crowns.
func (c Circle) parts() (parts []box) {
	for k := range c.Processes {
		x, y := c.Place(k)
		parts = append(parts, box{x - 22, y - 12, x + 22, y + 12}, box{x - 45, y + discHalf + 8, x + 45, y + discHalf + 26}, box{x - 17, y - discHalf - 25, x + 17, y - discHalf - 4})
	}
	return parts
}
