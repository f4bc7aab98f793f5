package bot

import arenav1 "caravanarena/arena/v1"

// thinker chooses in a goroutine of its own, one decision at a time.
type thinker struct {
	questions chan<- *arenav1.Decision
	thoughts  <-chan thought
}

// thought is a choice and what it answers.
type thought struct {
	decision *arenav1.Decision
	action   *arenav1.Action
}

func startThinker(choose func(*arenav1.Decision) *arenav1.Action) thinker {
	questions, thoughts := make(chan *arenav1.Decision), make(chan thought)
	go func() {
		for decision := range questions {
			thoughts <- thought{decision, choose(decision)}
		}
	}()
	return thinker{questions, thoughts}
}
