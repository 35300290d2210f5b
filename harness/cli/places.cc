#include "cli/places.h"

#include <string>

#include "base/files.h"

namespace warpcheck {

namespace fs = std::filesystem;

fs::path Home() {
  const std::string home = Environment("WARPCHECK_HOME");
  return home.empty() ? fs::path(WARPCHECK_HOME_DEFAULT) : fs::path(home);
}

fs::path Programs() {
  std::error_code error;
  return fs::read_symlink("/proc/self/exe", error).parent_path();
}

fs::path GpuHost() {
  const std::string program = Environment("WARPCHECK_GPU_HOST");
  return program.empty() ? Programs() / "gpu_host" : fs::path(program);
}

fs::path GradeWorker() {
  const std::string program = Environment("WARPCHECK_GRADE_WORKER");
  return program.empty() ? Programs() / "warpcheck_class" : fs::path(program);
}

std::optional<fs::path> Nvcc() {
  const std::string cuda_home = Environment("CUDA_HOME");
  if (!cuda_home.empty() && IsExecutable(fs::path(cuda_home) / "bin/nvcc")) {
    return fs::path(cuda_home) / "bin/nvcc";
  }
  if (IsExecutable(WARPCHECK_NVCC_DEFAULT)) return WARPCHECK_NVCC_DEFAULT;
  return OnPath("nvcc");
}

Result<fs::path> CacheFolder() {
  if (const std::string cache = Environment("WARPCHECK_CACHE"); !cache.empty()) {
    return fs::absolute(cache);
  }
  if (const std::string cache = Environment("XDG_CACHE_HOME"); cache.starts_with('/')) {
    return fs::path(cache) / "warpcheck";
  }
  if (const std::string home = Environment("HOME"); home.starts_with('/')) {
    return fs::path(home) / ".cache/warpcheck";
  }
  return Fail("there is no folder for the build cache: HOME is not set", {},
              "set WARPCHECK_CACHE to a folder that can be written");
}

const char* const kVersion = "warpcheck " WARPCHECK_VERSION;

}  // namespace warpcheck
