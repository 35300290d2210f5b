#include "batch/intake/layout.h"

#include <map>

#include "batch/course/student_names.h"

namespace warpcheck::batch {

std::span<const Layout* const> Layouts() {
  static constexpr const Layout* kLayouts[] = {
#define WARPCHECK_LAYOUT(name) &k##name##Layout,
#include "batch/intake/layouts.def"
#undef WARPCHECK_LAYOUT
  };
  return kLayouts;
}

Excluded Refused(const HandIn& hand_in, std::string reason) {
  Excluded refused = {.what = hand_in.what,
                      .reason = std::move(reason),
                      .id = SafeId(hand_in.who),
                      .name = hand_in.name,
                      .known_as = hand_in.known_as};
  refused.known_as.push_back(hand_in.who);
  return refused;
}

Split SplitName(std::string_view name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return {.first = name, .rest = {}};
  return {.first = name.substr(0, slash), .rest = name.substr(slash + 1)};
}

std::vector<Part> PartsOf(const Export& exported) {
  std::map<std::string, Part> parts;  // the keys of folders end with '/'
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
