#include "cudart/texture_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "cudart/call.h"
#include "cudart/runtime.h"
#include "debuginfo/call_site.h"

namespace warpcheck::cudart {

cudaError_t ReadFormat(const cudaChannelFormatDesc& format, TextureDescriptor* texture) {
  const bool known = format.f == cudaChannelFormatKindSigned ||
                     format.f == cudaChannelFormatKindUnsigned ||
                     format.f == cudaChannelFormatKindFloat;
  if (!known) {
    return format.f == cudaChannelFormatKindNone ? cudaErrorInvalidChannelDescriptor
                                                 : cudaErrorNotSupported;
  }
  const std::array<int, 4> bits = {format.x, format.y, format.z, format.w};
  const bool is_float = format.f == cudaChannelFormatKindFloat;
  const int width = bits[0];
  const bool fits = width == 32 || width == 16 || (width == 8 && !is_float);
  const auto* const end = std::find_if(bits.begin(), bits.end(), [&](int b) { return b != width; });
  const bool rest_is_empty = std::all_of(end, bits.end(), [](int b) { return b == 0; });
  const auto channels = static_cast<std::uint32_t>(end - bits.begin());
  if (!fits || !rest_is_empty || channels == 3) return cudaErrorInvalidChannelDescriptor;
  texture->channels = channels;
  texture->channel_bytes = static_cast<std::uint32_t>(width) / 8;
  texture->is_float = is_float ? 1 : 0;
  texture->is_signed = format.f == cudaChannelFormatKindSigned ? 1 : 0;
  return cudaSuccess;
}

namespace {

// Finds the device's address of memory that the program may use. Returns cudaErrorInvalidValue for
// other memory.
cudaError_t FindTexels(Runtime& runtime, const void* pointer, std::uint64_t bytes,
                       DeviceAddress* texels) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  *texels = address;
  if (const Allocation* allocation = runtime.memory.Find(pointer)) {
    if (!allocation->Holds(pointer, bytes)) return cudaErrorInvalidValue;
    *texels = allocation->device + allocation->OffsetOf(pointer);
  } else if (!runtime.device->Holds(address, bytes)) {
    return cudaErrorInvalidValue;
  }
  return *texels % kTextureAlignment == 0 ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t ReadLinear(Runtime& runtime, const cudaResourceDesc& resource,
                       TextureDescriptor* texture) {
  const auto& linear = resource.res.linear;
  WARPCHECK_TRY_CODE(ReadFormat(linear.desc, texture));
  const std::size_t width = linear.sizeInBytes / texture->TexelBytes();
  if (width == 0 || width > kMaxTextureLinear) return cudaErrorInvalidValue;
  texture->width = static_cast<std::uint32_t>(width);
  texture->is_linear_memory = 1;
  return FindTexels(runtime, linear.devPtr, texture->RowBytes(), &texture->texels);
}

cudaError_t ReadPitched(Runtime& runtime, const cudaResourceDesc& resource,
                        TextureDescriptor* texture) {
  const auto& pitched = resource.res.pitch2D;
  WARPCHECK_TRY_CODE(ReadFormat(pitched.desc, texture));
  if (pitched.width == 0 || pitched.height == 0 || pitched.width > kMaxTexturePitched.width ||
      pitched.height > kMaxTexturePitched.height || pitched.pitchInBytes > kMaxTexturePitch ||
      pitched.pitchInBytes % kTexturePitchAlignment != 0) {
    return cudaErrorInvalidValue;
  }
  texture->width = static_cast<std::uint32_t>(pitched.width);
  texture->height = static_cast<std::uint32_t>(pitched.height);
  texture->pitch = pitched.pitchInBytes;
  texture->is_pitched_memory = 1;
  if (texture->pitch < texture->RowBytes()) return cudaErrorInvalidValue;
  return FindTexels(runtime, pitched.devPtr, TexelSpan(*texture), &texture->texels);
}

TextureEdge EdgeOf(cudaTextureAddressMode mode) { return static_cast<TextureEdge>(mode); }

bool IsEdge(cudaTextureAddressMode mode) {
  return mode == cudaAddressModeWrap || mode == cudaAddressModeClamp ||
         mode == cudaAddressModeMirror || mode == cudaAddressModeBorder;
}

}  // namespace

cudaError_t ReadResource(Runtime& runtime, const cudaResourceDesc& resource,
                         TextureDescriptor* texture) {
  switch (resource.resType) {
    case cudaResourceTypeArray: {
      const Array* array = runtime.textures.Find(resource.res.array.array);
      if (array == nullptr) return cudaErrorInvalidValue;
      *texture = array->layout;
      return cudaSuccess;
    }
    case cudaResourceTypeLinear:
      return ReadLinear(runtime, resource, texture);
    case cudaResourceTypePitch2D:
      return ReadPitched(runtime, resource, texture);
    case cudaResourceTypeMipmappedArray:
      return cudaErrorNotSupported;
  }
  return cudaErrorInvalidValue;
}

cudaError_t ReadSampling(const cudaTextureDesc& sampling, TextureDescriptor* texture) {
  if (sampling.sRGB != 0) return cudaErrorNotSupported;
  for (std::size_t i = 0; i < texture->edge.size(); ++i) {
    if (!IsEdge(sampling.addressMode[i])) return cudaErrorInvalidValue;
    texture->edge[i] = EdgeOf(sampling.addressMode[i]);
    texture->border[i] = sampling.borderColor[i];
  }
  texture->border[3] = sampling.borderColor[3];
  const bool integers = texture->is_float == 0;
  const bool linear = sampling.filterMode == cudaFilterModeLinear;
  const bool normalises = sampling.readMode == cudaReadModeNormalizedFloat;
  if ((!linear && sampling.filterMode != cudaFilterModePoint) ||
      (!normalises && sampling.readMode != cudaReadModeElementType)) {
    return cudaErrorInvalidValue;
  }
  if (normalises && integers && texture->channel_bytes == 4) return cudaErrorInvalidNormSetting;
  texture->normalized_values = normalises && integers ? 1 : 0;
  if (texture->is_linear_memory != 0)
    return cudaSuccess;  // linear memory is always fetched by index, whatever the program sets
  if (linear && integers && !normalises) return cudaErrorInvalidFilterSetting;
  texture->interpolates = linear ? 1 : 0;
  texture->normalized_coordinates = sampling.normalizedCoords != 0 ? 1 : 0;
  return cudaSuccess;
}

cudaArray_t TextureTable::Add(const Array& array) {
  const auto handle = reinterpret_cast<cudaArray_t>(next_ += 16);
  arrays_[handle] = array;
  return handle;
}

const Array* TextureTable::Find(cudaArray_const_t array) const {
  const auto found = arrays_.find(array);
  return found == arrays_.end() ? nullptr : &found->second;
}

void TextureTable::Add(Handle handle, const TextureObject& object) {
  objects_[{.handle = handle, .is_surface = object.is_surface}] = object;
}

const TextureObject* TextureTable::Find(const TextureKey& key) const {
  const auto found = objects_.find(key);
  return found == objects_.end() ? nullptr : &found->second;
}

void TextureTable::Remove(const TextureKey& key) {
  objects_.erase(key);
  destroyed_.insert(key);
}

bool TextureTable::WasDestroyed(const TextureKey& key) const { return destroyed_.contains(key); }

}  // namespace warpcheck::cudart
