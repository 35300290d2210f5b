#include "provenance/sent_bytes.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace warpcheck {
namespace {

std::uint64_t HashOf(const std::byte* window) {
  std::uint64_t words[2];
  std::memcpy(words, window, sizeof words);
  return (words[0] * 0x9E3779B97F4A7C15U ^ words[1]) * 0xBF58476D1CE4E5B9U;
}

}  // namespace

void SentBytes::Begin(std::vector<std::span<const std::byte>> arrays) {
  *this = {};
  for (const auto& array : arrays) of_arrays_ += array.size();
  if (of_arrays_ < kLeast) return;
  arrays_ = std::move(arrays);
  for (std::size_t i = 0; i < arrays_.size(); ++i) {
    for (std::size_t at = 0; at + kWindow <= arrays_[i].size(); at += kStep) {
      windows_.try_emplace(HashOf(arrays_[i].data() + at), Place{i, at});
    }
  }
}

std::size_t SentBytes::Known(std::span<const std::byte> bytes) const {
  if (bytes.size() < kWindow) return 0;
  const auto found = windows_.find(HashOf(bytes.data()));
  if (found == windows_.end()) return 0;
  const std::span<const std::byte> there = arrays_[found->second.array].subspan(found->second.at);
  const auto [end, same] = std::ranges::mismatch(bytes, there);
  const auto length = static_cast<std::size_t>(end - bytes.begin());
  return length < kWindow ? 0 : length;
}

void SentBytes::Sent(std::span<const std::byte> bytes) {
  if (!watches()) return;
  while (!bytes.empty()) {
    std::size_t length = Known(bytes);
    if (length == 0) {
      length = 1;
      if (bytes.front() != std::byte{0}) ++foreign_;  // zeros are often room that is not used
    }
    bytes = bytes.subspan(length);
  }
}

void SentBytes::Passed(std::uint64_t bytes) {
  if (watches()) foreign_ += bytes - std::min(bytes, kParameters);
}

}  // namespace warpcheck
