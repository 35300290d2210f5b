// Provides a GPU with a context, for tests that use only the driver and CUPTI.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "device/types.h"
#include "gpu/cupti/cupti_api.h"
#include "gpu/cupti/launch_counter.h"
#include "gpu/driver_api.h"

namespace warpcheck::gpu {

// Runs `work` in a process of its own, because CUPTI counts the lines of one launch for each
// process, and because a fault ends a context. Returns its result, or how the process ended. The
// calling process never uses the driver.
std::string InOwnProcess(const std::function<std::string()>& work);

// Returns why GPU 0 cannot be used; empty if it can be used.
std::string WhyNoGpu();

class GpuRig {
 public:
  // Loads `ptx_file`. Throws std::runtime_error on failure.
  explicit GpuRig(const std::string& ptx_file);
  ~GpuRig();
  GpuRig(const GpuRig&) = delete;
  GpuRig& operator=(const GpuRig&) = delete;

  CuptiDevice device() const { return {0, context_}; }
  const CuptiApi& cupti() const { return *cupti_; }
  // Returns true for compute capability 9.0, because the counts are known for its machine code.
  bool IsHopper() const;
  CUdeviceptr Buffer(std::size_t bytes, unsigned char value);

  struct Kernel {
    std::string name;  // the mangled name
    Dim3 grid;
    Dim3 block;
    std::vector<std::byte> parameters;
    unsigned dynamic_shared = 0;
  };
  // Returns the driver's result of launch and synchronisation; CUDA_SUCCESS is 0.
  CUresult Run(const Kernel& kernel);
  Result<LaunchCounts> Count(LaunchCounter& counter, const Kernel& kernel);

 private:
  const DriverApi* driver_ = nullptr;
  const CuptiApi* cupti_ = nullptr;
  CUcontext context_ = nullptr;
  CUmodule module_ = nullptr;
  std::vector<std::byte> cubin_;
};

}  // namespace warpcheck::gpu
