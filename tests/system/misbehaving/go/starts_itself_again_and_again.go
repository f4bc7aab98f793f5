package main

import (
	"context"
	"os"
	"os/exec"
)

// Start its own program while its decision is open, which starts it twice again, and so on; and fail when it cannot.
func init() {
	zoo["starts_itself_again_and_again"] = func(v *visit) {
		if os.Getenv("ZOO_DESCENDANT") == "" {
			v.seated(context.Background()).nextDecision()
			check(os.Setenv("ZOO_DESCENDANT", "yes"))
		}
		for {
			check(exec.Command("/proc/self/exe", os.Args[1:]...).Start())
		}
	}
}
