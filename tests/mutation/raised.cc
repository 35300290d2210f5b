#include "raised.h"

#include <algorithm>

namespace warpcheck::mutation {
namespace {

double Sum(const std::vector<CriterionPoints>& criteria) {
  double sum = 0;
  for (const CriterionPoints& criterion : criteria) sum += criterion.points;
  return sum;
}

}  // namespace

bool Repaired(const std::vector<CriterionPoints>& before,
              const std::vector<CriterionPoints>& after) {
  for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
    if (!before[i].of_work && after[i].points > before[i].points) return true;
  }
  return false;
}

std::string Raised(const std::vector<CriterionPoints>& before,
                   const std::vector<CriterionPoints>& after) {
  for (std::size_t i = 0; i < std::min(before.size(), after.size()); ++i) {
    if (before[i].judged && after[i].points > before[i].points) return before[i].id;
  }
  return Sum(after) > Sum(before) ? "the sum" : "";
}

}  // namespace warpcheck::mutation
