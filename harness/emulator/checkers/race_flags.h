// Order through memory: a thread writes data, then (after a fence) a flag, a lock or a counter; who
// reads that afterwards may use the data. Flags are what atomics and volatile accesses go to.
//
// Kept is what a query needs: for each flag who released what to it, for each block which flags it
// has looked at. Between blocks neither warps nor lanes are told apart: their barriers order them.
//
// A query looks at each flag that a block has looked at. A program may have many of them, so that
// what queries take is taken from the launch's budget, too; and beyond kMost nothing is kept.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emulator/checkers/race_clock.h"

namespace warpcheck::emulator {

class RaceFlags {
 public:
  static constexpr std::size_t kMost = std::size_t{1} << 19;  // releases, and looks at flags

  // `budget`: warp instructions left, for as long as the launch takes.
  void BeginLaunch(std::uint64_t* budget);
  bool empty() const { return flags_.empty(); }  // nobody has released anything

  // Whether there were more than kMost. Then nobody knows any more what is ordered.
  bool full() const { return kept_ > kMost; }

  // A flag is named by its address: in global memory, or in the shared memory of a block.
  static std::uint64_t GlobalName(std::uint64_t address) { return address; }
  static std::uint64_t SharedName(std::uint32_t block, std::uint64_t offset) {
    return std::uint64_t{1} << 63 | std::uint64_t{block} << 32 | offset;
  }

  // `thread` writes the flag at `now`. It releases what the block did before its last fence of the
  // device, what the warp did before its own last fence; all that came before where the access
  // itself has release semantics.
  void Release(std::uint64_t flag, const BlockClock& clock, std::uint32_t thread, Stamp now,
               bool releases_all);
  // Lanes of a warp release what they did from `since` to `until`, and nothing before.
  void ReleaseOnly(std::uint64_t flag, std::uint32_t block, std::uint32_t warp, LaneMask lanes,
                   Stamp since, Stamp until);
  // `thread` reads the flag at `now`.
  void Acquire(std::uint64_t flag, std::uint32_t block, std::uint32_t thread, Stamp now);

  // Whether `to` has learnt through flags of what `from` did at `stamp`.
  bool Ordered(const ThreadId& from, Stamp stamp, const ThreadId& to) const;

 private:
  struct Released {
    std::uint32_t block = 0;
    std::uint32_t warp = 0;
    LaneMask lanes = 0;
    Stamp block_until = 0;  // what the block did before
    Stamp warp_until = 0;   // what the warp did before
    Stamp since = 0;        // and not before that
    Stamp at = 0;
  };
  struct Flag {
    std::vector<Released> releases;                                          // ascending in time
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> of_block;  // indices of them
  };
  struct Acquired {
    const Flag* flag = nullptr;
    std::uint32_t warp = 0;
    LaneMask lanes = 0;
    Stamp at = 0;  // last
  };

  // The flags that a block has looked at.
  struct Learnt {
    std::vector<Acquired> all;
    std::map<std::pair<const Flag*, std::uint32_t>, std::size_t> places;  // in it, by flag and warp
  };

  void Charge() const;
  bool Tells(const Acquired& acquired, const ThreadId& from, Stamp stamp, const ThreadId& to) const;
  bool OrderedInSteps(std::uint32_t from, Stamp stamp, std::uint32_t to) const;

  std::unordered_map<std::uint64_t, Flag> flags_;
  std::unordered_map<std::uint32_t, Learnt> acquired_;  // by block
  std::size_t kept_ = 0;
  std::uint64_t* budget_ = nullptr;
};

}  // namespace warpcheck::emulator
