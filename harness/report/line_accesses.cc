#include "report/line_accesses.h"

#include <algorithm>
#include <cstdint>

namespace warpcheck {
namespace {

using run::AccessSample;

bool SameLine(const AccessSample& a, const AccessSample& b) {
  return a.kernel == b.kernel && a.where == b.where && a.memory == b.memory && a.kind == b.kind &&
         a.bytes == b.bytes;
}

std::uint64_t Loss(const AccessSample& sample) {
  return sample.cost - std::min(sample.cost, sample.ideal);
}

void Add(LineAccess& access, const AccessSample& sample) {
  const AccessSample before = access.worst;
  AccessSample& worst = access.worst;
  if (Loss(sample) > Loss(before)) worst = sample;
  worst.as_bad = Loss(sample) == Loss(before) ? before.as_bad + sample.as_bad : worst.as_bad;
  worst.requests = before.requests + sample.requests;
  worst.cost_of_all = before.cost_of_all + sample.cost_of_all;
  worst.ideal_of_all = before.ideal_of_all + sample.ideal_of_all;
  ++access.instructions;
}

}  // namespace

std::vector<LineAccess> LineAccesses(const std::vector<AccessSample>& samples) {
  std::vector<LineAccess> accesses;
  for (const AccessSample& sample : samples) {
    const auto known = std::ranges::find_if(
        accesses, [&](const LineAccess& access) { return SameLine(access.worst, sample); });
    if (known == accesses.end()) {
      accesses.push_back({.worst = sample, .instructions = 1});
    } else {
      Add(*known, sample);
    }
  }
  return accesses;
}

}  // namespace warpcheck
