package main

import (
	"context"
	"time"

	arenav1 "caravanarena/arena/v1"
)

// Send answers to nothing for three seconds, as fast as it can, while its own decision is open.
func init() {
	zoo["floods_while_it_thinks"] = func(v *visit) {
		l := v.seated(context.Background())
		decision := l.nextDecision()
		frame := make([]*arenav1.ClientMessage, 64)
		for place := range frame {
			frame[place] = answerTo(99, 7, 0)
		}
		go func() {
			for end := time.Now().Add(3 * time.Second); time.Now().Before(end); {
				l.say(frame...)
			}
			l.answer(decision.GetDecision(), 0)
		}()
		for decision := l.nextDecision(); decision != nil; decision = l.nextDecision() {
			l.answer(decision.GetDecision(), 0)
		}
		l.leave()
	}
}
