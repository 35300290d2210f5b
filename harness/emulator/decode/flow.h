// Says where the results of each instruction come from, so that a checker can follow values. It is
// computed once for a function.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/code/program.h"
#include "emulator/code/step.h"
#include "emulator/code/taint.h"
#include "ptx/module.h"

namespace warpcheck::emulator {

struct Flow {
  enum class Kind : std::uint8_t {
    kEachLane,  // each lane's results come from its own sources
    // Each lane's result is the first source of some other lane (shfl). The other sources name that
    // lane.
    kShuffle,
    kWarpCollective,  // results come from the sources of all lanes: vote, match, redux, matrices
    // Results come from the last source of each thread that waits at the barrier of the block.
    kBlockCollective,
    kWait,  // there are no results; the sources say who waits, and for whom or how long
    // Results come from memory, as the access event tells; the sources are addresses.
    kMemory,
    // The results are loaded from parameter memory: each destination register takes `bytes` bytes,
    // and each of these bytes is a source.
    kLoadArea,
    // The sources are stored to parameter memory: each source register fills `bytes` bytes, and
    // each of these bytes is a destination.
    kStoreArea,
  };
  Kind kind = Kind::kEachLane;
  bool reads_carry = false;
  bool writes_carry = false;
  std::uint32_t bytes = 0;
  std::vector<TaintIndex> destinations;
  std::vector<TaintIndex> sources;
  std::vector<TaintIndex> stored;  // for kMemory, the values that go to memory

  // The members below tell which sources may hold anything without a change of the results
  // (checkers/initialisation/undecided.h).

  // A bit for each source that selects bits, or whose bits are selected, as in and, or, selp and
  // shifts. Depending on the other sources, each bit of the source either enters the results
  // unchanged or does not enter them.
  std::uint32_t bitwise = 0;
  bool product =
      // True for an integer product of the first two sources, which is 0 if one of them is 0.
      false;
  // This operation combines the result of setp or set with the third source.
  ptx::BoolOp joins = ptx::BoolOp::kNone;
  // The bytes of each lane, or 0 for a predicate. They are filled in only if one of the three
  // members above is set.
  std::vector<std::uint32_t> source_bytes;
  std::vector<std::uint32_t> destination_bytes;

  bool may_be_decided() const { return bitwise != 0 || product || joins != ptx::BoolOp::kNone; }
};

// Returns the flow of each instruction by its index.
std::vector<Flow> FlowsOf(const Program& program);

}  // namespace warpcheck::emulator
