package setting_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"bullyproof/model/setting"
)

func TestInWords(t *testing.T) {
	for text, want := range map[string]string{
		"n=3 start=settled crashes=1 restarts=1":                                  "3 processes; at first all agree on a coordinator; a message takes up to 1 tick; messages arrive in any order; a process may crash, and may come back",
		"n=4 start=coordinator-down joins=1 channels=fifo timing=lockstep":        "4 processes; the coordinator has just crashed; every message takes one tick; messages from one process to another keep their order; a process may join",
		"n=4 topology=ring initiators=all:lazy timing=patient":                    "4 processes in a ring, where messages travel one way; no coordinator is known yet, and every process may begin an election; a message may take any time, and timers are long enough; messages arrive in any order",
		"n=3 initiators=2:lazy timing=async losses=2 crashes=1 crashers=1,3":      "3 processes; no coordinator is known yet, and P2 begins an election; a message may take any time, and a timer may expire too early; messages arrive in any order; P1 or P3 may crash; 2 messages may be lost",
		"n=4 start=settled cuts=2 cut-by=link timing=lockstep":                    "4 processes; at first all agree on a coordinator; every message takes one tick; messages arrive in any order; 2 links may be cut",
		"n=5 start=settled crashes=2 restarts=1 mid-send=yes cuts=1 suspicions=1": "5 processes; at first all agree on a coordinator; a message takes up to 1 tick; messages arrive in any order; 2 crashes may happen; one that is down may come back; also in the middle of sending; the network may be divided once; the failure detector may be wrong once",
	} {
		s, err := setting.Parse(text)
		if assert.NoError(t, err, text) {
			assert.Equal(t, want, s.InWords(), text)
		}
	}
}
