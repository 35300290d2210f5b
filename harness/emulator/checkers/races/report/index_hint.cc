#include "emulator/checkers/races/report/index_hint.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "emulator/core/block.h"
#include "emulator/core/warp.h"
#include "emulator/decode/preparation.h"
#include "emulator/record/index/index_formula.h"
#include "emulator/record/index/index_sources.h"
#include "emulator/record/source_lines.h"
#include "ptx/analysis/control_dependence.h"

namespace warpcheck::emulator {
namespace {

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

// Returns what is wrong with the index of one of the two threads, if the code computes it by rows:
// "for thread (70,0,0) of block (0,1,0) the index is ...".
std::string WrongIndexOf(const Launch& launch, const Race& race, const CodePlace& place,
                         const RacingAccess& access) {
  const Allocation* const array = launch.memory->Find(race.address, 1);
  if (array == nullptr || array->extents.size() != 2) return {};
  const Dim3 thread = PositionIn(launch.request->block, access.thread.thread);
  const auto index = IndexFormulaOf(launch, *array,
                                    {.program = place.program,
                                     .instruction = place.index,
                                     .block = access.block,
                                     .thread = thread,
                                     .where = race.address,
                                     .bytes = race.bytes});
  const std::string text = index ? WrongIndexText(*array, *index) : std::string();
  if (text.empty()) return {};
  const auto at = [](const Dim3& one) { return fmt::format("({},{},{})", one.x, one.y, one.z); };
  return fmt::format("for thread {} of block {} {}", at(thread), at(access.block), text);
}

Sources SourcesOf(const CodePlace& place) {
  const IndexSources registers(*place.program->function);
  return registers.known() ? AddressSources(registers, place.instruction()) : kElse;
}

// Returns true if the guard of an instruction is a comparison with the place of a thread in its
// block.
bool ComparesThread(const IndexSources& registers, const Program& program,
                    const ptx::Instruction& instruction) {
  if (!instruction.guard) return false;
  const ptx::Function& function = *program.function;
  const auto comparisons = ptx::ComparisonsOf(function, instruction.guard->predicate);
  return std::ranges::any_of(comparisons, [&](std::uint32_t i) {
    return std::ranges::any_of(function.body[i].operands, [&](const ptx::Operand& operand) {
      return (registers.Of(operand) & kThread) != 0 && (registers.Of(operand) & kBlock) == 0;
    });
  });
}

// Returns the branches that decide by the place of a thread whether it comes here, except those of
// loops.
std::vector<std::uint32_t> BranchesOfSomeThreads(const CodePlace& place) {
  const ptx::Function& function = *place.program->function;
  const IndexSources registers(function);
  if (!registers.known()) return {};
  Preparation budget;
  std::vector<std::uint32_t> branches;
  for (const ptx::Decision& decision : ptx::DecisionsBefore(function, place.index, budget)) {
    if (decision.of_loop) continue;
    if (ComparesThread(registers, *place.program, function.body[decision.branch])) {
      branches.push_back(decision.branch);
    }
  }
  return branches;
}

}  // namespace

std::string IndexHint(const Launch& launch, const Race& race, const CodePlace& now,
                      const CodePlace& before) {
  if (race.event == nullptr || now.program == nullptr || before.program == nullptr) return {};
  const Sources address = SourcesOf(now);
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
  if (race.memory == MemoryKind::kGlobal) {
    std::string wrong = WrongIndexOf(launch, race, now, race.now);
    if (wrong.empty()) wrong = WrongIndexOf(launch, race, before, race.before);
    if (!wrong.empty()) return wrong;
  }
  if ((address & (kThread | kBlock)) == 0) return {};  // it is meant to be one element
  if (MayBeInRounds(now, before)) {
    return in_grid ? std::string()
                   : "if one thread can be a round of the loop ahead of the other, put a "
                     "__syncthreads() at the end of each round, where all threads of the block "
                     "reach it. If both threads write it in one round, give each thread an element "
                     "of its own";
  }
  return "the line computes the same index for both threads: correct the index, so that each "
         "thread "
         "has an element of its own. Only if their values are to be combined, use an atomic";
}

bool CountsThroughGrid(const CodePlace& place) {
  if (place.program == nullptr) return false;
  const Sources address = SourcesOf(place);
  return (address & kThread) != 0 && (address & kBlock) != 0;
}

bool StoreInOneLine(const Launch& launch, const CodePlace& a, const CodePlace& b) {
  if (a.program == nullptr || a.program != b.program || !a.writes || !b.writes) return false;
  const SourceLocation line = PlaceOf(launch, *a.program, a.index);
  return a.index == b.index || (line.known() && line == PlaceOf(launch, *b.program, b.index));
}

bool MayBeInRounds(const CodePlace& now, const CodePlace& before) {
  return now.index != before.index || LoopAround(*now.program, now.index, now.index).has_value();
}

bool IsData(const CodePlace& place) {
  return place.program != nullptr && (SourcesOf(place) & kFromMemory) != 0;
}

bool DependsOnThread(const CodePlace& place) {
  return place.program != nullptr && (SourcesOf(place) & (kThread | kBlock)) != 0;
}

bool IsForSomeThreads(const CodePlace& place) {
  if (place.program == nullptr) return false;
  const IndexSources registers(*place.program->function);
  return registers.known() && (ComparesThread(registers, *place.program, place.instruction()) ||
                               !BranchesOfSomeThreads(place).empty());
}

bool AreForTheSameThreads(const CodePlace& a, const CodePlace& b) {
  if (a.program == nullptr || a.program != b.program) return false;
  const std::vector<std::uint32_t> one = BranchesOfSomeThreads(a);
  const std::vector<std::uint32_t> other = BranchesOfSomeThreads(b);
  return std::ranges::any_of(
      one, [&](std::uint32_t branch) { return std::ranges::find(other, branch) != other.end(); });
}

}  // namespace warpcheck::emulator
