// GpuTextures makes texture and surface objects through the driver. An object over linear or
// pitched memory reads the memory itself. A CUDA array of the program is rows of plain memory
// everywhere else in warpcheck, but an object over it reads an array of the driver. That array is
// filled from the rows before a kernel runs, and surfaces are read back into the rows afterwards.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>

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

  // These do the same as Device::CreateTexture and Device::DestroyTexture.
  DeviceResult<TextureHandle> Create(const TextureDescriptor& texture);
  DeviceError Destroy(const TextureKey& texture);
  void DestroyAll();

  // Call this when the memory at `texels` was freed. Objects over it stay valid handles.
  void Forget(DeviceAddress texels);

  // Copies the texels from the rows to every array. Call this before a kernel runs.
  CUresult FillArrays();
  // Copies the texels from the rows to the arrays of surfaces, to which kernels store. Call it
  // before a kernel runs again; FillArrays has filled the arrays of textures, which no kernel
  // changes.
  CUresult FillSurfaces();
  // Copies what kernels have stored to surfaces into the rows. Call it when a kernel has ended.
  CUresult ReadSurfaces();

 private:
  // An array of the driver, and the rows that it represents.
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
  // Textures over the same rows share an array, and so do surfaces.
  struct ArrayKey {
    DeviceAddress texels = 0;
    bool of_surfaces = false;

    friend auto operator<=>(const ArrayKey&, const ArrayKey&) = default;
  };

  DeviceResult<std::shared_ptr<DriverArray>> ArrayFor(const TextureDescriptor& texture);
  enum class Direction : std::uint8_t { kToArray, kToRows };
  // Copies the texels of all arrays, or only of the arrays of surfaces.
  CUresult CopyAll(Direction direction, bool surfaces_only) const;
  CUresult Copy(const DriverArray& array, Direction direction) const;
  void DestroyObject(const TextureKey& key);

  const DriverApi& api_;
  const GpuMemory& memory_;
  // nullptr for an object over plain memory
  std::map<TextureKey, std::shared_ptr<DriverArray>> objects_;
  std::map<ArrayKey, std::weak_ptr<DriverArray>> arrays_;
};

}  // namespace warpcheck::gpu
