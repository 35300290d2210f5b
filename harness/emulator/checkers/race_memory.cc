#include "emulator/checkers/race_memory.h"

#include <utility>

namespace warpcheck::emulator {

std::uint32_t ReadLog::NewPattern(const AccessEvent& event, std::uint64_t lowest) {
  if (patterns_.size() == kMostPatterns) return kNone;
  const auto index = static_cast<std::uint32_t>(patterns_.size());
  Pattern& pattern = patterns_.emplace_back();
  for (std::size_t lane = 0; lane < pattern.size(); ++lane) {
    pattern[lane] = static_cast<std::uint32_t>(event.addresses[lane] - lowest);
  }
  if (event.pattern != 0) known_[event.pattern % known_.size()] = {event.pattern, index};
  return index;
}

void ReadLog::Clear() {
  reads_.clear();
  windows_.clear();
  if (patterns_.size() > kMostPatterns / 2) ClearAll();
}

void ReadLog::ClearAll() {
  reads_.clear();
  windows_.clear();
  patterns_.clear();
  known_ = {};
}

LaneAddresses ReadLog::AddressesOf(const Read& read, std::uint64_t begin) const {
  LaneAddresses addresses;
  const auto bytes = std::uint32_t{1} << read.width;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane) {
    std::uint32_t offset = read.offset;
    switch (static_cast<AccessShape>(read.shape)) {
      case AccessShape::kContiguous:
        offset += lane * bytes;
        break;
      case AccessShape::kUniform:
        break;
      case AccessShape::kScattered:
        offset += patterns_[read.pattern][lane];
        break;
    }
    addresses[lane] = begin + offset;
  }
  return addresses;
}

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

std::unique_ptr<WatchedMemory> RaceMemory::Make(std::uint64_t begin, std::uint64_t end,
                                                std::size_t most) {
  auto memory = std::make_unique<WatchedMemory>(pool_, begin, end);
  memory->most_put_off = most;
  if (free_logs_.empty()) free_logs_.push_back(std::make_unique<ReadLog>());
  memory->put_off = std::move(free_logs_.back());
  free_logs_.pop_back();
  return memory;
}

void RaceMemory::GiveBack(WatchedMemory& memory) {
  if (free_logs_.size() == kKeptLogs) return;
  memory.put_off->ClearAll();
  free_logs_.push_back(std::move(memory.put_off));
}

void RaceMemory::EnterShared(const Block& block, std::uint64_t bytes) {
  std::unique_ptr<WatchedMemory>& memory = shared_[&block];
  if (memory == nullptr) memory = Make(0, bytes, kMostOfShared);
  current_block_ = &block;
  current_shared_ = memory.get();
}

WatchedMemory& RaceMemory::FindGlobal(const AccessEvent& event) {
  std::unique_ptr<WatchedMemory>& memory = global_[event.begin];
  if (memory == nullptr) memory = Make(event.begin, event.end, kMostOfGlobal);
  return *memory;
}

void RaceMemory::EndLaunch() {
  for (auto& [block, memory] : shared_) GiveBack(*memory);
  for (auto& [begin, memory] : global_) GiveBack(*memory);
  shared_.clear();
  global_.clear();
  recent_ = {};
  current_block_ = nullptr;
  current_shared_ = nullptr;
}

}  // namespace warpcheck::emulator
