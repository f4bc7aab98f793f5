package main

import (
	"context"

	arenav1 "caravanarena/arena/v1"
)

// Say hello a hundred times with the resume token of its opponent.
func init() {
	zoo["storms_with_a_stolen_token"] = func(v *visit) {
		for range 100 {
			l := v.dial(context.Background())
			l.say(hello(func(h *arenav1.Hello) { h.Comeback = &arenav1.Hello_ResumeToken{ResumeToken: v.loot} }))
			l.hearAll()
			l.cancel()
		}
	}
}
