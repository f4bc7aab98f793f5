//! The policy of docs/bots/greedy.md, on the messages of the wire and with integers only.

mod job;
mod plan;
mod table;

use generated::arena::games::caravan::v1::action::Kind;
use generated::arena::games::caravan::v1::{Action, Observation, Pass};

use plan::Plan;
use table::Table;

/// The next action for the job with the most points per action point; PASS if there is nothing to do.
pub fn best_action(view: &Observation) -> Action {
    let step = Table::of(view).and_then(|table| best_step(&table));
    Action { kind: Some(step.unwrap_or(Kind::PassTurn(Pass {}))) }
}

fn best_step(table: &Table) -> Option<Kind> {
    let mut best: Option<(Plan, Kind)> = None;
    for job in job::jobs(table) {
        let plan = Plan::of(table, job);
        if plan.must_wait() || best.as_ref().is_some_and(|(best, _)| !plan.pays_better_than(best)) {
            continue;
        }
        if let Some(step) = plan.next_step() {
            best = Some((plan, step));
        }
    }
    best.map(|(_, step)| step)
}
