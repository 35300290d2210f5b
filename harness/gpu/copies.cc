#include "gpu/copies.h"

#include <algorithm>
#include <vector>

namespace warpcheck::gpu {
namespace {

bool IsOneRow(const Extent3& extent) { return extent.height == 1 && extent.depth == 1; }

// Calls slice(z) for each slice, until one fails. The driver's copies in 3D want slices at
// multiples of the pitch, which those of a program need not be.
template <class Slice>
CUresult ForEachSlice(const Extent3& extent, Slice slice) {
  CUresult result = CUDA_SUCCESS;
  for (std::uint64_t z = 0; z < extent.depth && result == CUDA_SUCCESS; ++z) result = slice(z);
  return result;
}

// Also of single rows, whose pitch means nothing here and has to be right there.
std::uint64_t PitchOf(const DeviceBox& box, const Extent3& extent) {
  return std::max(box.strides.pitch, extent.width);
}

// The first slice of a copy; its two sides are to be filled in.
CUDA_MEMCPY2D SliceOf(const Extent3& extent) {
  CUDA_MEMCPY2D copy{};
  copy.WidthInBytes = extent.width;
  copy.Height = extent.height;
  return copy;
}

}  // namespace

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
    const CUresult read = ReadRows(api, from, extent, between);
    return read == CUDA_SUCCESS ? WriteRows(api, to, extent, between) : read;
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
