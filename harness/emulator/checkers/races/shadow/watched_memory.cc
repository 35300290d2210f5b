#include "emulator/checkers/races/shadow/watched_memory.h"

#include <utility>

namespace warpcheck::emulator {

std::unique_ptr<WatchedMemory> RaceMemory::Make(std::uint64_t begin, std::uint64_t end,
                                                std::size_t most) {
  auto memory = std::make_unique<WatchedMemory>(pool_, begin, end);
  memory->most_deferred = most;
  if (free_logs_.empty()) free_logs_.push_back(std::make_unique<ReadLog>());
  memory->deferred = std::move(free_logs_.back());
  free_logs_.pop_back();
  return memory;
}

void RaceMemory::GiveBack(WatchedMemory& memory) {
  if (free_logs_.size() == kKeptLogs) return;
  memory.deferred->ClearAll();
  free_logs_.push_back(std::move(memory.deferred));
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
