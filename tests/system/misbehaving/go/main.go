// The misbehaving bots in Go: `zoo NAME` is one of them.
package main

import (
	"fmt"
	"os"
)

// zoo holds what each bot does; each file adds its own.
var zoo = map[string]func(*visit){}

func main() {
	misbehave, known := zoo[os.Args[len(os.Args)-1]]
	if !known {
		fmt.Fprintln(os.Stderr, "usage: zoo NAME, the name of a bot in Go in zoo.toml")
		os.Exit(2)
	}
	v := &visit{address: os.Getenv("ARENA_ADDRESS"), token: os.Getenv("ARENA_TOKEN"), loot: os.Getenv("ARENA_LOOT")}
	defer v.report()
	misbehave(v)
}
