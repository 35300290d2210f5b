// GitHub Classroom: a clone of each student's repository, called <assignment>-<user>; what
// `gh classroom clone student-repos` makes lies in <assignment>-submissions/. Source: gh-classroom,
// cmd/gh-classroom/clone/student-repos/student-repos.go; the repositories' names: classroom,
// app/models/assignment_repo.rb. When a student pushed is not in a clone, and git is not asked: it
// would run what a repository's settings say.
#include <algorithm>

#include "batch/intake/file_names.h"
#include "batch/intake/layout.h"

namespace warpcheck::batch {
namespace {

constexpr std::string_view kRepository = ".git";
constexpr std::string_view kFolderEnd = "-submissions";

// What repositories' names begin with, where the folder is called after the assignment.
std::string SlugOf(const Export& exported) {
  if (!exported.name.ends_with(kFolderEnd)) return "";
  return exported.name.substr(0, exported.name.size() - kFolderEnd.size()) + "-";
}

bool IsRepository(const Part& part) {
  return std::ranges::find(part.files, kRepository, &File::name) != part.files.end();
}

bool Recognises(const Export& exported) {
  const std::vector<Part> parts = PartsOf(exported);
  if (std::ranges::any_of(parts, IsRepository)) return true;
  const std::string slug = SlugOf(exported);
  // What lies in a folder of its own name is another such folder.
  return !slug.empty() && std::ranges::any_of(parts, [&](const Part& part) {
    return part.name.starts_with(slug) && part.name != exported.name;
  });
}

// What all names begin with, up to a '-': "transpose-". Empty for a single name.
std::string CommonStart(const std::vector<Part>& parts) {
  std::string common;
  std::size_t folders = 0;
  for (const Part& part : parts) {
    if (!part.is_folder) continue;
    if (folders++ == 0) common = part.name;
    const auto differ = std::ranges::mismatch(common, part.name).in1;
    common.erase(differ, common.end());
  }
  return folders < 2 ? "" : common.substr(0, common.rfind('-') + 1);
}

Result<Sorted> Sort(const Export& exported) {
  Sorted sorted;
  std::vector<Part> parts = PartsOf(exported);
  std::string slug = SlugOf(exported);
  if (slug.empty()) slug = CommonStart(parts);
  for (Part& part : parts) {
    if (!part.is_folder) {
      if (IsKernel(part.name) || IsArchive(part.name)) {
        sorted.refused.push_back({part.name, "lies beside the repositories, and in none"});
      }
      continue;
    }
    HandIn& hand_in = sorted.hand_ins.emplace_back();
    hand_in.who = part.name;
    hand_in.name = part.name.starts_with(slug) ? part.name.substr(slug.size()) : part.name;
    if (hand_in.name.empty()) hand_in.name = part.name;
    hand_in.known_as = {hand_in.name};
    hand_in.what = part.name;
    hand_in.files = std::move(part.files);
  }
  return sorted;
}

}  // namespace

const Layout kClassroomLayout = {.name = "GitHub Classroom",
                                 .expects = "<assignment>-<user>/ with its .git",
                                 .recognises = Recognises,
                                 .sort = Sort};

}  // namespace warpcheck::batch
