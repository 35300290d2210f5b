// Follows a results file while it is written: which cases begin and end.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "grading/checks_program.h"

namespace warpcheck {

class ResultsTail {
 public:
  explicit ResultsTail(std::filesystem::path path) : path_(std::move(path)) {}

  // Reports what was written since the last call; a file that is not there yet has nothing.
  void Poll(const CaseProgress& progress);

 private:
  std::filesystem::path path_;
  std::ifstream file_;
  std::string line_;  // begun and not yet ended
};

}  // namespace warpcheck
