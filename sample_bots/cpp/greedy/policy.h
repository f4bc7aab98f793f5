// A deterministic policy for Caravan: one job after the other. docs/bots/greedy.md states it exactly.
#pragma once

#include "arena/games/caravan/v1/caravan.pb.h"

namespace greedy {

/// The next action for the job with the most points per action point; PASS if there is nothing to do.
arena::games::caravan::v1::Action BestAction(const arena::games::caravan::v1::Observation& observation);

}  // namespace greedy
