// PTX text to a module on the GPU.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gpu/driver_api.h"

namespace warpcheck::gpu {

struct LoadFailure {
  DeviceError error = DeviceError::kInvalidPtx;
  std::string message;  // what the driver's compiler says, and what to do
};

// Compiles for the current context's GPU, with line information, and loads. The driver's linker
// (cuLink...) would compile otherwise than nvcc does, with other shared accesses.
tl::expected<CUmodule, LoadFailure> LoadPtx(const DriverApi& api, std::string_view ptx);

// What a text declares outside its functions.
struct PtxNames {
  std::vector<std::string> kernels;
  // Every name that may be a global or constant variable: the words of their declarations. The
  // driver, which knows variables by name only, tells which are.
  std::vector<std::string> variable_candidates;
};
PtxNames ReadNames(std::string_view ptx);

}  // namespace warpcheck::gpu
