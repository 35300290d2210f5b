#include "gpu/fixed_memory.h"

namespace warpcheck::gpu {

FixedMemory::~FixedMemory() {
  for (const auto& [begin, page] : pages_) UnmapPage(begin, page);
}

DeviceError FixedMemory::Hold(DeviceAddress at, std::uint64_t bytes) {
  const DeviceError known = FindPageBytes();
  if (known != DeviceError::kSuccess) return known;
  if (at + bytes < at || at + bytes > ~std::uint64_t{0} - page_bytes_) {
    return DeviceError::kInvalidValue;
  }
  const DeviceAddress first = at / page_bytes_ * page_bytes_;
  for (DeviceAddress page = first; page < at + bytes; page += page_bytes_) {
    DeviceError error = DeviceError::kSuccess;
    if (!pages_.contains(page)) error = MapPage(page);
    if (error != DeviceError::kSuccess) {
      if (page > at) Release(at, page - at);
      return error;
    }
    ++pages_[page].users;
  }
  return DeviceError::kSuccess;
}

void FixedMemory::Release(DeviceAddress at, std::uint64_t bytes) {
  const DeviceAddress first = at / page_bytes_ * page_bytes_;
  for (DeviceAddress begin = first; begin < at + bytes; begin += page_bytes_) {
    const auto page = pages_.find(begin);
    if (page == pages_.end() || --page->second.users > 0) continue;
    UnmapPage(begin, page->second);
    pages_.erase(page);
  }
}

CUmemAllocationProp FixedMemory::Properties() const {
  CUmemAllocationProp properties = {};
  properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  properties.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  properties.location.id = device_;
  return properties;
}

DeviceError FixedMemory::FindPageBytes() {
  if (page_bytes_ != 0) return DeviceError::kSuccess;
  int supported = 0;
  const CUresult asked = api_.DeviceGetAttribute(
      &supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, device_);
  if (asked != CUDA_SUCCESS) return ToDeviceError(asked);
  if (supported == 0) return DeviceError::kNotSupported;
  const CUmemAllocationProp properties = Properties();
  std::size_t granularity = 0;
  const CUresult result =
      api_.MemGetAllocationGranularity(&granularity, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
  if (result != CUDA_SUCCESS) return ToDeviceError(result);
  if (granularity == 0) return DeviceError::kNotSupported;
  page_bytes_ = granularity;
  return DeviceError::kSuccess;
}

DeviceError FixedMemory::MapPage(DeviceAddress begin) {
  CUdeviceptr reserved = 0;
  if (api_.MemAddressReserve(&reserved, page_bytes_, 0, begin, 0) != CUDA_SUCCESS) {
    return DeviceError::kInvalidValue;
  }
  if (reserved != begin) {
    (void)api_.MemAddressFree(reserved, page_bytes_);
    return DeviceError::kNotSupported;
  }
  const CUmemAllocationProp properties = Properties();
  Page page;
  CUresult result = api_.MemCreate(&page.memory, page_bytes_, &properties, 0);
  if (result != CUDA_SUCCESS) {
    (void)api_.MemAddressFree(begin, page_bytes_);
    return ToDeviceError(result);
  }
  result = api_.MemMap(begin, page_bytes_, 0, page.memory, 0);
  if (result != CUDA_SUCCESS) {
    (void)api_.MemRelease(page.memory);
    (void)api_.MemAddressFree(begin, page_bytes_);
    return ToDeviceError(result);
  }
  CUmemAccessDesc access = {};
  access.location = properties.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  result = api_.MemSetAccess(begin, page_bytes_, &access, 1);
  if (result != CUDA_SUCCESS) {
    UnmapPage(begin, page);
    return ToDeviceError(result);
  }
  pages_[begin] = page;
  return DeviceError::kSuccess;
}

// What cannot be given back is lost with the context.
void FixedMemory::UnmapPage(DeviceAddress begin, const Page& page) {
  (void)api_.MemUnmap(begin, page_bytes_);
  (void)api_.MemRelease(page.memory);
  (void)api_.MemAddressFree(begin, page_bytes_);
}

}  // namespace warpcheck::gpu
