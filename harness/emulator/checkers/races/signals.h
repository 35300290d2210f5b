// RaceSignals knows what threads have learnt of each other without an order: a thread writes
// something and then a flag, a lock or a counter, and another thread reads the flag. Unless fences,
// or releasing and acquiring accesses, stand between, the other thread may still read what was
// there before. RaceFlags finds the order that flags make; this finds where a program relies on an
// order that they do not make.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <utility>
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
  // Forgets what the block has learnt, what its warps have written, and the flags in its shared
  // memory.
  void EndBlock(std::uint32_t block);

  // True if `reader` has read a flag that `writer` wrote after `epoch`. With `unreleased`, only
  // writes count that do not release what `writer` did at `epoch`. Flags at the address itself do
  // not count, nor do those that lanes of one warp write for each other.
  bool Tells(const ThreadId& writer, Epoch epoch, const ThreadId& reader, std::uint64_t address,
             bool unreleased);

  // The most writes and reads of flags that are kept.
  static constexpr std::size_t kMost = std::size_t{1} << 21;
  // Returns true if the launch had more, or if too many steps were needed to look at them. Then
  // races may have been missed; none is false.
  bool full() const { return full_; }

 private:
  static constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 27;

  // A Party learns as one: a block from other blocks, and a warp from the other warps of its block.
  using Party = std::uint64_t;
  static Party BlockOf(const ThreadId& id) { return id.block; }
  static Party WarpOf(const ThreadId& id) {
    return std::uint64_t{1} << 63 | std::uint64_t{id.block} * kMostWarps | id.warp();
  }

  static bool IsWarp(Party party) { return party >> 63 != 0; }

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
  // A write of a flag that a party has learnt of.
  struct Told {
    std::uint64_t flag = 0;
    Epoch at = 0;  // 0 if there is none
    Epoch released = 0;
  };
  // A party learnt this from its last read of a flag: the writes [from, to] are done.
  struct Learnt {
    const Flag* flag = nullptr;
    std::uint64_t from = 0;
    std::uint64_t to = 0;
  };
  struct LearntByParty {
    // The last write of each other party, and its last one of another flag. Earlier ones say no
    // more: who has learnt of a write has learnt of what was released before it.
    std::unordered_map<Party, std::array<Told, 2>> writes;
    // Flags that many parties write, such as counters, by their addresses.
    std::unordered_map<std::uint64_t, Learnt> counters;
  };
  // The most writers of a flag that is no counter.
  static constexpr std::size_t kFewWriters = 8;

  void Learn(std::uint64_t flag, Party party, const Flag& known);
  void Learn(Party writer, const Told& told, LearntByParty& own);
  void Forget(Party party);
  // Returns false, and notes that the launch was too much, if no more may be kept.
  bool MayKeep();

  bool reads_global_ = false;
  bool reads_shared_ = false;
  std::size_t kept_ = 0;     // writes by parties, and what parties have learnt
  std::uint64_t steps_ = 0;  // of Tells
  bool full_ = false;
  std::unordered_map<std::uint64_t, Flag> flags_;
  std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> in_shared_;  // flags, by block
  // The flags that warps have written, by block. When a block has ended, nobody asks for its warps.
  std::unordered_map<std::uint32_t, std::vector<std::pair<Flag*, Party>>> by_warps_;
  std::unordered_map<Party, LearntByParty> learnt_;
};

}  // namespace warpcheck::emulator
