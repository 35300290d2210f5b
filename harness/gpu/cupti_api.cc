#include "gpu/cupti_api.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>

namespace warpcheck::gpu {
namespace {

constexpr const char* kLibraries[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};
constexpr const char* kFolders[] = {"lib64", "extras/CUPTI/lib64"};
constexpr const char* kHowToGet =
    "install CUPTI, which belongs to the CUDA Toolkit, and point CUDA_HOME at the toolkit: "
    "CUDA_HOME=/path/to/cuda; kernels run without it, but nothing is counted";

template <class... Arguments>
bool Find(void* library, CuptiFunction<Arguments...>& function) {
  void* const found = ::dlsym(library, function.name);
  function.pointer = reinterpret_cast<CUptiResult (*)(Arguments...)>(found);
  return found != nullptr;
}

Result<CuptiApi> Bind(void* library, const std::string& path) {
  CuptiApi api;
  std::vector<std::string> missing;
#define CUPTI_FUNCTION(Name) \
  if (!Find(library, api.Name)) missing.emplace_back(api.Name.name);
#include "gpu/cupti_api.def"
#undef CUPTI_FUNCTION
  if (!missing.empty()) {
    return Fail(
        fmt::format("{} has no {}: it is too old, or no CUPTI", path, fmt::join(missing, ", ")), {},
        "use the CUPTI of the CUDA Toolkit 13: CUDA_HOME=/path/to/cuda");
  }
  return api;
}

}  // namespace

std::vector<std::string> CuptiPaths() {
  std::vector<std::string> toolkits;
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"}) {
    const char* value = std::getenv(variable);
    if (value != nullptr && *value != '\0') toolkits.emplace_back(value);
  }
  toolkits.emplace_back("/usr/local/cuda");
  std::vector<std::string> paths(std::begin(kLibraries), std::end(kLibraries));
  for (const std::string& toolkit : toolkits) {
    for (const char* folder : kFolders) {
      for (const char* library : kLibraries) {
        paths.push_back(fmt::format("{}/{}/{}", toolkit, folder, library));
      }
    }
  }
  return paths;
}

Result<CuptiApi> LoadCuptiFrom(std::span<const std::string> paths) {
  for (const std::string& path : paths) {
    void* const library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library != nullptr) return Bind(library, path);
  }
  return Fail(fmt::format("CUPTI cannot be loaded; tried {}", fmt::join(paths, ", ")), {},
              kHowToGet);
}

Result<const CuptiApi*> LoadCupti() {
  static const Result<CuptiApi> loaded = LoadCuptiFrom(CuptiPaths());
  if (!loaded) return Fail(loaded.error());
  return &*loaded;
}

}  // namespace warpcheck::gpu
