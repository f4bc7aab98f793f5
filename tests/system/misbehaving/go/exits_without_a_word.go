package main

import (
	"context"
	"os"
)

// Exit with 0 while its decision is open, its connection not closed.
func init() {
	zoo["exits_without_a_word"] = func(v *visit) {
		v.seated(context.Background()).nextDecision()
		v.report()
		os.Exit(0)
	}
}
