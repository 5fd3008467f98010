package quantity

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func TestCount(t *testing.T) {
	for want, n := range map[string]int64{
		"0": 0, "7": 7, "999": 999, "1,000": 1000, "12,345": 12345, "123,456": 123456,
		"1,234,567": 1234567, "-1": -1, "-1,000": -1000, "-9,223,372,036,854,775,808": math.MinInt64,
	} {
		assert.Equal(t, want, Count(n))
	}
	assert.Equal(t, "18,446,744,073,709,551,615", Count(uint64(math.MaxUint64)))
}

func TestShort(t *testing.T) {
	for _, c := range []struct {
		n    float64
		want string
	}{
		{0, "0"}, {7, "7"}, {999, "999"}, {999.6, "1.00k"}, {1234, "1.23k"}, {12345, "12.3k"},
		{123456, "123k"}, {999_999, "1.00M"}, {2_750_000, "2.75M"}, {1.5e15, "1.5P"},
	} {
		assert.Equal(t, c.want, Short(c.n), "%v", c.n)
	}
}

func TestBytes(t *testing.T) {
	for _, c := range []struct {
		n    int64
		want string
	}{
		{0, "0 B"}, {24, "24 B"}, {1023, "1023 B"}, {1024, "1 KiB"}, {1536, "1.5 KiB"},
		{500 << 20, "500 MiB"}, {3 << 29, "1.5 GiB"}, {2 << 40, "2 TiB"}, {4000 << 40, "4000 TiB"},
	} {
		assert.Equal(t, c.want, Bytes(c.n))
	}
}

func TestParseBytes(t *testing.T) {
	for s, want := range map[string]int64{
		"0": 0, "17": 17, "17B": 17, "2k": 2048, "2KiB": 2048, "2kb": 2000, "1.5GiB": 3 << 29,
		"500 MiB": 500 << 20, "3T": 3 << 40, "1gb": 1e9,
	} {
		n, err := ParseBytes(s)
		require.NoError(t, err, s)
		assert.Equal(t, want, n, s)
	}
	for _, s := range []string{"", "x", "-1", "2XiB", "2ki", "1.2.3", "GiB", "9999999TiB", "1e3", "2 GiB more", "NaN", "+1"} {
		_, err := ParseBytes(s)
		assert.EqualError(t, err, "want a size like 500MiB or 2GiB", s)
	}
}

func TestParseBytesReadsWhatBytesWrites(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, 1<<50).Draw(t, "n")
		m, err := ParseBytes(Bytes(n))
		if err != nil {
			t.Fatalf("%q: %v", Bytes(n), err)
		}
		if d := math.Abs(float64(m - n)); d > 0.06*float64(n) {
			t.Fatalf("%d is written as %q, which is read as %d", n, Bytes(n), m)
		}
	})
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0 µs", 420 * time.Microsecond: "420 µs", 12 * time.Millisecond: "12 ms",
		999_600 * time.Microsecond: "1.0 s", 3400 * time.Millisecond: "3.4 s",
		59_990 * time.Millisecond: "1 m 00 s", 125 * time.Second: "2 m 05 s",
		90 * time.Minute: "1 h 30 m",
	} {
		assert.Equal(t, want, Duration(d))
	}
}

func TestPlural(t *testing.T) {
	assert.Equal(t, "0 steps", Plural(0, "step"))
	assert.Equal(t, "1 step", Plural(1, "step"))
	assert.Equal(t, "1,000 steps", Plural(uint64(1000), "step"))
}

func Example() {
	fmt.Println(Count(10_340_352), Bytes(3<<29))
	n, err := ParseBytes("2GiB")
	fmt.Println(n, err)
	// Output:
	// 10,340,352 1.5 GiB
	// 2147483648 <nil>
}
