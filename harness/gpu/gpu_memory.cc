#include "gpu/gpu_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/round_up.h"
#include "base/text.h"

namespace warpcheck::gpu {

std::byte RedZoneByte(DeviceAddress address) {
  if (address % 4 != 0) return std::byte{0xFF};
  constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15;  // 2^64 divided by the golden ratio
  constexpr unsigned kLowest =
      0x81;  // the top bit makes a bfloat16 NaN; 0xFF would be the integer -1
  constexpr unsigned kValues = 0xFE - kLowest + 1;
  return static_cast<std::byte>(kLowest + ((address / 4 * kMix) >> 40) % kValues);
}

std::vector<std::byte> RedZone(DeviceAddress begin, std::uint64_t bytes) {
  std::vector<std::byte> zone(bytes);
  for (std::uint64_t i = 0; i < bytes; ++i) zone[i] = RedZoneByte(begin + i);
  return zone;
}

std::optional<Damage> FindDamage(DeviceAddress begin, std::span<const std::byte> zone) {
  Damage damage;
  for (std::uint64_t i = 0; i < zone.size(); ++i) {
    if (zone[i] == RedZoneByte(begin + i)) continue;
    if (damage.changed == 0) damage.first = i;
    damage.last = i;
    ++damage.changed;
  }
  if (damage.changed == 0) return std::nullopt;
  return damage;
}

namespace {

constexpr std::uint64_t kAllocationAlignment = 512;
constexpr std::uint64_t kMostBytes = std::uint64_t{1}
                                     << 48;  // more than any GPU has, and safe from overflow
constexpr unsigned char kFresh = 0xFF;       // NaN for every floating-point type

std::string Bytes(std::uint64_t count) { return Counted(count, "byte"); }

// Returns a description of what a kernel did to the red zone before or after an allocation.
Finding Written(const GpuAllocation& allocation, bool behind, const Damage& damage,
                const std::string& kernel) {
  Finding finding;
  finding.kind = FindingKind::kOutOfBoundsWrite;
  finding.kernel = kernel;
  std::string place;
  if (!behind) {
    place = Bytes(allocation.zone_bytes - damage.first) + " before the start";
  } else if (damage.first == 0) {
    place = "just past the end";
  } else {
    place = Bytes(damage.first) + " past the end";
  }
  finding.message = fmt::format("changes {}{} at {:#x}, {} of the {}-byte allocation at {:#x}",
                                Bytes(damage.changed), damage.changed == 1 ? "" : ", the first",
                                allocation.Zone(behind) + damage.first, place, allocation.bytes,
                                allocation.begin);
  return finding;
}

bool IsOneRow(const Extent3& extent) { return extent.height == 1 && extent.depth == 1; }

// Calls slice(z) for each slice until one fails. The driver's 3D copies need slices at multiples of
// the pitch, but a program's slices may lie elsewhere.
template <class Slice>
CUresult ForEachSlice(const Extent3& extent, Slice slice) {
  for (std::uint64_t z = 0; z < extent.depth; ++z) WARPCHECK_TRY_CODE(slice(z));
  return CUDA_SUCCESS;
}

// Returns a valid pitch also for single rows. Their pitch has no meaning, but the driver checks it.
std::uint64_t PitchOf(const DeviceBox& box, const Extent3& extent) {
  return std::max(box.strides.pitch, extent.width);
}

// Returns the first slice of a copy, with its two sides still missing.
CUDA_MEMCPY2D SliceOf(const Extent3& extent) {
  CUDA_MEMCPY2D copy{};
  copy.WidthInBytes = extent.width;
  copy.Height = extent.height;
  return copy;
}

}  // namespace

GpuMemory::GpuMemory(const DriverApi& api, std::uint64_t red_zone_bytes)
    : api_(api), red_zone_bytes_(RoundUp(red_zone_bytes, kAllocationAlignment)) {}

DeviceResult<DeviceAddress> GpuMemory::Allocate(std::uint64_t bytes) {
  if (bytes == 0) return tl::unexpected(DeviceError::kInvalidValue);
  if (bytes > kMostBytes) return tl::unexpected(DeviceError::kMemoryAllocation);
  GpuAllocation allocation;
  allocation.bytes = bytes;
  const CUresult result = AllocateBlock(allocation);
  if (result != CUDA_SUCCESS) return tl::unexpected(ToDeviceError(result));
  const CUresult prepared = Prepare(allocation);
  if (prepared != CUDA_SUCCESS) {
    GiveBack(allocation);
    return tl::unexpected(ToDeviceError(prepared));
  }
  allocations_[allocation.begin] = allocation;
  return allocation.begin;
}

DeviceError GpuMemory::Free(DeviceAddress address) {
  if (address == 0) return DeviceError::kSuccess;
  const auto found = allocations_.find(address);
  if (found == allocations_.end()) return DeviceError::kInvalidValue;
  GiveBack(found->second);
  allocations_.erase(found);
  return DeviceError::kSuccess;
}

void GpuMemory::FreeAll() {
  for (const auto& [begin, allocation] : allocations_) GiveBack(allocation);
  allocations_.clear();
}

bool GpuMemory::Holds(DeviceAddress address, std::uint64_t bytes) const {
  const auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return false;
  const GpuAllocation& allocation = std::prev(after)->second;
  const std::uint64_t offset = address - allocation.begin;
  return offset <= allocation.bytes && bytes <= allocation.bytes - offset;
}

DeviceResult<std::vector<Finding>> GpuMemory::CheckRedZones(const std::string& kernel) {
  std::vector<Finding> findings;
  for (const auto& [begin, allocation] : allocations_) {
    for (const bool behind : {false, true}) {
      const CUresult result = CheckZone(allocation, behind, kernel, findings);
      if (result != CUDA_SUCCESS) return tl::unexpected(ToDeviceError(result));
    }
  }
  return findings;
}

// The driver promises an alignment of 256 bytes; an alignment of 512 has been observed.
CUresult GpuMemory::AllocateBlock(GpuAllocation& allocation) {
  const std::uint64_t bytes = allocation.bytes + 2 * red_zone_bytes_;
  WARPCHECK_TRY_CODE(api_.MemAlloc(&allocation.driver_block, bytes));
  if (allocation.driver_block % kAllocationAlignment != 0) {
    (void)api_.MemFree(allocation.driver_block);
    WARPCHECK_TRY_CODE(api_.MemAlloc(&allocation.driver_block, bytes + kAllocationAlignment));
  }
  allocation.zone_bytes = red_zone_bytes_;
  allocation.block = RoundUp(allocation.driver_block, kAllocationAlignment);
  allocation.begin = allocation.block + red_zone_bytes_;
  return CUDA_SUCCESS;
}

CUresult GpuMemory::Prepare(const GpuAllocation& allocation) {
  WARPCHECK_TRY_CODE(api_.MemsetD8(allocation.begin, kFresh, allocation.bytes));
  if (allocation.zone_bytes == 0) return CUDA_SUCCESS;
  for (const bool behind : {false, true}) {
    const auto bytes = RedZone(allocation.Zone(behind), allocation.zone_bytes);
    WARPCHECK_TRY_CODE(api_.MemcpyHtoD(allocation.Zone(behind), bytes.data(), bytes.size()));
  }
  return CUDA_SUCCESS;
}

CUresult GpuMemory::CheckZone(const GpuAllocation& allocation, bool behind,
                              const std::string& kernel, std::vector<Finding>& findings) {
  if (allocation.zone_bytes == 0) return CUDA_SUCCESS;
  const DeviceAddress zone = allocation.Zone(behind);
  std::vector<std::byte> bytes(allocation.zone_bytes);
  WARPCHECK_TRY_CODE(api_.MemcpyDtoH(bytes.data(), zone, bytes.size()));
  const auto damage = FindDamage(zone, bytes);
  if (!damage) return CUDA_SUCCESS;
  findings.push_back(Written(allocation, behind, *damage, kernel));
  bytes = RedZone(zone, bytes.size());
  return api_.MemcpyHtoD(zone, bytes.data(), bytes.size());
}

// Memory that cannot be freed is lost with the context.
void GpuMemory::GiveBack(const GpuAllocation& allocation) {
  (void)api_.MemFree(allocation.driver_block);
}

CUresult WriteRows(const DriverApi& api, const DeviceBox& to, const Extent3& extent,
                   std::span<const std::byte> bytes) {
  const Extent3 rows = Joined(extent, to.strides);
  if (IsOneRow(rows)) return api.MemcpyHtoD(to.address, bytes.data(), bytes.size());
  const Strides packed = Packed(rows);
  CUDA_MEMCPY2D copy = SliceOf(rows);
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcPitch = packed.pitch;
  copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.dstPitch = PitchOf(to, rows);
  return ForEachSlice(rows, [&](std::uint64_t z) {
    copy.srcHost = bytes.data() + packed.Offset(0, z);
    copy.dstDevice = to.address + to.strides.Offset(0, z);
    return api.Memcpy2DUnaligned(&copy);
  });
}

CUresult ReadRows(const DriverApi& api, const DeviceBox& from, const Extent3& extent,
                  std::span<std::byte> bytes) {
  const Extent3 rows = Joined(extent, from.strides);
  if (IsOneRow(rows)) return api.MemcpyDtoH(bytes.data(), from.address, bytes.size());
  const Strides packed = Packed(rows);
  CUDA_MEMCPY2D copy = SliceOf(rows);
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcPitch = PitchOf(from, rows);
  copy.dstMemoryType = CU_MEMORYTYPE_HOST;
  copy.dstPitch = packed.pitch;
  return ForEachSlice(rows, [&](std::uint64_t z) {
    copy.srcDevice = from.address + from.strides.Offset(0, z);
    copy.dstHost = bytes.data() + packed.Offset(0, z);
    return api.Memcpy2DUnaligned(&copy);
  });
}

CUresult CopyRows(const DriverApi& api, const DeviceBox& to, const DeviceBox& from,
                  const Extent3& extent) {
  if (to.address < from.address + *SpanOf(from.strides, extent) &&
      from.address < to.address + *SpanOf(to.strides, extent)) {
    std::vector<std::byte> between(extent.Bytes());
    WARPCHECK_TRY_CODE(ReadRows(api, from, extent, between));
    return WriteRows(api, to, extent, between);
  }
  const Extent3 rows = Joined(extent, to.strides, from.strides);
  CUDA_MEMCPY2D copy = SliceOf(rows);
  copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcPitch = PitchOf(from, rows);
  copy.dstPitch = PitchOf(to, rows);
  const CUresult result = IsOneRow(rows)
                              ? api.MemcpyDtoDAsync(to.address, from.address, rows.width, nullptr)
                              : ForEachSlice(rows, [&](std::uint64_t z) {
                                  copy.srcDevice = from.address + from.strides.Offset(0, z);
                                  copy.dstDevice = to.address + to.strides.Offset(0, z);
                                  return api.Memcpy2DUnaligned(&copy);
                                });
  return result == CUDA_SUCCESS ? api.CtxSynchronize() : result;
}

CUresult FillRows(const DriverApi& api, const DeviceBox& to, const Extent3& extent,
                  std::byte value) {
  const Extent3 rows = Joined(extent, to.strides);
  const auto byte = std::to_integer<unsigned char>(value);
  const CUresult result =
      IsOneRow(rows) ? api.MemsetD8(to.address, byte, rows.width)
                     : ForEachSlice(rows, [&](std::uint64_t z) {
                         return api.MemsetD2D8(to.address + to.strides.Offset(0, z),
                                               PitchOf(to, rows), byte, rows.width, rows.height);
                       });
  return result == CUDA_SUCCESS ? api.CtxSynchronize() : result;
}

}  // namespace warpcheck::gpu
