package main

import caravanv1 "caravanarena/arena/games/caravan/v1"

// bestAction is the next action for the job with the most points per action point; PASS if there is nothing to do. It
// is the same whenever the position is.
func bestAction(view *caravanv1.Observation) *caravanv1.Action {
	t := newTable(view)
	step := &caravanv1.Action{Kind: &caravanv1.Action_PassTurn{PassTurn: &caravanv1.Pass{}}}
	var best *plan
	for _, j := range t.jobs() {
		p := newPlan(t, j)
		if j.steals() && p.cost > int(view.GetPoints()) {
			continue // A theft must be delivered in the same turn.
		}
		if best != nil && p.value*best.cost <= best.value*p.cost {
			continue
		}
		if next := p.nextAction(); next != nil {
			best, step = p, next
		}
	}
	return step
}
