#include "report/line_accesses.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "base/text.h"
#include "device/types.h"
#include "report/access_layout.h"

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

bool IsShared(const AccessSample& sample) { return sample.memory == AccessSample::Memory::kShared; }

const char* UnitOf(const AccessSample& sample) { return IsShared(sample) ? "wavefront" : "sector"; }

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

std::string InstructionText(const LineAccess& access) {
  const AccessSample& sample = access.worst;
  const std::string like =
      access.instructions == 1
          ? ""
          : fmt::format(" (one of {} such instructions, because the line is unrolled)",
                        access.instructions);
  return fmt::format("{} {} of {} a lane: {}{}", IsShared(sample) ? "shared" : "global",
                     KindText(sample.kind), Counted(sample.bytes, "byte"), sample.instruction,
                     like);
}

std::string WorstText(const AccessSample& sample) {
  return fmt::format("block {}, warp {} of {}: {}, ideally {}", PositionText(sample.block),
                     sample.warp, sample.kernel, Counted(sample.cost, UnitOf(sample)),
                     Grouped(sample.ideal));
}

std::string HowManyText(const AccessSample& sample) {
  const std::string accesses = Counted(sample.requests, "access");
  const std::string how_many =
      sample.cost <= sample.ideal
          ? fmt::format("ideal: all of {}", accesses)
          : fmt::format("as far from the ideal: {} of {}", Grouped(sample.as_bad), accesses);
  return fmt::format("{}; in total {}, ideally {}", how_many,
                     Counted(sample.cost_of_all, UnitOf(sample)), Grouped(sample.ideal_of_all));
}

}  // namespace warpcheck
