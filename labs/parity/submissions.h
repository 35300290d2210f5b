// Submissions measured through the checks of their assignment, as grading would run them.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/builder.h"
#include "grading/assignments.h"
#include "grading/checks_program.h"
#include "labs/parity/measurements.h"
#include "labs/parity/set.h"

namespace warpcheck::parity {

// A file, and what it is measured with.
struct Subject {
  std::string name;  // its path from the repository's root
  std::filesystem::path file;
  Assignment assignment;
  std::string cases;  // which of the assignment's, as in --gtest_filter
};

struct SubmissionTools {
  std::function<tl::expected<compile::Outcome, compile::Failure>(const compile::Request&)> build;
  ChecksProgram* checks = nullptr;
  std::filesystem::path submission_host;
  std::filesystem::path gpu_host;
  std::string device = "emulator";
  bool sandboxed = true;
};

// reference/<assignment>.cu and tests/submissions/<assignment>/*/*.cu of the repository at `home`,
// in the order of their names, without those of the folder error/, whose launches cannot be
// counted. Subject::assignment is left to the caller.
Result<std::vector<Subject>> SubjectsOf(const CheckedAssignment& checked,
                                        const std::filesystem::path& home);

// The launches of all chosen cases; none for a submission that does not compile. Fails where no
// case is chosen, and where the checks do not come to their end.
Result<std::vector<MeasuredLaunch>> Measure(const Subject& subject, const SubmissionTools& tools);

}  // namespace warpcheck::parity
