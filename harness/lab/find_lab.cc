#include "lab/find_lab.h"

#include <fmt/format.h>

#include <map>

#include "host/courses.h"

namespace warpcheck::lab {
namespace {

namespace fs = std::filesystem;

bool IsLab(const fs::path& folder) {
  std::error_code error;
  return fs::is_regular_file(folder / "lab.toml", error);
}

}  // namespace

Result<std::vector<fs::path>> AllLabs() {
  const auto courses = WARPCHECK_TRY(Courses());
  std::map<std::string, fs::path> named;
  for (const Course& course : courses) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(course.home / "labs", error)) {
      if (IsLab(entry.path())) named.emplace(entry.path().filename().string(), entry.path());
    }
  }
  std::vector<fs::path> labs;
  for (const auto& [name, folder] : named) labs.push_back(folder);
  return labs;
}

Result<fs::path> FindLab(const std::string& name) {
  if (name.find('/') != std::string::npos) {
    fs::path folder = fs::absolute(name).lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();
    if (IsLab(folder)) return folder;
    return Fail(fmt::format("{} has no lab.toml", name));
  }
  const auto labs = WARPCHECK_TRY(AllLabs());
  std::string names;
  for (const fs::path& folder : labs) {
    if (folder.filename() == name) return folder;
    names += (names.empty() ? "" : ", ") + folder.filename().string();
  }
  return NotFound(fmt::format("there is no lab {}", name),
                  fmt::format("the labs are: {}; a path such as ./{} names a folder", names, name));
}

}  // namespace warpcheck::lab
