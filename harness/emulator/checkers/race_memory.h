// The pieces of memory that race_checker.cc watches during a launch.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "emulator/checkers/read_log.h"
#include "emulator/checkers/shadow_memory.h"
#include "emulator/core/block.h"
#include "emulator/core/observer.h"

namespace warpcheck::emulator {

// Which copy under way is at each word of a stretch of memory (race_copies.h): most often none.

class CopyWords {
 public:
  bool empty() const { return pages_.empty(); }
  // The number of a copy at one of these bytes; 0: there is none. Offsets are from the beginning of
  // the stretch.
  std::uint32_t At(std::uint64_t offset, std::uint32_t bytes) const;
  // Of copies at one word the last is known.
  void Put(std::uint64_t offset, std::uint32_t bytes, std::uint32_t copy);
  // Where that copy is.
  void Remove(std::uint64_t offset, std::uint32_t bytes, std::uint32_t copy);

 private:
  static constexpr std::uint64_t kWordBytes = 4;  // of which copies have whole ones
  static constexpr std::uint64_t kPageWords = 1024;
  struct Page {
    std::array<std::uint32_t, kPageWords> copies = {};
    std::uint32_t used = 0;  // words that have a copy
  };

  std::unordered_map<std::uint64_t, Page> pages_;  // those with a word in use
};

// An allocation, or the shared memory of a block while it runs.
struct WatchedMemory {
  WatchedMemory(ShadowPool& pool, std::uint64_t begin, std::uint64_t end)
      : shadow(pool, begin, end) {}

  ShadowStretch shadow;
  CopyWords read_by_copies, written_by_copies;  // that are under way: race_copies.h
  std::unique_ptr<ReadLog> put_off;
  std::size_t most_put_off = 0;
  bool written = false;  // or read otherwise, so that nothing is put off any more
};

class RaceMemory {
 public:
  void EndLaunch();
  // True where accesses were not looked at: there was no room for what they touch.
  bool Full() const { return pool_.refused(); }

  // `bytes`: of shared memory.
  WatchedMemory& SharedOf(const Block& block, std::uint64_t bytes) {
    if (current_block_ != &block) [[unlikely]]
      EnterShared(block, bytes);
    return *current_shared_;
  }
  // The one that an access goes to.
  WatchedMemory& GlobalOf(const AccessEvent& event) {
    WatchedMemory*& recent = recent_[(event.begin >> 24) % recent_.size()];
    if (recent == nullptr || recent->shadow.begin() != event.begin) [[unlikely]]
      recent = &FindGlobal(event);
    return *recent;
  }

 private:
  // Reads that are put off: 16 bytes each, and what shared memory has is soon forgotten.
  static constexpr std::size_t kMostOfShared = std::size_t{1} << 11;
  static constexpr std::size_t kMostOfGlobal = std::size_t{1} << 20;
  static constexpr std::size_t kKeptLogs = 8;

  void EnterShared(const Block& block, std::uint64_t bytes);
  WatchedMemory& FindGlobal(const AccessEvent& event);
  std::unique_ptr<WatchedMemory> Make(std::uint64_t begin, std::uint64_t end, std::size_t most);
  void GiveBack(WatchedMemory& memory);

  ShadowPool pool_;
  std::vector<std::unique_ptr<ReadLog>> free_logs_;  // at most kKeptLogs, to be used again
  std::map<const Block*, std::unique_ptr<WatchedMemory>> shared_;
  const Block* current_block_ = nullptr;
  WatchedMemory* current_shared_ = nullptr;
  std::unordered_map<std::uint64_t, std::unique_ptr<WatchedMemory>> global_;  // by begin
  std::array<WatchedMemory*, 16> recent_ = {};
};

}  // namespace warpcheck::emulator
