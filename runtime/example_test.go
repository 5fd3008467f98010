package runtime_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"sync"
	"time"

	"bullyproof/algorithms/bully"
	"bullyproof/model"
	"bullyproof/runtime"
	"bullyproof/runtime/eventlog"
)

// Three processes of the Bully algorithm elect the highest, here in one program,
// and say in their event logs what they do.
func Example() {
	sys, err := model.NewFrom(bully.Coulouris, "n=3 start=cold:interleaved timing=async")
	if err != nil {
		fmt.Println(err)
		return
	}
	read, write := io.Pipe()
	events := eventlog.NewWriter(write)
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	addresses := freeAddresses(3)
	for id := range model.Upto(3).All() {
		p, err := runtime.New(sys, runtime.Config{
			Self: id, Addresses: addresses, Key: []byte("known to all three"), Tick: 500 * time.Millisecond,
			Start: true, Events: events,
		})
		if err != nil {
			fmt.Println(err)
			break
		}
		running.Go(func() {
			if err := p.Run(ctx); err != nil {
				fmt.Println(err)
			}
		})
	}

	log := eventlog.NewReader(read, "events")
	for follow := (map[model.ID]model.ID{}); follow[1] != 3 || follow[2] != 3 || follow[3] != 3; {
		e, err := log.Next()
		if err != nil {
			fmt.Println(err)
			break
		}
		if e.Belief != nil {
			follow[e.Process] = *e.Belief.Elected
		}
	}
	fmt.Println("all follow P3")
	_ = read.Close() // the logs end here
	stop()
	running.Wait()
	// Output: all follow P3
}

// freeAddresses returns addresses of this machine at which nobody listens now.
func freeAddresses(n int) (list []string) {
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			fmt.Println(err)
			continue
		}
		defer l.Close()
		list = append(list, l.Addr().String())
	}
	return list
}
