#include "gpu/gpu_host_memory.h"

#include <cstring>
#include <new>

namespace warpcheck::gpu {
namespace {

constexpr std::uint64_t kMostHostBytes = std::uint64_t{1} << 40;
constexpr std::align_val_t kPage{4096};
constexpr int kFreshHost = 0xFF;  // NaN for every floating-point type, as in fresh device memory

std::byte* At(DeviceAddress address) { return reinterpret_cast<std::byte*>(address); }

// Calls row(memory, offset) for each row, where `offset` counts the bytes of the rows before it.
template <class Row>
void ForEachRow(const DeviceBox& box, const Extent3& extent, Row row) {
  std::uint64_t before = 0;
  for (std::uint64_t z = 0; z < extent.depth; ++z) {
    for (std::uint64_t y = 0; y < extent.height; ++y) {
      row(At(box.address + box.strides.Offset(y, z)), before);
      before += extent.width;
    }
  }
}

}  // namespace

DeviceResult<DeviceAddress> GpuHostMemory::Allocate(std::uint64_t bytes, HostMemory memory) {
  if (bytes == 0) return tl::unexpected(DeviceError::kInvalidValue);
  if (bytes > kMostHostBytes) return tl::unexpected(DeviceError::kMemoryAllocation);
  void* host = nullptr;
  CUdeviceptr managed = 0;
  CUresult result = CUDA_SUCCESS;
  switch (memory) {
    case HostMemory::kPageable:
      host = ::operator new(bytes, kPage, std::nothrow);
      if (host == nullptr) return tl::unexpected(DeviceError::kMemoryAllocation);
      break;
    case HostMemory::kPinned:
      result = api_.MemHostAlloc(&host, bytes, CU_MEMHOSTALLOC_DEVICEMAP);
      break;
    case HostMemory::kManaged:
      result = api_.MemAllocManaged(&managed, bytes, CU_MEM_ATTACH_GLOBAL);
      host = At(managed);
      break;
  }
  if (result != CUDA_SUCCESS) return tl::unexpected(ToDeviceError(result));
  std::memset(host, kFreshHost, bytes);
  const auto address = reinterpret_cast<DeviceAddress>(host);
  allocations_[address] = {.bytes = bytes, .memory = memory};
  return address;
}

bool GpuHostMemory::Free(DeviceAddress address) {
  const auto found = allocations_.find(address);
  if (found == allocations_.end()) return false;
  GiveBack(address, found->second.memory);
  allocations_.erase(found);
  return true;
}

void GpuHostMemory::FreeAll() {
  for (const auto& [address, allocation] : allocations_) GiveBack(address, allocation.memory);
  allocations_.clear();
}

// Memory that cannot be freed is lost with the context.
void GpuHostMemory::GiveBack(DeviceAddress address, HostMemory memory) {
  if (memory == HostMemory::kPageable) ::operator delete(At(address), kPage);
  if (memory == HostMemory::kPinned) (void)api_.MemFreeHost(At(address));
  if (memory == HostMemory::kManaged) (void)api_.MemFree(address);
}

bool GpuHostMemory::Holds(DeviceAddress address, std::uint64_t bytes) const {
  const auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return false;
  const auto& [begin, allocation] = *std::prev(after);
  const std::uint64_t offset = address - begin;
  return offset <= allocation.bytes && bytes <= allocation.bytes - offset;
}

GpuHostMemory::Contents GpuHostMemory::Save() const {
  Contents contents;
  for (const auto& [address, allocation] : allocations_) {
    contents[address].assign(At(address), At(address) + allocation.bytes);
  }
  return contents;
}

void GpuHostMemory::Restore(const Contents& contents) const {
  for (const auto& [address, bytes] : contents) {
    std::memcpy(At(address), bytes.data(), bytes.size());
  }
}

void WriteHostRows(const DeviceBox& to, const Extent3& extent, std::span<const std::byte> bytes) {
  ForEachRow(to, extent, [&](std::byte* row, std::uint64_t before) {
    std::memcpy(row, bytes.data() + before, extent.width);
  });
}

void ReadHostRows(const DeviceBox& from, const Extent3& extent, std::span<std::byte> bytes) {
  ForEachRow(from, extent, [&](const std::byte* row, std::uint64_t before) {
    std::memcpy(bytes.data() + before, row, extent.width);
  });
}

void FillHostRows(const DeviceBox& to, const Extent3& extent, std::byte value) {
  ForEachRow(to, extent, [&](std::byte* row, std::uint64_t) {
    std::memset(row, std::to_integer<int>(value), extent.width);
  });
}

}  // namespace warpcheck::gpu
