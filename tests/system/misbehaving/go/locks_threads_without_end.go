package main

import (
	"context"
	"runtime"
)

// Start threads until it is refused one while its decision is open: its runtime gives up.
func init() {
	zoo["locks_threads_without_end"] = func(v *visit) {
		v.seated(context.Background()).nextDecision()
		for {
			go func() {
				runtime.LockOSThread()
				select {}
			}()
			runtime.Gosched()
		}
	}
}
