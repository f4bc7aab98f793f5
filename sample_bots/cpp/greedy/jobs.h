// What there is to do: goods to be brought to their cities.
#pragma once

#include <optional>
#include <vector>

#include "greedy/table.h"

namespace greedy {

/// A good to be brought to its city along one path.
struct Job {
  caravan::Good good;
  Path path = {};
  /// The points that it pays.
  int value = 0;
  /// How the good comes onto an own camel on the first square; nothing if it is on one.
  std::optional<caravan::Action> take = {};
  /// Whether the good is protected once it is on an own camel.
  bool is_protected = false;

  int city() const { return path.back(); }
  /// The place of the city in the path.
  int last() const { return static_cast<int>(path.size()) - 1; }
};

/// All jobs, in the order that decides between equally good ones ("Jobs" in docs/bots/greedy.md).
std::vector<Job> Jobs(const Table& table);

}  // namespace greedy
