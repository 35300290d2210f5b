// What ended a kernel, as a finding.
#pragma once

#include <string>
#include <string_view>

#include "device/finding.h"
#include "gpu/driver_api.h"

namespace warpcheck::gpu {

// `result`: what synchronising after the launch gave. `errors`: what the driver wrote to standard
// error meanwhile: of a failed assert, its text, place and thread.
Finding ExplainFault(const DriverApi& api, CUresult result, const std::string& kernel,
                     std::string_view errors);

}  // namespace warpcheck::gpu
