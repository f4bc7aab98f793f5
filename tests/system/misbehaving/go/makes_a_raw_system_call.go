package main

import (
	"context"
	"runtime"
	"syscall"
)

// Ask for a key ring by the bare number of the call while its decision is open, where it is held strictly.
func init() {
	zoo["makes_a_raw_system_call"] = func(v *visit) {
		v.seated(context.Background()).nextDecision()
		numbers := map[string]uintptr{"amd64": 250, "arm64": 219} // keyctl
		_, _, _ = syscall.RawSyscall(numbers[runtime.GOARCH], 0, 0, 0)
		select {}
	}
}
