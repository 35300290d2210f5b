#include "emulator/checkers/races/copies.h"

#include <bit>
#include <utility>

#include "emulator/record/overhead.h"

namespace warpcheck::emulator {
namespace {

// So many copies in flight are looked through in the time of one warp instruction.
constexpr std::size_t kSidesAnInstruction = 8;

CopyWords& WordsOf(const CopySide& side) {
  return side.writes ? side.memory->written_by_copies : side.memory->read_by_copies;
}

std::size_t KindOfGroup(AsyncCopy copy) { return copy == AsyncCopy::kByLane ? 0 : 1; }

}  // namespace

std::uint32_t CopySide::LaneAt(std::uint64_t address, std::uint32_t bytes_there) const {
  const LaneMask there = LanesAmong(lanes, [&](std::size_t lane) {
    return addresses[lane] < address + bytes_there && address < addresses[lane] + bytes;
  });
  return static_cast<std::uint32_t>(std::countr_zero(there != 0 ? there : lanes));
}

void RaceCopies::Clear() {
  full_ = false;
  sides_.clear();
  free_.clear();
  blocks_.clear();
}

void RaceCopies::Mark(const CopySide& side, LaneMask lanes, Id id, bool in_flight) {
  CopyWords& words = WordsOf(side);
  EachLane(lanes, [&](std::size_t lane) {
    const std::uint64_t offset = side.addresses[lane] - side.memory->shadow.begin();
    if (in_flight) {
      words.Put(offset, side.bytes, id);
    } else {
      words.Remove(offset, side.bytes, id);
    }
  });
}

RaceCopies::Id RaceCopies::Insert(CopySide side) {
  if (free_.empty()) {
    sides_.emplace_back();
    free_.push_back(static_cast<Id>(sides_.size()));
  }
  const Id id = free_.back();
  free_.pop_back();
  Mark(side, side.lanes, id, true);
  At(id) = side;
  return id;
}

RaceCopies::Id RaceCopies::Split(Id id, LaneMask lanes) {
  CopySide part = At(id);
  At(id).lanes &= ~lanes;
  part.lanes = lanes;
  return Insert(part);
}

CopySide RaceCopies::Complete(Id id, LaneMask lanes) {
  CopySide& side = At(id);
  Mark(side, lanes, id, false);
  side.lanes &= ~lanes;
  if (side.lanes == 0) free_.push_back(id);
  CopySide completed = side;
  completed.lanes = lanes;
  return completed;
}

void RaceCopies::EndBlock(const Block& block) {
  const auto found = blocks_.find(&block);
  if (found == blocks_.end()) return;
  for (const OfWarp& warp : found->second.warps) {
    for (const Id id : warp.sides) Complete(id, At(id).lanes);
  }
  blocks_.erase(found);
}

// Lanes whose copies are in different groups get different sides.
void RaceCopies::Add(const AccessEvent& event, AccessId id, Epoch now, WatchedMemory& memory) {
  OfWarp& warp = blocks_[event.warp.block].warps[event.warp.index];
  const auto& closed = warp.closed[KindOfGroup(event.info.copy)];
  for (LaneMask left = event.mask; left != 0;) {
    CopySide side;
    side.block = event.warp.block;
    side.warp = event.warp.index;
    side.copy = event.info.copy;
    side.kind = event.memory;
    side.memory = &memory;
    side.writes = event.info.kind == MemoryInfo::Kind::kStore;
    side.bytes = event.info.bytes;
    side.addresses = event.addresses;
    side.id = id;
    side.made = now;
    side.group = closed[static_cast<std::size_t>(std::countr_zero(left))];
    side.lanes = LanesAmong(left, [&](std::size_t lane) { return closed[lane] == side.group; });
    left &= ~side.lanes;
    full_ = full_ || (free_.empty() && sides_.size() >= kMost);
    if (full_) return;
    warp.sides.push_back(Insert(side));
  }
}

const CopySide* RaceCopies::CopyAt(const WatchedMemory& memory, bool writes, std::uint64_t address,
                                   std::uint32_t bytes) const {
  const std::uint64_t offset = address - memory.shadow.begin();
  Id id = memory.written_by_copies.empty() ? 0 : memory.written_by_copies.At(offset, bytes);
  if (id == 0 && writes && !memory.read_by_copies.empty()) {
    id = memory.read_by_copies.At(offset, bytes);
  }
  return id == 0 ? nullptr : &sides_[id - 1];
}

std::uint32_t RaceCopies::GroupsSince(const CopySide& side, std::uint32_t lane) const {
  const auto block = blocks_.find(side.block);
  if (block == blocks_.end()) return 0;
  return block->second.warps[side.warp].closed[KindOfGroup(side.copy)][lane] - side.group;
}

std::vector<CopySide> RaceCopies::OnGroup(const CopyGroupEvent& event) {
  std::vector<CopySide> completed;
  const auto block = blocks_.find(event.warp.block);
  if (block == blocks_.end()) return completed;  // the block has started no copy
  OfWarp& warp = block->second.warps[event.warp.index];
  auto& closed = warp.closed[event.bulk ? 1 : 0];
  if (event.what == CopyGroupEvent::What::kCommit) {
    EachLane(event.lanes, [&](std::size_t lane) { ++closed[lane]; });
    return completed;
  }
  SpendOverhead(*event.warp.launch, warp.sides.size() / kSidesAnInstruction);
  const AsyncCopy copy = event.bulk ? AsyncCopy::kBulkToGlobal : AsyncCopy::kByLane;
  std::erase_if(warp.sides, [&](Id id) {
    const CopySide& side = At(id);
    if (side.copy != copy) return false;
    if (side.writes && event.what == CopyGroupEvent::What::kWaitForReads) return false;
    const LaneMask over = LanesAmong(side.lanes & event.lanes, [&](std::size_t lane) {
      // The sum needs 64 bits, because a wait may allow more groups in flight than exist.
      return std::uint64_t{side.group} + event.under_way < closed[lane];
    });
    if (over == 0) return false;
    const bool all = over == side.lanes;
    completed.push_back(Complete(id, over));
    return all;
  });
  return completed;
}

// Attaches to this mbarrier the copies of the lanes that have no mbarrier yet.
void RaceCopies::Attach(OfBlock& block, const MbarrierEvent& event) {
  const bool bulk = event.what == MbarrierEvent::What::kBulkCopy;
  const AsyncCopy copy = bulk ? AsyncCopy::kBulkToShared : AsyncCopy::kByLane;
  OfMbarrier& mbarrier = block.mbarriers[event.barrier];
  std::vector<Id>& of_warp = block.warps[event.warp.index].sides;
  SpendOverhead(*event.warp.launch, of_warp.size() / kSidesAnInstruction);
  for (std::size_t i = 0; i < of_warp.size(); ++i) {
    Id id = of_warp[i];
    if (At(id).copy != copy || At(id).phase) continue;
    const LaneMask lanes = At(id).lanes & event.lanes;
    if (lanes == 0) continue;
    if (lanes != At(id).lanes) {
      id = Split(id, lanes);
      of_warp.push_back(id);
    }
    At(id).phase = CopySide::Phase{event.barrier, mbarrier.phase};
    mbarrier.sides.push_back(id);
  }
}

std::vector<CopySide> RaceCopies::OnMbarrier(const MbarrierEvent& event) {
  using What = MbarrierEvent::What;
  std::vector<CopySide> completed;
  const auto known = blocks_.find(event.warp.block);
  if (known == blocks_.end()) return completed;  // the block has started no copy
  OfBlock& block = known->second;
  if (event.what == What::kCopies || event.what == What::kBulkCopy) Attach(block, event);
  const auto found = block.mbarriers.find(event.barrier);
  if (found == block.mbarriers.end()) return completed;
  OfMbarrier& mbarrier = found->second;
  mbarrier.phase += event.phases_ended;
  if (event.what != What::kSawItsEnd) return completed;
  std::vector<Id> left;
  for (const Id id : mbarrier.sides) {
    const CopySide& side = At(id);
    // The thread may have waited for the copy already, and another copy may have its id now.
    const bool here = side.lanes != 0 && side.phase && side.block == event.warp.block &&
                      side.phase->barrier == event.barrier;
    if (!here) continue;
    if (side.phase->number >= mbarrier.phase) {
      left.push_back(id);
      continue;
    }
    std::erase(block.warps[side.warp].sides, id);
    completed.push_back(Complete(id, side.lanes));
  }
  mbarrier.sides = std::move(left);
  return completed;
}

}  // namespace warpcheck::emulator
