#include "gpu/fake_memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>

#include "base/round_up.h"
#include "gpu/fake_driver.h"

namespace warpcheck::gpu {
namespace {

constexpr double kCopyBytesPerUs = 2e6;
// Larger fills and copies are shortened to this, because no test reads beyond it.
constexpr std::size_t kMostBytes = std::size_t{16} << 20;

template <class T>
T* Pointer(CUdeviceptr address) {
  return reinterpret_cast<T*>(address);
}

struct Block {
  std::size_t bytes = 0;
  void* memory = nullptr;
};
std::map<CUdeviceptr, Block>& Blocks() {
  static std::map<CUdeviceptr, Block> blocks;
  return blocks;
}

CUresult MemAlloc(CUdeviceptr* address, std::size_t bytes) {
  FakeDriver& driver = FakeDriver::Current();
  if (driver.lost != CUDA_SUCCESS) return driver.lost;
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  if (bytes > driver.memory_limit - driver.allocated_bytes) return CUDA_ERROR_OUT_OF_MEMORY;
  void* const memory = std::aligned_alloc(512, RoundUp(bytes + driver.misalign_by, 512));
  *address = reinterpret_cast<CUdeviceptr>(memory) + driver.misalign_by;
  std::memset(Pointer<void>(*address), 0x5A, std::min(bytes, kMostBytes));
  driver.allocated.insert(*address);
  driver.allocated_bytes += bytes;
  Blocks()[*address] = {bytes, memory};
  return CUDA_SUCCESS;
}

CUresult MemFree(CUdeviceptr address) {
  const auto found = Blocks().find(address);
  if (found == Blocks().end()) return CUDA_ERROR_INVALID_VALUE;
  FakeDriver::Current().allocated_bytes -= found->second.bytes;
  FakeDriver::Current().allocated.erase(address);
  std::free(found->second.memory);
  Blocks().erase(found);
  return CUDA_SUCCESS;
}

CUresult MemcpyHtoD(CUdeviceptr to, const void* from, std::size_t bytes) {
  if (FakeDriver::Current().lost != CUDA_SUCCESS) return FakeDriver::Current().lost;
  std::memcpy(Pointer<void>(to), from, bytes);
  return CUDA_SUCCESS;
}

CUresult MemcpyDtoH(void* to, CUdeviceptr from, std::size_t bytes) {
  if (FakeDriver::Current().lost != CUDA_SUCCESS) return FakeDriver::Current().lost;
  std::memcpy(to, Pointer<void>(from), bytes);
  return CUDA_SUCCESS;
}

// Host memory is memory of this process as well, and its kinds differ only in who may use it.
CUresult MemHostAlloc(void** memory, std::size_t bytes, unsigned flags) {
  if (flags != CU_MEMHOSTALLOC_DEVICEMAP) return CUDA_ERROR_INVALID_VALUE;
  CUdeviceptr address = 0;
  const CUresult result = MemAlloc(&address, bytes);
  *memory = Pointer<void>(address);
  return result;
}

CUresult MemFreeHost(void* memory) { return MemFree(reinterpret_cast<CUdeviceptr>(memory)); }

CUresult MemAllocManaged(CUdeviceptr* address, std::size_t bytes, unsigned flags) {
  return flags == CU_MEM_ATTACH_GLOBAL ? MemAlloc(address, bytes) : CUDA_ERROR_INVALID_VALUE;
}

// Overlapping ranges give undefined contents, as on the device.
CUresult MemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream) {
  if (FakeDriver::Current().lost != CUDA_SUCCESS) return FakeDriver::Current().lost;
  if (to < from + bytes && from < to + bytes) return CUDA_ERROR_UNKNOWN;
  std::memcpy(Pointer<void>(to), Pointer<void>(from), std::min(bytes, kMostBytes));
  FakeDriver::Current().clock_us += static_cast<double>(bytes) / kCopyBytesPerUs;
  if (bytes >= std::size_t{64} << 20) ++FakeDriver::Current().large_copies;
  return CUDA_SUCCESS;
}

CUresult MemcpyAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream) {
  return MemcpyDtoDAsync(to, from, bytes, stream);
}

CUresult Memcpy2DUnaligned(const CUDA_MEMCPY2D* copy) {
  if (FakeDriver::Current().lost != CUDA_SUCCESS) return FakeDriver::Current().lost;
  const bool to_host = copy->dstMemoryType == CU_MEMORYTYPE_HOST;
  const bool from_host = copy->srcMemoryType == CU_MEMORYTYPE_HOST;
  auto* to = static_cast<std::byte*>(to_host ? copy->dstHost : Pointer<void>(copy->dstDevice));
  const auto* from =
      static_cast<const std::byte*>(from_host ? copy->srcHost : Pointer<void>(copy->srcDevice));
  for (std::size_t y = 0; y < copy->Height; ++y) {
    std::memcpy(to + y * copy->dstPitch, from + y * copy->srcPitch, copy->WidthInBytes);
  }
  return CUDA_SUCCESS;
}

CUresult MemsetD2D8(CUdeviceptr to, std::size_t pitch, unsigned char value, std::size_t width,
                    std::size_t height) {
  if (FakeDriver::Current().lost != CUDA_SUCCESS) return FakeDriver::Current().lost;
  for (std::size_t y = 0; y < height; ++y) {
    std::memset(Pointer<std::byte>(to) + y * pitch, value, width);
  }
  return CUDA_SUCCESS;
}

CUresult MemsetD8(CUdeviceptr to, unsigned char value, std::size_t bytes) {
  if (FakeDriver::Current().lost != CUDA_SUCCESS) return FakeDriver::Current().lost;
  std::memset(Pointer<void>(to), value, std::min(bytes, kMostBytes));
  return CUDA_SUCCESS;
}

CUresult MemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t bytes, CUstream) {
  const auto l2 =
      static_cast<std::size_t>(FakeDriver::Current().attributes[CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE]);
  if (bytes == 2 * l2) ++FakeDriver::Current().flushes;
  return MemsetD8(to, value, bytes);
}

}  // namespace

void FillMemoryCalls(DriverApi& api) {
  api.MemGetInfo = [](std::size_t* free_bytes, std::size_t* total) {
    *total = FakeDriver::Current().memory_limit;
    return *free_bytes = *total - FakeDriver::Current().allocated_bytes, FakeDriver::Current().lost;
  };
  api.MemAlloc = MemAlloc;
  api.MemFree = MemFree;
  api.MemAllocManaged = MemAllocManaged;
  api.MemHostAlloc = MemHostAlloc;
  api.MemFreeHost = MemFreeHost;
  api.MemcpyHtoD = MemcpyHtoD;
  api.MemcpyDtoH = MemcpyDtoH;
  api.MemcpyDtoDAsync = MemcpyDtoDAsync;
  api.MemcpyAsync = MemcpyAsync;
  api.Memcpy2DUnaligned = Memcpy2DUnaligned;
  api.MemsetD2D8 = MemsetD2D8;
  api.MemsetD8 = MemsetD8;
  api.MemsetD8Async = MemsetD8Async;
}

}  // namespace warpcheck::gpu
