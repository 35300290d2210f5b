// CopyWords says which asynchronous copy in flight (copies.h) reads or writes each word of a piece
// of memory. Usually there is no copy at all.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

namespace warpcheck::emulator {

class CopyWords {
 public:
  bool empty() const { return pages_.empty(); }
  // Returns the number of a copy that touches one of these bytes, or 0 if there is no such copy.
  // All offsets are relative to the beginning of the memory.
  std::uint32_t At(std::uint64_t offset, std::uint32_t bytes) const;
  // Adds a copy. It replaces an earlier copy at the same word.
  void Put(std::uint64_t offset, std::uint32_t bytes, std::uint32_t copy);
  // Removes the copy from all of the words that still belong to it.
  void Remove(std::uint64_t offset, std::uint32_t bytes, std::uint32_t copy);

 private:
  static constexpr std::uint64_t kWordBytes = 4;  // copies consist of whole words
  static constexpr std::uint64_t kPageWords = 1024;
  struct Page {
    std::array<std::uint32_t, kPageWords> copies = {};
    std::uint32_t used = 0;  // the number of words with a copy
  };

  std::unordered_map<std::uint64_t, Page> pages_;  // contains only pages with a used word
};

}  // namespace warpcheck::emulator
