// A Request asks for the compilation of a submission.
#pragma once

#include <filesystem>
#include <vector>

#include "compile/source/language.h"

namespace warpcheck::compile {

struct Request {
  // One .cu file, or a folder. All .cu files of a folder are compiled together, and its headers can
  // be included.
  std::filesystem::path submission;
  // The headers of the assignment's interface, which the submission can include as well.
  std::vector<std::filesystem::path> headers;
  // Ten times the compute capability of the oldest GPU that must run the code: 75, ..., 90.
  int ptx_target = 90;
  Language language{};
  // True to compile the kernels alone, of a submission with one .cu file. The artifact's object is
  // then their PTX.
  bool only_kernels = false;
  bool anew = false;  // true to compile even if the cache has an outcome, and to store the new one
};

}  // namespace warpcheck::compile
