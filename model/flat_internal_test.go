package model

import (
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"bullyproof/internal/flat"
)

// The error about a type that is not flat names one that is, and does the same. (Of a protocol it
// is TestErrorNamesWhatIsNotFlat: each protocol takes long to compile.)
func TestErrorSaysWhatIsFlatInstead(t *testing.T) {
	const shipped = "package checker/shipped checks code that keeps any values"
	for of, want := range map[reflect.Type]string{
		reflect.TypeFor[map[int]bool](): "a model.ByID has a value for each process, and a model.Set is a set of processes; ",
		reflect.TypeFor[[]int]():        "list.Of (package model/list) is a list; ",
		reflect.TypeFor[string]():       "a number with a method String is shown as its text; ",
		reflect.TypeFor[time.Time]():    "clock.Instant (package model/clock) is a time; ",
		reflect.TypeFor[*int]():         "a model.ID stands for a process, and an index for an element of an array; ",
		reflect.TypeFor[float64]():      "a number may count hundredths; ",
		reflect.TypeFor[chan int]():     "",
	} {
		_, err := flat.Of(of, nil)
		assert.ErrorContains(t, err, " not flat; use integers, bools, arrays and structs of them")
		assert.Equal(t, ": "+want+shipped, instead(err))
	}
}
