#include "gpu/gpu_textures.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>

namespace warpcheck::gpu {
namespace {

// The widest array that a kernel may gather from (CUDA C++ Programming Guide, "Technical
// Specifications per Compute Capability").
constexpr std::uint32_t kMaxGather = 32'768;  // in texels

std::optional<CUarray_format> FormatOf(const TextureDescriptor& t) {
  switch (t.channel_bytes) {
    case 1:
      return t.is_signed != 0 ? CU_AD_FORMAT_SIGNED_INT8 : CU_AD_FORMAT_UNSIGNED_INT8;
    case 2:
      if (t.is_float != 0) return CU_AD_FORMAT_HALF;
      return t.is_signed != 0 ? CU_AD_FORMAT_SIGNED_INT16 : CU_AD_FORMAT_UNSIGNED_INT16;
    case 4:
      if (t.is_float != 0) return CU_AD_FORMAT_FLOAT;
      return t.is_signed != 0 ? CU_AD_FORMAT_SIGNED_INT32 : CU_AD_FORMAT_UNSIGNED_INT32;
    default:
      return std::nullopt;
  }
}

std::uint32_t RowsOf(const TextureDescriptor& t) { return std::max(t.height, 1U); }
std::uint32_t SlicesOf(const TextureDescriptor& t) { return std::max({t.depth, t.layers, 1U}); }

// The driver copies only slices whose distance is a whole number of rows.
bool HasEvenRows(const TextureDescriptor& t) {
  return t.pitch >= t.RowBytes() && (SlicesOf(t) == 1 || t.layer >= t.pitch * RowsOf(t)) &&
         t.layer % t.pitch == 0;
}

CUDA_ARRAY3D_DESCRIPTOR DescribeArray(const TextureDescriptor& t, CUarray_format format) {
  CUDA_ARRAY3D_DESCRIPTOR array{};
  array.Width = t.width;
  array.Height = t.height;
  array.Depth = std::max(t.depth, t.layers);
  array.Format = format;
  array.NumChannels = t.channels;
  const bool is_2d = t.height != 0 && array.Depth == 0;
  if (t.layers != 0) array.Flags |= CUDA_ARRAY3D_LAYERED;
  if (t.is_surface != 0) {
    array.Flags |= CUDA_ARRAY3D_SURFACE_LDST;
  } else if (is_2d && t.width <= kMaxGather && t.height <= kMaxGather) {
    array.Flags |= CUDA_ARRAY3D_TEXTURE_GATHER;
  }
  return array;
}

CUDA_TEXTURE_DESC DescribeSampling(const TextureDescriptor& t) {
  CUDA_TEXTURE_DESC sampling{};
  for (std::size_t i = 0; i < t.edge.size(); ++i) {
    // Both enumerations have the same numbers.
    sampling.addressMode[i] = static_cast<CUaddress_mode>(t.edge[i]);
  }
  std::ranges::copy(t.border, sampling.borderColor);
  sampling.filterMode = t.interpolates != 0 ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
  if (t.normalized_coordinates != 0) sampling.flags |= CU_TRSF_NORMALIZED_COORDINATES;
  if (t.is_float == 0 && t.normalized_values == 0) sampling.flags |= CU_TRSF_READ_AS_INTEGER;
  return sampling;
}

// Describes an object over the memory itself, without an array.
CUDA_RESOURCE_DESC DescribeMemory(const TextureDescriptor& t, CUarray_format format) {
  CUDA_RESOURCE_DESC resource{};
  if (t.is_linear_memory != 0) {
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    resource.res.linear = {.devPtr = t.texels,
                           .format = format,
                           .numChannels = t.channels,
                           .sizeInBytes = t.RowBytes()};
  } else {
    resource.resType = CU_RESOURCE_TYPE_PITCH2D;
    resource.res.pitch2D = {.devPtr = t.texels,
                            .format = format,
                            .numChannels = t.channels,
                            .width = t.width,
                            .height = t.height,
                            .pitchInBytes = t.pitch};
  }
  return resource;
}

}  // namespace

GpuTextures::DriverArray::~DriverArray() {
  if (array != nullptr) (void)api.ArrayDestroy(array);
}

DeviceResult<TextureHandle> GpuTextures::Create(const TextureDescriptor& texture) {
  const auto format = FormatOf(texture);
  if (!IsSound(texture) || !format || !memory_.Holds(texture.texels, TexelSpan(texture))) {
    return tl::unexpected(DeviceError::kInvalidValue);
  }
  const bool is_surface = texture.is_surface != 0;
  CUDA_RESOURCE_DESC resource = DescribeMemory(texture, *format);
  std::shared_ptr<DriverArray> array;
  if (texture.is_linear_memory == 0 && texture.is_pitched_memory == 0) {
    array = WARPCHECK_TRY(ArrayFor(texture));
    resource = {};
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array->array;
  }
  const CUDA_TEXTURE_DESC sampling = DescribeSampling(texture);
  unsigned long long handle = 0;  // this is a CUtexObject or CUsurfObject
  const CUresult result = is_surface ? api_.SurfObjectCreate(&handle, &resource)
                                     : api_.TexObjectCreate(&handle, &resource, &sampling, nullptr);
  if (result != CUDA_SUCCESS) return tl::unexpected(ToDeviceError(result));
  objects_[{.handle = handle, .is_surface = is_surface}] = std::move(array);
  return TextureHandle{handle};
}

DeviceError GpuTextures::Destroy(const TextureKey& texture) {
  const auto found = objects_.find(texture);
  if (found == objects_.end()) return DeviceError::kInvalidValue;
  DestroyObject(found->first);
  objects_.erase(found);
  return DeviceError::kSuccess;
}

void GpuTextures::DestroyAll() {
  for (const auto& [key, array] : objects_) DestroyObject(key);
  objects_.clear();
  arrays_.clear();
}

void GpuTextures::Forget(DeviceAddress texels) {
  arrays_.erase({.texels = texels, .of_surfaces = false});
  arrays_.erase({.texels = texels, .of_surfaces = true});
}

CUresult GpuTextures::FillArrays() { return CopyAll(Direction::kToArray, false); }

CUresult GpuTextures::FillSurfaces() { return CopyAll(Direction::kToArray, true); }

CUresult GpuTextures::ReadSurfaces() { return CopyAll(Direction::kToRows, true); }

CUresult GpuTextures::CopyAll(Direction direction, bool surfaces_only) const {
  for (const auto& [key, weak] : arrays_) {
    const auto array = weak.lock();
    if (array == nullptr || (surfaces_only && !key.of_surfaces)) continue;
    WARPCHECK_TRY_CODE(Copy(*array, direction));
  }
  return CUDA_SUCCESS;
}

// A texture and a surface over the same rows do not share an array: a kernel that writes the one
// and reads the other has no result that CUDA defines.
DeviceResult<std::shared_ptr<GpuTextures::DriverArray>> GpuTextures::ArrayFor(
    const TextureDescriptor& texture) {
  std::weak_ptr<DriverArray>& known =
      arrays_[{.texels = texture.texels, .of_surfaces = texture.is_surface != 0}];
  if (auto array = known.lock()) return array;
  const auto format = FormatOf(texture);
  if (!format || !HasEvenRows(texture)) return tl::unexpected(DeviceError::kInvalidValue);
  auto array = std::make_shared<DriverArray>(api_, texture);
  const CUDA_ARRAY3D_DESCRIPTOR description = DescribeArray(texture, *format);
  const CUresult result = api_.Array3DCreate(&array->array, &description);
  if (result != CUDA_SUCCESS) return tl::unexpected(ToDeviceError(result));
  known = array;
  return array;
}

CUresult GpuTextures::Copy(const DriverArray& array, Direction direction) const {
  const TextureDescriptor& t = array.layout;
  CUDA_MEMCPY3D copy{};
  copy.WidthInBytes = t.RowBytes();
  copy.Height = RowsOf(t);
  copy.Depth = SlicesOf(t);
  if (direction == Direction::kToRows) {
    copy.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.srcArray = array.array;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = t.texels;
    copy.dstPitch = t.pitch;
    copy.dstHeight = t.layer / t.pitch;
  } else {
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = t.texels;
    copy.srcPitch = t.pitch;
    copy.srcHeight = t.layer / t.pitch;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = array.array;
  }
  WARPCHECK_TRY_CODE(api_.Memcpy3D(&copy));
  return api_.CtxSynchronize();
}

void GpuTextures::DestroyObject(const TextureKey& key) {
  (void)(key.is_surface ? api_.SurfObjectDestroy(key.handle) : api_.TexObjectDestroy(key.handle));
}

}  // namespace warpcheck::gpu
