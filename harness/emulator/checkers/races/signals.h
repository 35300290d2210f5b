// RaceSignals knows what blocks have learnt of each other without a fence: a block writes something
// and then a flag, a lock or a counter, and another block reads the flag. Without a fence before
// the flag, the other block may still read what was there before. RaceFlags finds the order that
// flags make; this finds where a program relies on an order that they do not make.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "emulator/checkers/races/clock.h"
#include "emulator/core/launch.h"

namespace warpcheck::emulator {

class RaceSignals {
 public:
  // Begins a launch. Only a kernel that reads by volatile, relaxed, acquiring or atomic accesses
  // can learn from another block.
  void BeginLaunch(const Launch& launch);
  bool active() const { return active_; }

  // Called when a block writes the flag at epoch `at`, which is the epoch of nothing else. What the
  // block did before `released` is released with it. If the write replaces the value, whatever was
  // there, nobody can learn of earlier writes any more.
  void Wrote(std::uint64_t flag, std::uint32_t block, Epoch at, Epoch released, bool replaces);
  // Called when a block reads the flag.
  void Read(std::uint64_t flag, std::uint32_t block);
  void EndBlock(std::uint32_t block) { learnt_.erase(block); }

  // True if block `reader` has read a flag that block `writer` wrote after `epoch`, and that does
  // not release what `writer` did at `epoch`. Flags at the address itself do not count.
  bool Tells(std::uint32_t writer, Epoch epoch, std::uint32_t reader, std::uint64_t address) const;

 private:
  // Beyond these limits nothing new is kept: a race may be missed, and none is false.
  static constexpr std::size_t kMostWrites = std::size_t{1} << 20;
  static constexpr std::size_t kMostLearnt = 32;  // the last flags that a block has read

  struct Write {
    std::uint64_t number = 0;  // among the writes of the flag, from 1
    Epoch at = 0;
    Epoch released = 0;
  };
  struct Flag {
    std::uint64_t writes = 0;
    std::uint64_t replaced = 0;                     // the number of the last write that replaced
    std::unordered_map<std::uint32_t, Write> last;  // of each block
  };
  // A block learnt this from its last read of a flag: the writes [from, to] are done.
  struct Learnt {
    const Flag* flag = nullptr;
    std::uint64_t address = 0;
    std::uint64_t from = 0;
    std::uint64_t to = 0;
  };
  struct LearntByBlock {
    std::array<Learnt, kMostLearnt> flags = {};
    std::size_t next = 0;
  };

  bool active_ = false;
  std::size_t kept_ = 0;
  std::unordered_map<std::uint64_t, Flag> flags_;
  std::unordered_map<std::uint32_t, LearntByBlock> learnt_;
};

}  // namespace warpcheck::emulator
