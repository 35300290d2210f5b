#include "provenance/returned_bytes.h"

#include <algorithm>

namespace warpcheck {

void ReturnedBytes::Read(std::span<const std::byte> bytes) {
  if (reads_.size() == kMostReads || bytes.size() > kMostBytes - bytes_) return;
  bytes_ += bytes.size();
  reads_.push_back({.bytes = {bytes.begin(), bytes.end()}});
}

std::optional<ReturnedBytes::Place> ReturnedBytes::Find(std::span<const std::byte> bytes) {
  for (std::size_t i = 0; i < reads_.size(); ++i) {
    Kept& read = reads_[i];
    for (const std::size_t offset : {read.next, std::size_t{0}}) {
      const auto kept = std::span(read.bytes).subspan(offset);
      if (bytes.size() > kept.size() || !std::ranges::equal(bytes, kept.first(bytes.size()))) {
        continue;
      }
      read.next = offset + bytes.size();
      return Place{.read = i, .offset = offset};
    }
  }
  return std::nullopt;
}

}  // namespace warpcheck
