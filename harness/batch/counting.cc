#include "batch/counting.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "batch/marks.h"
#include "batch/names.h"

namespace warpcheck::batch {

std::string At(const std::string& submitted) {
  return submitted.empty() ? "" : ", of " + submitted;
}

std::vector<HandIn> Counting(std::vector<HandIn> hand_ins, const ClassRules& rules,
                             Roster& roster) {
  const RowFinder listed = FinderOf(rules.roster);
  const auto is_on_time = [&](const HandIn& one) {
    std::vector<std::string> known_as = one.known_as;
    known_as.push_back(one.who);
    const auto row = listed.RowOf(SafeId(one.who), known_as);
    return !IsLate(one.submitted, one.late, row ? &rules.roster[*row] : nullptr, rules);
  };
  // Of two hand-ins, the one with the larger rank counts.
  const bool on_time_first = rules.counts == Counts::kNewestOnTime;
  const auto rank = [&](const HandIn& one) {
    return std::tuple(on_time_first && is_on_time(one), one.submitted, one.number);
  };
  std::map<std::string, std::vector<HandIn>> students;
  for (HandIn& hand_in : hand_ins) students[hand_in.who].push_back(std::move(hand_in));
  std::vector<HandIn> counting;
  for (auto& [who, all] : students) {
    std::ranges::stable_sort(all, [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    if (all.size() > 1 && rules.counts == Counts::kBest) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        all[i].of_several = i + 1;
        counting.push_back(std::move(all[i]));
      }
      continue;
    }
    if (rules.counts != Counts::kFirst) std::ranges::reverse(all);
    if (all.size() > 1 && rank(all[0]) == rank(all[1])) {
      for (const HandIn& one : all) {
        roster.refused.push_back(
            Refused(one, fmt::format("{} submissions are called \"{}\", and nothing says which one "
                                     "counts: leave one, or rename them",
                                     all.size(), Shown(who))));
      }
      continue;
    }
    for (std::size_t i = 1; i < all.size(); ++i) {
      roster.superseded.push_back(
          {fmt::format("{} ({}{})", all[i].name, all[i].what, At(all[i].submitted)),
           fmt::format("{}{} counts, the {}", all[0].what, At(all[0].submitted),
                       rules.counts == Counts::kFirst        ? "first"
                       : on_time_first && is_on_time(all[0]) ? "newest on time"
                                                             : "newest")});
    }
    counting.push_back(std::move(all[0]));
  }
  return counting;
}

}  // namespace warpcheck::batch
