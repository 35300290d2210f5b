// Texture and surface objects (CUDA Runtime API, "Texture Object Management", "Surface Object
// Management").
#include <fmt/format.h>

#include "cudart/call.h"
#include "cudart/texture_table.h"

namespace warpcheck::cudart {
namespace {

using Handle = TextureTable::Handle;

// Writes the descriptor to device memory; its address is the handle.
cudaError_t Create(Runtime& runtime, const TextureDescriptor& descriptor,
                   const TextureObject& object, Handle* out) {
  Device& device = *runtime.device();
  const auto address = device.Allocate(sizeof descriptor);
  if (!address) return ToCuda(address.error());
  const DeviceError error =
      device.Write(*address, std::as_bytes(std::span<const TextureDescriptor>(&descriptor, 1)));
  if (error != DeviceError::kSuccess) return ToCuda(error);
  runtime.textures().Add(*address, object);
  *out = *address;
  return cudaSuccess;
}

cudaError_t CreateTexture(Runtime& runtime, Handle* out, const cudaResourceDesc* resource,
                          const cudaTextureDesc* sampling, const cudaResourceViewDesc* view) {
  constexpr auto kName = "cudaCreateTextureObject";
  if (out == nullptr || resource == nullptr || sampling == nullptr) return cudaErrorInvalidValue;
  const bool has_view = view != nullptr && view->format != cudaResViewFormatNone;
  if (runtime.device()->Properties().texture_objects == 0 || has_view) {
    return NotSupported(runtime, kName);
  }
  TextureDescriptor descriptor;
  cudaError_t error = ReadResource(runtime, *resource, &descriptor);
  if (error == cudaSuccess) error = ReadSampling(*sampling, &descriptor);
  if (error == cudaErrorNotSupported) return NotSupported(runtime, kName);
  if (error != cudaSuccess) return error;
  return Create(runtime, descriptor, {.resource = *resource, .texture = *sampling}, out);
}

cudaError_t CreateSurface(Runtime& runtime, Handle* out, const cudaResourceDesc* resource) {
  constexpr auto kName = "cudaCreateSurfaceObject";
  if (out == nullptr || resource == nullptr) return cudaErrorInvalidValue;
  if (runtime.device()->Properties().texture_objects == 0) return NotSupported(runtime, kName);
  if (resource->resType != cudaResourceTypeArray) return cudaErrorInvalidValue;
  const Array* array = runtime.textures().Find(resource->res.array.array);
  if (array == nullptr || (array->flags & cudaArraySurfaceLoadStore) == 0) {
    return cudaErrorInvalidValue;
  }
  TextureDescriptor descriptor = array->layout;
  descriptor.is_surface = 1;
  return Create(runtime, descriptor, {.is_surface = true, .resource = *resource, .texture = {}},
                out);
}

// nullptr, and a finding, where there is no such object.
const TextureObject* Find(Runtime& runtime, Handle handle, bool surface) {
  const TextureObject* object = runtime.textures().Find(handle, surface);
  if (object != nullptr) return object;
  NoteMisuse(runtime, FindingKind::kInvalidHandle,
             fmt::format("{} gets {}: it returned cudaErrorInvalidValue", CurrentCall().Text(),
                         runtime.textures().WasDestroyed(handle)
                             ? "an object that was destroyed before"
                             : fmt::format("a {} object that was never created",
                                           surface ? "surface" : "texture")));
  return nullptr;
}

cudaError_t Destroy(Runtime& runtime, Handle handle, bool surface) {
  if (handle == 0) return cudaSuccess;
  if (Find(runtime, handle, surface) == nullptr) return cudaErrorInvalidValue;
  runtime.textures().Remove(handle);
  return ToCuda(runtime.device()->Free(handle));
}

template <class Description, class Read>
cudaError_t Get(Description* out, Handle handle, bool surface, Read read) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    const TextureObject* object = Find(runtime, handle, surface);
    if (out == nullptr || object == nullptr) return cudaErrorInvalidValue;
    *out = read(*object);
    return cudaSuccess;
  });
}

cudaResourceDesc ResourceOf(const TextureObject& object) { return object.resource; }

}  // namespace
}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;  // NOLINT: entry points follow

cudaError_t cudaCreateTextureObject(cudaTextureObject_t* object, const cudaResourceDesc* resource,
                                    const cudaTextureDesc* sampling,
                                    const cudaResourceViewDesc* view) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    return CreateTexture(runtime, object, resource, sampling, view);
  });
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object) {
  return Call(Timing::kWait, [&](Runtime& runtime) { return Destroy(runtime, object, false); });
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaTextureObject_t object) {
  return Get(resource, object, false, ResourceOf);
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* sampling, cudaTextureObject_t object) {
  return Get(sampling, object, false, [](const TextureObject& known) { return known.texture; });
}

// No object has a view.
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* view,
                                                 cudaTextureObject_t object) {
  return Get(view, object, false, [](const TextureObject&) { return cudaResourceViewDesc{}; });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  return Call(Timing::kHost,
              [&](Runtime& runtime) { return CreateSurface(runtime, object, resource); });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return Call(Timing::kWait, [&](Runtime& runtime) { return Destroy(runtime, object, true); });
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaSurfaceObject_t object) {
  return Get(resource, object, true, ResourceOf);
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* texels,
                                                 const cudaChannelFormatDesc* format, int device) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    warpcheck::TextureDescriptor texture;
    if (texels == nullptr || format == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    if (runtime.device()->Properties().texture_objects == 0) {
      return NotSupported(runtime, "cudaDeviceGetTexture1DLinearMaxWidth");
    }
    const cudaError_t error = ReadFormat(*format, &texture);
    if (error == cudaSuccess) *texels = kMaxTextureLinear;
    return error;
  });
}
