// A warp while it runs: what instruction functions may look at and change.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "device/finding.h"
#include "device/launch_record.h"
#include "emulator/code/program.h"
#include "emulator/code/step.h"

namespace warpcheck::emulator {

struct Launch;          // emulator/core/launch.h
struct Block;           // emulator/core/block.h
class Operands;         // emulator/code/operands.h
class Observer;         // emulator/core/observer.h
class ValueTracker;     // emulator/core/observer.h
class SpeculativeView;  // emulator/core/speculative_memory.h

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

// What was counted for one memory instruction in one kind of memory.
struct Tally {
  std::uint64_t requests = 0;
  std::uint64_t cost = 0;  // sectors, or wavefronts
  std::uint64_t ideal = 0;
  std::uint64_t lanes = 0;  // that took part, over all requests
  std::uint64_t bytes = 0;  // that they read, of a texture: those of others are lanes * width

  Tally& operator+=(const Tally& one) {
    requests += one.requests;
    cost += one.cost;
    ideal += one.ideal;
    lanes += one.lanes;
    bytes += one.bytes;
    return *this;
  }
};
enum class TallyOf : std::uint8_t { kGlobal, kShared, kLocal };

// An access as a memory instruction remembers it. While the lane-to-lane differences of the
// addresses repeat, one range test checks them all, and the costs are known: they depend on the
// differences and on the first address modulo the sector (or bank word) alone.
struct CachedAccess {
  // From the lowest active lane's address, as registers of 8 and of 4 bytes have it.
  alignas(64) std::array<std::uint64_t, kLanes> delta = {};
  alignas(64) std::array<std::uint32_t, kLanes> delta32 = {};
  LaneMask mask = 0;          // 0: nothing remembered
  std::uint32_t pattern = 0;  // a number of the launch for this mask and these differences
  bool contiguous = false;    // all lanes, each next to the one before
  bool uniform = false;       // all lanes of the mask at one address
  // How eight lanes each lie, where all lanes take part.
  enum class Run : std::uint8_t { kScattered, kContiguous, kUniform };
  std::array<Run, kLanes / 8> runs = {};
  std::uint32_t phase_mask = 0;
  std::uint64_t before = 0;          // bytes touched below the lowest lane's address
  std::uint64_t after = 0;           // and from it on
  std::uint64_t below = 0;           // bytes that have to be safe below the lowest lane's address
  std::uint64_t above = 0;           // and from it on
  std::uint64_t begin = 0, end = 0;  // the addresses that are safe
  std::byte* host = nullptr;         // behind `begin`
  // Of global memory, in a part of a launch that has to note the access (speculative_memory.h).
  SpeculativeView* view = nullptr;
  bool tell = false;                                    // that view, or observers, of every access
  std::array<std::uint16_t, 32> cost = {}, ideal = {};  // by address & phase_mask; cost 0: unknown
  Tally* tally = nullptr;                               // of MemorySite::tallies
};

// What one memory instruction remembers, and has counted: its last access, and the last with other
// lanes. A warp at an edge and one inside often take turns.
struct MemorySite : CachedAccess {
  // Makes the earlier access the last one, if it was by these lanes.
  bool TurnTo(LaneMask lanes) {
    if (earlier.mask != lanes) return false;
    std::swap<CachedAccess>(*this, earlier);
    return true;
  }
  void Forget() { mask = earlier.mask = 0; }
  bool Remembers(TallyOf memory) const {
    const Tally* const its = &tallies[static_cast<std::size_t>(memory)];
    return tally == its || earlier.tally == its;
  }

  CachedAccess earlier;
  std::array<Tally, 3> tallies = {};
  // The worst access to global and to shared memory, by AccessExample::Memory: that with the
  // largest excess, and the least of those. To global memory none without excess.
  std::array<std::optional<AccessExample>, 2> worst;
};

struct BlockStats {
  std::uint64_t executions = 0;
  std::uint64_t lanes = 0;
  std::uint64_t divergent = 0;
  std::uint64_t uniform = 0;
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

struct Warp : Subwarp {         // the subwarp that runs
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

// Starts the lanes of `mask` in the kernel, or in a function that is called.
void EnterFunction(Warp& warp, const Program& program, LaneMask mask, const CallInfo* call);
// After the top path's lanes have all left it: the next path of the warp, of its callers too. False
// when the whole subwarp has ended.
bool NextPath(Warp& warp);
// Goes on with the frame on top of the stack.
void UseFrame(Warp& warp);
void PushPath(Warp& warp, BlockId block, BlockId reconverge, LaneMask mask);
// Sends the lanes of the top path to two blocks.
void Diverge(Warp& warp, LaneMask jumping, BlockId target, BlockId next, BlockId reconverge);
void BranchByTable(Warp& warp, const Step& step, const CodeBlock& code, BlockStats& stats,
                   LaneMask lanes);
// Lanes of the top path end (or leave the function, unless `exit`).
void Leave(Warp& warp, LaneMask lanes, bool exit);
// Copies the arguments of a call from the caller's frame to the callee's areas, or, with `back`,
// its results the other way; with the bytes goes their taint.
void CopyArguments(const Warp& warp, const Frame& caller,
                   const std::vector<CallInfo::Argument>& arguments, const Frame& callee,
                   const std::vector<ParamArea>& areas, LaneMask lanes, bool back);
// Carries out the call that ends the current block, for `lanes`.
void Call(Warp& warp, const Step& step, LaneMask lanes, const CodeBlock& block);

}  // namespace warpcheck::emulator
