package main

import caravanv1 "caravanarena/arena/games/caravan/v1"

const (
	rareValue   = 6
	commonValue = 3
)

// job is a good to be brought to its city along one path.
type job struct {
	good      caravanv1.Good
	path      []int // the squares from the good to its city, both included
	value     int
	take      *caravanv1.Action // how the good comes onto an own camel on the first square; nil if it is on one
	protected bool              // whether the good is protected once it is on the own camel
}

// steals tells whether the job begins with a theft.
func (j job) steals() bool {
	return j.take.GetSteal() != nil
}

// jobs are listed in the order that decides between equally good ones.
func (t *table) jobs() []job {
	var found []job
	for _, camel := range t.own.GetLadenCamels() {
		carried := job{good: camel.GetGood(), protected: camel.GetIsProtected()}
		found = append(found, t.jobsAt(camel.GetSquare(), carried)...)
	}
	if t.idle < 2 { // C12: one camel must stay without a good.
		return found
	}
	found = append(found, t.pickUps()...)
	if t.own.GetTheftMarkers() > 0 {
		found = append(found, t.thefts()...)
	}
	return found
}

func (t *table) pickUps() []job {
	var found []job
	squares := t.view.GetBoard().GetGoodsSpaces()
	for i, space := range t.view.GetGoodsSpaces() {
		take := &caravanv1.Action_PickUp{PickUp: &caravanv1.PickUp{AtSquare: squares[i]}}
		picked := job{
			good:  space.GetGood(),
			value: int(space.GetDemandMarkers()),
			take:  &caravanv1.Action{Kind: take},
		}
		found = append(found, t.jobsAt(squares[i], picked)...)
	}
	return found
}

func (t *table) thefts() []job {
	var found []job
	for victim, seat := range t.view.GetSeats() {
		if uint32(victim) == t.view.GetSeatToAct() {
			continue
		}
		for _, camel := range seat.GetLadenCamels() {
			if camel.GetIsProtected() {
				continue
			}
			theft := &caravanv1.Steal{AtSquare: camel.GetSquare(), Victim: uint32(victim), Good: camel.GetGood()}
			take := &caravanv1.Action{Kind: &caravanv1.Action_Steal{Steal: theft}}
			stolen := job{good: camel.GetGood(), take: take, protected: true}
			found = append(found, t.jobsAt(camel.GetSquare(), stolen)...)
		}
	}
	return found
}

// jobsAt completes a job with each of the two paths from a square to the city, and with the worth of the good. There are
// none if nothing lies there, or a good of a newer arena.
func (t *table) jobsAt(square uint32, begun job) []job {
	cities := t.view.GetBoard().GetCities()
	if begun.good < caravanv1.Good_GOOD_MEAT || int(begun.good) > len(cities) {
		return nil
	}
	if begun.good >= caravanv1.Good_GOOD_IVORY {
		begun.value += rareValue
	} else {
		begun.value += commonValue
	}
	var found []job
	for _, path := range t.paths(int(square), int(cities[begun.good-1])) {
		begun.path = path
		found = append(found, begun)
	}
	return found
}
