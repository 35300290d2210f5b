// Finds the order that flags make. A thread writes data and then, after a fence, a flag, a lock or
// a counter: it releases the data. A thread that reads the flag later acquires the data, and may
// use it. Every address of atomic or volatile accesses is a flag.
//
// RaceFlags keeps the releases of each flag, and the flags that each block has acquired. Between
// blocks, warps and lanes are not told apart: barriers of their blocks order them. Two blocks are
// ordered only by accesses and fences whose scope goes beyond a block, and only if the one that
// reads the flag has a fence or a barrier of its block behind the read (PTX ISA, "Memory
// Consistency Model": release and acquire patterns of morally strong operations).
//
// A query goes through all flags that a block has acquired, which may be many. The steps of all
// queries are limited in proportion to the instructions that the kernels have executed. When the
// steps are used up (out_of_budget), no order is known any more. When kMost is reached (full),
// nothing more is recorded.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emulator/checkers/races/clock.h"

namespace warpcheck::emulator {

// A FlagAccess says what an access to a flag orders.
struct FlagAccess {
  bool orders = false;        // it releases or acquires by itself; else a fence must do so
  bool beyond_block = false;  // its scope includes threads of other blocks

  friend auto operator<=>(const FlagAccess&, const FlagAccess&) = default;
};

class RaceFlags {
 public:
  // The most releases and acquires that are recorded, without those of EndBlock.
  static constexpr std::size_t kMost = std::size_t{1} << 19;

  // `*executed` is the number of warp instructions of the launch; it must live until EndLaunch.
  void BeginLaunch(const std::uint64_t* executed);
  bool empty() const { return flags_.empty(); }  // true if there was no release

  // Returns true if there were more than kMost. Then the order is unknown.
  bool full() const { return full_; }
  // Returns true if the steps for queries are used up. Then the order is unknown.
  bool out_of_budget() const { return out_of_budget_; }

  // The name of a flag identifies its address, in global memory or in the shared memory of a block.
  static std::uint64_t GlobalName(std::uint64_t address) { return address; }
  static std::uint64_t SharedName(std::uint32_t block, std::uint64_t offset) {
    return kShared | std::uint64_t{block} << 32 | offset;
  }
  static bool IsShared(std::uint64_t name) { return (name & kShared) != 0; }

  // Called when `thread` writes the flag at epoch `now`. It releases what its block did before the
  // block's last device-wide fence, and what its warp did before the warp's last fence. If the
  // write orders by itself, it releases all that came before. If it has the scope of the block, it
  // releases nothing to other blocks.
  void Release(std::uint64_t flag, const BlockClock& clock, std::uint32_t thread, Epoch now,
               FlagAccess access);
  // Called when lanes of a warp release what they did from epoch `since` to `until`, and nothing
  // else.
  void ReleaseOnly(std::uint64_t flag, std::uint32_t block, std::uint32_t warp, LaneMask lanes,
                   Epoch since, Epoch until);
  // Called when `thread` reads the flag at epoch `now`.
  void Acquire(std::uint64_t flag, std::uint32_t block, std::uint32_t thread, Epoch now,
               FlagAccess access);

  // True if what `from` did at `epoch` happens before what `to` does now, because of flags.
  // `clock` is that of the block of `to`.
  bool Ordered(const ThreadId& from, Epoch epoch, const ThreadId& to, const BlockClock& clock);
  // Forgets the flags in the shared memory of a block that has ended: nobody can read them any
  // more.
  void EndBlock(std::uint32_t block);
  void EndLaunch();

