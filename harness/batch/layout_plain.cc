// One folder, one .cu file or one archive a student, under the student's name.
#include <algorithm>

#include "batch/layout.h"
#include "batch/names.h"

namespace warpcheck::batch {
namespace {

bool Recognises(const Export& /*any*/) { return true; }

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

}  // namespace

extern const Layout kPlainLayout;
const Layout kPlainLayout = {.name = "one folder, .cu file or archive a student",
                             .expects = "<student>/*.cu, <student>.cu or <student>.zip",
                             .recognises = Recognises,
                             .sort = Sort};

}  // namespace warpcheck::batch
