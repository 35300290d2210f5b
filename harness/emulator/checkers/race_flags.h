// Order through memory: a thread writes data, then (after a fence) a flag, a lock or a counter; who
// reads that afterwards may use the data. Flags are what atomics and volatile accesses go to.
//
// Kept is what a query needs: for each flag who released what to it, for each block which flags it
// has looked at. Between blocks neither warps nor lanes are told apart: their barriers order them.
//
// A query looks at each flag that a block has looked at, and a program may have many of them. What
// queries take is bounded by what the kernels have done, and costs them nothing: beyond that nobody
// looks any more (worn_out), and beyond kMost nothing is kept (full).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emulator/checkers/race_clock.h"

namespace warpcheck::emulator {

class RaceFlags {
 public:
  static constexpr std::size_t kMost = std::size_t{1} << 19;  // releases, and looks at flags

  // `executed`: warp instructions of the launch so far, for as long as it takes.
  void BeginLaunch(const std::uint64_t* executed);
  bool empty() const { return flags_.empty(); }  // nobody has released anything

  // Whether there were more than kMost. Then nobody knows any more what is ordered.
  bool full() const { return kept_ > kMost; }
  // Whether the looks that all launches allow are spent. Then nobody knows either.
  bool worn_out() const { return worn_out_; }

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
  bool Ordered(const ThreadId& from, Stamp stamp, const ThreadId& to);
  void EndLaunch();

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
  // A look that saw more than the one before.
  struct FirstLook {
    std::size_t releases = 0;  // of the flag, that had been made
    Stamp at = 0;
  };
  struct Acquired {
    const Flag* flag = nullptr;
    std::uint32_t warp = 0;
    LaneMask lanes = 0;
    Stamp at = 0;                  // last
    std::vector<FirstLook> looks;  // ascending
  };

  // The flags that a block has looked at.
  struct Learnt {
    std::vector<Acquired> all;
    std::map<std::pair<const Flag*, std::uint32_t>, std::size_t> places;  // in it, by flag and warp
  };

  // False where no look is left.
  bool Look();
  // What `to` has learnt of `from`, if that includes `stamp`: all before the stamp that is given; 0
  // where it does not. `whole`: that holds for all lanes of the two warps.
  Stamp Tells(const Acquired& acquired, const ThreadId& from, Stamp stamp, const ThreadId& to,
              bool* whole);
  Stamp ToldInSteps(std::uint32_t from, Stamp stamp, std::uint32_t to);

  std::unordered_map<std::uint64_t, Flag> flags_;
  std::unordered_map<std::uint32_t, Learnt> acquired_;  // by block
  std::size_t kept_ = 0;
  std::size_t kept_looks_ = 0;
  // By two blocks, or two warps of a block: all that the one did before is known to the other.
  using Pair = std::pair<std::uint64_t, std::uint64_t>;
  struct PairHash {
    std::size_t operator()(const Pair& pair) const {
      return std::hash<std::uint64_t>()(pair.first * 0x9E3779B97F4A7C15U + pair.second);
    }
  };
  std::unordered_map<Pair, Stamp, PairHash> known_;
  const std::uint64_t* executed_ = nullptr;
  std::uint64_t executed_before_ = 0;  // by earlier launches
  std::uint64_t looks_ = 0;            // of all launches
  bool worn_out_ = false;
};

}  // namespace warpcheck::emulator
