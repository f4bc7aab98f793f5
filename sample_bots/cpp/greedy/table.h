// The position of one decision as the policy needs it.
#pragma once

#include <array>
#include <map>
#include <set>
#include <vector>

#include "arena/games/caravan/v1/caravan.pb.h"

namespace greedy {

namespace caravan = arena::games::caravan::v1;

/// The squares from a good to its city, both included.
using Path = std::vector<int>;

/// Counts the camels ("What is counted first" in docs/bots/greedy.md). It refers to the observation, which
/// must outlive it.
class Table {
 public:
  /// The seat to act must be among the seats.
  explicit Table(const caravan::Observation& observation);

  const caravan::Observation& view() const { return view_; }
  /// The seat to act.
  int seat() const { return static_cast<int>(view_.seat_to_act()); }
  /// What that seat has.
  const caravan::Seat& own() const { return view_.seats(seat()); }
  /// Own empty camels by square.
  const std::map<int, int>& empty() const { return empty_; }
  /// Own empty camels on one square.
  int EmptyOn(int square) const;
  /// Whether an own laden camel stands on the square.
  bool IsLaden(int square) const { return laden_.contains(square); }
  /// Own camels in the supply, plus all own empty ones.
  int idle() const { return idle_; }

  /// Action points to put a camel onto a square (C8).
  int CostTo(int square) const { return occupied_.contains(square) ? 2 : 1; }
  /// Orthogonal steps between two squares.
  int Distance(int one, int other) const;
  /// The two paths with at most one corner: first the one that begins along the row of `start`.
  std::array<Path, 2> Paths(int start, int end) const;

 private:
  const caravan::Observation& view_;
  const int columns_;
  std::map<int, int> empty_;
  std::set<int> laden_;
  std::set<int> occupied_;
  int idle_;
};

}  // namespace greedy
