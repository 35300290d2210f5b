#include "cudart/order/used_memory.h"

#include <utility>

namespace warpcheck::cudart {
namespace {

using Memory = HostCall::Memory;

MemoryUse AtItsPlace(const Allocation* allocation, MemoryUse use) {
  if (allocation == nullptr || allocation->host == nullptr) return use;
  const std::uint64_t offset = allocation->OffsetOf(reinterpret_cast<const void*>(use.begin));
  const std::uint64_t bytes = use.end - use.begin;
  use.begin = Address(allocation->host) + offset;
  use.end = use.begin + bytes;
  return use;
}

}  // namespace

Memory MemoryAt(const MemoryTable& table, const void* pointer) {
  const Allocation* const allocation = table.Find(pointer);
  if (allocation == nullptr) {
    return table.IsOfProcess(pointer, 1) ? Memory::kPageable : Memory::kDevice;
  }
  if (allocation->host == nullptr) return Memory::kDevice;
  return allocation->managed() ? Memory::kManaged : Memory::kPinned;
}

void AddRows(const MemoryTable& table, MemoryUse::Kind kind, const Bytes& box,
             const Extent3& extent, LaunchUses& uses) {
  const Allocation* const allocation = table.Find(box.pointer);
  const Extent3 rows = Joined(extent, box.strides);
  const std::size_t most = uses.uses.size() + kMostUses;
  ForEachRow(rows, [&](std::uint64_t y, std::uint64_t z) {
    if (uses.uses.size() >= most) {
      uses.complete = false;
      return;
    }
    const std::uint64_t begin = Address(box.pointer) + box.strides.Offset(y, z);
    uses.uses.push_back(AtItsPlace(allocation, {kind, begin, begin + rows.width}));
  });
}

MemoryUse WriteOf(const Allocation& allocation) {
  return {MemoryUse::Kind::kWrite, allocation.start, allocation.start + allocation.bytes};
}

LaunchMemory MemoryOfLaunch(const MemoryTable& table, LaunchUses uses) {
  LaunchMemory memory{.uses = std::move(uses), .unseen = {}};
  const Allocation* last = nullptr;
  const auto find = [&](const MemoryUse& use) {
    const auto* const pointer = reinterpret_cast<const void*>(use.begin);
    if (last == nullptr || !last->Holds(pointer, 1)) last = table.Find(pointer);
    return last;
  };
  for (MemoryUse& use : memory.uses.before_wait) use = AtItsPlace(find(use), use);
  for (MemoryUse& use : memory.uses.uses) {
    const auto* const pointer = reinterpret_cast<const void*>(use.begin);
    find(use);
    const bool shared =
        last != nullptr && last->host != nullptr && last->Holds(pointer, use.end - use.begin);
    use = AtItsPlace(last, use);
    memory.tells_the_host = memory.tells_the_host || (shared && IsAtomic(use.kind));
    if (shared && use.kind == MemoryUse::Kind::kWrite) memory.unseen.push_back(use);
  }
  if (memory.tells_the_host) memory.unseen.clear();
  return memory;
}

}  // namespace warpcheck::cudart
