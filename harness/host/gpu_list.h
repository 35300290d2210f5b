// Lists the GPUs of this machine without using them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpcheck {

// Returns whether this machine may have a GPU, judging by its device file. This takes no time.
bool MayHaveGpu();

// Returns the GPUs that may be used side by side, as values of CUDA_VISIBLE_DEVICES for one GPU
// each. These are the GPUs that the variable allows now (`allowed`). If it is not set, there is a
// number for each device file in `devices`. If there are no device files, the result is "0".
std::vector<std::string> ListGpus(const std::string& allowed,
                                  const std::filesystem::path& devices = "/dev");

}  // namespace warpcheck
