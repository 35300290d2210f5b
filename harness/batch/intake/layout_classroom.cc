// Reads exports of GitHub Classroom: clones of the students' repositories, named
// <assignment>-<user>. `gh classroom clone student-repos` puts them into <assignment>-submissions/.
// The sources are gh-classroom, cmd/gh-classroom/clone/student-repos/student-repos.go, and for the
// repositories' names classroom, app/models/assignment_repo.rb.
//
// A clone does not say when a student pushed. git could tell, but is never run, because it would
// obey the settings of a student's repository.
#include <algorithm>

#include "batch/intake/file_names.h"
#include "batch/intake/layout.h"

namespace warpcheck::batch {
namespace {

constexpr std::string_view kRepository = ".git";
constexpr std::string_view kFolderEnd = "-submissions";

// Returns the common beginning of the repositories' names if the folder is named after the
// assignment; otherwise an empty text.
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
  // A folder with the export's own name is a copy of the export, not a repository.
  return !slug.empty() && std::ranges::any_of(parts, [&](const Part& part) {
    return part.name.starts_with(slug) && part.name != exported.name;
  });
}

// Returns the common beginning of all names, up to a '-', such as "transpose-"; empty if there is
// only one name.
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
        sorted.refused.push_back({part.name, "is outside the repositories"});
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
