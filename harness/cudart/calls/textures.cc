// Implements texture and surface objects (CUDA Runtime API, "Texture Object Management", "Surface
// Object Management").
#include <fmt/format.h>

#include "cudart/call.h"
#include "cudart/runtime.h"
#include "cudart/texture_table.h"
#include "debuginfo/call_site.h"

namespace warpcheck::cudart {
namespace {

using Handle = TextureTable::Handle;

TextureKey TextureOf(Handle handle) { return {.handle = handle, .is_surface = false}; }
TextureKey SurfaceOf(Handle handle) { return {.handle = handle, .is_surface = true}; }

HandleKind KindOf(bool is_surface) {
  return is_surface ? HandleKind::kSurface : HandleKind::kTexture;
}

cudaError_t Create(Runtime& runtime, const TextureDescriptor& descriptor,
                   const TextureObject& object, Handle* out) {
  const auto handle = runtime.device->CreateTexture(descriptor);
  if (!handle) return ToCuda(handle.error());
  runtime.textures.Add(*handle, object);
  runtime.misuse.Made(KindOf(object.is_surface), *handle);
  *out = *handle;
  return cudaSuccess;
}

cudaError_t CreateTexture(Runtime& runtime, Handle* out, const cudaResourceDesc* resource,
                          const cudaTextureDesc* sampling, const cudaResourceViewDesc* view) {
  constexpr auto kName = "cudaCreateTextureObject";
  if (out == nullptr || resource == nullptr || sampling == nullptr) return cudaErrorInvalidValue;
  const bool has_view = view != nullptr && view->format != cudaResViewFormatNone;
  if (has_view) return NotSupported(runtime, kName);
  TextureDescriptor descriptor;
  cudaError_t error = ReadResource(runtime, *resource, &descriptor);
  if (error == cudaSuccess) error = ReadSampling(*sampling, &descriptor);
  if (error == cudaErrorNotSupported) return NotSupported(runtime, kName);
  if (error != cudaSuccess) return error;
  return Create(runtime, descriptor, {.resource = *resource, .texture = *sampling}, out);
}

cudaError_t CreateSurface(Runtime& runtime, Handle* out, const cudaResourceDesc* resource) {
  if (out == nullptr || resource == nullptr) return cudaErrorInvalidValue;
  if (resource->resType != cudaResourceTypeArray) return cudaErrorInvalidValue;
  const Array* array = runtime.textures.Find(resource->res.array.array);
  if (array == nullptr || (array->flags & cudaArraySurfaceLoadStore) == 0) {
    return cudaErrorInvalidValue;
  }
  TextureDescriptor descriptor = array->layout;
  descriptor.is_surface = 1;
  return Create(runtime, descriptor, {.is_surface = true, .resource = *resource}, out);
}

// Returns nullptr, and reports a finding, if there is no such object.
const TextureObject* Find(Runtime& runtime, const TextureKey& key) {
  const TextureObject* object = runtime.textures.Find(key);
  if (object != nullptr) return object;
  NoteMisuse(runtime, FindingKind::kInvalidHandle,
             fmt::format("{} gets {}: it returned cudaErrorInvalidValue", CurrentCall().Text(),
                         runtime.textures.WasDestroyed(key)
                             ? "an object that was destroyed before"
                             : fmt::format("a {} object that was never created",
                                           key.is_surface ? "surface" : "texture")));
  return nullptr;
}

cudaError_t Destroy(Runtime& runtime, const TextureKey& key) {
  if (key.handle == 0) return cudaSuccess;
  if (Find(runtime, key) == nullptr) return cudaErrorInvalidValue;
  runtime.textures.Remove(key);
  runtime.misuse.GaveBack(KindOf(key.is_surface), key.handle);
  return ToCuda(runtime.device->DestroyTexture(key));
}

template <class Description, class Read>
cudaError_t Get(Description* out, const TextureKey& key, Read read) {
  return Call(Timing::kHost, [&](Runtime& runtime) {
    const TextureObject* object = Find(runtime, key);
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
  return Call(Timing::kWait, [&](Runtime& runtime) { return Destroy(runtime, TextureOf(object)); });
}

cudaError_t cudaGetTextureObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaTextureObject_t object) {
  return Get(resource, TextureOf(object), ResourceOf);
}

cudaError_t cudaGetTextureObjectTextureDesc(cudaTextureDesc* sampling, cudaTextureObject_t object) {
  return Get(sampling, TextureOf(object), [](const TextureObject& known) { return known.texture; });
}

// Objects have no resource views in warpcheck.
cudaError_t cudaGetTextureObjectResourceViewDesc(cudaResourceViewDesc* view,
                                                 cudaTextureObject_t object) {
  return Get(view, TextureOf(object), [](const TextureObject&) { return cudaResourceViewDesc{}; });
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t* object, const cudaResourceDesc* resource) {
  return Call(Timing::kHost,
              [&](Runtime& runtime) { return CreateSurface(runtime, object, resource); });
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object) {
  return Call(Timing::kWait, [&](Runtime& runtime) { return Destroy(runtime, SurfaceOf(object)); });
}

cudaError_t cudaGetSurfaceObjectResourceDesc(cudaResourceDesc* resource,
                                             cudaSurfaceObject_t object) {
  return Get(resource, SurfaceOf(object), ResourceOf);
}

cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(size_t* texels,
                                                 const cudaChannelFormatDesc* format, int device) {
  return Call(Timing::kHost, [&](Runtime&) {
    warpcheck::TextureDescriptor texture;
    if (texels == nullptr || format == nullptr) return cudaErrorInvalidValue;
    if (device != 0) return cudaErrorInvalidDevice;
    const cudaError_t error = ReadFormat(*format, &texture);
    if (error == cudaSuccess) *texels = kMaxTextureLinear;
    return error;
  });
}
