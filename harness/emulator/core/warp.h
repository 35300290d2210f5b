// A warp while it runs, as instruction functions see and change it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "emulator/code/program.h"
#include "emulator/code/step.h"
#include "emulator/core/memory_site.h"

namespace warpcheck::emulator {

struct Launch;       // defined in emulator/core/launch.h
struct Block;        // defined in emulator/core/block.h
class Operands;      // defined in emulator/decode/operands.h
class Observer;      // defined in emulator/core/observer.h
class ValueTracker;  // defined in emulator/core/observer.h

// A Path has lanes that run together; it is an entry of the reconvergence stack.
struct Path {
  BlockId block = 0;       // the block where its lanes are
  BlockId reconverge = 0;  // the block where they join the path below them on the stack
  LaneMask mask = 0;
  LaneMask awaited = 0;  // lanes of other subwarps that must come to this path before it continues
};

using RegisterStore = std::shared_ptr<std::vector<std::byte>>;

// A Frame belongs to a function that has been entered and not left.
struct Frame {
  const Program* program = nullptr;
  RegisterStore store{};  // shared by all subwarps whose lanes entered the function together
  std::byte* registers = nullptr;  // the registers, which lie in `store`
  LaneMask returned = 0;           // lanes that have left the function
  // The height of the reconvergence stack below the function's paths.
  std::size_t base = 0;
  std::uint32_t local_begin =
      0;  // the offset of the function's part of each thread's local memory, in bytes
  const CallInfo* call = nullptr;  // the call that entered it; null for the kernel
};

enum class WarpState : std::uint8_t {
  kReady,
  kSpun,        // it is ready, and waits in a loop for another thread
  kAtBarrier,   // it waits at a barrier of the block
  kArrived,     // it waits at the same barrier of the block as the running subwarp
  kAtWarpSync,  // it waits for other lanes at an instruction (reconvergence.h)
  kAtJoin,      // it waits at the end of a branch, which lanes of other subwarps have not reached
  kDone,
};

// A Subwarp has the lanes that run under one stack of paths, and their position. Most warps have a
// single subwarp; subwarps.h says when lanes part.
struct Subwarp {
  std::byte* frame = nullptr;  // the registers of the function that is running
  const Program* program = nullptr;
  MemorySite* sites = nullptr;
  BlockStats* stats = nullptr;
  WarpState state = WarpState::kReady;
  std::vector<Path> paths;
  std::vector<Frame> frames;
  // Memory of frames by the depth of calls; frames may have other memory.
  std::vector<RegisterStore> registers;
  const Step* barrier = nullptr;  // the barrier that it waits at
  LaneMask barrier_lanes = 0;
  LaneMask sync_lanes = 0;   // lanes that execute the instruction of kAtWarpSync
  std::uint32_t resume = 0;  // how many steps of the current basic block are done
  // The number of turns in a row that these lanes have taken in a loop that waits, at this block.
  std::uint32_t spins = 0;
  LaneMask spin_lanes = 0;
  BlockId spin_block = 0;
};

struct Warp {
  Subwarp running;
  std::vector<Subwarp> parked;  // the other subwarps; a lane that belongs to no subwarp has exited
  // The lanes that execute the current step, before its guard is applied.
  LaneMask active = 0;
  // The lanes that have ended, or do not exist (in the last warp of a block).
  LaneMask exited = 0;
  std::uint32_t index = 0;  // the index of the warp in its block
  Launch* launch = nullptr;
  Block* block = nullptr;
  const std::vector<Observer*>* observers = nullptr;  // null if there are no observers
  ValueTracker* tracker = nullptr;                    // null if no observer follows values
  // True if registers may have values from memory that nothing has written (taint.h).
  bool tainted = false;
  // Local memory. The byte at address a of lane i is at i * local_stride + a.
  std::vector<std::byte> local;
  std::uint32_t local_stride = 0;
  std::uint32_t barrier_id = 0;
  bool went_on = false;         // true if it did more in its last turn than to poll once more
  std::uint32_t spin_cost = 0;  // CodeBlock::spin_cost of the last loop in which it waited
  LaneMask carry = 0;           // the condition code CC.CF of each lane (PTX ISA, 9.7.2)
};

}  // namespace warpcheck::emulator
