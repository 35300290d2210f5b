// Lays out an access of a warp for a picture: for shared memory which lanes meet in which bank, for
// global memory which lanes use which bytes of which sector.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "device/launch_record.h"

namespace warpcheck {

// A row is a pass over the banks of shared memory, or a sector of global memory.
struct AccessLayout {
  enum class Use : std::uint8_t {
    kNone,  // no lane accesses it
    kGood,  // all of its sector is used, or its bank delivers no other word
    kPart,  // more than half of its sector is used
    kBad,   // at most half of its sector is used, or its bank needs more passes
  };
  struct Cell {               // a word of 4 bytes
    std::uint32_t lanes = 0;  // a mask of the lanes that access it
    Use use = Use::kNone;
  };
  struct Row {  // a pass, or a sector
    std::vector<Cell> cells;
    std::uint64_t at = 0;    // a sector's distance from the first one, in bytes
    std::uint64_t used = 0;  // how many bytes of the sector are used
  };

  AccessExample::Memory memory = AccessExample::Memory::kShared;
  std::vector<Row> rows;
  // The bank that needs the most passes, and their number.
  std::size_t fullest = 0;
  std::size_t passes = 0;
  bool has_shared_words = false;  // true if several lanes access one word
};

// Lays out an access whose offsets count from the address `base`. If `base` is not known, banks
// count from the bank of the lowest word. There are no rows if no lane takes part, or if GPUs do
// not make accesses of this form.
AccessLayout LayOut(const AccessExample& access, std::uint64_t base = 0);

// Returns "load", "store", "atomic" or "move of matrix rows".
std::string_view KindText(AccessExample::Kind kind);

}  // namespace warpcheck
