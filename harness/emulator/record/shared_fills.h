// SharedFills counts how much shared memory the blocks of a launch take, where a block that fills
// its memory again and again takes it anew each time.
//
// A block that moves one tile after the other needs less memory than blocks that move one tile
// each, but not for each element: what it stores in one tile is 32 bits or 8 bits wide, as it is in
// theirs. So a block takes its shared memory as often as it has filled it. That is the number of
// times that it has stored to a byte. Bytes differ: a flag may be stored more often than a tile,
// and a last tile may be cut off. So the number is the median, in which each store has one vote:
// half of all stores go to bytes that the block has stored to at most that often.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "emulator/core/observer.h"

namespace warpcheck::emulator {

class SharedFills : public Observer {
 public:
  void OnBlockBegin(Block& block) override;
  void OnAccess(const AccessEvent& event) override;
  // Adds what the block has taken to Launch::shared_taken.
  void OnBlockEnd(Block& block) override;

 private:
  // The number of stores to each byte of a block's shared memory.
  using Stores = std::vector<std::uint32_t>;

  std::map<const Block*, Stores> blocks_;
  const Block* last_block_ = nullptr;  // that has accessed shared memory, and its stores
  Stores* last_stores_ = nullptr;
};

}  // namespace warpcheck::emulator
