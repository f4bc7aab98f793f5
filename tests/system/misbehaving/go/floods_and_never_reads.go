package main

import (
	"context"
	"time"

	arenav1 "caravanarena/arena/v1"
)

// Send answers to nothing for eight seconds while its own decision is open, and read none of the replies.
func init() {
	zoo["floods_and_never_reads"] = func(v *visit) {
		l := v.seated(context.Background())
		l.nextDecision()
		frame := make([]*arenav1.ClientMessage, 64)
		for place := range frame {
			frame[place] = answerTo(99, 7, 0)
		}
		over := time.Now().Add(8 * time.Second)
		go func() {
			for time.Now().Before(over) && l.stream.Send(&arenav1.PlayRequest{Messages: frame}) == nil {
				continue
			}
		}()
		time.Sleep(time.Until(over)) // its writes are held back long before
		for message := l.hear(); message != nil; message = l.hear() {
			l.heard = l.heard[:0] // a goodbye is the last of very many
			if message.GetGoodbye() != nil {
				l.heard = append(l.heard, message)
			}
		}
	}
}
