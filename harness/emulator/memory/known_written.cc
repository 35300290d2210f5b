#include "emulator/memory/known_written.h"

#include <algorithm>
#include <cstring>

namespace warpcheck::emulator {
namespace {

// Returns how many bytes are written before the first one that is not.
std::uint64_t CountWritten(const std::uint8_t* written, std::uint64_t bytes) {
  std::uint64_t count = 0;
  for (; count + 64 <= bytes; count += 64) {
    std::uint64_t all = ~std::uint64_t{0};
    for (std::uint64_t i = 0; i < 64; i += 8) {
      std::uint64_t eight;
      std::memcpy(&eight, written + count + i, sizeof eight);
      all &= eight;
    }
    if (all != ~std::uint64_t{0}) break;
  }
  for (; count + 8 <= bytes; count += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, written + count, sizeof eight);
    if (eight != ~std::uint64_t{0}) break;
  }
  while (count < bytes && written[count] == kWritten) ++count;
  return count;
}

}  // namespace

void KnownWritten::Reset(std::uint64_t bytes) {
  const std::uint64_t pages = (bytes + kPageBytes - 1) / kPageBytes;
  if (pages != known_.size()) known_ = std::vector<std::atomic<std::uint16_t>>(pages);
  bytes_ = bytes;
  Forget(0, bytes);
}

std::uint64_t KnownWritten::BytesOf(std::uint64_t page) const {
  return std::min(bytes_ - page * kPageBytes, kPageBytes);
}

void KnownWritten::Note(std::uint64_t begin, std::uint64_t bytes) {
  const std::uint64_t end = begin + bytes;
  whole_ = whole_ || bytes == bytes_;
  for (std::uint64_t page = begin / kPageBytes; page * kPageBytes < end; ++page) {
    const std::uint64_t first = page * kPageBytes;
    const std::uint64_t known = known_[page].load(std::memory_order_relaxed);
    if (begin > first + known) continue;
    const std::uint64_t more = std::min(end - first, BytesOf(page));
    known_[page] = static_cast<std::uint16_t>(std::max(known, more));
  }
}

void KnownWritten::Forget(std::uint64_t begin, std::uint64_t bytes) {
  whole_ = false;
  for (std::uint64_t page = begin / kPageBytes; page * kPageBytes < begin + bytes; ++page) {
    const std::uint64_t before = std::max(begin, page * kPageBytes) - page * kPageBytes;
    const std::uint64_t known = known_[page].load(std::memory_order_relaxed);
    known_[page].store(static_cast<std::uint16_t>(std::min(known, before)),
                       std::memory_order_relaxed);
  }
}

bool KnownWritten::HoldPages(std::uint64_t page, std::uint64_t end) const {
  const std::uint64_t last = (end - 1) / kPageBytes;
  if (last - page >= kMostPages) return false;
  for (; page != last; ++page) {
    if (known_[page].load(std::memory_order_relaxed) != kPageBytes) return false;
  }
  return end - last * kPageBytes <= known_[last].load(std::memory_order_relaxed);
}

bool KnownWritten::LearnPages(const std::uint8_t* written, std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t last = (end - 1) / kPageBytes;
  std::uint64_t page = begin / kPageBytes;
  if (last - page >= kMostPages) return false;
  for (; page <= last; ++page) {
    const std::uint64_t first = page * kPageBytes;
    const std::uint64_t known = known_[page].load(std::memory_order_relaxed);
    const std::uint64_t needed = std::min(end - first, kPageBytes);
    if (known >= needed) continue;
    const std::uint64_t now = known + CountWritten(written + first + known, BytesOf(page) - known);
    if (now != known) {
      known_[page].store(static_cast<std::uint16_t>(now), std::memory_order_relaxed);
    }
    if (now < needed) return false;
  }
  return true;
}

}  // namespace warpcheck::emulator
