#include <array>
#include <map>

#include "batch/layout.h"

namespace warpcheck::batch {

extern const Layout kGradescopeLayout;
extern const Layout kMoodleLayout;
extern const Layout kCanvasLayout;
extern const Layout kClassroomLayout;
extern const Layout kPlainLayout;

std::span<const Layout* const> Layouts() {
  static constexpr std::array<const Layout*, 5> kLayouts = {
      &kGradescopeLayout, &kMoodleLayout, &kCanvasLayout, &kClassroomLayout, &kPlainLayout};
  return kLayouts;
}

Split SplitName(std::string_view name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return {.first = name, .rest = {}};
  return {.first = name.substr(0, slash), .rest = name.substr(slash + 1)};
}

std::vector<Part> PartsOf(const Export& exported) {
  std::map<std::string, Part> parts;  // folders end with '/'
  for (const File& file : exported.files) {
    const Split split = SplitName(file.name);
    const bool is_folder = split.first.size() < file.name.size();
    Part& part = parts[std::string(split.first) + (is_folder ? "/" : "")];
    part.name = split.first;
    part.is_folder = is_folder;
    if (is_folder && split.rest.empty()) continue;
    part.files.push_back(file);
    if (is_folder) part.files.back().name = split.rest;
  }
  std::vector<Part> sorted;
  for (auto& [key, part] : parts) sorted.push_back(std::move(part));
  return sorted;
}

}  // namespace warpcheck::batch
