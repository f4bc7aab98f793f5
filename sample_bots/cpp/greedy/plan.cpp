#include "greedy/plan.h"

#include <algorithm>

namespace greedy {

Plan::Plan(const Table& table, const Job& job) : table_(table), job_(job), reach_(Reach()), cost_(Cost()) {}

int Plan::Reach() const {
  const int camels = table_.idle() - (job_.take ? 1 : 0);
  const auto is_not_laden = [this](int square) { return !table_.IsLaden(square); };
  const auto needed = [&](int reach) {
    return 1 + std::count_if(job_.path.begin() + 1, job_.path.begin() + reach, is_not_laden);
  };
  int reach = job_.last();
  while (reach > 1 && needed(reach) > camels) --reach;
  return reach;
}

int Plan::Cost() const {
  int cost = 0;
  for (const int square : MissingUpTo(job_.last())) cost += table_.CostTo(square);
  const int stretch = std::max(1, reach_);
  cost += std::max(1, (job_.last() + stretch - 1) / stretch);
  if (job_.take) cost += 1 + (TakerIsThere() ? 0 : table_.CostTo(job_.path[0]));
  return cost;
}

/// Whether a square of the path has the camel that it needs; where the good arrives, an empty one.
bool Plan::IsHeld(int place) const {
  const int square = job_.path[place];
  const int needed = place == 0 && job_.take ? 2 : 1;  // One takes the good, the other one receives it.
  return table_.EmptyOn(square) >= needed || (place < reach_ && table_.IsLaden(square));
}

/// The squares that still need a camel, in order; the good's own one only if it is the city too.
std::vector<int> Plan::MissingUpTo(int place) const {
  std::vector<int> missing;
  for (int i = std::min(1, place); i <= place; ++i) {
    if (!IsHeld(i)) missing.push_back(job_.path[i]);
  }
  return missing;
}

std::optional<caravan::Action> Plan::NextAction() const {
  if (job_.take) return TakerIsThere() ? job_.take : BringCamel(job_.path[0]);
  const std::vector<int> missing = MissingUpTo(reach_);
  if (missing.empty()) return MoveGood();
  for (const int square : missing) {
    if (auto action = BringCamel(square)) return action;
  }
  return std::nullopt;
}

caravan::Action Plan::MoveGood() const {
  caravan::Action action;
  auto& move = *action.mutable_move_good();
  move.set_from_square(static_cast<uint32_t>(job_.path[0]));
  move.set_good(job_.good);
  move.set_is_protected(job_.is_protected);
  move.set_to_square(static_cast<uint32_t>(job_.path[reach_]));
  return action;
}

std::optional<caravan::Action> Plan::BringCamel(int target) const {
  if (table_.CostTo(target) > static_cast<int>(table_.view().points())) return std::nullopt;
  caravan::Action action;
  if (table_.own().supply() > 0) {
    action.mutable_place()->set_to_square(static_cast<uint32_t>(target));
    return action;
  }
  const std::optional<int> start = BestSpare(target);
  if (!start) return std::nullopt;
  action.mutable_move()->set_from_square(static_cast<uint32_t>(*start));
  action.mutable_move()->set_to_square(static_cast<uint32_t>(target));
  return action;
}

/// The square of a spare camel with the greatest distance to the city, among equals the lowest.
std::optional<int> Plan::BestSpare(int target) const {
  std::optional<int> best;
  int farthest = -1;
  for (const auto& [square, camels] : table_.empty()) {  // Ascending.
    const int distance = table_.Distance(square, job_.city());
    if (square != target && distance > farthest && IsSpare(square, camels)) {
      best = square;
      farthest = distance;
    }
  }
  return best;
}

/// Whether one of the empty camels on the square is not needed there by this plan.
bool Plan::IsSpare(int square, int camels) const {
  const auto first = job_.path.begin() + (job_.take ? 0 : std::min(1, reach_));
  const auto end = job_.path.begin() + reach_ + 1;
  const int needed = std::find(first, end, square) == end ? 0 : 1;
  return camels > needed;
}

}  // namespace greedy
