#include "emulator/checkers/races/shadow/copy_words.h"

namespace warpcheck::emulator {

std::uint32_t CopyWords::At(std::uint64_t offset, std::uint32_t bytes) const {
  const std::uint64_t last = (offset + bytes - 1) / kWordBytes;
  for (std::uint64_t word = offset / kWordBytes; word <= last; ++word) {
    const auto page = pages_.find(word / kPageWords);
    if (page == pages_.end()) continue;
    if (const std::uint32_t copy = page->second.copies[word % kPageWords]; copy != 0) return copy;
  }
  return 0;
}

void CopyWords::Put(std::uint64_t offset, std::uint32_t bytes, std::uint32_t copy) {
  const std::uint64_t last = (offset + bytes - 1) / kWordBytes;
  for (std::uint64_t word = offset / kWordBytes; word <= last; ++word) {
    Page& page = pages_[word / kPageWords];
    std::uint32_t& known = page.copies[word % kPageWords];
    if (known == 0) ++page.used;
    known = copy;
  }
}

void CopyWords::Remove(std::uint64_t offset, std::uint32_t bytes, std::uint32_t copy) {
  const std::uint64_t last = (offset + bytes - 1) / kWordBytes;
  for (std::uint64_t word = offset / kWordBytes; word <= last; ++word) {
    const auto page = pages_.find(word / kPageWords);
    if (page == pages_.end()) continue;
    std::uint32_t& known = page->second.copies[word % kPageWords];
    if (known != copy) continue;
    known = 0;
    if (--page->second.used == 0) pages_.erase(page);
  }
}

}  // namespace warpcheck::emulator
