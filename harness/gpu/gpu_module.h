// A GpuModule is a module that is loaded on the GPU.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
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
  std::string message;  // an error with the message of the driver's compiler, and advice
};

// Says how a kernel uses texture and surface objects. A GPU does not count these accesses as loads
// and stores.
enum class TextureUse : std::uint8_t {
  kNone,
  kFetches,  // only by index (tex1Dfetch), which the emulator counts as loads
  kOther,    // at least one access that no counter sees on any device
};

// The names that a PTX text declares outside its functions.
struct PtxNames {
  std::vector<std::string> kernels;
  // Only kernels that use textures or surfaces. A use in a function that is no kernel counts for
  // all kernels, since any of them may call it.
  std::map<std::string, TextureUse, std::less<>> texture_use;
  // All words in declarations that may name a global or constant variable. The driver, which finds
  // variables only by name, tells which of them are variables.
  std::vector<std::string> variable_candidates;
  std::set<std::string, std::less<>> constants;  // the words that are declared with .const
};
PtxNames ReadNames(std::string_view ptx);

struct GpuKernel {
  KernelInfo info;
  std::string display_name;  // the demangled name
  TextureUse textures = TextureUse::kNone;
  CUfunction function = nullptr;
};

// The type of a function that calls `load`, which loads one module, and returns the machine code
// that the driver made. If the function is empty, the machine code is not needed.
using CubinCapturer =
    std::function<Result<std::vector<std::byte>>(const std::function<void()>& load)>;

class GpuModule {
 public:
  // Loads a module into the current context, which must also be current in the destructor. `api`
  // must outlive the module.
  static tl::expected<std::unique_ptr<GpuModule>, LoadFailure> Load(const DriverApi& api,
                                                                    std::string_view ptx,
                                                                    const CubinCapturer& capture);
  ~GpuModule();
  GpuModule(const GpuModule&) = delete;
  GpuModule& operator=(const GpuModule&) = delete;

  // Keeps the present values of all variables, unless those have more bytes than are worth it.
  CUresult KeepValues();
  // Returns true if the values of all variables were kept.
  bool HasValues() const { return values_.size() == variables_.size(); }
  // Sets all variables to the values that were kept.
  CUresult RestoreValues();

  const std::string& ptx() const { return ptx_; }
  // Returns the machine code, or the reason why it is unknown.
  const Result<std::vector<std::byte>>& cubin() const { return cubin_; }
  const std::vector<VariableInfo>& variables() const { return variables_; }
  // Returns true if its kernels may call malloc().
  bool allocates() const { return allocates_; }
  // Returns nullptr if there is no kernel with that name.
  const GpuKernel* Find(std::string_view mangled) const;
  ModuleInfo Info(ModuleId id) const;
  // Returns true if the range lies within one variable.
  bool Holds(DeviceAddress address, std::uint64_t bytes) const;

 private:
  explicit GpuModule(const DriverApi& api) : api_(api) {}

  CUresult ListKernels(const PtxNames& names);
  CUresult ListVariables(const PtxNames& names);

  const DriverApi& api_;
  std::string ptx_;
  Result<std::vector<std::byte>> cubin_;
  CUmodule module_ = nullptr;
  bool allocates_ = false;
  std::vector<GpuKernel> kernels_;
  std::vector<VariableInfo> variables_;
  std::vector<std::vector<std::byte>> values_;  // the kept values, one for each variable
};

}  // namespace warpcheck::gpu
