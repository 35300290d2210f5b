#include "cli/run/runtime_version.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace warpcheck {
namespace {

constexpr std::string_view kCudart = "libcudart.so.";
constexpr int kRuntimes[] = {13};  // harness/run/CMakeLists.txt builds them

}  // namespace

Result<int> RuntimeFor(const run::ProgramFile& program, const std::string& name) {
  for (const std::string& library : program.libraries) {
    if (!library.starts_with(kCudart)) continue;
    const std::string_view version = std::string_view(library).substr(kCudart.size());
    int major = 0;
    std::from_chars(version.data(), version.data() + version.size(), major);
    if (std::ranges::count(kRuntimes, major) != 0) return major;
    return Fail(fmt::format("{} is linked with {}, and warpcheck offers {}{}", name, library,
                            kCudart, kRuntimes[0]),
                {}, "build it with the CUDA Toolkit 13");
  }
  if (program.has_own_runtime()) {
    return Fail(
        fmt::format("{} has the CUDA runtime linked into it, which cannot be replaced", name), {},
        "build it with nvcc -cudart shared (with CMake: CMAKE_CUDA_RUNTIME_LIBRARY=Shared)");
  }
  if (program.LinkedWith("libcuda.so") && !program.calls_runtime) {
    return Fail(
        fmt::format("{} uses only the CUDA driver API, which warpcheck does not offer", name), {},
        "use the CUDA runtime API (cudaMalloc, kernel<<<>>>), with nvcc -cudart shared");
  }
  return kRuntimes[0];
}

}  // namespace warpcheck
