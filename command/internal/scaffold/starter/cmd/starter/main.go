// Starter is the command of package starter:
//
//	go run ./cmd/starter check starter
//	go run ./cmd/starter explore starter
package main

import (
	"bullyproof/command"
	"bullyproof/command/internal/scaffold/starter"
)

func main() { command.Main(starter.Algorithm) }
