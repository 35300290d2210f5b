#include "cli/places.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "base/files.h"
#include "base/programs.h"
#include "grading/bundle.h"
#include "process/run_program.h"

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

namespace {

Result<Course> CourseIn(const fs::path& named) {
  std::error_code error;
  if (!fs::is_regular_file(named, error)) {
    return Course{.home = named, .programs = named / "build"};
  }
  const auto cache = WARPCHECK_TRY(CacheFolder());
  return OpenBundle(named, {.version = kVersion,
                            .trusted = Environment("WARPCHECK_TRUST"),
                            .cache = cache,
                            .libraries = Programs() / "libs"});
}

}  // namespace

Result<std::vector<Course>> Courses() {
  std::vector<Course> courses;
  if (const std::string named = Environment("WARPCHECK_COURSE"); !named.empty()) {
    courses.push_back(WARPCHECK_TRY(CourseIn(fs::absolute(named))));
  }
  courses.push_back({.home = Home(), .programs = Programs()});
  std::error_code error;
  const fs::path here = fs::current_path(error);
  const auto is_here = [&](const Course& course) {
    std::error_code unknown;
    return fs::equivalent(course.home, here, unknown);
  };
  if (fs::is_directory(here / "assignments", error) && std::ranges::none_of(courses, is_here)) {
    courses.push_back({.home = here, .programs = here / "build"});
  }
  return courses;
}

Result<Assignment> AssignmentNamed(std::string_view name) {
  if (name.ends_with(kBundleEnding)) {
    return Fail(fmt::format("{} is no assignment: a bundle is a course", name), {},
                fmt::format("warpcheck --course {} check NAME FILE.cu", name));
  }
  return Courses().and_then(
      [&](const std::vector<Course>& courses) { return FindAssignment(courses, name); });
}

Result<Rubric> RubricOf(const Assignment& assignment) {
  return ReadFile(assignment.rubric).and_then([&](const std::string& toml) {
    return ParseRubric(toml, assignment.rubric.string());
  });
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
  const ChosenNvcc in_order[] = {
      {cuda_home.empty() ? fs::path() : fs::path(cuda_home) / "bin/nvcc", "CUDA_HOME names it"},
      {PythonToolkit() / "bin/nvcc", "of NVIDIA's Python packages"},
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

std::string VersionOf(const fs::path& program, std::string_view mark) {
  const auto end = RunProgram({.program = program,
                               .arguments = {"--version"},
                               .limit = std::chrono::seconds(10),
                               .max_output = 4096});
  if (!end || !end->Succeeded()) return {};
  const std::size_t at = end->output.find(mark);
  if (at == std::string::npos) return {};
  return end->output.substr(at, end->output.find('\n', at) - at);
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
