// Which copy under way is at each word of a stretch of memory (race_copies.h): most often none.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

namespace warpcheck::emulator {

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

}  // namespace warpcheck::emulator
