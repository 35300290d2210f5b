#include "cudart/tables/write_ledger.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/text.h"

namespace warpcheck::cudart {

void ByteRanges::Add(std::uint64_t begin, std::uint64_t end) {
  if (begin >= end) return;
  auto next = ranges_.upper_bound(begin);
  if (next != ranges_.begin() && std::prev(next)->second >= begin) --next;
  while (next != ranges_.end() && next->first <= end) {
    begin = std::min(begin, next->first);
    end = std::max(end, next->second);
    next = ranges_.erase(next);
  }
  ranges_[begin] = end;
  if (ranges_.size() <= kMost) return;
  const std::uint64_t first = ranges_.begin()->first;
  const std::uint64_t last = ranges_.rbegin()->second;
  ranges_ = {{first, last}};
}

void ByteRanges::Remove(std::uint64_t begin, std::uint64_t end) {
  if (begin >= end) return;
  auto next = ranges_.upper_bound(begin);
  if (next != ranges_.begin() && std::prev(next)->second > begin) --next;
  while (next != ranges_.end() && next->first < end) {
    const auto [first, last] = *next;
    next = ranges_.erase(next);
    if (first < begin) ranges_[first] = begin;
    if (last > end) ranges_[end] = last;
  }
}

std::uint64_t ByteRanges::CountIn(std::uint64_t begin, std::uint64_t end) const {
  auto next = ranges_.upper_bound(begin);
  if (next != ranges_.begin()) --next;
  std::uint64_t count = 0;
  for (; next != ranges_.end() && next->first < end; ++next) {
    const std::uint64_t first = std::max(begin, next->first);
    const std::uint64_t last = std::min(end, next->second);
    if (first < last) count += last - first;
  }
  return count;
}

std::uint64_t ByteRanges::FirstOutside(std::uint64_t begin, std::uint64_t end) const {
  const auto next = ranges_.upper_bound(begin);
  if (next == ranges_.begin()) return begin;
  return std::min(end, std::max(begin, std::prev(next)->second));
}

void WriteLedger::HostWrote(std::uint64_t begin, std::uint64_t end) {
  by_launch_.Remove(begin, end);
  by_host_.Add(begin, end);
}

std::string WriteLedger::CopiedToHost(std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t bytes = end - begin;
  const std::uint64_t by_launch = by_launch_.CountIn(begin, end);
  const std::uint64_t since_copy = since_copy_.CountIn(begin, end);
  const bool copied_before = copied_.CountIn(begin, end) == bytes;
  since_copy_.Remove(begin, end);
  copied_.Add(begin, end);
  if (by_launch == bytes) {
    if (!copied_before || since_copy == 0 || since_copy == bytes) return "";
    return fmt::format("since the host last copied these {}, launches have written only {} of them",
                       Counted(bytes, "byte"), Grouped(since_copy));
  }
  const std::uint64_t left = bytes - by_launch;
  const std::uint64_t first = by_launch_.FirstOutside(begin, end);
  const std::uint64_t by_host = by_host_.CountIn(begin, end);
  std::string text = fmt::format("no launch has written {} of these {}",
                                 left == bytes ? "any" : Grouped(left), Counted(bytes, "byte"));
  if (by_host == bytes) text += " since the host last filled them";
  if (by_host == 0) text += ", and nothing else has";
  if (left != bytes) text += fmt::format(". The first is byte {}", Grouped(first - begin));
  return text;
}

}  // namespace warpcheck::cudart
