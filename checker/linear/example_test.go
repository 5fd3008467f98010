package linear_test

import (
	"context"
	"fmt"
	"strings"

	"bullyproof/algorithms/kabashi"
	"bullyproof/checker/linear"
)

// Two processes lead at once. The one that has just been elected writes, and the
// old one still answers from what it read before.
func ExampleCheck() {
	v := kabashi.Algorithm.Variants[0]
	s, err := v.Setting.With("crashes=1 restarts=1")
	if err != nil {
		fmt.Println(err)
		return
	}
	sys, err := v.In(s)
	if err != nil {
		fmt.Println(err)
		return
	}
	report, err := linear.Check(context.Background(), sys, linear.Workload{Spec: linear.Register}, linear.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Verdict)
	fmt.Println(report.Run.Story())
	// Output:
	// not linearizable
	// after step 3: P1 takes over: it reads 0 from the store
	// after step 3: P2 takes over: it reads 0 from the store
	// after step 3: client 1 asks P2 to write 1
	// after step 3: P2 tells client 1 that it is done (write 1)
	// after step 3: client 1 reads 0 from the copy of P1
}

// A read that begins after a write has returned has to see it.
func ExampleDecide() {
	h, err := linear.ReadHistory(strings.NewReader(`{"spec": "register", "operations": [
		{"client": 1, "op": "write", "value": 3, "call": 10, "return": 25},
		{"client": 2, "op": "read", "value": 0, "call": 30, "return": 40}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	verdict, err := linear.Decide(h, 0)
	fmt.Println(verdict, err)
	// Output: not linearizable <nil>
}
