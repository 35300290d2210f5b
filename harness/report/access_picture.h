// An access of a warp as a picture: for shared memory which lanes meet in which bank, for global
// memory which lanes use which bytes of which sector.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "device/launch_record.h"
#include "report/page_template.h"
#include "report/reports.h"

namespace warpcheck {

// The access laid out as rows of cells, for every way to draw it: of shared memory the passes over
// the banks, of global memory the sectors and their words.
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

// "load", "atomic".
std::string_view KindText(AccessExample::Kind kind);

// Lines of at most 100 columns, without the place and the source, which are the caller's. A cell
// holds the lane that touches its word; "3*" where lanes from 3 on share it.
std::string AccessPicture(const AccessLayout& layout, const TerminalStyle& style);

// For {{> access_figure}}: the same as a figure with an SVG, and what it shows in words. Null for a
// layout without rows. Up to 32 rows are drawn.
PageModel AccessFigureModel(const AccessExample& access);

}  // namespace warpcheck
