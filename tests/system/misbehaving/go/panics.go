package main

import "context"

// Panic while its decision is open.
func init() {
	zoo["panics"] = func(v *visit) {
		decision := v.seated(context.Background()).nextDecision()
		v.report()
		v.links = nil
		panic(decision.GetDecision())
	}
}
