// Where the results of each instruction of a function come from: what a checker needs to follow
// values. Static, made once for a function.
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
    kEachLane,        // each lane's results come from its own sources
    kShuffle,         // from the first source of another lane
    kWarpCollective,  // from the sources of all lanes: vote, match, redux, matrices
    kMemory,          // from memory, which the events of the access tell of; sources are addresses
    kLoadArea,        // from bytes of a parameter area: sources, `bytes` for each destination
    kStoreArea,       // to bytes of a parameter area: destinations, `bytes` for each source
  };
  Kind kind = Kind::kEachLane;
  bool reads_carry = false;
  bool writes_carry = false;
  std::uint32_t bytes = 0;
  std::vector<TaintIndex> destinations;
  std::vector<TaintIndex> sources;
  std::vector<TaintIndex> stored;  // of kMemory: values that go to memory

  // What may hold anything without a change of the results (initialisation_decided.cc).

  // A bit for each source that chooses or is chosen: each bit of it, or the predicate, comes into
  // the results as it is, or not at all, as the other sources have it: and, or, selp, shifts.
  std::uint32_t bitwise = 0;
  bool product = false;  // of integers, the first two sources: 0 if one of them is
  ptx::BoolOp joins = ptx::BoolOp::kNone;  // setp and set: how they join the third source
  // Bytes a lane, 0 for a predicate. Only where one of the three above is set.
  std::vector<std::uint32_t> source_bytes;
  std::vector<std::uint32_t> destination_bytes;

  bool may_be_decided() const { return bitwise != 0 || product || joins != ptx::BoolOp::kNone; }
};

// One for each instruction, by its index.
std::vector<Flow> FlowsOf(const Program& program);

}  // namespace warpcheck::emulator
