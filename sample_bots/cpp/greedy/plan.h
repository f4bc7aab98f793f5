// How one job is done.
#pragma once

#include <optional>
#include <vector>

#include "greedy/jobs.h"
#include "greedy/table.h"

namespace greedy {

/// What a job still needs ("The plan of a job" in docs/bots/greedy.md). It refers to the table and the job,
/// which must outlive it.
class Plan {
 public:
  /// Works out how far the good can be brought with the camels there are.
  Plan(const Table& table, const Job& job);

  const Job& job() const { return job_; }
  /// Action points to the delivery.
  int cost() const { return cost_; }
  /// The first action of the plan that the points left can pay; nothing if there is none.
  std::optional<caravan::Action> NextAction() const;

 private:
  int Reach() const;
  int Cost() const;
  bool IsHeld(int place) const;
  std::vector<int> MissingUpTo(int place) const;
  bool TakerIsThere() const { return table_.EmptyOn(job_.path[0]) > 0; }
  bool IsSpare(int square, int camels) const;
  caravan::Action MoveGood() const;
  std::optional<caravan::Action> BringCamel(int target) const;
  std::optional<int> BestSpare(int target) const;

  const Table& table_;
  const Job& job_;
  const int reach_;  // The place in the path to which the good can be brought in one go.
  const int cost_;
};

}  // namespace greedy
