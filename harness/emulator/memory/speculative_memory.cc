#include "emulator/memory/speculative_memory.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "base/check.h"
#include "base/round_up.h"

namespace warpcheck::emulator {
namespace {

// The most bytes of copies that a thread keeps from launch to launch.
constexpr std::uint64_t kKeptBytes = std::uint64_t{64} << 20;

// Returns true if the thread of `one` has written a byte that the thread of `other` has touched.
bool WroteWhatTouched(const PageMarks& one, const PageMarks& other) {
  for (std::uint64_t lines = one.dirty & (other.dirty | other.seen); lines != 0;
       lines &= lines - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(lines));
    const std::uint64_t touched = other.bytes->written[i] | other.bytes->read[i];
    if ((one.bytes->written[i] & touched) != 0) return true;
  }
  return false;
}

// Calls body(begin, count) for each run of the bytes of the line at `at` that `bits` names.
template <class Body>
void EachRun(std::uint64_t at, std::uint64_t bits, Body body) {
  while (bits != 0) {
    const int first = std::countr_zero(bits);
    const int count = std::countr_one(bits >> first);
    body(at + static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(count));
    if (first + count == 64) return;
    bits &= ~std::uint64_t{0} << (first + count);
  }
}

}  // namespace

SpeculativeView::SpeculativeView(const Allocation& allocation, bool tracks_writes)
    : main_(allocation.host),
      bytes_(allocation.bytes),
      tracks_writes_(tracks_writes),
      span_(RoundUp(allocation.bytes, PageMarks::kBytes) * (tracks_writes ? 2 : 1)),
      marks_(static_cast<std::uint64_t>(reinterpret_cast<std::byte*>(DeviceMemory::WrittenBehind(
                                            allocation.host, allocation.bytes)) -
                                        allocation.host)),
      pages_(RoundUp(allocation.bytes, PageMarks::kBytes) / PageMarks::kBytes) {}

void SpeculativeView::Add(std::uint64_t number) {
  if (touched_.size() == made_.size()) made_.emplace_back();
  pages_[number].bytes = &made_[touched_.size()];
  *pages_[number].bytes = {};
  touched_.push_back(number);
}

void SpeculativeView::MakeCopy() {
  copy_.reset(static_cast<std::byte*>(std::aligned_alloc(PageMarks::kBytes, span_)));
  if (copy_ == nullptr)
    // Then one thread runs the launch, without a copy (ParallelRun::RunPart).
    throw std::bad_alloc();
}

void SpeculativeView::Complete(std::uint64_t offset, std::uint64_t bytes) {
  constexpr std::uint64_t kLine = PageMarks::kLineBytes;
  for (std::uint64_t at = offset / kLine * kLine; at < offset + bytes; at += kLine) {
    PageMarks& page = pages_[at / PageMarks::kBytes];
    const std::uint64_t line = at / kLine % 64;
    if ((page.complete >> line & 1) != 0) continue;
    page.complete |= std::uint64_t{1} << line;
    EachRun(at, ~page.bytes->written[line], [&](std::uint64_t begin, std::uint64_t count) {
      CopyBytes(copy_.get(), main_, begin, count);
    });
  }
}

bool SpeculativeView::Meets(const SpeculativeView& other) const {
  return std::ranges::any_of(touched_, [&](std::uint64_t number) {
    const PageMarks& one = pages_[number];
    const PageMarks& two = other.pages_[number];
    return WroteWhatTouched(one, two) || WroteWhatTouched(two, one);
  });
}

void SpeculativeView::CopyBytes(std::byte* to, const std::byte* from, std::uint64_t begin,
                                std::uint64_t count) const {
  std::memcpy(to + begin, from + begin, count);
  if (tracks_writes_) std::memcpy(to + marks_ + begin, from + marks_ + begin, count);
}

// This must not write other bytes, because other threads merge the bytes beside them at the same
// time.
void SpeculativeView::MergePage(std::uint64_t at, const PageMarks& page) const {
  const auto copy = [&](std::uint64_t begin, std::uint64_t count) {
    CopyBytes(main_, copy_.get(), begin, count);
  };
  std::uint64_t whole = 0;
  for (std::uint64_t lines = page.dirty; lines != 0; lines &= lines - 1) {
    const int line = std::countr_zero(lines);
    const std::uint64_t written = page.bytes->written[static_cast<std::size_t>(line)];
    if (~written == 0) {
      whole |= std::uint64_t{1} << line;
    } else {
      EachRun(at + static_cast<std::uint64_t>(line) * PageMarks::kLineBytes, written, copy);
    }
  }
  EachRun(0, whole, [&](std::uint64_t first, std::uint64_t count) {
    copy(at + first * PageMarks::kLineBytes, count * PageMarks::kLineBytes);
  });
}

void SpeculativeView::Merge() const {
  for (const std::uint64_t number : touched_) {
    const PageMarks& page = pages_[number];
    if (page.dirty != 0) MergePage(number * PageMarks::kBytes, page);
  }
}

void SpeculativeView::Clear() {
  for (const std::uint64_t number : touched_) pages_[number] = {};
  touched_.clear();
  read_ = written_ = false;
}

void SpeculativeMemory::Begin(const DeviceMemory& memory, bool by_byte) {
  memory_ = &memory;
  by_byte_ = by_byte;
  recent_ = {};
  std::erase_if(views_, [&](const auto& entry) {
    const Allocation* allocation = memory.Find(entry.first, 1);
    return allocation == nullptr || !entry.second.Shows(*allocation);
  });
  for (auto& [begin, view] : views_) view.Clear();
}

SpeculativeView& SpeculativeMemory::Find(DeviceAddress begin) {
  const auto found = views_.find(begin);
  if (found != views_.end()) return found->second;
  const Allocation* allocation = memory_->Find(begin, 1);
  WARPCHECK_CHECK(allocation != nullptr && allocation->begin == begin, "no such allocation");
  return views_.try_emplace(begin, *allocation, memory_->tracks_writes()).first->second;
}

bool SpeculativeMemory::AnyPair(std::span<const SpeculativeMemory* const> parts, bool with_itself,
                                bool (SpeculativeView::*test)(const SpeculativeView&) const) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (const auto& [begin, view] : parts[i]->views_) {
      for (std::size_t j = with_itself ? i : i + 1; j < parts.size(); ++j) {
        const auto other = parts[j]->views_.find(begin);
        if (other != parts[j]->views_.end() && (view.*test)(other->second)) return true;
      }
    }
  }
  return false;
}

bool SpeculativeMemory::Mix(std::span<const SpeculativeMemory* const> parts) {
  return AnyPair(parts, true, &SpeculativeView::Mixes);
}

bool SpeculativeMemory::Meet(std::span<const SpeculativeMemory* const> parts) {
  return AnyPair(parts, false, &SpeculativeView::Meets);
}

void SpeculativeMemory::Merge() const {
  for (const auto& [begin, view] : views_) view.Merge();
}

void SpeculativeMemory::End() {
  std::uint64_t bytes = 0;
  std::erase_if(views_, [&](const auto& entry) {
    bytes += entry.second.copy_bytes();
    return bytes > kKeptBytes;
  });
}

}  // namespace warpcheck::emulator
