//! Goods that could be brought to their cities.

use generated::arena::games::caravan::v1::{Good, LadenCamel, Seat};

use super::table::Table;

const COMMON_VALUE: u32 = 3;
const RARE_VALUE: u32 = 6;

/// A good to be brought to its city along one path.
pub struct Job {
    pub good: Good,
    /// The squares from the good to its city, both included.
    pub path: Vec<u32>,
    /// Points that it pays.
    pub value: u32,
    /// How the good comes onto an own camel on the first square; `None` if it is on one.
    pub take: Option<Take>,
    /// Whether the good is protected once it is on an own camel.
    pub is_protected: bool,
}

/// How a good comes onto an own camel.
#[derive(Clone, Copy)]
pub enum Take {
    PickUp,
    Steal { victim: u32 },
}

/// A good at its place; each gives two jobs, one for each path.
struct Find {
    square: u32,
    good: Good,
    markers: u32,
    take: Option<Take>,
    is_protected: bool,
}

/// All jobs, in the order that decides between equally good ones.
pub fn jobs(table: &Table) -> Vec<Job> {
    let mut finds = carried(table);
    // C12: one camel must stay without a good.
    if table.idle >= 2 {
        finds.extend(lying(table));
        if table.own.theft_markers > 0 {
            finds.extend(stealable(table));
        }
    }
    finds.into_iter().flat_map(|find| jobs_for(table, &find)).collect()
}

fn carried(table: &Table) -> Vec<Find> {
    let camels = table.own.laden_camels.iter();
    camels
        .map(|camel| Find {
            square: camel.square,
            good: camel.good(),
            markers: 0,
            take: None,
            is_protected: camel.is_protected,
        })
        .collect()
}

fn lying<'table>(table: &'table Table) -> impl Iterator<Item = Find> + 'table {
    let spaces = table.board.goods_spaces.iter().zip(&table.view.goods_spaces);
    spaces.map(|(&square, space)| Find {
        square,
        good: space.good(),
        markers: space.demand_markers,
        take: Some(Take::PickUp),
        is_protected: false,
    })
}

fn stealable<'table>(table: &'table Table) -> impl Iterator<Item = Find> + 'table {
    let others = (0..).zip(&table.view.seats).filter(|(seat, _)| *seat != table.view.seat_to_act);
    others.flat_map(|(victim, seat)| thefts(victim, seat))
}

fn thefts(victim: u32, seat: &Seat) -> impl Iterator<Item = Find> {
    let unprotected = seat.laden_camels.iter().filter(|camel| !camel.is_protected);
    unprotected.map(move |camel: &LadenCamel| Find {
        square: camel.square,
        good: camel.good(),
        markers: 0,
        take: Some(Take::Steal { victim }),
        is_protected: true,
    })
}

/// None for a good that has no city: an empty space, or a kind that this bot does not know.
fn jobs_for(table: &Table, find: &Find) -> Vec<Job> {
    let Some(city) = city_of(table, find.good) else {
        return Vec::new();
    };
    let worth = if find.good >= Good::Ivory { RARE_VALUE } else { COMMON_VALUE };
    let paths = table.paths(find.square, city).into_iter();
    paths
        .map(|path| Job {
            good: find.good,
            path,
            value: worth + find.markers,
            take: find.take,
            is_protected: find.is_protected,
        })
        .collect()
}

fn city_of(table: &Table, good: Good) -> Option<u32> {
    let place = usize::try_from(i32::from(good)).ok()?.checked_sub(1)?;
    table.board.cities.get(place).copied()
}
