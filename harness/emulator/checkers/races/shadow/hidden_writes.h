// HiddenWrites keeps writes that an atomic or volatile write has replaced as the last write of a
// cell. Two atomics do not race, so that the last of them says nothing about what was there before:
// a plain write of the same thread still races with the atomics of others, and an atomic of another
// thread with a plain read.
#pragma once

#include <cstdint>
#include <vector>

#include "emulator/checkers/races/shadow/access.h"
#include "emulator/checkers/races/shadow/access_id.h"

namespace warpcheck::emulator {

// The hidden writes of one page. As in the page, an entry from before the launch means nothing.
class HiddenWrites {
 public:
  struct Entry {
    Epoch epoch = 0;
    AccessId id = 0;
  };
  static constexpr std::uint32_t kGroups = 64;  // groups of cells in a page, one bit for each

  // True if some of the cells [first, first + count) of a page of `cells` cells may hide a write.
  bool MayHave(std::uint32_t first, std::uint32_t count, std::uint32_t cells) const {
    if (groups_ == 0) [[likely]]
      return false;
    const std::uint32_t width = cells / kGroups;
    const std::uint32_t low = first / width;
    const std::uint32_t high = (first + count - 1) / width;
    return (groups_ >> low & (~std::uint64_t{0} >> (kGroups - 1 - (high - low)))) != 0;
  }
  // Notes that the strong write `id` replaces `last`, the last write of the cell. `is_reduction`
  // says that it is an atomic that returns nothing, so that its thread cannot tell from it what the
  // others did before.
  void Replace(std::uint32_t cell, std::uint32_t cells, Entry last, AccessId id, bool is_reduction,
               const RaceWindow& window);
  // Returns the hidden write that an access of this strength may race with; its epoch is 0 if there
  // is none. The last write of the cell must be strong, since a weak one hides nothing.
  Entry RivalOf(std::uint32_t cell, Strength strength) const {
    const Pair& pair = pairs_[cell];
    return IsWeak(strength) ? pair.strong : pair.weak;
  }
  // Takes the writes of a page whose cells had four bytes, for one with a cell for each byte.
  void Split(const HiddenWrites& coarse);

 private:
  struct Pair {
    Entry weak;    // the last weak write
    Entry strong;  // the last strong write of another thread than the one that has replaced it
  };
  std::uint64_t groups_ = 0;
  std::vector<Pair> pairs_;  // one for each cell; empty until a write is hidden
};

}  // namespace warpcheck::emulator
