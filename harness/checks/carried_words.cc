#include "checks/carried_words.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace warpcheck {
namespace {

std::uint32_t WordAt(std::span<const std::byte> bytes, std::size_t at) {
  std::uint32_t word = 0;
  std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
  return word;
}

}  // namespace

// Counts, strides and flags of loops on the host.
CarriedWords::CarriedWords() {
  for (std::uint32_t small = 0; small <= 32; ++small) known_.insert(small);
  for (std::uint32_t bit = 64; bit <= 65'536; bit *= 2) known_.insert(bit);
  known_.insert(~std::uint32_t{0});
}

void CarriedWords::Know(std::span<const std::byte> bytes) {
  for (std::size_t at = 0; at < bytes.size() && known_.size() < kMaxKnown; at += 4) {
    known_.insert(WordAt(bytes, at));
  }
}

std::uint64_t CarriedWords::NewBytes(std::span<const std::byte> bytes) {
  if (++handed_over_ > kMaxHandedOver) return std::max<std::uint64_t>(bytes.size(), 1);
  std::uint64_t count = 0;
  for (std::size_t at = 0; at < bytes.size(); at += 4) {
    if (at < kMaxParameters && known_.contains(WordAt(bytes, at))) continue;
    count += std::min<std::size_t>(4, bytes.size() - at);
  }
  return count;
}

// Of each word: whether it is known, and then which, or all of it.
std::uint64_t CarriedWords::BitsToSay(std::span<const std::byte> bytes) const {
  constexpr std::uint64_t kBitsOfAWord = 32;
  const std::size_t few = std::min(bytes.size(), kMaxParameters);
  std::uint64_t bits = (bytes.size() - few) * 8;
  for (std::size_t at = 0; at < few; at += 4) {
    const bool known = known_.contains(WordAt(bytes, at));
    bits += 1 + (known ? static_cast<std::uint64_t>(std::bit_width(known_.size())) : kBitsOfAWord);
  }
  return bits;
}

}  // namespace warpcheck
