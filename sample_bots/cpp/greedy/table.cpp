#include "greedy/table.h"

#include <cstdlib>

namespace greedy {
namespace {

/// Goes on from the last square of the path to `end`, in steps of `step` squares.
void Extend(Path& path, int end, int step) {
  const int towards = path.back() <= end ? step : -step;
  while (path.back() != end) path.push_back(path.back() + towards);
}

}  // namespace

Table::Table(const caravan::Observation& observation)
    : view_(observation),
      columns_(static_cast<int>(observation.board().columns())),
      idle_(static_cast<int>(own().supply())) {
  for (const auto& camels : own().empty_camels()) {
    empty_[static_cast<int>(camels.square())] = static_cast<int>(camels.count());
    idle_ += static_cast<int>(camels.count());
  }
  for (const auto& camel : own().laden_camels()) laden_.insert(static_cast<int>(camel.square()));
  for (const auto& seat : view_.seats()) {
    for (const auto& camels : seat.empty_camels()) occupied_.insert(static_cast<int>(camels.square()));
    for (const auto& camel : seat.laden_camels()) occupied_.insert(static_cast<int>(camel.square()));
  }
}

int Table::EmptyOn(int square) const {
  const auto camels = empty_.find(square);
  return camels == empty_.end() ? 0 : camels->second;
}

int Table::Distance(int one, int other) const {
  return std::abs(one / columns_ - other / columns_) + std::abs(one % columns_ - other % columns_);
}

std::array<Path, 2> Table::Paths(int start, int end) const {
  Path along_row{start};
  Extend(along_row, start - start % columns_ + end % columns_, 1);
  Extend(along_row, end, columns_);
  Path along_column{start};
  Extend(along_column, end - end % columns_ + start % columns_, columns_);
  Extend(along_column, end, 1);
  return {along_row, along_column};
}

}  // namespace greedy
