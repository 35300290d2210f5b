#include "emulator/checkers/races/report/block_remedy.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "emulator/checkers/races/report/index_hint.h"
#include "emulator/record/source_lines.h"

namespace warpcheck::emulator {
namespace {

using ptx::Opcode;

// An instruction of a function by its index.
using Index = std::uint32_t;

int LineAt(const Launch& launch, const CodePlace& place) {
  return PlaceOf(launch, *place.program, place.index).line;
}

std::vector<int> LinesAt(const Launch& launch, const std::vector<CodePlace>& places) {
  std::set<int> lines;
  for (const CodePlace& place : places) lines.insert(LineAt(launch, place));
  return {lines.begin(), lines.end()};
}

// Returns the name of the function that makes an atomic: "atomicAdd". Returns an empty text for the
// accesses of cuda::atomic, which name their order in PTX.
std::string FunctionOf(const ptx::Instruction& instruction) {
  const bool atomic = IsOneOf(instruction.opcode, Opcode::kAtom, Opcode::kRed);
  const bool has_order = Releases(instruction) || Acquires(instruction) ||
                         instruction.modifiers.suffixes.Has("relaxed");
  if (!atomic || has_order) return {};
  switch (instruction.modifiers.atomic) {
    case ptx::Atomic::kCas:
      return "atomicCAS";
    case ptx::Atomic::kAnd:
      return "atomicAnd";
    case ptx::Atomic::kOr:
      return "atomicOr";
    case ptx::Atomic::kXor:
      return "atomicXor";
    case ptx::Atomic::kExch:
      return "atomicExch";
    case ptx::Atomic::kInc:
      return "atomicInc";
    case ptx::Atomic::kDec:
      return "atomicDec";
    case ptx::Atomic::kMin:
      return "atomicMin";
    case ptx::Atomic::kMax:
      return "atomicMax";
    default:
      return "atomicAdd";
  }
}

// True for an access of cuda::atomic with the order memory_order_relaxed.
bool IsRelaxed(const ptx::Instruction& instruction) {
  return instruction.modifiers.suffixes.Has("relaxed");
}

// Returns what gives an access or a fence its scope, without parentheses: the block's, and the
// device's.
std::pair<std::string, std::string> ScopesOf(const ptx::Instruction& instruction) {
  if (instruction.opcode == Opcode::kMembar) return {"__threadfence_block()", "__threadfence()"};
  const std::string function = FunctionOf(instruction);
  if (!function.empty()) return {function + "_block()", function + "()"};
  return {"cuda::thread_scope_block", "cuda::thread_scope_device"};
}

std::string BlockScopeOf(const CodePlace& place) { return ScopesOf(place.instruction()).first; }

// Returns "a __threadfence_block()" or "a fence of cuda::thread_scope_block".
std::string BlockFence(const CodePlace& fence) {
  const bool call = fence.instruction().opcode == Opcode::kMembar;
  return (call ? "a " : "a fence of ") + BlockScopeOf(fence);
}

// Returns "use atomicAdd() instead of atomicAdd_block() in line 7 and in line 9".
std::string WiderScope(const Launch& launch, std::vector<CodePlace> places) {
  std::ranges::sort(places, {}, [&](const CodePlace& one) { return LineAt(launch, one); });
  std::string text;
  std::pair<std::string, std::string> last;
  int last_line = 0;
  for (const CodePlace& place : places) {
    const auto scopes = ScopesOf(place.instruction());
    const int line = LineAt(launch, place);
    if (scopes == last && line == last_line) continue;
    if (scopes == last) {
      text += fmt::format(" and in line {}", line);
    } else {
      text += fmt::format("{}use {} instead of {} in line {}", text.empty() ? "" : ", and ",
                          scopes.second, scopes.first, line);
    }
    last = scopes;
    last_line = line;
  }
  return text;
}

// Returns the remedy for two blocks that these places do not order, because of their scope.
Remedy NarrowScope(const Launch& launch, std::string missing,
                   const std::vector<CodePlace>& places) {
  return {.missing = std::move(missing),
          .hint = WiderScope(launch, places) +
                  ": the scope of a block orders nothing for the threads of another block",
          .narrow = LinesAt(launch, places)};
}

// True for an instruction that may take a lock: atomicCAS() or atomicExch().
bool TakesLock(const ptx::Instruction& instruction) {
  return instruction.opcode == Opcode::kAtom &&
         IsOneOf(instruction.modifiers.atomic, ptx::Atomic::kCas, ptx::Atomic::kExch);
}

// Returns the fence with the widest scope among the instructions (first, last).
std::optional<CodePlace> WidestFence(const Program& program, Index first, Index last) {
  std::optional<CodePlace> fence;
  for (Index i = first + 1; i < last; ++i) {
    const ptx::Instruction& one = program.function->body[i];
    if (!IsFence(one) || (fence && HasBlockScope(one))) continue;
    fence = CodePlace{&program, i, false};
  }
  return fence;
}

// The instructions that take and release a lock around an access, and the fences on both sides of
// the access.
struct Lock {
  CodePlace taken, released;
  std::optional<CodePlace> fence_behind_taking, fence_before_release;
};

std::optional<Lock> LockAround(const CodePlace& place) {
  if (place.program == nullptr) return std::nullopt;
  const Program& program = *place.program;
  const auto& body = program.function->body;
  const Index first = place.index < kFarBack ? 0 : place.index - kFarBack;
  for (Index i = place.index; i-- > first;) {
    if (IsBarrier(body[i])) return std::nullopt;
    if (!TakesLock(body[i])) continue;
    const auto end = std::min<std::size_t>(body.size(), place.index + std::size_t{kFarBack});
    for (Index j = place.index + 1; j < end; ++j) {
      const bool writes = IsOneOf(body[j].opcode, Opcode::kAtom, Opcode::kRed, Opcode::kSt);
      if (!writes || !SameAddress(program, body[i], body[j])) continue;
      return Lock{.taken = {&program, i, true},
                  .released = {&program, j, true},
                  .fence_behind_taking = WidestFence(program, i, place.index),
                  .fence_before_release = WidestFence(program, place.index, j)};
    }
    return std::nullopt;
  }
  return std::nullopt;
}

// Returns the places of `all` whose scope is that of a block.
std::vector<CodePlace> OfBlockScope(std::vector<CodePlace> all) {
  std::erase_if(all, [](const CodePlace& one) { return !HasBlockScope(one.instruction()); });
  return all;
}

// Returns the remedy if the lock is given back in a wrong way.
std::optional<Remedy> ForRelease(const Launch& launch, const Lock& lock, bool between_blocks) {
  const int taken = LineAt(launch, lock.taken);
  const int released = LineAt(launch, lock.released);
  if (!IsStrong(lock.released.instruction()) &&
      lock.released.instruction().modifiers.space != ptx::Space::kShared) {
    return Remedy{
        .missing = fmt::format(", under a lock that line {} gives back by a plain store", released),
        .hint = fmt::format(
            "give the lock back by atomicExch() in line {}, behind a __threadfence(): a plain "
            "store is not ordered with the atomics that take the lock",
            released)};
  }
  if (!lock.fence_before_release && !Releases(lock.released.instruction())) {
    return Remedy{
        .missing = fmt::format(", with no __threadfence() before the lock is released in line {}",
                               released),
        .hint = fmt::format(
            "put a __threadfence() before line {}, which releases the lock, and another after line "
            "{}, which takes it: without them the next owner of the lock may still read old data",
            released, taken)};
  }
  const bool block_fence = lock.fence_before_release &&
                           HasBlockScope(lock.fence_before_release->instruction()) &&
                           !Releases(lock.released.instruction());
  if (!between_blocks || !block_fence) return std::nullopt;
  std::vector<CodePlace> narrow = {*lock.fence_before_release};
  if (lock.fence_behind_taking) narrow.insert(narrow.begin(), *lock.fence_behind_taking);
  return NarrowScope(launch,
                     fmt::format(", with only {} before the lock is released in line {}",
                                 BlockFence(*lock.fence_before_release), released),
                     OfBlockScope(narrow));
}

// Returns the remedy if the lock is taken in a wrong way, for a thread of another block.
std::optional<Remedy> ForTaking(const Launch& launch, const Lock& lock) {
  if (Acquires(lock.taken.instruction())) return std::nullopt;
  const int taken = LineAt(launch, lock.taken);
  if (!lock.fence_behind_taking) {
    return Remedy{
        .missing =
            fmt::format(", with no __threadfence() after the lock is taken in line {}", taken),
        .hint = fmt::format("put a __threadfence() after line {}, which takes the lock: without it "
                            "the accesses under the lock may be made before it is taken",
                            taken)};
  }
  if (!HasBlockScope(lock.fence_behind_taking->instruction())) return std::nullopt;
  return NarrowScope(launch,
                     fmt::format(", with only {} after the lock is taken in line {}",
                                 BlockFence(*lock.fence_behind_taking), taken),
                     {*lock.fence_behind_taking});
}

// Returns what is wrong with the way in which the thread that writes signals that it has done so.
std::optional<Remedy> ForSignal(const Launch& launch, const CodePlace& write) {
  const auto& body = write.program->function->body;
  std::optional<CodePlace> fence;  // with the widest scope
  for (Index i = write.index + 1; i < body.size(); ++i) {
    const CodePlace place{write.program, i, true};
    const bool narrow = HasBlockScope(body[i]);
    if (IsFence(body[i]) && (!fence || !narrow)) fence = place;
    if (!IsStrong(body[i]) || body[i].opcode == Opcode::kLd) continue;
    const int line = LineAt(launch, place);
    if (narrow) {
      return NarrowScope(launch,
                         fmt::format(", and signals it in line {} with the scope of a block", line),
                         {place});
    }
    if (Releases(body[i]) || (fence && !HasBlockScope(fence->instruction()))) return std::nullopt;
    if (fence) {
      return NarrowScope(
          launch,
          fmt::format(", with only {} between the write and the signal", BlockFence(*fence)),
          {*fence});
    }
    if (IsRelaxed(body[i])) {
      return Remedy{.missing = ", with a relaxed signal",
                    .hint = fmt::format("use cuda::memory_order_release in line {}, which signals "
                                        "the write in line {} to other blocks: after a relaxed "
                                        "store they may see the flag, and still read old data",
                                        line, LineAt(launch, write))};
    }
    return Remedy{
        .missing = ", with no __threadfence() between the write and the signal",
        .hint = fmt::format("put a __threadfence() between the write in line {} and the atomic or "
                            "flag in line {} that signals it to other blocks: without the fence "
                            "they may see the flag, and still read old data",
                            LineAt(launch, write), line)};
  }
  return std::nullopt;
}

// Returns what is wrong with the way in which the thread that reads looked at a flag before.
std::optional<Remedy> ForFlag(const Launch& launch, const CodePlace& read) {
  const auto& body = read.program->function->body;
  const Index first = read.index < kFarBack ? 0 : read.index - kFarBack;
  std::optional<CodePlace> fence;  // with the widest scope
  bool met = false;                // at a barrier, which is enough
  for (Index i = read.index; i-- > first;) {
    const CodePlace place{read.program, i, false};
    const bool narrow = HasBlockScope(body[i]);
    met = met || IsBarrier(body[i]);
    if (IsFence(body[i]) && (!fence || !narrow)) fence = place;
    if (!IsStrong(body[i]) || IsOneOf(body[i].opcode, Opcode::kSt, Opcode::kRed)) continue;
    const int line = LineAt(launch, place);
    if (narrow) {
      return NarrowScope(
          launch, fmt::format(", after a flag that line {} reads with the scope of a block", line),
          {place});
    }
    const bool device_fence = fence && !HasBlockScope(fence->instruction());
    if (met || device_fence || Acquires(body[i])) return std::nullopt;
    if (fence) {
      return NarrowScope(
          launch, fmt::format(", with only {} between the flag and the read", BlockFence(*fence)),
          {*fence});
    }
    if (IsRelaxed(body[i])) {
      return Remedy{
          .missing = ", after a relaxed read of the flag",
          .hint = fmt::format("use cuda::memory_order_acquire in line {}, which reads the flag: "
                              "after a relaxed read, line {} may still read old data",
                              line, LineAt(launch, read))};
    }
    if (line == LineAt(launch, read)) {
      return Remedy{
          .missing = ", with no __threadfence() between the flag and the read",
          .hint = fmt::format(
              "put a __threadfence() after the atomic in line {}, in a line of its own, and before "
              "the data is read that the atomic announces: without it the data may be read first",
              line)};
    }
    return Remedy{
        .missing = ", with no __threadfence() between the flag and the read",
        .hint = fmt::format(
            "put a __threadfence() between line {}, which reads the flag, and line {}, which reads "
            "the data that the flag announces: without the fence the data may be read first",
            line, LineAt(launch, read))};
  }
  return std::nullopt;
}

// True if the thread may have read a flag of another thread before it comes to `read`: by an atomic
// or a strong load further up, in a function that it called, or earlier in a loop.
bool MayHaveReadAFlag(const CodePlace& read) {
  if (!read.program->function->is_entry) return true;
  const auto& body = read.program->function->body;
  for (Index i = 0; i < body.size(); ++i) {
    const bool strong = IsStrong(body[i]) && !IsOneOf(body[i].opcode, Opcode::kSt, Opcode::kRed);
    if (!strong && body[i].opcode != Opcode::kCall) continue;
    if (i < read.index || LoopAround(*read.program, read.index, i)) return true;
  }
  return false;
}

// Returns the hint for a read of what other threads replace later in the same code, as where an
// array is updated in place. A fence helps only a thread that has read a flag.
std::string InPlace(const CodePlace& read, const CodePlace& write) {
  if (read.program != write.program || read.index > write.index || MayHaveReadAFlag(read)) {
    return {};
  }
  return "keep the old values until all threads have read them: write the new ones to a second "
         "array, or in a second launch. Within one launch no fence and no barrier makes a block "
         "wait until the other blocks have read";
}

// True for an atomic that adds to a total, as opposed to one that may take a lock.
bool AddsUp(const CodePlace& atomic) {
  return IsOneOf(atomic.instruction().opcode, Opcode::kAtom, Opcode::kRed) &&
         !TakesLock(atomic.instruction());
}

// Returns the hint for a plain access to what other threads access by atomics.
std::string BesideAtomics(const Launch& launch, const CodePlace& plain, const CodePlace& atomic) {
  const int line = LineAt(launch, plain);
  if (plain.writes && AddsUp(atomic)) {
    return fmt::format(
        "set it before the launch, by cudaMemset() or in an earlier kernel, if line {} gives it "
        "its first value: within one launch other threads may update it before that. Else use an "
        "atomic there too",
        line);
  }
  return fmt::format(
      "{} in line {}, or cuda::atomic_ref: a plain access races with the atomics of "
      "other threads",
      plain.writes ? "use atomicExch()" : "read it by an atomic, atomicAdd(p, 0),", line);
}

}  // namespace

std::optional<Remedy> RemedyForMismatch(const Launch& launch, const Race& race,
                                        const CodePlace& now, const CodePlace& before) {
  switch (race.mismatch) {
    case Mismatch::kNone:
      return std::nullopt;
    case Mismatch::kScope: {
      const std::vector<CodePlace> narrow = OfBlockScope({before, now});
      return NarrowScope(launch,
                         fmt::format(": {} reaches only the threads of its own block",
                                     BlockScopeOf(narrow.front())),
                         narrow);
    }
    case Mismatch::kSize:
      return Remedy{.missing = ": the two atomics have different sizes",
                    .hint =
                        "access this memory by atomics of one size: atomics of different sizes "
                        "are not atomic to each other"};
    case Mismatch::kVolatile:
      return Remedy{.missing = ": volatile is no atomic of CUDA C++"};
  }
  return std::nullopt;
}

std::optional<Remedy> RemedyUnderALock(const Launch& launch, const Race& race, const CodePlace& now,
                                       const CodePlace& before) {
  const auto first = LockAround(before);
  const auto second = LockAround(now);
  if (!first || !second) return std::nullopt;
  const bool between_blocks = race.now.thread.block != race.before.thread.block;
  const std::vector<CodePlace> narrow =
      OfBlockScope({first->taken, second->taken, first->released});
  if (between_blocks && !narrow.empty()) {
    return NarrowScope(launch,
                       fmt::format(", under a lock with the scope of a block in line {}",
                                   LineAt(launch, narrow.front())),
                       narrow);
  }
  if (auto remedy = ForRelease(launch, *first, between_blocks)) return remedy;
  return between_blocks ? ForTaking(launch, *second) : std::nullopt;
}

Remedy RemedyBetweenBlocks(const Launch& launch, const Race& race, const CodePlace& now,
                           const CodePlace& before) {
  Remedy remedy;
  if (race.memory != MemoryKind::kGlobal) return remedy;
  remedy.missing = ": nothing orders the blocks of a grid";
  const CodePlace& write = now.writes ? now : before;
  const CodePlace& other = now.writes ? before : now;
  if (write.program == nullptr || other.program == nullptr) return remedy;
  const bool weak = IsWeak(race.now.strength) && IsWeak(race.before.strength);
  // Blocks that meet at sync() of the grid do not wait for each other by flags.
  const bool meets = launch.request->cooperative && write.program->CallsGridSync();
  if (!other.writes && !meets) {
    if (weak && !launch.request->cooperative) remedy.hint = InPlace(other, write);
    if (!remedy.hint.empty()) return remedy;
    if (auto found = ForSignal(launch, write)) return *found;
    if (auto found = ForFlag(launch, other)) return *found;
  } else if (weak && !meets) {
    // Both write, one after the other: the first may have signalled to its own block that it is
    // done.
    auto found = ForSignal(launch, before);
    if (found && !found->narrow.empty()) return *found;
  }
  if (race.relies && other.writes && !meets) {
    if (auto found = ForSignal(launch, before)) return *found;
  }
  if (IsWeak(race.now.strength) != IsWeak(race.before.strength)) {
    const bool weak_now = IsWeak(race.now.strength);
    remedy.hint = BesideAtomics(launch, weak_now ? now : before, weak_now ? before : now);
  } else if (StoreInOneLine(launch, now, before)) {
    remedy.hint = IndexHint(launch, race, now, before);
  }
  if (remedy.hint.empty() && launch.request->cooperative) {
    remedy.hint =
        "call grid.sync() of cooperative groups between the two accesses, where all threads of "
        "the grid reach it: a barrier of a block orders nothing for another block";
  } else if (remedy.hint.empty()) {
    remedy.hint =
        other.writes
            ? "let only one thread write each element, or combine the values by an atomic: blocks "
              "run in no fixed order, and the value that comes last stays"
            : "read in a second kernel what other blocks write, or let the block that finishes "
              "last read it (it knows that by atomicAdd() on a counter, behind a __threadfence()): "
              "blocks run in no fixed order, and none waits for another";
  }
  return remedy;
}

}  // namespace warpcheck::emulator
