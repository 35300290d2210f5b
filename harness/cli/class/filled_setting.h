// Fills the name of an assignment and its bundle into a file that is written for `transpose`.
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"

namespace warpcheck {

struct BundleSetting {
  std::string assignment;
  std::string digest;  // the SHA-256 of the bundle <assignment>.warp
};

// Returns the text of a Makefile, a CI file or a script for this assignment and its bundle. The
// text must set ASSIGNMENT to transpose in exactly one line. `file` is its name.
Result<std::string> FilledSetting(std::string text, const BundleSetting& setting,
                                  const std::filesystem::path& file);

}  // namespace warpcheck
