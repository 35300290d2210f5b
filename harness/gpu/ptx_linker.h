#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "gpu/driver_api.h"

namespace warpcheck::gpu {

struct LinkFailure {
  DeviceError error = DeviceError::kInvalidPtx;
  std::string message;  // what the driver's compiler says, and what to do
};

// The machine code that the driver makes of PTX text for the current context's GPU: a cubin with
// line information.
tl::expected<std::vector<std::byte>, LinkFailure> LinkPtx(const DriverApi& api,
                                                          std::string_view ptx);

}  // namespace warpcheck::gpu
