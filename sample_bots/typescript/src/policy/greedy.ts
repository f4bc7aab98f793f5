/** A deterministic policy for Caravan: one job after the other. docs/bots/greedy.md states it exactly. */
import type { ActionInput } from "../generated/arena/games/caravan/v1/Action.js";
import type { Observation } from "../generated/arena/games/caravan/v1/Observation.js";
import { jobs } from "./jobs.js";
import { Plan } from "./plan.js";
import { Table } from "./table.js";

/** The next action for the job with the most points per action point; a pass if there is nothing to do. */
export function bestAction(observation: Observation): ActionInput {
  const table = new Table(observation);
  let best: Plan | undefined;
  let bestAction: ActionInput = { passTurn: {} };
  for (const job of jobs(table)) {
    const plan = new Plan(table, job);
    if (job.take?.steal && plan.cost > observation.points) continue; // It must be delivered in the same turn.
    if (best && job.value * best.cost <= best.job.value * plan.cost) continue;
    const action = plan.nextAction();
    if (action) [best, bestAction] = [plan, action];
  }
  return bestAction;
}
