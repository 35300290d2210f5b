// A module that is loaded on the GPU.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"
#include "gpu/driver_api.h"

namespace warpcheck::gpu {

struct LoadFailure {
  DeviceError error = DeviceError::kInvalidPtx;
  std::string message;  // what the driver's compiler says, and what to do
};

// What a text declares outside its functions.
struct PtxNames {
  std::vector<std::string> kernels;
  // Every name that may be a global or constant variable: the words of their declarations. The
  // driver, which knows variables by name only, tells which are.
  std::vector<std::string> variable_candidates;
  std::set<std::string, std::less<>> constants;  // those of them that stand behind .const
};
PtxNames ReadNames(std::string_view ptx);

struct GpuKernel {
  KernelInfo info;
  std::string display_name;  // demangled
  CUfunction function = nullptr;
};

// Calls `load`, which loads one module, and gives the machine code that the driver made there. An
// empty one: nobody needs the machine code.
using CubinCapturer =
    std::function<Result<std::vector<std::byte>>(const std::function<void()>& load)>;

class GpuModule {
 public:
  // Into the current context, which is current in the destructor too. `api` outlives the module.
  static tl::expected<std::unique_ptr<GpuModule>, LoadFailure> Load(const DriverApi& api,
                                                                    std::string_view ptx,
                                                                    const CubinCapturer& capture);
  ~GpuModule();
  GpuModule(const GpuModule&) = delete;
  GpuModule& operator=(const GpuModule&) = delete;

  // The machine code, or why it is not known.
  const Result<std::vector<std::byte>>& cubin() const { return cubin_; }
  const std::vector<VariableInfo>& variables() const { return variables_; }
  // Whether its kernels may call malloc().
  bool allocates() const { return allocates_; }
  const GpuKernel* Find(std::string_view mangled) const;  // nullptr where there is none
  ModuleInfo Info(ModuleId id) const;
  // True where the range lies within one variable.
  bool Holds(DeviceAddress address, std::uint64_t bytes) const;

 private:
  explicit GpuModule(const DriverApi& api) : api_(api) {}

  CUresult ListKernels(const std::vector<std::string>& names);
  CUresult ListVariables(const PtxNames& names);

  const DriverApi& api_;
  Result<std::vector<std::byte>> cubin_;
  CUmodule module_ = nullptr;
  bool allocates_ = false;
  std::vector<GpuKernel> kernels_;
  std::vector<VariableInfo> variables_;
};

}  // namespace warpcheck::gpu
