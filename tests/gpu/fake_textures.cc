#include "gpu/fake_textures.h"

#include <algorithm>
#include <cstring>

#include "gpu/fake_driver.h"

namespace warpcheck::gpu {
namespace {

std::size_t TexelBytes(const CUDA_ARRAY3D_DESCRIPTOR& array) {
  switch (array.Format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
      return array.NumChannels;
    case CU_AD_FORMAT_FLOAT:
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
      return std::size_t{4} * array.NumChannels;
    default:
      return std::size_t{2} * array.NumChannels;
  }
}

CUresult Array3DCreate(CUarray* out, const CUDA_ARRAY3D_DESCRIPTOR* description) {
  auto* const array = new FakeArray{.description = *description};
  array->row_bytes = description->Width * TexelBytes(*description);
  array->bytes.resize(array->row_bytes * std::max<std::size_t>(description->Height, 1) *
                      std::max<std::size_t>(description->Depth, 1));
  ++FakeDriver::Current().arrays;
  return *out = reinterpret_cast<CUarray>(array), CUDA_SUCCESS;
}

CUresult Memcpy3D(const CUDA_MEMCPY3D* copy) {
  const bool to_array = copy->dstMemoryType == CU_MEMORYTYPE_ARRAY;
  FakeArray& array = ArrayBehind(to_array ? copy->dstArray : copy->srcArray);
  auto* const memory = reinterpret_cast<std::byte*>(to_array ? copy->srcDevice : copy->dstDevice);
  const std::size_t pitch = to_array ? copy->srcPitch : copy->dstPitch;
  const std::size_t rows = to_array ? copy->srcHeight : copy->dstHeight;
  for (std::size_t z = 0; z < copy->Depth; ++z) {
    for (std::size_t y = 0; y < copy->Height; ++y) {
      std::byte* const plain = memory + (z * rows + y) * pitch;
      std::byte* const texels = array.bytes.data() + (z * copy->Height + y) * array.row_bytes;
      std::memcpy(to_array ? texels : plain, to_array ? plain : texels, copy->WidthInBytes);
    }
  }
  if (to_array) ++FakeDriver::Current().array_fills;
  return FakeDriver::Current().lost;
}

}  // namespace

FakeArray& ArrayBehind(CUarray array) { return *reinterpret_cast<FakeArray*>(array); }

// Textures and surfaces have separate numbers, each from 1, as in the driver.
void FillTextureCalls(DriverApi& api) {
  api.Array3DCreate = Array3DCreate;
  api.ArrayDestroy = [](CUarray array) {
    delete &ArrayBehind(array);
    return --FakeDriver::Current().arrays, CUDA_SUCCESS;
  };
  api.Memcpy3D = Memcpy3D;
  api.TexObjectCreate = [](CUtexObject* handle, const CUDA_RESOURCE_DESC* resource,
                           const CUDA_TEXTURE_DESC* sampling, const CUDA_RESOURCE_VIEW_DESC*) {
    FakeDriver& driver = FakeDriver::Current();
    *handle = driver.textures.size() + 1;
    driver.textures[*handle] = *sampling;
    driver.resources[*handle] = *resource;
    return CUDA_SUCCESS;
  };
  api.TexObjectDestroy = [](CUtexObject handle) {
    return FakeDriver::Current().textures.erase(handle) == 1 ? CUDA_SUCCESS
                                                             : CUDA_ERROR_INVALID_VALUE;
  };
  api.SurfObjectCreate = [](CUsurfObject* handle, const CUDA_RESOURCE_DESC* resource) {
    FakeDriver& driver = FakeDriver::Current();
    *handle = driver.surfaces.size() + 1;
    driver.surfaces[*handle] = *resource;
    return CUDA_SUCCESS;
  };
  api.SurfObjectDestroy = [](CUsurfObject handle) {
    return FakeDriver::Current().surfaces.erase(handle) == 1 ? CUDA_SUCCESS
                                                             : CUDA_ERROR_INVALID_VALUE;
  };
}

}  // namespace warpcheck::gpu
