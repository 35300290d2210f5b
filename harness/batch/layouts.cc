#include <map>

#include "batch/layout.h"
#include "batch/names.h"

namespace warpcheck::batch {

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

// One folder, one .cu file or one archive a student, under the student's name.

namespace {

Result<Sorted> Sort(const Export& exported) {
  Sorted sorted;
  for (Part& part : PartsOf(exported)) {
    // A file beside the submissions: a list, a README, a header of the course.
    if (!part.is_folder && IsForeignArchive(part.name)) {
      sorted.refused.push_back({part.name, "cannot be unpacked: .zip and .tar.gz can"});
      continue;
    }
    const bool refused = !part.files.empty() && !part.files.front().objection.empty();
    if (!part.is_folder && !refused && !IsKernel(part.name) && !IsArchive(part.name)) continue;
    HandIn& hand_in = sorted.hand_ins.emplace_back();
    hand_in.who = part.is_folder ? part.name : Stem(part.name);
    hand_in.name = hand_in.who;
    hand_in.what = part.name;
    hand_in.files = std::move(part.files);
  }
  return sorted;
}

const Layout kPlainLayout = {.name = "one folder, .cu file or archive a student",
                             .expects = "<student>/*.cu, <student>.cu or <student>.zip",
                             .recognises = [](const Export&) { return true; },
                             .sort = Sort};

}  // namespace

std::span<const Layout* const> Layouts() {
  static constexpr const Layout* kLayouts[] = {&kGradescopeLayout, &kMoodleLayout, &kCanvasLayout,
                                               &kClassroomLayout, &kPlainLayout};
  return kLayouts;
}

}  // namespace warpcheck::batch
