package main

import "context"

// Keep all that it allocates while its decision is open: its collector knows the limit, and cannot help.
func init() {
	zoo["grows_its_heap"] = func(v *visit) {
		v.seated(context.Background()).nextDecision()
		var kept [][]byte
		for {
			more := make([]byte, 1<<20)
			for place := range more {
				more[place] = byte(len(kept))
			}
			kept = append(kept, more)
		}
	}
}
