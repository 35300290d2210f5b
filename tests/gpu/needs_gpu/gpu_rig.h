// A GPU with a context, for tests that look at the driver and CUPTI alone.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "device/types.h"
#include "gpu/cupti_api.h"
#include "gpu/driver_api.h"
#include "gpu/launch_counter.h"

namespace warpcheck::gpu {

// Runs `work` in a process of its own, because CUPTI counts the lines of one launch a process, and
// a fault ends a context; what it returned, or how the process ended. The process that calls this
// never touches the driver.
std::string InOwnProcess(const std::function<std::string()>& work);

// Why GPU 0 cannot be used; empty where it can.
std::string WhyNoGpu();

class GpuRig {
 public:
  // Loads `ptx_file`. Throws std::runtime_error.
  explicit GpuRig(const std::string& ptx_file);
  ~GpuRig();
  GpuRig(const GpuRig&) = delete;
  GpuRig& operator=(const GpuRig&) = delete;

  CuptiDevice device() const { return {0, context_}; }
  const CuptiApi& cupti() const { return *cupti_; }
  // Compute capability 9.0: the machine code is the one whose counts are known.
  bool IsHopper() const;
  CUdeviceptr Buffer(std::size_t bytes, unsigned char value);

  struct Kernel {
    std::string name;  // mangled
    Dim3 grid;
    Dim3 block;
    std::vector<std::byte> parameters;
    unsigned dynamic_shared = 0;
  };
  // The driver's answer to launch and synchronisation: CUDA_SUCCESS is 0.
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
