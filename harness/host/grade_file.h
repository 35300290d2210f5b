// Grades one file with one plan, JSON in and JSON out, for programs that embed warpcheck.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/record.h"
#include "results/checks_order.h"

namespace warpcheck {

// A GradeOrder asks for the grade of a submission. Without a plan, the emulator judges in the
// sandbox, with seed 0.
struct GradeOrder {
  std::string assignment;            // the name of the assignment in one of Courses()
  std::filesystem::path submission;  // a .cu file, or a folder of them
  GradingPlan plan{};
};

WARPCHECK_FIELDS(GradeOrder, assignment, submission);
WARPCHECK_FIELDS_IF_CHANGED(GradeOrder, plan);

// Grades the submission of a GradeOrder in JSON:
//
//   {"assignment": "transpose", "submission": "transpose.cu"}
//
// Returns {"report": ...} with the JSON report (JsonReport), or {"error": {"message": ..., "hint":
// ...}} if the order is malformed or the submission cannot be graded. It handles no signals and
// writes nothing to the terminal. Each call needs the time of one grading, and may be made from any
// thread, but from one at a time.
std::string GradeFile(std::string_view order);

}  // namespace warpcheck
