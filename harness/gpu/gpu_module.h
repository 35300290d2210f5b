// A module that is loaded on the GPU.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"
#include "gpu/driver_api.h"

namespace warpcheck::gpu {

struct GpuKernel {
  KernelInfo info;
  std::string display_name;  // demangled
  CUfunction function = nullptr;
};

class GpuModule {
 public:
  // Of a cubin for the current context, which is current in the destructor too. `api` outlives the
  // module.
  static DeviceResult<std::unique_ptr<GpuModule>> Load(const DriverApi& api,
                                                       std::vector<std::byte> cubin);
  ~GpuModule();
  GpuModule(const GpuModule&) = delete;
  GpuModule& operator=(const GpuModule&) = delete;

  const std::vector<std::byte>& cubin() const { return cubin_; }
  const std::vector<VariableInfo>& variables() const { return variables_; }
  const GpuKernel* Find(std::string_view mangled) const;  // nullptr where there is none
  ModuleInfo Info(ModuleId id) const;
  // True where the range lies within one variable.
  bool Holds(DeviceAddress address, std::uint64_t bytes) const;

 private:
  GpuModule(const DriverApi& api, std::vector<std::byte> cubin)
      : api_(api), cubin_(std::move(cubin)) {}

  CUresult ListKernels();
  CUresult ListVariables();

  const DriverApi& api_;
  std::vector<std::byte> cubin_;
  CUmodule module_ = nullptr;
  std::vector<GpuKernel> kernels_;
  std::vector<VariableInfo> variables_;
};

}  // namespace warpcheck::gpu
