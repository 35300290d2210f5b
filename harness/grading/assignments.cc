#include "grading/assignments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

tl::unexpected<Error> Unknown(std::string_view name, const std::vector<Assignment>& all) {
  std::vector<std::string_view> names;
  for (const Assignment& assignment : all) names.push_back(assignment.name);
  std::string hint = names.empty() ? "there are no assignments"
                                   : fmt::format("there are: {}", fmt::join(names, ", "));
  if (const auto near = Nearest(name, names); !near.empty()) {
    hint = fmt::format("did you mean {}? {}", near, hint);
  }
  return NotFound(fmt::format("there is no assignment \"{}\"", name), hint);
}

Result<> AddAssignments(const Course& course, std::vector<Assignment>& all) {
  const fs::path folder = course.home / "assignments";
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const fs::path path = entry->path();
    const std::string name = path.filename().string();
    std::error_code unreadable;
    if (!fs::exists(path / "rubric.toml", unreadable)) continue;
    if (std::ranges::find(all, name, &Assignment::name) != all.end()) continue;
    all.push_back({.name = name,
                   .home = course.home,
                   .course = course.named.empty() ? course.home : course.named,
                   .rubric = path / "rubric.toml",
                   .header = path / (name + ".h"),
                   .readme = path / "README.md",
                   .checks = course.programs / (name + "_checks")});
  }
  if (error) {
    return Fail(
        fmt::format("cannot read the assignments in {}: {}", folder.string(), error.message()), {},
        "a course is a folder that holds assignments/, or a bundle, NAME.warp");
  }
  return {};
}

}  // namespace

Result<std::vector<Assignment>> ListAssignments(const std::vector<Course>& courses) {
  std::vector<Assignment> all;
  for (const Course& course : courses) {
    WARPCHECK_TRY(AddAssignments(course, all));
  }
  std::ranges::sort(all, {}, &Assignment::name);
  return all;
}

Result<Assignment> FindAssignment(const std::vector<Course>& courses, std::string_view name) {
  const auto all = WARPCHECK_TRY(ListAssignments(courses));
  const auto found = std::ranges::find(all, name, &Assignment::name);
  if (found == all.end()) return Unknown(name, all);
  std::error_code error;
  if (!fs::exists(found->header, error)) {
    return Fail(fmt::format("assignment {} has no {}", name, found->header.string()), {},
                "every assignment declares the student's interface there");
  }
  if (!fs::exists(found->checks, error)) {
    return Fail(fmt::format("the checks of {} are not built: no {}", name, found->checks.string()),
                {}, "run warpcheck build in the course's folder; in warpcheck's own, make build");
  }
  return *found;
}

}  // namespace warpcheck
