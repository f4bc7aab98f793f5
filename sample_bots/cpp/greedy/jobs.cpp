#include "greedy/jobs.h"

#include <algorithm>
#include <utility>

namespace greedy {
namespace {

constexpr int kRareValue = 6;
constexpr int kCommonValue = 3;

/// Gathers the jobs of one table.
class JobList {
 public:
  explicit JobList(const Table& table) : table_(table) {}

  void AddOwnGoods();
  void AddGoodsSpaces();
  void AddThefts();
  std::vector<Job> Take() && { return std::move(jobs_); }

 private:
  /// The job given but for its path and its worth, once for each path. A good without a city is none that
  /// these rules know.
  void Add(uint32_t square, Job job);

  const Table& table_;
  std::vector<Job> jobs_;
};

void JobList::AddOwnGoods() {
  for (const auto& camel : table_.own().laden_camels())
    Add(camel.square(), {.good = camel.good(), .is_protected = camel.is_protected()});
}

void JobList::AddGoodsSpaces() {
  const auto& view = table_.view();
  const int spaces = std::min(view.goods_spaces_size(), view.board().goods_spaces_size());
  for (int i = 0; i < spaces; ++i) {
    const auto& space = view.goods_spaces(i);
    const uint32_t square = view.board().goods_spaces(i);
    caravan::Action take;
    take.mutable_pick_up()->set_at_square(square);
    const int markers = static_cast<int>(space.demand_markers());
    Add(square, {.good = space.good(), .value = markers, .take = take});
  }
}

void JobList::AddThefts() {
  for (int victim = 0; victim < table_.view().seats_size(); ++victim) {
    if (victim == table_.seat()) continue;
    for (const auto& camel : table_.view().seats(victim).laden_camels()) {
      if (camel.is_protected()) continue;
      caravan::Action take;
      auto& steal = *take.mutable_steal();
      steal.set_at_square(camel.square());
      steal.set_victim(static_cast<uint32_t>(victim));
      steal.set_good(camel.good());
      Add(camel.square(), {.good = camel.good(), .take = take, .is_protected = true});
    }
  }
}

void JobList::Add(uint32_t square, Job job) {
  const auto& cities = table_.view().board().cities();
  const int kind = static_cast<int>(job.good) - 1;  // Good counts from 1: 0 is no good.
  if (kind < 0 || kind >= cities.size()) return;
  job.value += job.good >= caravan::GOOD_IVORY ? kRareValue : kCommonValue;
  for (Path& path : table_.Paths(static_cast<int>(square), static_cast<int>(cities[kind]))) {
    job.path = std::move(path);
    jobs_.push_back(job);
  }
}

}  // namespace

std::vector<Job> Jobs(const Table& table) {
  JobList jobs(table);
  jobs.AddOwnGoods();
  if (table.idle() >= 2) {  // C12: one camel must stay without a good.
    jobs.AddGoodsSpaces();
    if (table.own().theft_markers() > 0) jobs.AddThefts();
  }
  return std::move(jobs).Take();
}

}  // namespace greedy
