// GpuTextures makes texture and surface objects through the driver. An object over linear or
// pitched memory reads the memory itself. An object over a CUDA array of the program, which is rows
// of plain memory everywhere else in warpcheck, reads an array of the driver: it is filled from the
// rows before a kernel runs, and surfaces are read back into the rows afterwards.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "device/device.h"
#include "gpu/driver_api.h"
#include "gpu/gpu_memory.h"

namespace warpcheck::gpu {

class GpuTextures {
 public:
  // `api` and `memory` must outlive this object. The context of `api` must be current in every
  // call.
  GpuTextures(const DriverApi& api, const GpuMemory& memory) : api_(api), memory_(memory) {}
  ~GpuTextures() { DestroyAll(); }
  GpuTextures(const GpuTextures&) = delete;
  GpuTextures& operator=(const GpuTextures&) = delete;

  // As Device::CreateTexture and Device::DestroyTexture.
  DeviceResult<TextureHandle> Create(const TextureDescriptor& texture);
  DeviceError Destroy(TextureHandle handle, bool is_surface);
  void DestroyAll();

  // Call it when the memory at `texels` was freed. Objects over it stay valid handles.
  void Forget(DeviceAddress texels);

  // Copies the texels from the rows to every array. Call it before a kernel runs.
  CUresult FillArrays();
  // Copies what kernels have stored to surfaces into the rows. Call it when a kernel has ended.
  CUresult ReadSurfaces();

 private:
  // An array of the driver, and the rows that it stands for.
  struct DriverArray {
    DriverArray(const DriverApi& driver, const TextureDescriptor& texels)
        : api(driver), layout(texels) {}
    ~DriverArray();
    DriverArray(const DriverArray&) = delete;
    DriverArray& operator=(const DriverArray&) = delete;

    const DriverApi& api;
    TextureDescriptor layout;
    CUarray array = nullptr;
  };
  using Key = std::pair<TextureHandle, bool>;       // true for a surface
  using ArrayKey = std::pair<DeviceAddress, bool>;  // true for surfaces

  DeviceResult<std::shared_ptr<DriverArray>> ArrayFor(const TextureDescriptor& texture);
  CUresult Copy(const DriverArray& array, bool to_rows) const;
  void DestroyObject(const Key& key);

  const DriverApi& api_;
  const GpuMemory& memory_;
  std::map<Key, std::shared_ptr<DriverArray>> objects_;  // nullptr for an object over plain memory
  std::map<ArrayKey, std::weak_ptr<DriverArray>> arrays_;
};

}  // namespace warpcheck::gpu
