package main

import caravanv1 "caravanarena/arena/games/caravan/v1"

// plan is what a job still needs.
type plan struct {
	*table
	job
	reach int // the place in the path to which the good can be brought in one go
	cost  int // in action points
}

func newPlan(t *table, j job) *plan {
	p := &plan{table: t, job: j}
	p.reach = p.findReach()
	p.cost = p.findCost()
	return p
}

func (p *plan) last() int {
	return len(p.path) - 1
}

func (p *plan) findReach() int {
	camels := p.idle
	if p.take != nil {
		camels--
	}
	reach := p.last()
	for reach > 1 && 1+p.withoutLaden(p.path[1:reach]) > camels {
		reach--
	}
	return reach
}

// withoutLaden counts the squares on which no own laden camel stands.
func (p *plan) withoutLaden(squares []int) int {
	count := 0
	for _, square := range squares {
		if !p.laden[square] {
			count++
		}
	}
	return count
}

// held tells whether a square of the path has the camel that it needs; where the good arrives, an empty one.
func (p *plan) held(place int) bool {
	needed := 1
	if place == 0 && p.take != nil {
		needed = 2 // One takes the good, the other one receives it.
	}
	square := p.path[place]
	return p.empty[square] >= needed || (place < p.reach && p.laden[square])
}

// missing are the squares up to a place that still need a camel; the good's own one only if it is the city too.
func (p *plan) missing(until int) []int {
	var squares []int
	for place := min(1, until); place <= until; place++ {
		if !p.held(place) {
			squares = append(squares, p.path[place])
		}
	}
	return squares
}

func (p *plan) findCost() int {
	stride := max(1, p.reach)
	cost := max(1, (p.last()+stride-1)/stride)
	for _, square := range p.missing(p.last()) {
		cost += p.costTo(square)
	}
	if p.take != nil {
		cost++
		if !p.takerIsThere() {
			cost += p.costTo(p.path[0])
		}
	}
	return cost
}

func (p *plan) takerIsThere() bool {
	return p.empty[p.path[0]] > 0
}

// nextAction is the first action of the plan that the points left can pay; nil if there is none.
func (p *plan) nextAction() *caravanv1.Action {
	if p.take != nil {
		if p.takerIsThere() {
			return p.take
		}
		return p.bringCamel(p.path[0])
	}
	missing := p.missing(p.reach)
	if len(missing) == 0 {
		return p.moveGood()
	}
	for _, square := range missing {
		if step := p.bringCamel(square); step != nil {
			return step
		}
	}
	return nil
}

func (p *plan) moveGood() *caravanv1.Action {
	move := &caravanv1.MoveGood{
		FromSquare:  uint32(p.path[0]),
		Good:        p.good,
		IsProtected: p.protected,
		ToSquare:    uint32(p.path[p.reach]),
	}
	return &caravanv1.Action{Kind: &caravanv1.Action_MoveGood{MoveGood: move}}
}

func (p *plan) bringCamel(target int) *caravanv1.Action {
	if p.costTo(target) > int(p.view.GetPoints()) {
		return nil
	}
	if p.own.GetSupply() > 0 {
		place := &caravanv1.Place{ToSquare: uint32(target)}
		return &caravanv1.Action{Kind: &caravanv1.Action_Place{Place: place}}
	}
	start, found := p.spareCamel(target)
	if !found {
		return nil
	}
	move := &caravanv1.Move{FromSquare: uint32(start), ToSquare: uint32(target)}
	return &caravanv1.Action{Kind: &caravanv1.Action_Move{Move: move}}
}

// spareCamel is the square of the camel that is brought to the target: the one farthest from the city, and the lowest
// of those, because own empty camels are told by ascending square.
func (p *plan) spareCamel(target int) (square int, found bool) {
	city, farthest := p.path[p.last()], -1
	for _, camels := range p.own.GetEmptyCamels() {
		start := int(camels.GetSquare())
		away := p.distance(start, city)
		if start != target && p.spare(start) && away > farthest {
			square, farthest, found = start, away, true
		}
	}
	return square, found
}

// spare tells whether the plan can do without one of the empty camels on a square.
func (p *plan) spare(square int) bool {
	first := 0
	if p.take == nil {
		first = min(1, p.reach)
	}
	needed := 0
	for _, onPath := range p.path[first : p.reach+1] {
		if onPath == square {
			needed = 1
		}
	}
	return p.empty[square] > needed
}
