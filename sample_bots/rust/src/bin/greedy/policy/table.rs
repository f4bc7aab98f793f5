//! The position of one decision as the policy needs it.

use std::collections::{BTreeMap, BTreeSet};

use generated::arena::games::caravan::v1::{Board, Observation, Seat};

/// The messages of the position, and its camels counted.
pub struct Table<'view> {
    pub view: &'view Observation,
    pub board: &'view Board,
    /// What belongs to the seat to act, "own" below.
    pub own: &'view Seat,
    /// Own empty camels by square.
    empty: BTreeMap<u32, u32>,
    /// Squares with at least one own laden camel.
    laden: BTreeSet<u32>,
    /// Squares with any camel of any seat.
    occupied: BTreeSet<u32>,
    /// Own camels that carry nothing, those in the supply included.
    pub idle: u32,
}

impl<'view> Table<'view> {
    /// Counts the camels; `None` for a view without a board or without the seat to act.
    pub fn of(view: &'view Observation) -> Option<Self> {
        let own = view.seats.get(usize::try_from(view.seat_to_act).ok()?)?;
        let empty: BTreeMap<_, _> =
            own.empty_camels.iter().map(|camels| (camels.square, camels.count)).collect();
        let idle = own.supply + empty.values().sum::<u32>();
        let laden = own.laden_camels.iter().map(|camel| camel.square).collect();
        let occupied = view.seats.iter().flat_map(camel_squares).collect();
        Some(Self { view, board: view.board.as_ref()?, own, empty, laden, occupied, idle })
    }

    /// Own empty camels on a square.
    pub fn empty_on(&self, square: u32) -> u32 {
        self.empty.get(&square).copied().unwrap_or(0)
    }

    /// Squares with own empty camels, ascending.
    pub fn squares_with_empty(&self) -> impl Iterator<Item = u32> {
        self.empty.keys().copied()
    }

    /// Whether an own laden camel stands on a square.
    pub fn is_laden(&self, square: u32) -> bool {
        self.laden.contains(&square)
    }

    /// Action points to put a camel onto a square (C8).
    pub fn cost_to(&self, square: u32) -> u32 {
        if self.occupied.contains(&square) { 2 } else { 1 }
    }

    /// Orthogonal steps between two squares.
    pub fn distance(&self, one: u32, other: u32) -> u32 {
        let columns = self.board.columns;
        (one / columns).abs_diff(other / columns) + (one % columns).abs_diff(other % columns)
    }

    /// The two paths with at most one corner: first the one that begins along the row of `start`.
    pub fn paths(&self, start: u32, end: u32) -> [Vec<u32>; 2] {
        let columns = self.board.columns;
        let row_corner = start - start % columns + end % columns;
        let column_corner = end - end % columns + start % columns;
        [
            joined(line(start, row_corner, 1), line(row_corner, end, columns)),
            joined(line(start, column_corner, columns), line(column_corner, end, 1)),
        ]
    }
}

fn camel_squares(seat: &Seat) -> impl Iterator<Item = u32> {
    let empty = seat.empty_camels.iter().map(|camels| camels.square);
    empty.chain(seat.laden_camels.iter().map(|camel| camel.square))
}

/// The squares from `start` to `end` in steps of `step` squares, both included.
fn line(start: u32, end: u32, step: u32) -> Vec<u32> {
    let squares = start.min(end)..=start.max(end);
    let mut line: Vec<u32> = squares.step_by(step as usize).collect();
    if start > end {
        line.reverse();
    }
    line
}

/// Two lines as one path; the second begins where the first one ends.
fn joined(mut first: Vec<u32>, second: Vec<u32>) -> Vec<u32> {
    first.extend(second.into_iter().skip(1));
    first
}
