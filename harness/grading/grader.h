// Grades one submission: builds it, runs the checks, and applies the rubric. If the checks program
// crashes, the case in which that happened is an error, and the remaining cases run in a new
// process. If the submission made the checks program too large or too slow, all remaining cases are
// errors. If the machine ended the checks program, there is no grade.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

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
  std::filesystem::path gpu_host;  // the program for device "gpu", and for a witness
  GradingPlan plan;
  bool anew = false;  // whether to compile although the cache has the result
};

struct Progress {
  enum class Step { kBuilding, kChecking };
  Step step = Step::kBuilding;
  std::string case_name;  // the case that runs, while checking
  int cases_done = 0;
};

// What the witness of a grade (grading/witness.h) needs of the outside world. These are used in a
// thread of their own.
struct WitnessTools {
  // Returns the compute capability, times 10, for which the GPU takes PTX; nullopt if this machine
  // has no GPU. The error says why a GPU cannot be used.
  std::function<Result<std::optional<int>>()> ptx_target;
  ChecksProgram* checks = nullptr;
  // Waits until no other grading uses the GPU, and keeps it until the descriptor is gone.
  std::function<Result<Descriptor>()> take_turn;
};

// What grading needs of the outside world.
struct GradingTools {
  std::function<tl::expected<compile::Outcome, compile::Failure>(const compile::Request&)> build;
  ChecksProgram* checks = nullptr;
  std::function<void(const Progress&)> progress;  // may be empty
  std::optional<WitnessTools> witness{};          // for a plan that asks for a witness
};

// Fails if the path is not a submission, and on faults of this machine. Everything about the
// student's code, and a crash of the checks program, is part of the grade.
tl::expected<Grade, compile::Failure> GradeSubmission(const GradeRequest& request,
                                                      const GradingTools& tools);

}  // namespace warpcheck
