// RaceMemory is the memory that the race checker watches during a launch: each allocation, and
// the shared memory of each block that runs.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "emulator/checkers/races/shadow/copy_words.h"
#include "emulator/checkers/races/shadow/read_log.h"
#include "emulator/checkers/races/shadow/shadow_memory.h"
#include "emulator/core/block.h"
#include "emulator/core/observer.h"

namespace warpcheck::emulator {

// One allocation, or the shared memory of one block.
struct WatchedMemory {
  WatchedMemory(ShadowPool& pool, std::uint64_t begin, std::uint64_t end)
      : shadow(pool, begin, end) {}

  ShadowStretch shadow;
  CopyWords read_by_copies, written_by_copies;  // words that copies in flight access (copies.h)
  std::unique_ptr<ReadLog> deferred;
  std::size_t most_deferred = 0;
  // True if a thread wrote to it, or read it in another way; further reads are not deferred.
  bool written = false;
};

class RaceMemory {
 public:
  void EndLaunch();
  // Returns true if accesses were not checked because there was no shadow memory for them.
  bool Full() const { return pool_.refused(); }

  // Returns the shared memory of the block, which has `bytes` bytes.
  WatchedMemory& SharedOf(const Block& block, std::uint64_t bytes) {
    if (current_block_ != &block) [[unlikely]]
      EnterShared(block, bytes);
    return *current_shared_;
  }
  // Returns the allocation that the access goes to.
  WatchedMemory& GlobalOf(const AccessEvent& event) {
    WatchedMemory*& recent = recent_[(event.begin >> 24) % recent_.size()];
    if (recent == nullptr || recent->shadow.begin() != event.begin) [[unlikely]]
      recent = &FindGlobal(event);
    return *recent;
  }

 private:
  // The most deferred reads, of 16 bytes each. The deferred reads of shared memory are dropped at
  // each barrier.
  static constexpr std::size_t kMostOfShared = std::size_t{1} << 11;
  static constexpr std::size_t kMostOfGlobal = std::size_t{1} << 20;
  static constexpr std::size_t kKeptLogs = 8;

  void EnterShared(const Block& block, std::uint64_t bytes);
  WatchedMemory& FindGlobal(const AccessEvent& event);
  std::unique_ptr<WatchedMemory> Make(std::uint64_t begin, std::uint64_t end, std::size_t most);
  void GiveBack(WatchedMemory& memory);

  ShadowPool pool_;
  std::vector<std::unique_ptr<ReadLog>> free_logs_;  // at most kKeptLogs empty logs, for later use
  std::map<const Block*, std::unique_ptr<WatchedMemory>> shared_;
  const Block* current_block_ = nullptr;
  WatchedMemory* current_shared_ = nullptr;
  std::unordered_map<std::uint64_t, std::unique_ptr<WatchedMemory>>
      global_;  // allocations by the address at which they begin
  std::array<WatchedMemory*, 16> recent_ = {};
};

}  // namespace warpcheck::emulator
