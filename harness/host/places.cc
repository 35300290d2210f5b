#include "host/places.h"

#include "base/programs.h"

namespace warpcheck {

namespace fs = std::filesystem;

fs::path Home() {
  if (const std::string home = Environment("WARPCHECK_HOME"); !home.empty()) return home;
  fs::path installed = Programs().parent_path().parent_path() / "share/warpcheck";
  std::error_code error;
  if (fs::is_directory(installed / "assignments", error)) return installed;
  return WARPCHECK_HOME_DEFAULT;
}

fs::path CourseFiles() {
  fs::path installed = Home() / "course";
  std::error_code error;
  return fs::is_directory(installed, error) ? installed : Home() / "ci/course";
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

}  // namespace warpcheck
