#include "emulator/checkers/races/report/remedy.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "emulator/checkers/races/report/copy_remedy.h"
#include "emulator/record/array_text.h"
#include "emulator/record/findings.h"
#include "emulator/record/source_lines.h"

namespace warpcheck::emulator {
namespace {

using ptx::Opcode;

constexpr std::uint32_t kNear =
    24;  // instructions between a load and the store of its sum, at most
constexpr std::uint32_t kFarBack =
    256;  // instructions between the read and the write of "s[i]++", at most

// The place of one of the two accesses in the code.
struct Place {
  const Program* program = nullptr;
  std::uint32_t index = 0;
  bool writes = false;

  const ptx::Instruction& instruction() const { return program->function->body[index]; }
};

Place AccessOf(const InstructionNumbers& numbers, const RacingAccess& access) {
  const auto [program, info] = numbers.At(access.instruction);
  return program == nullptr ? Place{} : Place{program, info->instruction, access.writes};
}

bool IsBarrier(const ptx::Instruction& instruction) {
  return instruction.opcode == Opcode::kBar || instruction.opcode == Opcode::kBarrier;
}
bool IsBarrierOrWarpSync(const ptx::Instruction& instruction) {
  return IsBarrier(instruction) || instruction.opcode == Opcode::kBarWarp;
}

// True for a fence whose scope includes other blocks.
bool IsFence(const ptx::Instruction& instruction) {
  const bool fence = instruction.opcode == Opcode::kMembar || instruction.opcode == Opcode::kFence;
  return fence && !instruction.modifiers.suffixes.Has("cta");
}

// True for an access by which a thread can signal another that something is done.
bool Signals(const ptx::Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::kAtom:
    case Opcode::kRed:
      return instruction.modifiers.space != ptx::Space::kShared;
    case Opcode::kSt:
      return instruction.modifiers.space != ptx::Space::kShared &&
             (instruction.modifiers.volatile_access ||
              instruction.modifiers.suffixes.Has("relaxed") ||
              instruction.modifiers.suffixes.Has("release"));
    default:
      return false;
  }
}

const ptx::Operand* AddressIn(const ptx::Instruction& instruction) {
  const auto found =
      std::ranges::find(instruction.operands, ptx::OperandKind::kAddress, &ptx::Operand::kind);
  return found == instruction.operands.end() ? nullptr : &*found;
}

bool SameAddress(const ptx::Instruction& a, const ptx::Instruction& b) {
  const ptx::Operand* one = AddressIn(a);
  const ptx::Operand* other = AddressIn(b);
  return one != nullptr && other != nullptr && one->base == other->base && one->reg == other->reg &&
         one->symbol == other->symbol && one->offset == other->offset;
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
bool Feeds(const Place& load, const Place& store) {
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
std::optional<Place> LoadBefore(const Place& store) {
  const std::uint32_t first = store.index < kFarBack ? 0 : store.index - kFarBack;
  for (std::uint32_t i = store.index; i-- > first;) {
    const Place load{store.program, i, false};
    if (IsBarrier(load.instruction())) return std::nullopt;
    if (load.instruction().opcode != Opcode::kLd) continue;
    if (SameAddress(load.instruction(), store.instruction()) && Feeds(load, store)) return load;
  }
  return std::nullopt;
}

// True if both threads read an element, change it and write it back, so that one change is lost.
bool IsUpdate(const Place& a, const Place& b) {
  const Place& store = a.writes ? a : b;
  const Place& other = a.writes ? b : a;
  if (a.program != b.program || store.instruction().opcode != Opcode::kSt) return false;
  const auto load = LoadBefore(store);
  return load && other.index == (other.writes ? store.index : load->index);
}

// True for an instruction that may take a lock: atomicCAS() or atomicExch().
bool TakesLock(const ptx::Instruction& instruction) {
  return instruction.opcode == Opcode::kAtom &&
         (instruction.modifiers.suffixes.Has("cas") || instruction.modifiers.suffixes.Has("exch"));
}

bool IsAnyFence(const ptx::Instruction& instruction) {
  return instruction.opcode == Opcode::kMembar || instruction.opcode == Opcode::kFence;
}

// The instructions that take and release a lock around an access.
struct Lock {
  std::uint32_t taken = 0, released = 0;
  bool fence_before_release = false;
};

std::optional<Lock> LockAround(const Place& place) {
  if (place.program == nullptr) return std::nullopt;
  const auto& body = place.program->function->body;
  const std::uint32_t first = place.index < kFarBack ? 0 : place.index - kFarBack;
  for (std::uint32_t i = place.index; i-- > first;) {
    if (IsBarrier(body[i])) return std::nullopt;
    if (!TakesLock(body[i])) continue;
    Lock lock{.taken = i};
    const auto end = std::min<std::size_t>(body.size(), place.index + std::size_t{kFarBack});
    for (std::uint32_t j = place.index + 1; j < end; ++j) {
      lock.fence_before_release = lock.fence_before_release || IsAnyFence(body[j]);
      const bool writes = IsOneOf(body[j].opcode, Opcode::kAtom, Opcode::kRed, Opcode::kSt);
      if (!writes || !SameAddress(body[i], body[j])) continue;
      lock.released = j;
      return lock;
    }
    return std::nullopt;
  }
  return std::nullopt;
}

// Returns the remedy if both accesses are made under a lock that is released without a fence
// before.
std::optional<Remedy> UnderALock(const Launch& launch, const Place& now, const Place& before) {
  const auto first = LockAround(before);
  const auto second = LockAround(now);
  if (!first || !second || first->fence_before_release) return std::nullopt;
  const int taken = PlaceOf(launch, *before.program, first->taken).line;
  const int released = PlaceOf(launch, *before.program, first->released).line;
  return Remedy{
      .gap = std::nullopt,
      .missing =
          fmt::format(", with no __threadfence() before the lock is released in line {}", released),
      .hint = fmt::format(
          "put a __threadfence() before line {}, which releases the lock, and another after line "
          "{}, "
          "which takes it: without them the next owner may see that the lock is free, but not yet "
          "what was written under it",
          released, taken)};
}

// Returns the first signal after the write, unless a fence lies between them.
std::optional<Place> SignalWithoutFence(const Place& write) {
  const auto& body = write.program->function->body;
  for (auto i = write.index + 1; i < body.size(); ++i) {
    if (IsFence(body[i])) return std::nullopt;
    if (Signals(body[i])) return Place{write.program, static_cast<std::uint32_t>(i), true};
  }
  return std::nullopt;
}

std::string FenceHint(const Launch& launch, const Place& write, const Place& signal) {
  const SourceLocation from = PlaceOf(launch, *write.program, write.index);
  const SourceLocation to = PlaceOf(launch, *signal.program, signal.index);
  return fmt::format(
      "put a __threadfence() between the write in line {} and the atomic or flag in line {} that "
      "signals it to other blocks: without the fence they may see the flag, but not yet what was "
      "written",
      from.line, to.line);
}

Remedy BetweenBlocks(const Launch& launch, const Race& race, const Place& now,
                     const Place& before) {
  Remedy remedy;
  if (race.memory != MemoryKind::kGlobal) return remedy;
  remedy.missing = ": nothing orders the blocks of a grid";
  const Place& write = now.writes ? now : before;
  const Place& other = now.writes ? before : now;
  if (other.writes || write.program == nullptr) return remedy;
  if (const auto signal = SignalWithoutFence(write)) {
    remedy.missing = ", with no __threadfence() between the write and the signal";
    remedy.hint = FenceHint(launch, write, *signal);
  }
  return remedy;
}

// Returns the lines of the two accesses in the innermost function that both are in: the kernel, or
// a function inlined into it by one call.
std::pair<SourceLocation, SourceLocation> LinesInCommon(const Launch& launch, const Place& a,
                                                        const Place& b) {
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

// Returns the gap between the access that comes first in the code and the other. If a barrier
// stands there already, the accesses race around a loop, and the gap is from the second back to the
// first.
std::optional<Gap> GapBetween(const Launch& launch, const Place& now, const Place& before,
                              const char* barrier, bool (*is_barrier)(const ptx::Instruction&)) {
  if (now.program == nullptr || now.program != before.program) return std::nullopt;
  const auto& [first, second] =
      std::minmax(now, before, [](const Place& a, const Place& b) { return a.index < b.index; });
  auto [after, ahead] = LinesInCommon(launch, first, second);
  if (!after.known() || after.file != ahead.file || after.line == ahead.line) return std::nullopt;
  const auto& body = now.program->function->body;
  if (std::any_of(body.begin() + first.index, body.begin() + second.index, is_barrier))
    std::swap(after, ahead);
  return Gap{std::move(after), std::move(ahead), barrier};
}

Remedy InBlock(const Launch& launch, const Race& race, const Place& now, const Place& before);

// True if what `load` reads goes into a store to shared memory further down, as in a step of a
// reduction.
bool FeedsShared(const Place& load) {
  if (load.program == nullptr || load.instruction().opcode != Opcode::kLd) return false;
  const auto& body = load.program->function->body;
  const auto end = std::min<std::size_t>(body.size(), load.index + kNear);
  for (auto i = load.index + 1; i < end; ++i) {
    const bool stores =
        body[i].opcode == Opcode::kSt && body[i].modifiers.space != ptx::Space::kGlobal;
    if (stores && Feeds(load, Place{load.program, i, true})) return true;
  }
  return false;
}

// True if a kernel synchronises or exchanges data within warps.
bool UsesWarps(const Program& program) {
  return std::ranges::any_of(program.function->body, [](const ptx::Instruction& one) {
    return IsOneOf(one.opcode, Opcode::kBarWarp, Opcode::kShfl, Opcode::kVote, Opcode::kMatch);
  });
}

Remedy InWarp(const Launch& launch, const Race& race, const Place& now, const Place& before) {
  const bool is_step = FeedsShared(now) || FeedsShared(before);
  const bool in_step = now.program != nullptr && UsesWarps(*now.program);
  if (!is_step && (!in_step || launch.request->block.Count() <= kLanes)) {
    return InBlock(launch, race, now, before);
  }
  Remedy remedy{.gap = GapBetween(launch, now, before, "__syncwarp()", &IsBarrierOrWarpSync)};
  if (!remedy.gap) remedy.missing = ", with no __syncwarp() between";
  if (!IsWeak(race.now.strength) && !IsWeak(race.before.strength)) {
    remedy.missing += ": volatile does not order the lanes of a warp";
    remedy.hint =
        is_step ? "put a __syncwarp() after every step: since Volta the lanes of a warp need not "
                  "run in "
                  "step, volatile or not; a reduction of 32 values needs no shared memory, only "
                  "__shfl_down_sync()"
                : "put a __syncwarp() that all lanes reach between the two accesses: volatile "
                  "makes the "
                  "compiler use memory each time, but no lane waits for another";
  } else {
    remedy.hint =
        "put a __syncwarp() that all lanes reach between the two accesses: since Volta the lanes "
        "of "
        "a warp need not run in step";
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

Remedy InBlock(const Launch& launch, const Race& race, const Place& now, const Place& before) {
  Remedy remedy{.gap = GapBetween(launch, now, before, "__syncthreads()", &IsBarrier)};
  if (remedy.gap) {
    remedy.hint = BarrierHint(*remedy.gap, race.before.IsCopy());
    return remedy;
  }
  remedy.missing = ", with no __syncthreads() between";
  if (race.now.instruction == race.before.instruction) {
    remedy.hint =
        "let one thread write it (if (threadIdx.x == 0) ...), give each thread its own element, or "
        "combine the values with an atomic";
  }
  return remedy;
}

}  // namespace

std::optional<Gap> GapOfRace(const Launch& launch, const InstructionNumbers& numbers,
                             const Race& race, std::string barrier) {
  const Place now = AccessOf(numbers, race.now);
  const Place before = AccessOf(numbers, race.before);
  if (now.program == nullptr || now.program != before.program) return std::nullopt;
  auto [after, ahead] = LinesInCommon(launch, before, now);
  if (!after.known() || after.file != ahead.file || after.line == ahead.line) return std::nullopt;
  return Gap{std::move(after), std::move(ahead), std::move(barrier)};
}

Remedy RemedyFor(const Launch& launch, const InstructionNumbers& numbers, const Race& race) {
  const Place now = AccessOf(numbers, race.now);
  const Place before = AccessOf(numbers, race.before);
  if (race.copy_state != CopyState::kNone) return RemedyForCopy(launch, numbers, race);
  if (auto remedy = UnderALock(launch, now, before)) return *remedy;
  if (now.program != nullptr && before.program != nullptr && IsUpdate(now, before)) {
    return {.gap = std::nullopt,
            .missing = ": one of the two changes is lost",
            .hint =
                "use atomicAdd() (or atomicMax(), atomicCAS(), ...): the line reads the "
                "element, changes it and writes it back, and another thread may do the same in "
                "between; a barrier does not help"};
  }
  if (race.now.thread.block != race.before.thread.block) {
    return BetweenBlocks(launch, race, now, before);
  }
  return race.now.thread.warp() == race.before.thread.warp() ? InWarp(launch, race, now, before)
                                                             : InBlock(launch, race, now, before);
}

}  // namespace warpcheck::emulator
