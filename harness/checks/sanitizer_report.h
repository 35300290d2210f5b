// What compute-sanitizer's memcheck writes, as findings.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "device/finding.h"

namespace warpcheck {

struct SanitizerReport {
  // One for each kind and place, in the order of their first occurrence, with the threads counted.
  // Lanes are those of one-dimensional blocks' first warp: set them once the block is known.
  std::vector<Finding> findings;
  // Lines in which the tool says that it does not work itself.
  std::vector<std::string> troubles;
};

// `text`: whole lines of its log file, also where it begins or ends within a report. An access in
// code that was inlined is attributed to the innermost call in a student's file; an empty function
// makes every file one.
SanitizerReport ParseSanitizerReport(
    std::string_view text, const std::function<bool(std::string_view path)>& is_student_file);

}  // namespace warpcheck
