// CUDA arrays, texture objects and surface objects of the program. An array is rows of device
// memory; an object is a TextureDescriptor there, whose address is the handle. Handles that the
// program gives are looked up here, and never dereferenced.
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>
#include <map>
#include <set>

#include "device/device.h"
#include "device/texture_descriptor.h"

namespace warpcheck::cudart {

struct Array {
  cudaChannelFormatDesc format = {};
  cudaExtent extent = {};  // texels, as the program gave it: height and depth may be 0
  unsigned flags = 0;
  TextureDescriptor layout;  // format and places of the texels; nothing about sampling

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
  using Handle = unsigned long long;  // cudaTextureObject_t, cudaSurfaceObject_t

  cudaArray_t Add(const Array& array);
  // nullptr for a handle that was freed or never given out.
  const Array* Find(cudaArray_const_t array) const;
  void Remove(cudaArray_const_t array) { arrays_.erase(array); }

  void Add(Handle handle, const TextureObject& object) { objects_[handle] = object; }
  // nullptr for one that was destroyed, never created, or is of the other kind.
  const TextureObject* Find(Handle handle, bool surface) const;
  void Remove(Handle handle);
  bool WasDestroyed(Handle handle) const { return destroyed_.contains(handle); }

  void Clear() { *this = {}; }

 private:
  std::uint64_t next_ = 0x4000'0000;  // numbers of their own, never reused
  std::map<cudaArray_const_t, Array> arrays_;
  std::map<Handle, TextureObject> objects_;
  std::set<Handle> destroyed_;
};

}  // namespace warpcheck::cudart
