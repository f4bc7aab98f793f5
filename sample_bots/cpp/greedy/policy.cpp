#include "greedy/policy.h"

#include <optional>
#include <utility>
#include <vector>

#include "greedy/jobs.h"
#include "greedy/plan.h"
#include "greedy/table.h"

namespace greedy {

caravan::Action BestAction(const caravan::Observation& observation) {
  caravan::Action best_action;
  best_action.mutable_pass_turn();
  if (static_cast<int>(observation.seat_to_act()) >= observation.seats_size()) return best_action;
  const Table table(observation);
  const std::vector<Job> jobs = Jobs(table);
  std::optional<std::pair<int, int>> best;  // Value and cost.
  for (const Job& job : jobs) {
    const Plan plan(table, job);
    // A theft must be delivered in the same turn.
    if (job.take && job.take->has_steal() && plan.cost() > static_cast<int>(observation.points())) continue;
    if (best && job.value * best->second <= best->first * plan.cost()) continue;
    if (const auto action = plan.NextAction()) {
      best = {job.value, plan.cost()};
      best_action = *action;
    }
  }
  return best_action;
}

}  // namespace greedy
