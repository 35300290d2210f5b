// Reads any other export: one folder, one .cu file or one archive for each student, named after the
// student.
#include "batch/intake/file_names.h"
#include "batch/intake/layout.h"

namespace warpcheck::batch {
namespace {

Result<Sorted> Sort(const Export& exported) {
  Sorted sorted;
  for (Part& part : PartsOf(exported)) {
    if (!part.is_folder && IsForeignArchive(part.name)) {
      sorted.refused.push_back({part.name, "cannot be unpacked: make it a .zip or .tar.gz file"});
      continue;
    }
    // Other files beside the submissions are skipped, such as a list, a README or a header of the
    // course.
    const bool has_problem = !part.files.empty() && !part.files.front().problem.empty();
    if (!part.is_folder && !has_problem && !IsKernel(part.name) && !IsArchive(part.name)) continue;
    HandIn& hand_in = sorted.hand_ins.emplace_back();
    hand_in.who = part.is_folder ? part.name : Stem(part.name);
    hand_in.name = hand_in.who;
    hand_in.what = part.name;
    hand_in.files = std::move(part.files);
  }
  return sorted;
}

}  // namespace

const Layout kPlainLayout = {.name = "one folder, .cu file or archive for each student",
                             .expects = "<student>/*.cu, <student>.cu or <student>.zip",
                             .recognises = [](const Export&) { return true; },
                             .sort = Sort};

}  // namespace warpcheck::batch
