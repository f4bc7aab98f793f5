package main

import (
	"context"
	"sync"
)

// Answer its first three decisions from ten goroutines at once.
func init() {
	zoo["answers_from_ten_goroutines"] = func(v *visit) {
		l := v.seated(context.Background())
		var one sync.Mutex // the library forbids two writers at once
		for decision := l.nextDecision(); decision != nil; decision = l.nextDecision() {
			var all sync.WaitGroup
			answers := 10
			if decision.GetDecision() > 3 {
				answers = 1
			}
			for range answers {
				all.Add(1)
				go func() {
					defer all.Done()
					one.Lock()
					defer one.Unlock()
					l.answer(decision.GetDecision(), 0)
				}()
			}
			all.Wait()
		}
		l.leave()
	}
}
