// TextureTable has the CUDA arrays, texture objects and surface objects of the program. An array
// consists of rows of device memory. An object is a TextureDescriptor that the device got. The
// table looks up handles that the program gives, and never dereferences them.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <utility>

#include "cudart/tables/stream_table.h"
#include "device/device.h"
#include "device/texture_descriptor.h"

namespace warpcheck::cudart {

struct Runtime;

// The limits of textures, surfaces and arrays are those of an H200 (cudaDeviceProp).

// In bytes; for linear memory and pitch2D.
inline constexpr std::size_t kTextureAlignment = 512;
inline constexpr std::size_t kTexturePitchAlignment = 32;  // in bytes; for the rows of pitch2D

// These limits are in texels.
inline constexpr cudaExtent kMaxTexture1D = {131072, 0, 0};
inline constexpr cudaExtent kMaxTexture2D = {131072, 65536, 0};
inline constexpr cudaExtent kMaxTexture3D = {16384, 16384, 16384};
// The depth is the number of layers.
inline constexpr cudaExtent kMaxTextureLayered = {32768, 32768, 2048};
inline constexpr cudaExtent kMaxTexturePitched = {131072, 65000, 0};
inline constexpr std::size_t kMaxTexturePitch = 2097120;  // in bytes
inline constexpr std::size_t kMaxTextureLinear = std::size_t{1} << 28;

// Sets the channels of `texture` from a cudaChannelFormatDesc. Returns
// cudaErrorInvalidChannelDescriptor for a format that CUDA does not have, and cudaErrorNotSupported
// for a format that warpcheck does not offer (video or compressed).
cudaError_t ReadFormat(const cudaChannelFormatDesc& format, TextureDescriptor* texture);

// Sets the place and format of the texels. Returns cudaErrorNotSupported for mipmapped arrays and
// for formats that warpcheck does not offer, and CUDA's own errors for mistakes.
cudaError_t ReadResource(Runtime& runtime, const cudaResourceDesc& resource,
                         TextureDescriptor* texture);

// Sets how texels are sampled; call it after ReadResource(). Returns cudaErrorNotSupported for
// sRGB.
cudaError_t ReadSampling(const cudaTextureDesc& sampling, TextureDescriptor* texture);

struct Array {
  cudaChannelFormatDesc format = {};
  cudaExtent extent = {};  // in texels, as the program gave it; height and depth may be 0
  unsigned flags = 0;
  TextureDescriptor layout{};  // the format and places of the texels, without the sampling

  bool Layered() const { return (flags & cudaArrayLayered) != 0; }
  std::uint64_t Bytes() const { return TexelSpan(layout); }
  std::uint64_t Rows() const { return extent.height == 0 ? 1 : extent.height; }
  std::uint64_t Slices() const { return extent.depth == 0 ? 1 : extent.depth; }
};

struct TextureObject {
  bool is_surface = false;
  cudaResourceDesc resource = {};
  cudaTextureDesc texture = {};
};

class TextureTable {
 public:
  using Handle = unsigned long long;  // cudaTextureObject_t or cudaSurfaceObject_t

  cudaArray_t Add(const Array& array);
  // Returns nullptr for a handle that was freed or never existed.
  const Array* Find(cudaArray_const_t array) const;
  void Remove(cudaArray_const_t array) { arrays_.erase(array); }

  void Add(Handle handle, const TextureObject& object);
  // Returns nullptr if the object was destroyed, was never created, or is of the other kind.
  const TextureObject* Find(const TextureKey& key) const;
  void Remove(const TextureKey& key);
  bool WasDestroyed(const TextureKey& key) const;

  void Clear() { *this = {}; }

 private:
  std::uint64_t next_ = 0x4000'0000;  // handles are numbers that are never reused
  std::map<cudaArray_const_t, Array> arrays_;
  std::map<TextureKey, TextureObject> objects_;
  std::set<TextureKey> destroyed_;
};

}  // namespace warpcheck::cudart
