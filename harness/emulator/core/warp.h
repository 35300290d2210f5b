// A warp while it runs: what instruction functions may look at and change.
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
class Operands;      // emulator/code/operands.h
class Observer;      // emulator/core/observer.h
class ValueTracker;  // emulator/core/observer.h

// Lanes that run together: one entry of the reconvergence stack.
struct Path {
  BlockId block = 0;       // where they are
  BlockId reconverge = 0;  // where they wait for those below them on the stack
  LaneMask mask = 0;
  LaneMask awaited = 0;  // of other subwarps, which come here too before anybody goes on
};

using RegisterStore = std::shared_ptr<std::vector<std::byte>>;

// A function that has been entered and not left.
struct Frame {
  const Program* program = nullptr;
  RegisterStore store{};  // the same one in all subwarps whose lanes have entered it at once
  std::byte* registers = nullptr;  // in it
  LaneMask returned = 0;           // lanes that have left it
  std::size_t base = 0;            // height of the reconvergence stack below it
  std::uint32_t local_begin = 0;   // of its part of each thread's local memory, bytes
  const CallInfo* call = nullptr;  // how it was called; null for the kernel
};

enum class WarpState : std::uint8_t {
  kReady,
  kSpun,        // ready, and waits in a loop for what another thread writes (control_flow.h)
  kAtBarrier,   // of the block
  kArrived,     // at the barrier of the block, together with the subwarp that runs
  kAtWarpSync,  // an instruction at which other lanes are awaited (reconvergence.h)
  kAtJoin,      // the end of a branch, which lanes of other subwarps have not reached
  kDone,
};

// Where the lanes are that run under one stack of paths. Most warps have one subwarp all their
// life; subwarps.h says when lanes part.
struct Subwarp {
  std::byte* frame = nullptr;  // registers of the function that is running
  const Program* program = nullptr;
  MemorySite* sites = nullptr;
  BlockStats* stats = nullptr;
  WarpState state = WarpState::kReady;
  std::vector<Path> paths;
  std::vector<Frame> frames;
  std::vector<RegisterStore> registers;  // for each depth of calls; frames may hold others
  const Step* barrier = nullptr;         // where it waits
  LaneMask barrier_lanes = 0;
  LaneMask sync_lanes = 0;   // at a warp sync: lanes that execute it
  std::uint32_t resume = 0;  // steps of the current block of code that are done already
  // Turns without end in a loop that waits, with these lanes at this block of code.
  std::uint32_t spins = 0;
  LaneMask spin_lanes = 0;
  BlockId spin_block = 0;
};

struct Warp {
  Subwarp running;
  std::vector<Subwarp> parked;  // the others; lanes of no subwarp have exited
  LaneMask active = 0;          // lanes that execute the current step, before its guard
  LaneMask exited = 0;          // lanes that have ended, or never were: the last warp of a block
  std::uint32_t index = 0;      // in its block
  Launch* launch = nullptr;
  Block* block = nullptr;
  const std::vector<Observer*>* observers = nullptr;  // null: nobody watches
  ValueTracker* tracker = nullptr;                    // null: nobody follows values
  bool tainted = false;  // registers may hold values that nothing has written (flow.h)
  // Local memory: the byte at address a of lane i is at i * local_stride + a.
  std::vector<std::byte> local;
  std::uint32_t local_stride = 0;
  std::uint32_t barrier_id = 0;
  LaneMask carry = 0;  // the condition code CC.CF of each lane (PTX ISA, 9.7.2)
};

}  // namespace warpcheck::emulator
