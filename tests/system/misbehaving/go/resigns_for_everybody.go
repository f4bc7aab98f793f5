package main

import (
	"context"

	arenav1 "caravanarena/arena/v1"
)

// Resign for every assignment from 0 to 59, its own among them.
func init() {
	zoo["resigns_for_everybody"] = func(v *visit) {
		l := v.seated(context.Background())
		l.nextDecision()
		resignations := make([]*arenav1.ClientMessage, 60)
		for assignment := range resignations {
			resignations[assignment] = &arenav1.ClientMessage{Kind: &arenav1.ClientMessage_Resign{
				Resign: &arenav1.Resign{Assignment: uint32(assignment)},
			}}
		}
		l.say(resignations...)
		l.nextDecision() // there is none: the match ends
		l.leave()
	}
}
