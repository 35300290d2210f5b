// Measures submissions through the checks of their assignment, as grading runs them.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "compile/outcome.h"
#include "compile/source/request.h"
#include "grading/assignments.h"
#include "grading/checks_program.h"
#include "proof/parity/measurements.h"
#include "proof/parity/set.h"

namespace warpcheck::parity {

// A submission's file, and the assignment that measures it.
struct Subject {
  std::string name;  // its path from the repository's root
  std::filesystem::path file;
  Assignment assignment;
  std::string cases;  // the filter for the assignment's cases, as in --gtest_filter
};

struct SubmissionTools {
  std::function<tl::expected<compile::Outcome, compile::Failure>(const compile::Request&)> build;
  ChecksProgram* checks = nullptr;
  std::filesystem::path submission_host;
  std::filesystem::path gpu_host;
  std::string device = "emulator";
  bool sandboxed = true;
};

// Returns reference/<assignment>.cu and tests/submissions/<assignment>/*/*.cu of the repository at
// `home`, in the order of their names. Leaves out the folder error/, whose launches cannot be
// counted. The caller sets Subject::assignment.
Result<std::vector<Subject>> SubjectsOf(const CheckedAssignment& checked,
                                        const std::filesystem::path& home);

// Returns the launches of all chosen cases. The result is empty for a submission that does not
// compile. Fails if no case is chosen, or if the checks program does not finish.
Result<std::vector<MeasuredLaunch>> Measure(const Subject& subject, const SubmissionTools& tools);

}  // namespace warpcheck::parity
