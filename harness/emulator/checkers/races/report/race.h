// A Race has two accesses that conflict and are not ordered.
#pragma once

#include <cstdint>

#include "emulator/checkers/races/clock.h"
#include "emulator/checkers/races/shadow/access_id.h"
#include "emulator/core/observer.h"

namespace warpcheck::emulator {

// The state of an asynchronous copy in flight.
enum class CopyState : std::uint8_t {
  kNone,        // the access is not a copy, or a thread has waited for the copy
  kInNoGroup,   // the copy is not committed to a group
  kInAGroup,    // the copy is in a group, for which its thread can wait
  kAtMbarrier,  // the copy completes with a phase of an mbarrier
};

// Says why two accesses race although both are strong: volatile or atomic. PTX calls two strong
// accesses morally strong if the scope of each includes the thread of the other, and if both touch
// the same bytes (PTX ISA, "Memory Consistency Model"); such two do not race.
enum class Mismatch : std::uint8_t {
  kNone,
  kScope,     // one has the scope of its block, and the other is another block's
  kSize,      // they are atomics of different sizes
  kVolatile,  // both are volatile, or one is, of another size: a race in CUDA C++ alone
};

// One of two accesses that race.
struct RacingAccess {
  ThreadId thread;
  Dim3 block;
  std::uint32_t instruction = 0;  // the number of its instruction (instructions.h)
  bool writes = false;
  Strength strength = Strength::kWeak;

  bool IsCopy() const { return strength == Strength::kCopy; }
};

struct Race {
  RacingAccess now, before;
  MemoryKind memory = MemoryKind::kShared;
  std::uint64_t address = 0;  // the address of the access `now`, as in AccessEvent
  std::uint32_t bytes = 0;
  bool same_value = false;
  Mismatch mismatch = Mismatch::kNone;
  CopyState copy_state = CopyState::kNone;  // of the access `before`
  std::uint32_t later_groups = 0;           // groups committed after that of the copy
  // True if no access is weak, and that of `now` relies on an order that atomics alone do not make:
  // it reads what `before` wrote, or changes what `before` has set.
  bool relies = false;
  // True if `before` writes, and the block of `now` has learnt, by a flag without a fence before
  // it, that this is done (RaceSignals).
  bool signalled = false;
  bool met = false;  // both threads have passed a barrier of their block since the access `before`
  // The event of the access `now`, which is being executed; `lane` is the lane that races.
  const AccessEvent* event = nullptr;
  std::uint32_t lane = 0;
  // True if both are lanes of one store, so that memory has the value of neither yet.
  bool at_once = false;
};

}  // namespace warpcheck::emulator
