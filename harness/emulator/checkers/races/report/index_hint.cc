#include "emulator/checkers/races/report/index_hint.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "emulator/core/block.h"
#include "emulator/core/warp.h"
#include "emulator/decode/preparation.h"
#include "emulator/record/index_sources.h"
#include "ptx/analysis/control_dependence.h"

namespace warpcheck::emulator {
namespace {

// Returns true if neighbouring lanes of a row of threads are the same distance apart, as for an
// index that is computed from threadIdx. Lanes with one address are not.
bool CountsThroughLanes(const AccessEvent& event, std::uint32_t width) {
  std::uint64_t step = 0;
  for (std::uint32_t lane = 0; lane + 1 < kLanes; ++lane) {
    const bool both = ((event.mask >> lane) & 3U) == 3U;
    if (!both || (width != 0 && (lane + 1) % width == 0)) continue;
    const std::uint64_t one = event.addresses[lane + 1] - event.addresses[lane];
    if (one == 0 || (step != 0 && one != step)) return false;
    step = one;
  }
  return step != 0;
}

// Returns the name of the coordinate that the index lacks, though the two threads differ in it;
// empty if there is none.
std::string_view MissingCoordinate(const Dim3& block, const ThreadId& a, const ThreadId& b,
                                   Sources address) {
  const Dim3 one = PositionIn(block, a.thread);
  const Dim3 other = PositionIn(block, b.thread);
  if (one.x != other.x && (address & kThreadX) == 0) return "threadIdx.x";
  if (one.y != other.y && (address & kThreadY) == 0) return "threadIdx.y";
  if (one.z != other.z && (address & kThreadZ) == 0) return "threadIdx.z";
  return {};
}

}  // namespace

std::string IndexHint(const Launch& launch, const Race& race, const CodePlace& now) {
  if (race.event == nullptr || now.program == nullptr) return {};
  const IndexSources registers(*now.program->function);
  const Sources address = registers.known() ? AddressSources(registers, now.instruction()) : kElse;
  if ((address & kFromMemory) != 0) return {};  // the index is data
  const bool told = (address & kElse) == 0;     // the code tells all that the index is made of
  const bool in_grid = race.now.thread.block != race.before.thread.block;
  if (told && in_grid && race.memory == MemoryKind::kGlobal && (address & kBlock) == 0) {
    return "the index does not depend on blockIdx, so all blocks use the same elements: add "
           "blockIdx.x * blockDim.x to it (or blockIdx.x, for one element a block), or combine the "
           "values of the blocks by an atomic";
  }
  if (told && !in_grid && (address & kThread) != 0) {
    const std::string_view missing =
        MissingCoordinate(launch.request->block, race.now.thread, race.before.thread, address);
    if (!missing.empty()) {
      return fmt::format(
          "the index does not depend on {}, in which the two threads differ: give each thread an "
          "element of its own, or let only one of them write",
          missing);
    }
  }
  if (!CountsThroughLanes(*race.event, launch.request->block.x)) return {};
  return "two threads have the same index here: compare each index with the extent of its own "
         "dimension before the access, because a column beyond the end of a row is an element of "
         "the next row";
}

bool CountsThroughGrid(const CodePlace& place) {
  if (place.program == nullptr) return false;
  const IndexSources registers(*place.program->function);
  if (!registers.known()) return false;
  const Sources address = AddressSources(registers, place.instruction());
  return (address & kThread) != 0 && (address & kBlock) != 0;
}

bool IsForSomeThreads(const CodePlace& place) {
  if (place.program == nullptr) return false;
  const ptx::Function& function = *place.program->function;
  const IndexSources registers(function);
  if (!registers.known()) return false;
  Preparation budget;
  const auto compares_thread = [&](const ptx::Instruction& branch) {
    if (!branch.guard) return false;
    const auto comparisons = ptx::ComparisonsOf(function, branch.guard->predicate);
    return std::ranges::any_of(comparisons, [&](std::uint32_t i) {
      const auto& operands = function.body[i].operands;
      return std::ranges::any_of(operands, [&](const ptx::Operand& operand) {
        return (registers.Of(operand) & kThread) != 0 && (registers.Of(operand) & kBlock) == 0;
      });
    });
  };
  const auto decisions = ptx::DecisionsBefore(function, place.index, budget);
  return compares_thread(place.instruction()) ||
         std::ranges::any_of(decisions, [&](const ptx::Decision& decision) {
           return !decision.of_loop && compares_thread(function.body[decision.branch]);
         });
}

}  // namespace warpcheck::emulator
