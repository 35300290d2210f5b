// A Grader grades one submission: it builds it, runs the checks, and applies the rubric. If the
// checks program crashes, the case in which that happened is an error, and the remaining cases run
// in a new process. If the submission made the checks program too large or too slow, all remaining
// cases are errors. If the machine ended the checks program, there is no grade.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "compile/outcome.h"
#include "compile/source/request.h"
#include "grading/assignments.h"
#include "grading/checks_program.h"
#include "grading/grade.h"

namespace warpcheck {

struct GradeRequest {
  std::string version;  // the version of warpcheck, for reports
  Assignment assignment;
  std::filesystem::path submission;  // a .cu file, or a folder of them
  std::filesystem::path submission_host;
  std::filesystem::path gpu_host;  // the program for the device "gpu", and for a witness
  GradingPlan plan;
  bool anew = false;  // true to compile even if the cache has the result
  // These say where compared arrays are written, and from which cases (see ChecksOrder).
  std::filesystem::path dump{};
  std::vector<std::string> dump_cases{};
};

struct Progress {
  enum class Step { kBuilding, kChecking };
  Step step = Step::kBuilding;
  std::string case_name;  // the case that runs, during the checks
  int cases_done = 0;
};

// WitnessTools is what the witness of a grade (grading/witness.h), or a measurement of speed, needs
// of a GPU. The witness calls these functions in a thread of its own.
struct WitnessTools {
  // Returns ten times the compute capability for which the GPU accepts PTX, or nullopt if this
  // machine has no GPU. The error says why a GPU cannot be used.
  std::function<Result<std::optional<int>>()> ptx_target;
  ChecksProgram* checks = nullptr;
  // Waits until no other grading reads the GPU's counters, and reserves them until the descriptor
  // is closed. Where it fails, the witness compares results alone.
  std::function<Result<Descriptor>()> take_turn;
};

// GradingTools is what grading needs.
struct GradingTools {
  std::function<tl::expected<compile::Outcome, compile::Failure>(const compile::Request&)> build;
  ChecksProgram* checks = nullptr;
  std::function<void(const Progress&)> progress;  // may be empty
  std::optional<WitnessTools> witness{};          // for a plan that asks for a witness
  // For tests of speed (checks/speed/speed.h): the GPU on which they are measured. Without a value
  // they stay not measured.
  std::optional<WitnessTools> speed{};
};

// Fails if the path is not a submission, or because of a fault of this machine. Everything about
// the student's code, and a crash of the checks program, is part of the grade.
tl::expected<Grade, compile::Failure> GradeSubmission(const GradeRequest& request,
                                                      const GradingTools& tools);

}  // namespace warpcheck
