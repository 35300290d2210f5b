// Checks and updates the cells of a shadow page. This is the hot part of the race checker: one loop
// handles all lanes of a warp.
#pragma once

#include <cstdint>

#include "emulator/checkers/races/shadow/access.h"
#include "emulator/checkers/races/shadow/shadow_memory.h"

namespace warpcheck::emulator {

// A CellRow has neighbouring cells, which neighbouring lanes of a warp access; lane 0 accesses the
// first ones.
struct CellRow {
  std::uint32_t first = 0;  // the number of the first cell in the page
  std::uint32_t count = 0;
  std::uint32_t skip = 0;   // the number of cells of the access that lie before this page
  std::uint32_t shift = 0;  // each lane accesses 1 << shift cells
  AccessId id = 0;          // the id of lane 0; the ids of the other lanes follow
};

// Records that the row is read. Returns true if an earlier write to one of its cells may conflict.
bool ReadRow(ShadowPage& page, const CellRow& row, const RaceWindow& window);
// Records that the row is written. Returns true if an earlier access to one of its cells may
// conflict. Such cells, and some beside them, are not recorded; the caller must handle them one by
// one.
bool WriteRow(ShadowPage& page, const CellRow& row, const RaceWindow& window);

// The four functions below handle one cell, whose group must be unfolded.
inline bool WriteMayConflict(ShadowPage& page, std::uint32_t cell, AccessId id,
                             const RaceWindow& window) {
  return window.MayConflict(page.written()[cell], page.writer()[cell], id);
}
inline bool ReadMayConflict(ShadowPage& page, std::uint32_t cell, AccessId id,
                            const RaceWindow& window) {
  return window.MayConflict(page.read()[cell], page.reader()[cell], id) ||
         window.MayConflict(page.read_again()[cell], page.again()[cell], id);
}
// Keeps two readers of a cell: of two blocks if two blocks have read it, otherwise of two warps.
// Any later writer differs from at least one of them, which is enough to see the conflict.
inline void RecordRead(ShadowPage& page, std::uint32_t cell, AccessId id,
                       const RaceWindow& window) {
  page.GroupOf(cell).read = window.now;
  Epoch& read = page.read()[cell];
  AccessId& reader = page.reader()[cell];
  if (!window.MayConflict(read, reader, id)) {
    read = window.now;
    reader = id;
    return;
  }
  Epoch& read_again = page.read_again()[cell];
  AccessId& again = page.again()[cell];
  const bool are_apart =
      read < window.begin ? read_again >= window.begin : ((reader ^ again) & kWarpMask) != 0;
  if (are_apart && window.MayConflict(read_again, again, id)) return;
  read_again = window.now;
  again = id;
}
inline void RecordWrite(ShadowPage& page, std::uint32_t cell, AccessId id,
                        const RaceWindow& window) {
  page.GroupOf(cell).written = window.now;
  page.written()[cell] = window.now;
  page.writer()[cell] = id;
}

}  // namespace warpcheck::emulator
