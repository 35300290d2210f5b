#include "emulator/record/shared_fills.h"

#include <cstddef>

#include "device/lanes.h"
#include "emulator/core/block.h"
#include "emulator/core/launch.h"

namespace warpcheck::emulator {
namespace {

// Returns how often a block has filled its memory, from the number of stores to each byte.
std::uint64_t FillsOf(const std::vector<std::uint32_t>& stores) {
  std::map<std::uint32_t, std::uint64_t> bytes;  // how many bytes have so many stores
  std::uint64_t all = 0;
  for (std::size_t i = 0; i < stores.size();) {
    const std::size_t begin = i;
    while (i < stores.size() && stores[i] == stores[begin]) ++i;
    if (stores[begin] == 0) continue;
    bytes[stores[begin]] += i - begin;
    all += stores[begin] * std::uint64_t{i - begin};
  }
  std::uint64_t passed = 0;
  for (const auto& [times, count] : bytes) {
    passed += times * count;
    if (2 * passed >= all) return times;
  }
  return 0;
}

}  // namespace

void SharedFills::OnBlockBegin(Block& block) { blocks_[&block].assign(block.shared.size(), 0); }

void SharedFills::OnAccess(const AccessEvent& event) {
  if (event.memory != MemoryKind::kShared || event.info.kind != MemoryInfo::Kind::kStore) return;
  if (last_block_ != event.warp.block) {
    last_block_ = event.warp.block;
    last_stores_ = &blocks_[last_block_];
  }
  Stores& stores = *last_stores_;
  // An access beyond the shared memory that the launch asked for may reach what the GPU adds to it.
  if (event.extent.end > stores.size()) stores.resize(event.extent.end);
  if (event.shape == AccessShape::kContiguous) {
    std::uint32_t* const end = stores.data() + event.extent.end;
    for (std::uint32_t* one = stores.data() + event.extent.begin; one != end; ++one) ++*one;
    return;
  }
  EachLane(event.mask, [&](std::size_t lane) {
    std::uint32_t* const first = stores.data() + event.addresses[lane];
    for (std::uint32_t byte = 0; byte < event.info.bytes; ++byte) ++first[byte];
  });
}

void SharedFills::OnBlockEnd(Block& block) {
  Stores& stores = blocks_[&block];
  block.launch->shared_taken += block.launch->shared_bytes * FillsOf(stores);
}

}  // namespace warpcheck::emulator
