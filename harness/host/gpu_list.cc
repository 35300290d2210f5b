#include "host/gpu_list.h"

#include <sstream>
#include <system_error>

#include "base/programs.h"

namespace warpcheck {

bool MayHaveGpu() {
  // Set if a test program plays the GPU.
  if (!Environment("WARPCHECK_GPU_HOST").empty()) return true;
  std::error_code error;
  // The second file is the GPU's device file in Windows' Linux (WSL 2).
  return std::filesystem::exists("/dev/nvidiactl", error) ||
         std::filesystem::exists("/dev/dxg", error);
}

std::vector<std::string> ListGpus(const std::string& allowed,
                                  const std::filesystem::path& devices) {
  std::vector<std::string> gpus;
  std::istringstream names(allowed);
  for (std::string name; std::getline(names, name, ',');) {
    if (!name.empty()) gpus.push_back(name);
  }
  if (!gpus.empty()) return gpus;
  std::error_code error;
  for (const auto& file : std::filesystem::directory_iterator(devices, error)) {
    const std::string name = file.path().filename().string();  // matches "nvidia0", not "nvidiactl"
    const std::string number = name.starts_with("nvidia") ? name.substr(6) : "";
    if (number.empty() || number.find_first_not_of("0123456789") != std::string::npos) continue;
    gpus.push_back(std::to_string(gpus.size()));  // CUDA numbers only devices that it can open
  }
  if (gpus.empty()) gpus.emplace_back("0");
  return gpus;
}

}  // namespace warpcheck
