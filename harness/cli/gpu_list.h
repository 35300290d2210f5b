// The GPUs of this machine that may be used side by side.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpcheck {

// Values of CUDA_VISIBLE_DEVICES, each for one GPU: what the variable allows now, else a number for
// each device file in `devices`, else "0".
std::vector<std::string> ListGpus(const std::string& allowed,
                                  const std::filesystem::path& devices = "/dev");

}  // namespace warpcheck
