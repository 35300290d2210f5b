#include "host/courses.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <string>

#include "base/files.h"
#include "base/programs.h"
#include "grading/handouts/bundle.h"
#include "host/places.h"
#include "host/version.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

Result<Course> CourseIn(const fs::path& named) {
  std::error_code error;
  if (!fs::exists(named, error)) {
    return NotFound(
        fmt::format("there is no course {}: no such file or folder", named.string()),
        "--course and WARPCHECK_COURSE name a course's folder, or the bundle of an assignment");
  }
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
    return Fail(fmt::format("{} is not an assignment but a bundle, which is a course", name), {},
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

}  // namespace warpcheck
