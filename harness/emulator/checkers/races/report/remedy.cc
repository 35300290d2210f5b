#include "emulator/checkers/races/report/remedy.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "emulator/checkers/races/report/block_remedy.h"
#include "emulator/checkers/races/report/code_place.h"
#include "emulator/checkers/races/report/copy_remedy.h"
#include "emulator/checkers/races/report/index_hint.h"
#include "emulator/checkers/races/report/paths.h"
#include "emulator/record/array_text.h"
#include "emulator/record/findings.h"
#include "emulator/record/source_lines.h"

namespace warpcheck::emulator {
namespace {

using ptx::Opcode;

constexpr std::uint32_t kNear =
    24;  // instructions between a load and the store of its sum, at most

bool IsBarrierOrWarpSync(const ptx::Instruction& instruction) {
  return IsBarrier(instruction) || instruction.opcode == Opcode::kBarWarp;
}

// Calls visit(register) for the registers of operands [first, last).
template <class Visit>
void EachRegister(const ptx::Instruction& instruction, std::size_t first, std::size_t last,
                  Visit visit) {
  for (std::size_t i = first; i < std::min(last, instruction.operands.size()); ++i) {
    const ptx::Operand& operand = instruction.operands[i];
    if (operand.kind == ptx::OperandKind::kRegister) visit(operand.reg);
    for (const ptx::Operand& element : operand.elements) {
      if (element.kind == ptx::OperandKind::kRegister) visit(element.reg);
    }
  }
}

// True if the value that `store` writes depends on what `load`, further up, has read.
bool Feeds(const CodePlace& load, const CodePlace& store) {
  std::set<ptx::RegisterId> values;
  for (std::uint32_t i = load.index; i <= store.index; ++i) {
    const ptx::Instruction& one = load.program->function->body[i];
    const std::size_t results = one.destinations;
    bool fed = i == load.index;
    EachRegister(one, results, one.operands.size(),
                 [&](ptx::RegisterId reg) { fed = fed || values.contains(reg); });
    if (i == store.index) return fed;
    EachRegister(one, 0, results, [&](ptx::RegisterId reg) {
      fed ? static_cast<void>(values.insert(reg)) : static_cast<void>(values.erase(reg));
    });
  }
  return false;
}

// Returns the load of "s[i] += x" whose store is `store`, if it is one.
std::optional<CodePlace> LoadBefore(const CodePlace& store) {
  const std::uint32_t first = store.index < kFarBack ? 0 : store.index - kFarBack;
  for (std::uint32_t i = store.index; i-- > first;) {
    const CodePlace load{store.program, i, false};
    if (IsBarrier(load.instruction())) return std::nullopt;
    if (load.instruction().opcode != Opcode::kLd) continue;
    const bool same = SameAddress(*store.program, load.instruction(), store.instruction());
    if (same && Feeds(load, store)) return load;
  }
  return std::nullopt;
}

// Returns the store of "s[i] += x" to which the access belongs, as its load or its store.
std::optional<CodePlace> UpdateOf(const CodePlace& access) {
  if (access.writes) {
    const bool stores = access.instruction().opcode == Opcode::kSt;
    return stores && LoadBefore(access) ? std::optional(access) : std::nullopt;
  }
  if (access.instruction().opcode != Opcode::kLd) return std::nullopt;
  const auto& body = access.program->function->body;
  const auto end = std::min<std::size_t>(body.size(), access.index + std::size_t{kFarBack});
  for (std::uint32_t i = access.index + 1; i < end; ++i) {
    if (IsBarrier(body[i])) return std::nullopt;
    if (body[i].opcode != Opcode::kSt) continue;
    const CodePlace store{access.program, i, true};
    const auto load = LoadBefore(store);
    if (load && load->index == access.index) return store;
  }
  return std::nullopt;
}

// True if both threads read an element, change it and write it back in the same line, so that one
// change is lost. The line may be unrolled, or in a function that is called twice.
bool IsUpdate(const Launch& launch, const CodePlace& a, const CodePlace& b) {
  if (a.program == nullptr || a.program != b.program) return false;
  const auto one = UpdateOf(a);
  const auto other = UpdateOf(b);
  if (!one || !other) return false;
  const SourceLocation line = PlaceOf(launch, *one->program, one->index);
  return one->index == other->index ||
         (line.known() && line == PlaceOf(launch, *other->program, other->index));
}

// Returns the lines of the two accesses in the innermost function that both are in: the kernel, or
// a function inlined into it by one call.
std::pair<SourceLocation, SourceLocation> LinesInCommon(const Launch& launch, const CodePlace& a,
                                                        const CodePlace& b) {
  const std::vector<SourceLocation> one = LinesTo(launch, *a.program, a.index);
  const std::vector<SourceLocation> other = LinesTo(launch, *b.program, b.index);
  const std::size_t most = std::min(one.size(), other.size());
  if (most == 0) return {};
  std::size_t level = 0;
  while (level + 1 < most && one[level] == other[level]) ++level;
  std::pair lines{one[level], other[level]};
  lines.first.column = lines.second.column = 0;
  return lines;
}

// Returns true if a loop was unrolled, and `second` belongs to a later round than `first`: between
// them stands the statement of `second`, and further down that of `first`.
bool IsOfALaterRound(const Launch& launch, const CodePlace& first, const CodePlace& second) {
  const ptx::Module& module = *launch.kernel->module;
  const auto& body = first.program->function->body;
  const auto next = [&](std::uint32_t from, const ptx::Instruction& one) {
    const ptx::Location& place = module.locations[one.location];
    std::uint32_t i = from;
    for (; i < second.index; ++i) {
      const ptx::Location& at = module.locations[body[i].location];
      const bool same = body[i].opcode == one.opcode && at.line == place.line &&
                        at.column == place.column && at.file == place.file;
      if (same && one.location != 0 && body[i].modifiers.space == one.modifiers.space) break;
    }
    return i;
  };
  const std::uint32_t again = next(first.index + 1, second.instruction());
  return again < second.index && next(again + 1, first.instruction()) < second.index;
}

// Returns the gap between the access that comes first in the code and the other. If a barrier
// stands on each way there, the accesses race around a loop, and the gap is from the second back to
// the first. There is no gap if a thread cannot come from one to the other without a barrier.
std::optional<Gap> GapBetween(const Launch& launch, const CodePlace& now, const CodePlace& before,
                              const char* barrier, bool (*is_barrier)(const ptx::Instruction&)) {
  if (now.program == nullptr || now.program != before.program) return std::nullopt;
  const auto& [first, second] = std::minmax(
      now, before, [](const CodePlace& a, const CodePlace& b) { return a.index < b.index; });
  auto [after, ahead] = LinesInCommon(launch, first, second);
  if (!after.known() || after.file != ahead.file || after.line == ahead.line) return std::nullopt;
  const bool back = HasPath(*now.program, second.index, first.index, is_barrier);
  // A barrier between two lines of one branch would not be reached by all threads. If there is a
  // loop around it, the threads meet in different rounds.
  const bool in_rounds = back && is_barrier == &IsBarrier && AreForTheSameThreads(first, second);
  if (IsOfALaterRound(launch, first, second)) {
    if (after.line < ahead.line) std::swap(after, ahead);
  } else if (in_rounds || !HasPath(*now.program, first.index, second.index, is_barrier)) {
    // Without a way back the barrier is for other threads: those of a branch, or of its number.
    if (!back) return std::nullopt;
    std::swap(after, ahead);
  }
  return Gap{std::move(after), std::move(ahead), barrier};
}

Remedy InBlock(const Launch& launch, const Race& race, const CodePlace& now,
               const CodePlace& before);

// True if what `load` reads goes into a store to shared memory further down, as in a step of a
// reduction.
bool FeedsShared(const CodePlace& load) {
  if (load.program == nullptr || load.instruction().opcode != Opcode::kLd) return false;
  const auto& body = load.program->function->body;
  const auto end = std::min<std::size_t>(body.size(), load.index + kNear);
  for (auto i = load.index + 1; i < end; ++i) {
    const bool stores =
        body[i].opcode == Opcode::kSt && body[i].modifiers.space != ptx::Space::kGlobal;
    if (stores && Feeds(load, CodePlace{load.program, i, true})) return true;
  }
  return false;
}

// Returns true if a kernel synchronises or exchanges data within warps.
bool UsesWarps(const Program& program) {
  return std::ranges::any_of(program.function->body, [](const ptx::Instruction& one) {
    return IsOneOf(one.opcode, Opcode::kBarWarp, Opcode::kShfl, Opcode::kVote, Opcode::kMatch);
  });
}

Remedy InWarp(const Launch& launch, const Race& race, const CodePlace& now,
              const CodePlace& before) {
  const bool is_step = FeedsShared(now) || FeedsShared(before);
  const bool in_step = now.program != nullptr && UsesWarps(*now.program);
  const bool one_warp = launch.request->block.Count() <= kLanes;
  const bool for_some = !one_warp && IsForSomeThreads(now) && IsForSomeThreads(before);
  if (!is_step && !for_some && (!in_step || one_warp)) {
    return InBlock(launch, race, now, before);
  }
  const bool one_line = StoreInOneLine(launch, now, before);
  if (const std::string hint = one_line ? IndexHint(launch, race, now, before) : "";
      !hint.empty()) {
    return {.missing = ", with no __syncwarp() between", .hint = hint};
  }
  Remedy remedy{.gap = GapBetween(launch, now, before, "__syncwarp()", &IsBarrierOrWarpSync)};
  if (!remedy.gap) remedy.missing = ", with no __syncwarp() between";
  if (!IsWeak(race.now.strength) && !IsWeak(race.before.strength)) {
    remedy.missing += ": volatile does not order the lanes of a warp";
    remedy.hint =
        is_step ? "put a __syncwarp() after every step: since Volta the lanes of a warp need not "
                  "run in lockstep, even with volatile. A reduction of 32 values needs no shared "
                  "memory, only __shfl_down_sync()"
                : "put a __syncwarp() that all lanes reach between the two accesses: volatile "
                  "makes the "
                  "compiler use memory each time, but no lane waits for another";
  } else {
    remedy.hint =
        "put a __syncwarp() that all lanes reach between the two accesses: since Volta the lanes "
        "of a warp need not run in lockstep";
  }
  return remedy;
}

const char* BarrierHint(const Gap& gap, bool of_copy) {
  if (of_copy && gap.after.line < gap.before.line) {
    return "put a __syncthreads() there, after the wait for the copies: each thread waits only for "
           "its own copies";
  }
  return gap.after.line < gap.before.line
             ? "put a __syncthreads() there, where all threads of the block reach it"
             : "put a __syncthreads() at the end of the loop's body too, where all threads of the "
               "block reach it: without it the next iteration writes what others still read";
}

// True if no thread can execute both accesses, one after the other.
bool AreOnDifferentWays(const CodePlace& a, const CodePlace& b) {
  if (a.program == nullptr || a.program != b.program || a.index == b.index) return false;
  const auto no_stop = [](const ptx::Instruction&) { return false; };
  return !HasPath(*a.program, a.index, b.index, no_stop) &&
         !HasPath(*a.program, b.index, a.index, no_stop);
}

Remedy InBlock(const Launch& launch, const Race& race, const CodePlace& now,
               const CodePlace& before) {
  Remedy remedy{.gap = GapBetween(launch, now, before, "__syncthreads()", &IsBarrier)};
  if (remedy.gap) {
    const auto& first_in_code = now.index < before.index ? race.now : race.before;
    const bool forward = remedy.gap->after.line < remedy.gap->before.line;
    remedy.hint =
        forward && AreForTheSameThreads(now, before)
            ? "put a __syncthreads() between the two lines, but outside of the if, because all "
              "threads of the block must reach it: close the if before the __syncthreads(), and "
              "open it again after it"
            : BarrierHint(*remedy.gap, first_in_code.IsCopy());
    return remedy;
  }
  remedy.missing = ", with no __syncthreads() between";
  if (AreOnDifferentWays(now, before)) {
    remedy.hint =
        "no thread comes from one of the two accesses to the other: a thread that returns, or "
        "takes another branch, does not wait for those at the barrier. Let all threads reach the "
        "same __syncthreads() between the two";
  } else if (StoreInOneLine(launch, now, before)) {
    remedy.hint = IndexHint(launch, race, now, before);
    if (!remedy.hint.empty()) return remedy;
    remedy.hint =
        "let one thread write it (if (threadIdx.x == 0) ...), give each thread its own element, or "
        "combine the values with an atomic";
  }
  return remedy;
}

// Returns the remedy for an element that both threads read, change and write back.
Remedy ForUpdate(const Launch& launch, const Race& race, const CodePlace& now,
                 const CodePlace& before) {
  Remedy remedy{.missing = ": one of the two changes is lost"};
  // Elements that threads divide among themselves anew in each round of a loop need a barrier.
  const bool in_rounds = race.now.thread.block == race.before.thread.block && !race.at_once &&
                         DependsOnThread(now) && !IsData(now) && MayBeInRounds(now, before);
  if (in_rounds) {
    remedy.missing = ", with no __syncthreads() between: one of the two changes is lost";
    remedy.hint =
        "if one thread can be a round of the loop ahead of the other, put a __syncthreads() at "
        "the end of each round, where all threads of the block reach it. If both threads change it "
        "in one round, use atomicAdd() (or atomicMax(), atomicCAS(), ...)";
    return remedy;
  }
  remedy.hint =
      "use atomicAdd() (or atomicMax(), atomicCAS(), ...): the line reads the element, changes it "
      "and writes it back, and another thread may do the same in between. A barrier does not help";
  // An index that is not that of a thread in the grid is that of a total.
  const std::string index =
      CountsThroughGrid(now) ? IndexHint(launch, race, now, before) : std::string();
  if (!index.empty()) {
    remedy.hint = fmt::format(
        "if each thread has an element of its own: {}. If threads add to one element: {}", index,
        remedy.hint);
  }
  return remedy;
}

}  // namespace

std::optional<Gap> GapOfRace(const Launch& launch, const InstructionNumbers& numbers,
                             const Race& race, std::string barrier) {
  const CodePlace now = CodePlaceOf(numbers, race.now);
  const CodePlace before = CodePlaceOf(numbers, race.before);
  if (now.program == nullptr || now.program != before.program) return std::nullopt;
  auto [after, ahead] = LinesInCommon(launch, before, now);
  if (!after.known() || after.file != ahead.file || after.line == ahead.line) return std::nullopt;
  return Gap{std::move(after), std::move(ahead), std::move(barrier)};
}

Remedy RemedyFor(const Launch& launch, const InstructionNumbers& numbers, const Race& race) {
  const CodePlace now = CodePlaceOf(numbers, race.now);
  const CodePlace before = CodePlaceOf(numbers, race.before);
  if (race.copy_state != CopyState::kNone) return RemedyForCopy(launch, numbers, race);
  if (auto remedy = RemedyForMismatch(launch, race, now, before)) return *remedy;
  if (auto remedy = RemedyUnderALock(launch, race, now, before)) return *remedy;
  // Under a ticket lock the thread of another block has made its change in turn, and only the fence
  // before the signal is missing.
  if (IsUpdate(launch, now, before) && !race.signalled) {
    return ForUpdate(launch, race, now, before);
  }
  if (race.now.thread.block != race.before.thread.block) {
    return RemedyBetweenBlocks(launch, race, now, before);
  }
  return race.now.thread.warp() == race.before.thread.warp() ? InWarp(launch, race, now, before)
                                                             : InBlock(launch, race, now, before);
}

}  // namespace warpcheck::emulator
