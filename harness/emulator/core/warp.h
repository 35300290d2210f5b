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

struct Launch;       // emulator/core/launch.h
struct Block;        // emulator/core/block.h
class Operands;      // emulator/decode/operands.h
class Observer;      // emulator/core/observer.h
class ValueTracker;  // emulator/core/observer.h

// Lanes that run together: an entry of the reconvergence stack.
struct Path {
  BlockId block = 0;       // where they are
  BlockId reconverge = 0;  // where they wait for the lanes below them on the stack
  LaneMask mask = 0;
  LaneMask awaited = 0;  // lanes of other subwarps that must come here before anybody goes on
};

using RegisterStore = std::shared_ptr<std::vector<std::byte>>;

// A function that has been entered and not left.
struct Frame {
  const Program* program = nullptr;
  RegisterStore store{};  // shared by all subwarps whose lanes entered the function together
  std::byte* registers = nullptr;  // the registers, in `store`
  LaneMask returned = 0;           // lanes that have left it
  std::size_t base = 0;            // height of the reconvergence stack below it
  std::uint32_t local_begin =
      0;  // offset of the function's part of each thread's local memory, in bytes
  const CallInfo* call = nullptr;  // how it was called; null for the kernel
};

enum class WarpState : std::uint8_t {
  kReady,
  kSpun,        // ready, and waiting in a loop for another thread
  kAtBarrier,   // at a barrier of the block
  kArrived,     // at the same barrier of the block as the running subwarp
  kAtWarpSync,  // an instruction at which other lanes are awaited (reconvergence.h)
  kAtJoin,      // the end of a branch, which lanes of other subwarps have not reached
  kDone,
};

// The lanes that run under one stack of paths, and where they are. Most warps have a single
// subwarp; subwarps.h says when lanes part.
struct Subwarp {
  std::byte* frame = nullptr;  // registers of the function that is running
  const Program* program = nullptr;
  MemorySite* sites = nullptr;
  BlockStats* stats = nullptr;
  WarpState state = WarpState::kReady;
  std::vector<Path> paths;
  std::vector<Frame> frames;
  std::vector<RegisterStore> registers;  // by depth of calls; frames may hold other stores
  const Step* barrier = nullptr;         // the barrier that it waits at
  LaneMask barrier_lanes = 0;
  LaneMask sync_lanes = 0;   // lanes that execute the instruction of kAtWarpSync
  std::uint32_t resume = 0;  // how many steps of the current block of code are done
  // How many turns in a row the subwarp has taken in a loop that waits, by these lanes at this
  // block.
  std::uint32_t spins = 0;
  LaneMask spin_lanes = 0;
  BlockId spin_block = 0;
};

struct Warp {
  Subwarp running;
  std::vector<Subwarp> parked;  // the other subwarps; a lane of no subwarp has exited
  LaneMask active = 0;          // lanes that execute the current step, before its guard
  LaneMask exited = 0;      // lanes that have ended, or do not exist (in the last warp of a block)
  std::uint32_t index = 0;  // in its block
  Launch* launch = nullptr;
  Block* block = nullptr;
  const std::vector<Observer*>* observers = nullptr;  // null if nobody watches
  ValueTracker* tracker = nullptr;                    // null if nobody follows values
  bool tainted = false;  // registers may hold values from memory that nothing has written (taint.h)
  // Local memory: the byte at address a of lane i is at i * local_stride + a.
  std::vector<std::byte> local;
  std::uint32_t local_stride = 0;
  std::uint32_t barrier_id = 0;
  LaneMask carry = 0;  // the condition code CC.CF of each lane (PTX ISA, 9.7.2)
};

}  // namespace warpcheck::emulator
