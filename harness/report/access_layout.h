// An access of a warp laid out as rows of cells, for every way to draw it: of shared memory the
// passes over the banks, of global memory the sectors and their words.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "device/access_example.h"

namespace warpcheck {

struct AccessLayout {
  enum class Use : std::uint8_t {
    kNone,  // nobody touches it
    kGood,  // all of its sector is used, or its bank gives this word alone
    kPart,  // more than half of its sector is used
    kBad,   // no more than half is, or its bank gives others in other passes
  };
  struct Cell {               // a word of 4 bytes
    std::uint32_t lanes = 0;  // that touch it
    Use use = Use::kNone;
  };
  struct Row {  // a pass, or a sector
    std::vector<Cell> cells;
    std::uint64_t at = 0;    // of a sector: bytes from the first one
    std::uint64_t used = 0;  // bytes of it
  };

  AccessExample::Memory memory = AccessExample::Memory::kShared;
  std::vector<Row> rows;
  // The bank that gives words in most of the passes, and in how many.
  std::size_t fullest = 0;
  std::size_t passes = 0;
  bool has_shared_words = false;  // several lanes touch one word
};

// `base`: what the offsets are counted from; where it is not known, banks are counted from that of
// the lowest word. No rows for an access that nobody takes part in, or that no GPU makes.
AccessLayout LayOut(const AccessExample& access, std::uint64_t base = 0);

}  // namespace warpcheck
