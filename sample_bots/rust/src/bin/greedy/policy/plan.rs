//! What a job still needs: its cost in action points, and the next step towards it.

use std::cmp::Reverse;

use generated::arena::games::caravan::v1::action::Kind;
use generated::arena::games::caravan::v1::{Move, MoveGood, PickUp, Place, Steal};

use super::job::{Job, Take};
use super::table::Table;

/// How one job would be done.
pub struct Plan<'table> {
    table: &'table Table<'table>,
    job: Job,
    /// The place in the path to which a complete chain of camels can bring the good in one go.
    reach: usize,
    cost: u32,
}

impl<'table> Plan<'table> {
    /// Works out how far the good can be brought with the camels there are, and what the job costs.
    pub fn of(table: &'table Table<'table>, job: Job) -> Self {
        let mut plan = Self { table, reach: reach(table, &job), job, cost: 0 };
        plan.cost = plan.total_cost();
        plan
    }

    /// Whether it is a theft that cannot be delivered in the same turn.
    pub fn must_wait(&self) -> bool {
        matches!(self.job.take, Some(Take::Steal { .. })) && self.cost > self.table.view.points
    }

    /// Whether it pays more points per action point.
    pub fn pays_better_than(&self, best: &Plan) -> bool {
        self.job.value * best.cost > best.job.value * self.cost
    }

    /// The first action of the plan that the points left can pay; `None` if there is none.
    pub fn next_step(&self) -> Option<Kind> {
        let start = self.job.path[0];
        match self.job.take {
            Some(take) if self.taker_is_there() => Some(self.take_good(take)),
            Some(_) => self.bring_camel(start),
            None => {
                let mut missing = self.missing(self.reach).peekable();
                if missing.peek().is_none() {
                    return Some(self.move_good());
                }
                missing.find_map(|square| self.bring_camel(square))
            }
        }
    }

    fn total_cost(&self) -> u32 {
        let last = self.job.path.len() - 1;
        let camels: u32 = self.missing(last).map(|square| self.table.cost_to(square)).sum();
        let moves = last.div_ceil(self.reach.max(1)).max(1) as u32;
        camels + moves + self.take_cost()
    }

    fn take_cost(&self) -> u32 {
        match self.job.take {
            None => 0,
            Some(_) if self.taker_is_there() => 1,
            Some(_) => 1 + self.table.cost_to(self.job.path[0]),
        }
    }

    fn taker_is_there(&self) -> bool {
        self.table.empty_on(self.job.path[0]) > 0
    }

    /// The squares up to a place in the path that still need a camel, in order; the good's own one only if it is the
    /// city too.
    fn missing(&self, until: usize) -> impl Iterator<Item = u32> {
        let places = until.min(1)..=until;
        places.filter(|&place| !self.is_held(place)).map(|place| self.job.path[place])
    }

    /// Whether a square of the path has the camel that it needs; where the good arrives, an empty one.
    fn is_held(&self, place: usize) -> bool {
        let square = self.job.path[place];
        // With a take, one camel on the first square takes the good and another one receives it.
        let needed = if place == 0 && self.job.take.is_some() { 2 } else { 1 };
        self.table.empty_on(square) >= needed || (place < self.reach && self.table.is_laden(square))
    }

    fn take_good(&self, take: Take) -> Kind {
        let at_square = self.job.path[0];
        match take {
            Take::PickUp => Kind::PickUp(PickUp { at_square }),
            Take::Steal { victim } => Kind::Steal(Steal { at_square, victim, good: self.job.good.into() }),
        }
    }

    fn move_good(&self) -> Kind {
        Kind::MoveGood(MoveGood {
            from_square: self.job.path[0],
            good: self.job.good.into(),
            is_protected: self.job.is_protected,
            to_square: self.job.path[self.reach],
        })
    }

    fn bring_camel(&self, target: u32) -> Option<Kind> {
        if self.table.cost_to(target) > self.table.view.points {
            return None;
        }
        if self.table.own.supply > 0 {
            return Some(Kind::Place(Place { to_square: target }));
        }
        let city = self.job.path[self.job.path.len() - 1];
        let spare =
            self.table.squares_with_empty().filter(|&square| square != target && self.is_spare(square));
        let start = spare.min_by_key(|&square| (Reverse(self.table.distance(square, city)), square))?;
        Some(Kind::Move(Move { from_square: start, to_square: target }))
    }

    /// Whether an empty camel on the square is not needed there by this plan.
    fn is_spare(&self, square: u32) -> bool {
        let first = if self.job.take.is_some() { 0 } else { self.reach.min(1) };
        let needed = u32::from(self.job.path[first..=self.reach].contains(&square));
        self.table.empty_on(square) > needed
    }
}

fn reach(table: &Table, job: &Job) -> usize {
    let camels = table.idle as usize - usize::from(job.take.is_some());
    let chain = |reach: usize| {
        let between = &job.path[1..reach];
        1 + between.iter().filter(|&&square| !table.is_laden(square)).count()
    };
    let mut reach = job.path.len() - 1;
    while reach > 1 && chain(reach) > camels {
        reach -= 1;
    }
    reach
}
