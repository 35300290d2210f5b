#include "proof/mutation/raised.h"

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

bool NeedsLessLocalMemory(const Grading& before, const Grading& after) {
  return after.local_bytes < before.local_bytes;
}

std::string Raised(const Grading& before, const Grading& after) {
  const bool may_rise = NeedsLessLocalMemory(before, after);
  double risen = Sum(after.criteria) - Sum(before.criteria);
  for (std::size_t i = 0; i < std::min(before.criteria.size(), after.criteria.size()); ++i) {
    const CriterionPoints& was = before.criteria[i];
    const double more = after.criteria[i].points - was.points;
    if (more > 0 && may_rise && was.of_local_memory) {
      risen -= more;
    } else if (more > 0 && was.judged) {
      return was.id;
    }
  }
  return risen > 0 ? "the sum" : "";
}

}  // namespace warpcheck::mutation
