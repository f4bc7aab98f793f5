package main

import caravanv1 "caravanarena/arena/games/caravan/v1"

// table is the position of one decision as the policy needs it. Squares are ints here, so that they can be subtracted.
type table struct {
	view     *caravanv1.Observation
	own      *caravanv1.Seat
	columns  int
	empty    map[int]int  // own empty camels by square
	laden    map[int]bool // squares with an own laden camel
	occupied map[int]bool // squares with any camel of any seat
	idle     int          // own camels that carry nothing, on the board or not
}

func newTable(view *caravanv1.Observation) *table {
	own := view.GetSeats()[view.GetSeatToAct()]
	t := &table{
		view:     view,
		own:      own,
		columns:  int(view.GetBoard().GetColumns()),
		empty:    map[int]int{},
		laden:    map[int]bool{},
		occupied: map[int]bool{},
		idle:     int(own.GetSupply()),
	}
	for _, camels := range own.GetEmptyCamels() {
		t.empty[int(camels.GetSquare())] = int(camels.GetCount())
		t.idle += int(camels.GetCount())
	}
	for _, camel := range own.GetLadenCamels() {
		t.laden[int(camel.GetSquare())] = true
	}
	for _, seat := range view.GetSeats() {
		t.occupy(seat)
	}
	return t
}

func (t *table) occupy(seat *caravanv1.Seat) {
	for _, camels := range seat.GetEmptyCamels() {
		t.occupied[int(camels.GetSquare())] = true
	}
	for _, camel := range seat.GetLadenCamels() {
		t.occupied[int(camel.GetSquare())] = true
	}
}

// costTo is the action points to put a camel onto a square (C8).
func (t *table) costTo(square int) int {
	if t.occupied[square] {
		return 2
	}
	return 1
}

// distance is the orthogonal steps between two squares.
func (t *table) distance(a, b int) int {
	return abs(a/t.columns-b/t.columns) + abs(a%t.columns-b%t.columns)
}

// paths are the two with at most one corner, both ends included: first the one that begins along the row of `start`.
func (t *table) paths(start, end int) [2][]int {
	rowCorner := start - start%t.columns + end%t.columns
	columnCorner := end - end%t.columns + start%t.columns
	return [2][]int{
		append(line(start, rowCorner, 1), line(rowCorner, end, t.columns)[1:]...),
		append(line(start, columnCorner, t.columns), line(columnCorner, end, 1)[1:]...),
	}
}

// line is the squares from `start` to `end` in steps of `step` squares, both included.
func line(start, end, step int) []int {
	if start > end {
		step = -step
	}
	squares := []int{start}
	for square := start; square != end; {
		square += step
		squares = append(squares, square)
	}
	return squares
}

func abs(x int) int {
	if x < 0 {
		return -x
	}
	return x
}
