package linear

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A contradiction names the last answer, and what was acknowledged before that it does not go with.
func TestContradiction(t *testing.T) {
	write := func(client int, value uint64, call, end int64) Operation {
		return Operation{Client: client, Op: Write, Value: value, Call: call, Return: end}
	}
	read := func(client int, value uint64, call, end int64) Operation {
		return Operation{Client: client, Op: Read, Value: value, Call: call, Return: end}
	}
	acquire := func(client int, call, end int64) Operation {
		return Operation{Client: client, Op: Acquire, OK: true, Call: call, Return: end}
	}
	for _, tt := range []struct {
		want string
		list []Operation
	}{
		{"client 1 reads 0 after its own write of 1 was acknowledged", []Operation{write(1, 1, 1, 2), read(1, 0, 3, 4)}},
		{"client 2 reads 1 after client 1's write of 2 was acknowledged", []Operation{read(2, 1, 5, 6), write(1, 1, 1, 2), write(1, 2, 3, 4)}},
		{"client 1 reads 2, which no order of the operations explains", []Operation{write(2, 1, 1, 5), read(1, 2, 3, 4), {Client: 2, Op: Write, Value: 3, Call: 9, Pending: true}}[1:]},
		{"client 2 is given the lock while client 1 holds it", []Operation{acquire(1, 1, 2), acquire(2, 3, 4)}},
		{"no order explains that client 2: acquire -> given", []Operation{acquire(1, 1, 2), {Client: 1, Op: Release, Call: 2, Return: 3}, acquire(2, 3, 4)}},
		{"client 1 learns that P2 leads, which no order of the elections explains", []Operation{{Op: Elect, Value: 3, Call: 9, Return: 9}, {Client: 1, Op: Ask, Value: 2, Call: 3, Return: 4}}},
		{"client 1 learns that nobody leads, which no order of the elections explains", []Operation{{Client: 1, Op: Ask, Call: 3, Return: 4}}},
		{"no order explains it", []Operation{{Client: 1, Op: Write, Value: 3, Pending: true}}},
	} {
		assert.Equal(t, tt.want, (&History{Operations: tt.list}).Contradiction())
	}
}
