package main

import "context"

// Half-close while its decision is open, and wait for its result.
func init() {
	zoo["half_closes_and_waits"] = func(v *visit) {
		l := v.seated(context.Background())
		l.nextDecision()
		l.leave()
	}
}
