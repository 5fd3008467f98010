package render

import "math"

// A Circle is where a stage has its processes: on an ellipse, the first at the left.
type Circle struct {
	// Processes is how many there are.
	Processes int
	// Width and Height stretch it.
	Width, Height float64
}

// DiscHalf is half the width of the disc of a process on a stage, in pixels.
const DiscHalf = discHalf

// Place returns where a process stands.
func (c Circle) Place(k int) (x, y float64) {
	angle := math.Pi * (0.5 + float64(1+2*k)/float64(c.Processes))
	return math.Round(c.Width*c.room()*math.Cos(angle)) + 0, math.Round(c.Height*c.room()*math.Sin(angle)) + 0 // no -0
}

// room is what the half axes of the ellipse are before they are stretched.
func (c Circle) room() float64 { return float64(80 + 8*c.Processes) }

// laneWidth is how far messages are from each other that go the same way at the same time.
const laneWidth = 16

// Way returns where a message from one process to another is that has gone a part of its
// way, on a bend, beside others on that way.
func (c Circle) Way(from, to int, part float64, beside int) (x, y float64) {
	ax, ay := c.Place(from)
	bx, by := c.Place(to)
	reach := math.Hypot(bx-ax, by-ay)
	if reach == 0 {
		return ax + float64(laneWidth*beside), ay - discHalf - 8
	}
	bend := 0.13*math.Sin(math.Pi*part) + float64(laneWidth*beside)/reach
	along := part + discHalf/reach*(1-2*part)
	return ax + (bx-ax)*along + (by-ay)*bend, ay + (by-ay)*along - (bx-ax)*bend
}
