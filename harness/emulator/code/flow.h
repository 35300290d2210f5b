// Where the results of each instruction of a function come from: what a checker needs to follow
// values. Static, made once for a function.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/code/program.h"
#include "emulator/code/taint.h"

namespace warpcheck::emulator {

struct Flow {
  enum class Kind : std::uint8_t {
    kEachLane,   // each lane's results come from its own sources
    kSelect,     // the same, but from one of two sources, by the predicate that is the third
    kShuffle,    // from the first source of another lane
    kTogether,   // from the sources of all lanes: vote, match, redux, matrices
    kMemory,     // from memory, which the events of the access tell of; sources are addresses
    kLoadArea,   // from bytes of a parameter area: sources, `bytes` for each destination
    kStoreArea,  // to bytes of a parameter area: destinations, `bytes` for each source
  };
  Kind kind = Kind::kEachLane;
  bool reads_carry = false;
  bool writes_carry = false;
  std::uint32_t bytes = 0;
  std::vector<TaintIndex> destinations;
  std::vector<TaintIndex> sources;
  std::vector<TaintIndex> stored;  // of kMemory: values that go to memory
};

// One for each instruction, by its index.
std::vector<Flow> FlowsOf(const Program& program);

}  // namespace warpcheck::emulator
