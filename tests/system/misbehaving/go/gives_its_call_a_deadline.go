package main

import (
	"context"
	"time"
)

// Give its Play call a deadline of eight seconds, as if it were a short one, and think beyond it.
func init() {
	zoo["gives_its_call_a_deadline"] = func(v *visit) {
		call, cancel := context.WithTimeout(context.Background(), 8*time.Second)
		defer cancel()
		l := v.seated(call)
		l.nextDecision()
		l.hearAll()
	}
}
