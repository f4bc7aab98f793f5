package main

import (
	"context"

	arenav1 "caravanarena/arena/v1"
)

// Send a thousand frames of 64 messages each while no decision is open.
func init() {
	zoo["floods_with_frames"] = func(v *visit) {
		l := v.dial(context.Background())
		l.say(hello(func(h *arenav1.Hello) { h.Capacity = &arenav1.Capacity{OpenDecisions: 1} }))
		frame := make([]*arenav1.ClientMessage, 64)
		for place := range frame {
			frame[place] = &arenav1.ClientMessage{Kind: &arenav1.ClientMessage_Capacity{
				Capacity: &arenav1.Capacity{OpenDecisions: 1},
			}}
		}
		go func() {
			for range 1_000 {
				l.say(frame...)
			}
		}()
		l.hearAll()
	}
}
