#include "cli/gpu_list.h"

#include <algorithm>
#include <sstream>

namespace warpcheck {

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
    const std::string name = file.path().filename().string();  // "nvidia0", not "nvidiactl"
    const std::string number = name.starts_with("nvidia") ? name.substr(6) : "";
    if (number.empty() || number.find_first_not_of("0123456789") != std::string::npos) continue;
    gpus.push_back(std::to_string(gpus.size()));  // CUDA counts those that it can open
  }
  if (gpus.empty()) gpus.emplace_back("0");
  return gpus;
}

}  // namespace warpcheck
