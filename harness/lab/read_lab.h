// Reads a lab.toml, which says what a lab is (docs/labs.md).
#pragma once

#include <filesystem>
#include <string>

#include "base/result.h"
#include "lab/lab.h"

namespace warpcheck::lab {

// Returns the value that a text stands for: "32" is a number.
AxisValue AxisValueOf(std::string text);

// Reads <folder>/lab.toml. The error says where in the file it is wrong.
Result<Lab> ReadLab(const std::filesystem::path& folder);

}  // namespace warpcheck::lab
