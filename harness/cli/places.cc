#include "cli/places.h"

#include <algorithm>
#include <string>

#include "base/files.h"

namespace warpcheck {

namespace fs = std::filesystem;

fs::path Home() {
  if (const std::string home = Environment("WARPCHECK_HOME"); !home.empty()) return home;
  fs::path installed = Programs().parent_path().parent_path() / "share/warpcheck";
  std::error_code error;
  if (fs::is_directory(installed / "assignments", error)) return installed;
  return WARPCHECK_HOME_DEFAULT;
}

std::vector<Course> Courses() {
  std::vector<Course> courses;
  const auto add = [&](const fs::path& home) {
    courses.push_back({.home = home, .programs = home / "build"});
  };
  if (const std::string course = Environment("WARPCHECK_COURSE"); !course.empty()) {
    add(fs::absolute(course));
  }
  courses.push_back({.home = Home(), .programs = Programs()});
  std::error_code error;
  const fs::path here = fs::current_path(error);
  const auto is_here = [&](const Course& course) {
    std::error_code unknown;
    return fs::equivalent(course.home, here, unknown);
  };
  if (fs::is_directory(here / "assignments", error) && std::ranges::none_of(courses, is_here)) {
    add(here);
  }
  return courses;
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

std::optional<ChosenNvcc> ChooseNvcc() {
  const std::string cuda_home = Environment("CUDA_HOME");
  // site-packages/warpcheck/installed/lib/warpcheck, and site-packages/nvidia/cu13
  const fs::path packages = Programs().parent_path().parent_path().parent_path().parent_path();
  const ChosenNvcc in_order[] = {
      {cuda_home.empty() ? fs::path() : fs::path(cuda_home) / "bin/nvcc", "CUDA_HOME names it"},
      {packages / "nvidia/cu13/bin/nvcc", "of NVIDIA's Python packages"},
      {WARPCHECK_NVCC_DEFAULT, "warpcheck was built with it"},
      {OnPath("nvcc").value_or(fs::path()), "on PATH"},
      {"/usr/local/cuda/bin/nvcc", "where CUDA usually is"}};
  for (const ChosenNvcc& one : in_order) {
    if (IsExecutable(one.path)) return one;
  }
  return std::nullopt;
}

Result<fs::path> Nvcc() {
  const auto chosen = ChooseNvcc();
  if (chosen) return chosen->path;
  return Fail(
      "nvcc is not found in CUDA_HOME or on PATH", {},
      "install the CUDA Toolkit, or with pip `warpcheck[toolkit]`; `warpcheck doctor` shows "
      "the rest");
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