 private:
  struct ReleaseRecord {
    std::uint32_t block = 0;
    std::uint32_t warp = 0;
    LaneMask lanes = 0;
    Epoch block_until = 0;  // the release includes what the block did before this epoch
    Epoch warp_until = 0;   // the release includes what the warp did before this epoch
    Epoch since = 0;        // the release includes nothing from before this epoch
    Epoch at = 0;           // the epoch of the release itself
  };
  struct Flag {
    // Releases of the flag, ascending in time.
    std::vector<ReleaseRecord> releases;
    // Indices into releases.
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> of_block;
  };
  // An acquire that saw more releases than the acquire before it. Other acquires teach the warp
  // nothing, and are not kept.
  struct LaterAcquire {
    std::size_t releases = 0;  // how many releases of the flag it saw
    Epoch at = 0;
  };
  // The acquires of a flag by one warp, with accesses of one kind.
  struct FlagAcquires {
    const Flag* flag = nullptr;
    bool is_shared = false;  // the flag is in the shared memory of the block
    std::uint32_t warp = 0;
    FlagAccess access;
    LaneMask lanes = 0;
    Epoch at = 0;                     // the last acquire of the flag by the warp
    std::vector<LaterAcquire> later;  // all its acquires, ascending
  };

  // The flags that a block has acquired.
  struct AcquiresOfBlock {
    std::vector<FlagAcquires> all;
    std::map<std::tuple<const Flag*, std::uint32_t, FlagAccess>, std::size_t>
        places;  // in `all`, by flag, warp and kind of access
  };

  static constexpr std::uint64_t kShared = std::uint64_t{1} << 63;  // in the name of a flag

  // Returns how many releases of its flag had been seen before `until`.
  static std::size_t SeenBefore(const FlagAcquires& acquired, Epoch until);
  // Returns the epoch before which the block that `clock` belongs to must have seen releases of
  // other blocks to have acquired them.
  static Epoch AcquiredBefore(const FlagAcquires& acquired, const BlockClock& clock);

  // Takes one step from the budget of queries. Returns false if it is used up.
  bool SpendStep();
  // Looks for a release by `from` of what it did at `epoch`, among the releases that `acquired` has
  // seen. Returns the epoch before which everything of `from` is released to `to`, or 0 if there is
  // no such release. Sets `whole` if the answer is true for all lanes of the two warps.
  Epoch ReleasedBefore(const FlagAcquires& acquired, const ThreadId& from, Epoch epoch,
                       const ThreadId& to, const BlockClock& clock, bool* whole);
  // Does so for a release by another warp or lane of the block.
  Epoch ReleasedInBlock(const FlagAcquires& acquired, const ThreadId& from, Epoch epoch,
                        const ThreadId& to, bool* whole);
  // Looks for a chain of blocks, each of which releases what it has acquired from another.
  Epoch ReleasedThroughOthers(std::uint32_t from, Epoch epoch, std::uint32_t to,
                              const BlockClock& clock);

  // Returns the flag of that name. Notes it for EndBlock if it is new, and in shared memory.
  Flag& FlagOf(std::uint64_t name, std::uint32_t block);

  std::unordered_map<std::uint64_t, Flag> flags_;
  std::unordered_map<std::uint32_t, std::vector<std::uint64_t>> in_shared_;  // names, by block
  std::unordered_map<std::uint32_t, AcquiresOfBlock> acquired_;              // acquires, by block
  void Keep() { full_ = ++kept_ > kMost || full_; }

  std::size_t kept_ = 0;
  bool full_ = false;
  std::size_t kept_acquires_ = 0;
  // The answers of earlier queries, for a pair of blocks or of warps of one block: everything that
  // the first did before the epoch happens before what the second does now.
  using Pair = std::pair<std::uint64_t, std::uint64_t>;
  struct PairHash {
    std::size_t operator()(const Pair& pair) const {
      return std::hash<std::uint64_t>()(pair.first * 0x9E3779B97F4A7C15U + pair.second);
    }
  };
  using Answers = std::unordered_map<Pair, Epoch, PairHash>;
  Answers ordered_;                                              // of blocks
  std::unordered_map<std::uint32_t, Answers> ordered_in_block_;  // of the warps of each block
  const std::uint64_t* executed_ = nullptr;
  std::uint64_t executed_before_ = 0;  // instructions that were executed in earlier launches
  std::uint64_t steps_ = 0;            // steps of queries, in all launches
  bool out_of_budget_ = false;
};

}  // namespace warpcheck::emulator
