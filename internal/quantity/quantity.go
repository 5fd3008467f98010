// Package quantity writes numbers as people read them, and reads sizes as
// people write them.
package quantity

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Count returns n in groups of three digits: "1,234,567".
func Count[T ~int | ~int64 | ~uint64](n T) string {
	digits := strconv.FormatUint(uint64(n), 10)
	if n < 0 {
		digits = strconv.FormatInt(int64(n), 10)[1:]
	}
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	if n < 0 {
		return "-" + b.String()
	}
	return b.String()
}

// Short returns n in at most five characters: "999", "12.3k", "4.56M".
func Short(n float64) string {
	for _, unit := range []string{"", "k", "M", "G", "T"} {
		switch {
		case n < 999.5 && (unit == "" || n >= 99.95):
			return strconv.FormatFloat(n, 'f', 0, 64) + unit
		case n < 9.995:
			return strconv.FormatFloat(n, 'f', 2, 64) + unit
		case n < 99.95:
			return strconv.FormatFloat(n, 'f', 1, 64) + unit
		}
		n /= 1000
	}
	return strconv.FormatFloat(n, 'g', 3, 64) + "P"
}

var byteUnits = []string{"B", "KiB", "MiB", "GiB", "TiB"}

// Bytes returns a size in units of 1024: "24 B", "1.5 GiB".
func Bytes(n int64) string {
	f, unit := float64(n), 0
	for f >= 1023.5 && unit < len(byteUnits)-1 {
		f /= 1024
		unit++
	}
	if unit == 0 || f >= 99.95 {
		return fmt.Sprintf("%.0f %s", f, byteUnits[unit])
	}
	return strings.TrimSuffix(fmt.Sprintf("%.1f", f), ".0") + " " + byteUnits[unit]
}

// ParseBytes reads a size: a whole or decimal number, with a unit of 1024
// (KiB, MiB, GiB, TiB, or the first letter alone) or of 1000 (KB, MB, GB, TB),
// in upper or lower case. Without a unit it is bytes.
func ParseBytes(s string) (int64, error) {
	end := strings.IndexFunc(s, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
	if end < 0 {
		end = len(s)
	}
	f, err := strconv.ParseFloat(s[:end], 64)
	unit, ok := unitOf(strings.TrimSpace(s[end:]))
	if err != nil || !ok || f*unit >= math.MaxInt64 {
		return 0, fmt.Errorf("want a size like 500MiB or 2GiB")
	}
	return int64(f * unit), nil
}

// unitOf returns the number of bytes of a unit.
func unitOf(name string) (float64, bool) {
	name = strings.ToLower(name)
	if name == "" || name == "b" {
		return 1, true
	}
	power := strings.IndexByte("kmgt", name[0]) + 1
	switch name[1:] {
	case "", "ib":
		return math.Pow(1024, float64(power)), power > 0
	case "b":
		return math.Pow(1000, float64(power)), power > 0
	}
	return 0, false
}

// Duration returns a duration with three digits or to the second: "12 ms",
// "3.4 s", "2 m 05 s".
func Duration(d time.Duration) string {
	switch {
	case d < time.Millisecond:
		return fmt.Sprintf("%d µs", d.Microseconds())
	case d < 999500*time.Microsecond:
		return fmt.Sprintf("%.0f ms", float64(d)/1e6)
	case d < time.Minute-50*time.Millisecond:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	d = d.Round(time.Second)
	if d < time.Hour {
		return fmt.Sprintf("%d m %02d s", d/time.Minute, d%time.Minute/time.Second)
	}
	return fmt.Sprintf("%d h %02d m", d/time.Hour, d%time.Hour/time.Minute)
}

// Plural returns a count with its noun: "1 step", "12,345 steps".
func Plural[T ~int | ~int64 | ~uint64](n T, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Count(n) + " " + noun + "s"
}

// Chance returns a power of ten above a probability: "1e-9".
func Chance(p float64) string {
	if p <= 0 {
		return "1e-18"
	}
	exp := math.Floor(math.Log10(p)) + 1
	if exp >= 0 {
		return "1"
	}
	return fmt.Sprintf("1e%d", int(exp))
}
