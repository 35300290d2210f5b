// RaceSignals knows what threads have learnt of each other without an order: a thread writes
// something and then a flag, a lock or a counter, and another thread reads the flag. Unless fences,
// or releasing and acquiring accesses, stand between, the other thread may still read what was
// there before. RaceFlags finds the order that flags make; this finds where a program relies on an
// order that they do not make.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "emulator/checkers/races/clock.h"
#include "emulator/core/launch.h"

namespace warpcheck::emulator {

class RaceSignals {
 public:
  // Begins a launch. Only a kernel that reads by volatile, relaxed, acquiring or atomic accesses
  // can learn from another thread.
  void BeginLaunch(const Launch& launch);
  bool active() const { return reads_global_ || reads_shared_; }
  // Returns true if flags may lie in this memory.
  bool MayBeIn(MemoryKind memory) const {
    return memory == MemoryKind::kShared ? reads_shared_ : reads_global_;
  }

  // A write of a flag at epoch `at`, which is the epoch of nothing else. It releases to other
  // blocks what its block did before `released`, and to other warps what its warp did before
  // `released_in_block`. If it replaces the value, whatever was there, nobody can learn of earlier
  // writes any more.
  struct Write {
    ThreadId by;
    Epoch at = 0;
    Epoch released = 0;
    Epoch released_in_block = 0;
    bool replaces = false;
  };
  void Wrote(std::uint64_t flag, const Write& write);
  // Called when a thread reads the flag. Its block has learnt of other blocks then, and its warp of
  // other warps of the block.
  void Read(std::uint64_t flag, const ThreadId& by);
  // Forgets what the block has learnt, and the flags in its shared memory.
  void EndBlock(std::uint32_t block);

  // True if `reader` has read a flag that `writer` wrote after `epoch`. With `unreleased`, only
  // writes count that do not release what `writer` did at `epoch`. Flags at the address itself do
  // not count, nor do those that lanes of one warp write for each other.
  bool Tells(const ThreadId& writer, Epoch epoch, const ThreadId& reader, std::uint64_t address,
             bool unreleased) const;

 private:
  // Beyond these limits nothing new is kept: a race may be missed, and none is false.
  static constexpr std::size_t kMostWrites = std::size_t{1} << 20;
  static constexpr std::size_t kMostLearnt = 32;  // the last flags that a party has read

  // A Party learns as one: a block from other blocks, and a warp from the other warps of its block.
  using Party = std::uint64_t;
  static Party BlockOf(const ThreadId& id) { return id.block; }
  static Party WarpOf(const ThreadId& id) {
    return std::uint64_t{1} << 63 | std::uint64_t{id.block} * kMostWarps | id.warp();
  }

  struct LastWrite {
    std::uint64_t number = 0;  // among the writes of the flag, from 1
    Epoch at = 0;
    Epoch released = 0;
  };
  struct Flag {
    std::uint64_t writes = 0;
    std::uint64_t replaced = 0;                 // the number of the last write that replaced
    std::unordered_map<Party, LastWrite> last;  // of each party
  };
  // A party learnt this from its last read of a flag: the writes [from, to] are done.
  struct Learnt {
    const Flag* flag = nullptr;
    std::uint64_t address = 0;
    std::uint64_t from = 0;
    std::uint64_t to = 0;
  };
  struct LearntByParty {
    std::array<Learnt, kMostLearnt> flags = {};
    std::size_t next = 0;
  };
  void Learn(Party party, const Learnt& learnt);

  bool reads_global_ = false;
  bool reads_shared_ = false;
  std::size_t kept_ = 0;
  std::unordered_map<std::uint64_t, Flag> flags_;
  std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> in_shared_;  // flags, by block
  std::unordered_map<Party, LearntByParty> learnt_;
};

}  // namespace warpcheck::emulator
